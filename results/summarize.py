#!/usr/bin/env python3
"""Tables and a plot of runs that differ in algorithm and seed.

    results/summarize.py FOLDER

FOLDER holds run logs as <name>-seed<n>/run.h5. Writes FOLDER/table.md, and FOLDER/accuracy.png where matplotlib is there.
"""
import pathlib
import re
import sys

try:
    import h5py
    import numpy as np
except ImportError as error:
    sys.exit(f"summarize.py: {error.name} is missing (Debian: python3-h5py, which brings numpy)")


def read(path):
    with h5py.File(path, "r") as log:
        if log.attrs.get("is_benchmark", 0):
            return {"status": "that of a benchmark, not of a training"}
        workers = log["timing/role"][:] == 1
        part = "measured_" if "measured_wait" in log["timing"] else ""  # logs of version 1 measure all
        wait = log[f"timing/{part}wait"][:][workers].sum()
        in_flight = log[f"timing/{part}in_flight"][:][workers].sum()
        return {
            "status": log.attrs["status"],
            "top1": 100 * log["eval/top1"][:],
            "loss": log["eval/loss"][-1],
            "seconds": log["train/seconds"][-1],
            "images_per_s": log["train/samples"][-1] / log["train/seconds"][-1],
            "hidden": 100 * (1 - wait / in_flight),
            "staleness": np.average(log["staleness/value"][:], weights=log["staleness/count"][:]),
            "memory": log["timing/peak_memory_bytes"][:].max() / 2**20,
        }


def gather(folder):
    runs = {}
    for path in sorted(folder.glob("*-seed*/run.h5")):
        name, seed = re.fullmatch(r"(.*)-seed(\d+)", path.parent.name).groups()
        run = read(path)
        if run["status"] == "finished":
            runs.setdefault(name, {})[int(seed)] = run
        else:
            print(f"summarize.py: {path}: left out, its status is {run['status']}", file=sys.stderr)
    return runs


def table(runs):
    seeds = sorted({seed for by_seed in runs.values() for seed in by_seed})
    lines = [
        "| run | " + " | ".join(f"seed {s}" for s in seeds)
        + " | mean top-1 | test loss | images/s | hidden | staleness | peak MiB a rank |",
        "|---|" + "---|" * (len(seeds) + 6),
    ]
    for name, by_seed in runs.items():
        finals = [run["top1"][-1] for run in by_seed.values()]
        mean = lambda key: np.mean([run[key] for run in by_seed.values()])  # noqa: E731
        cells = [f"{by_seed[s]['top1'][-1]:.2f}" if s in by_seed else "-" for s in seeds]
        spread = f" ± {np.std(finals, ddof=1):.2f}" if len(finals) > 1 else ""
        lines.append(
            f"| {name} | " + " | ".join(cells)
            + f" | {np.mean(finals):.3f}{spread} | {mean('loss'):.4f} | {mean('images_per_s'):.0f}"
            f" | {mean('hidden'):.0f} % | {mean('staleness'):.2f} | {mean('memory'):.0f} |"
        )
    return "\n".join(lines) + "\n"


def plot(runs, path):
    try:
        import matplotlib
    except ImportError:
        print("summarize.py: no plot: matplotlib is missing (Debian: python3-matplotlib)", file=sys.stderr)
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4.5))
    for name, by_seed in runs.items():
        curves = np.array([run["top1"] for run in by_seed.values()])
        epochs = np.arange(1, curves.shape[1] + 1)
        (line,) = axes.plot(epochs, curves.mean(axis=0), label=name)
        axes.fill_between(epochs, curves.min(axis=0), curves.max(axis=0), color=line.get_color(), alpha=0.15)
    axes.set_xlabel("epoch")
    axes.set_ylabel("test accuracy of the global weights, %")
    axes.set_title("mean over seeds, shaded from lowest to highest")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=120)


def main():
    if len(sys.argv) != 2 or not pathlib.Path(sys.argv[1]).is_dir():
        sys.exit("usage: summarize.py FOLDER, which holds <name>-seed<n>/run.h5")
    folder = pathlib.Path(sys.argv[1])
    runs = gather(folder)
    if not runs:
        sys.exit(f"summarize.py: {folder}: no finished run of the form <name>-seed<n>/run.h5")
    text = table(runs)
    (folder / "table.md").write_text(text)
    print(text, end="")
    plot(runs, folder / "accuracy.png")


if __name__ == "__main__":
    main()
