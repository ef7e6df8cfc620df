#!/usr/bin/python3
"""Curves of training runs, from their logs.

    results/plot.py --output accuracy.png runs/*            test accuracy by epoch, a line for each group of runs
    results/plot.py --output loss.pdf --what train-loss --x seconds here=runs/a there=runs/b

Runs of the same options but for seed and output are one group: a line through their means, shaded from the lowest to the
highest. A run that failed, or goes on, is a thin line of its own that ends in a mark.
"""
import argparse
import itertools
import pathlib
import sys

sys.dont_write_bytecode = True  # the folder of results stays clean

import run_logs  # noqa: E402
from run_groups import group_runs  # noqa: E402
from run_logs import fail, warn  # noqa: E402

# Okabe and Ito's colours, which the colour-blind tell apart, without the yellow that white paper swallows.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
STYLES = ("-", "--", ":", "-.")  # with seven colours, 28 groups differ
MOST_GROUPS = len(COLOURS) * len(STYLES)
AXES = {"epoch": "epoch", "seconds": "training time (s)", "step": "steps"}
WHATS = {  # the table it comes from, and the axis
    "test-accuracy": ("eval", "test accuracy of the global weights (%)"),
    "test-error": ("eval", "test error of the global weights (%)"),
    "train-loss": ("train", "training loss (nats)"),
    "images-per-s": ("train", "training speed (images/s)"),
    "hidden-share": ("timing", "hidden share of communication (%)"),
}
OF_LEARNING = ("test-accuracy", "test-error", "train-loss")


def values_of(run, what):
    """Epochs, steps and what there is at them."""
    import numpy as np

    table = run.tables[WHATS[what][0]]
    if not table or not len(table["epoch"]):
        return (np.zeros(0),) * 3
    if what == "hidden-share":  # mean over workers; an epoch in which nothing was measured has none
        epochs, shares = run.workers("epoch"), run.workers("hidden_share")
        measured = ~np.isnan(shares)
        found = np.unique(epochs[measured])
        means = np.array([100 * shares[measured & (epochs == epoch)].mean() for epoch in found])
        return found, found * run.steps_per_epoch, means
    if what == "test-accuracy":
        values = 100 * table["top1"]
    elif what == "test-error":
        values = 100 * (1 - table["top1"])
    else:
        values = table["loss" if what == "train-loss" else "images_per_s"]
    return table["epoch"], table["step"], values


def curve_of(run, what, x):
    import numpy as np

    epochs, steps, values = values_of(run, what)
    if x == "seconds" and len(steps):
        train = run.tables["train"]  # has a row at the end of each epoch
        if not len(train["step"]):
            return steps[:0], values[:0]
        return np.interp(steps, np.append(0, train["step"]), np.append(0, train["seconds"])), values
    return (epochs if x == "epoch" else steps), values


def curves_of(groups, what, x):
    """(group, curves of finished runs, curves of others with their runs) of the groups that have any."""
    result = []
    for group in groups:
        finished, others = [], []
        for run in group.runs:
            if run.is_benchmark and what in OF_LEARNING:
                fail(f"{run.path}: a benchmark on the synthetic device: it has no {what}, nothing was learnt")
            xs, ys = curve_of(run, what, x)
            if not len(xs):
                warn(f"{run.path}: left out: no rows for {what}; its status is '{run.status}'")
            elif run.is_finished:
                finished.append((xs, ys))
            else:
                warn(f"{run.path}: drawn alone, with a mark at its end; its status is '{run.status}'")
                others.append((xs, ys, run))
        if finished or others:
            result.append((group, finished, others))
    if not result:
        fail(f"nothing to draw: no run has rows for {what}")
    if len(result) > MOST_GROUPS:
        fail(f"got {len(result)} groups, want at most {MOST_GROUPS}: more lines look alike")
    return result


def draw_finished(axes, look, label, finished, shade):
    import numpy as np

    colour, style = look
    rows = min(len(xs) for xs, _ in finished)  # of the same steps in all
    x = np.mean([xs[:rows] for xs, _ in finished], axis=0)
    y = np.array([ys[:rows] for _, ys in finished])
    label = f"{label} ({len(finished)} runs)" if len(finished) > 1 else label
    marker = "o" if rows <= 12 else ""
    axes.plot(x, y.mean(axis=0), style, color=colour, marker=marker, markersize=3, linewidth=1.5, label=label)
    if len(finished) > 1:
        axes.fill_between(x, y.min(axis=0), y.max(axis=0), color=colour, alpha=shade, linewidth=0)


def draw_unfinished(axes, look, label, others, top):
    colour, style = look
    for i, (xs, ys, run) in enumerate(others):
        axes.plot(xs, ys, style, color=colour, linewidth=0.8, label=None if i else label)
        end = min(top, ys[-1])
        mark = ">" if run.status == "running" else "X"
        axes.plot(xs[-1], end, mark, color=colour, markersize=7, clip_on=False, zorder=3)


def top_of(curves, what):
    """Where the picture ends: a loss that grew until its run failed leaves the others their scale."""
    import numpy as np

    values = [ys for _, finished, _ in curves for _, ys in finished]
    if what != "train-loss" or not values:
        return np.inf
    return 1.1 * max(ys.max() for ys in values)


def draw(curves, what, x, title=None):
    """The figure."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot
    from matplotlib.ticker import MaxNLocator

    figure, axes = pyplot.subplots(figsize=(7, 4.5))
    top = top_of(curves, what)
    looks = zip(itertools.cycle(COLOURS), itertools.cycle(STYLES))
    for look, (group, finished, others) in zip(looks, curves):
        if finished:
            draw_finished(axes, look, group.label, finished, shade=0.15 if len(curves) < 7 else 0.07)
        draw_unfinished(axes, look, None if finished else group.label, others, top)
    ends = {run.status.split(":")[0] for _, _, others in curves for _, _, run in others}
    for end, marker, text in (("failed", "X", "a run failed here"), ("running", ">", "a run goes on, or was killed")):
        if end in ends:
            axes.plot([], [], marker, color="grey", markersize=7, label=text)
    axes.set_xlabel(AXES[x])
    axes.set_ylabel(WHATS[what][1])
    if title:
        axes.set_title(title, loc="left")
    if x != "seconds":
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, steps=(1, 2, 5, 10)))
    axes.grid(alpha=0.3)
    axes.margins(x=0.02)
    if axes.get_ylim()[1] > top:
        axes.set_ylim(-0.05 * top, top)
    if all(len(ys) and min(ys) > 0 for _, finished, _ in curves for _, ys in finished) and what == "test-error":
        log_axis(axes)
    has_bands = any(len(finished) > 1 for _, finished, _ in curves)
    # Beside the axes: on them it would cover a curve sooner or later.
    axes.legend(
        loc="upper left",
        bbox_to_anchor=(1.01, 1),
        borderaxespad=0,
        frameon=False,
        fontsize="small",
        handlelength=3.5,
        title="mean; shaded: lowest to highest" if has_bands else None,
        title_fontsize="small",
        alignment="left",
    )
    return figure


def log_axis(axes):
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 3, 5, 7)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.yaxis.set_minor_formatter(NullFormatter())


def picture(path):
    if pathlib.Path(path).suffix not in (".png", ".pdf"):
        raise argparse.ArgumentTypeError(f"got {path}, want a name that ends in .png or .pdf")
    return path


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--output", required=True, type=picture, metavar="FILE", help="a .png or .pdf")
    parser.add_argument("--what", choices=WHATS, default="test-accuracy", help="(default: %(default)s)")
    parser.add_argument("--x", choices=AXES, default="epoch", help="(default: %(default)s)")
    parser.add_argument("--title", help="over the picture")
    run_logs.add_arguments(parser)
    arguments = parser.parse_args()
    run_logs.require(h5py="python3-h5py", matplotlib="python3-matplotlib")
    groups = group_runs(run_logs.read_arguments(arguments.runs))
    figure = draw(curves_of(groups, arguments.what, arguments.x), arguments.what, arguments.x, arguments.title)
    try:
        figure.savefig(arguments.output, dpi=150, bbox_inches="tight")
    except OSError as error:
        fail(f"{arguments.output}: cannot be written: {error.strerror}")


if __name__ == "__main__":
    main()
