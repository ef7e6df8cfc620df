#!/usr/bin/python3
"""A table of training runs, from their logs.

    results/table.py runs              Markdown, a row for each group of runs
    results/table.py --json runs       the same as JSON, with the values of each run

Runs of the same options but for seed and output are one group. Numbers are means over its finished runs, but for the best
epoch and the greatest staleness, which are those of all of them; what stands behind ± is the sample standard deviation.
Accuracies are those of the global weights on the test set; MiB count the content of gradients and weights, of one worker
in one step; staleness counts updates.
"""
import argparse
import collections
import json
import math
import re
import sys

sys.dont_write_bytecode = True  # the folder of results stays clean

import run_logs  # noqa: E402
from run_groups import group_runs  # noqa: E402

MIB = 2**20


def last(table, column):
    values = table.get(column, ())
    return float(values[-1]) if len(values) else None


def hidden_share(run):
    """Mean over the workers, each over the whole run."""
    import numpy as np

    waits, flights = run.workers("measured_wait"), run.workers("measured_in_flight")
    if waits is None:  # logs of version 1 measure all
        waits, flights = run.workers("wait"), run.workers("in_flight")
    if waits is None:
        return None
    indices = run.workers("index")
    sums = [(waits[indices == i].sum(), flights[indices == i].sum()) for i in np.unique(indices)]
    shares = [min(1.0, max(0.0, 1 - wait / flight)) for wait, flight in sums if flight > 0]
    return float(np.mean(shares)) if shares else None


def numbers_of(run):
    """What the log of a run says, by name; None for what it does not say. Accuracies and shares are fractions."""
    evaluated, train, staleness = (run.tables[name] for name in ("eval", "train", "staleness"))
    top1 = evaluated.get("top1", ())
    pushed, pulled = run.workers("bytes_pushed"), run.workers("bytes_pulled")
    worker_steps = run.steps_per_epoch * len(pushed) if pushed is not None else 0
    peaks = run.tables["timing"].get("peak_memory_bytes", ())
    seconds, epochs, samples = (last(train, column) for column in ("seconds", "epoch", "samples"))
    counts, values = staleness.get("count", ()), staleness.get("value", ())
    return {
        "test_top1": last(evaluated, "top1"),
        "best_test_top1": float(max(top1)) if len(top1) else None,
        "best_epoch": int(evaluated["epoch"][top1.argmax()]) if len(top1) else None,
        "test_loss": last(evaluated, "loss"),
        "seconds_per_epoch": seconds / epochs if epochs else None,
        "images_per_s": samples / seconds if seconds else None,
        "pushed_mib_per_worker_step": float(pushed.sum() / worker_steps / MIB) if worker_steps else None,
        "pulled_mib_per_worker_step": float(pulled.sum() / worker_steps / MIB) if worker_steps else None,
        "staleness_mean": float((values * counts).sum() / counts.sum()) if sum(counts) else None,
        "staleness_max": int(values[counts > 0].max()) if sum(counts) else None,
        "hidden_share": hidden_share(run),
        "peak_memory_mib": float(max(peaks)) / MIB if len(peaks) else None,
    }


def summary_of(values):
    """Mean, lowest, highest and sample standard deviation of the numbers there are."""
    values = [value for value in values if value is not None]
    if not values:
        return None
    mean = sum(values) / len(values)
    sd = math.sqrt(sum((v - mean) ** 2 for v in values) / (len(values) - 1)) if len(values) > 1 else None
    return {"mean": mean, "min": min(values), "max": max(values), "sample_standard_deviation": sd}


def report_of(group):
    runs = [
        {"path": str(run.path), "seed": run.seed, "status": run.status, "is_benchmark": run.is_benchmark, **numbers_of(run)}
        for run in group.runs
    ]
    finished = [run for run in runs if run["status"] == "finished"]
    names = numbers_of(group.runs[0])
    return {
        "label": group.label,
        "setting": group.runs[0].setting,
        "finished": {name: summary_of([run[name] for run in finished]) for name in names},
        "runs": runs,
    }


def cell(summary, digits, scale=1, spread=False, unit="", of="mean"):
    if summary is None:
        return "-"
    text = f"{scale * summary[of]:.{digits}f}"
    if spread and summary["sample_standard_deviation"] is not None:
        text += f" ± {scale * summary['sample_standard_deviation']:.{digits}f}"
    return text + unit


def status_of(runs):
    """`3 finished`, or `2 finished, 1 failed: why`: each reason once, without the hint in brackets at its end."""
    counts = collections.Counter(re.sub(r" \([^()]*\)$", "", " ".join(run["status"].split())) for run in runs)
    order = sorted(counts, key=lambda status: (status != "finished", status))
    return ", ".join(f"{counts[status]} {status}" for status in order).replace("|", "\\|")


def row_of(report):
    f = report["finished"]
    staleness = cell(f["staleness_mean"], 2)
    if f["staleness_max"]:
        staleness += f" ({f['staleness_max']['max']})"
    return [
        report["label"].replace("|", "\\|"),
        ", ".join(str(run["seed"]) for run in report["runs"]),
        cell(f["test_top1"], 2, 100, spread=True),
        cell(f["best_test_top1"], 2, 100, of="max"),
        cell(f["test_loss"], 4),
        cell(f["seconds_per_epoch"], 2),
        cell(f["images_per_s"], 0),
        cell(f["pushed_mib_per_worker_step"], 3),
        cell(f["pulled_mib_per_worker_step"], 3),
        staleness,
        cell(f["hidden_share"], 0, 100, unit=" %"),
        cell(f["peak_memory_mib"], 0),
        status_of(report["runs"]),
    ]


HEAD = (
    "run",
    "seeds",
    "test top-1 %, mean ± sd",
    "best epoch %",
    "test loss",
    "s an epoch",
    "images/s",
    "MiB pushed",
    "MiB pulled",
    "staleness (max)",
    "hidden",
    "peak MiB a rank",
    "status",
)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    run_logs.add_arguments(parser)
    arguments = parser.parse_args()
    run_logs.require(h5py="python3-h5py")
    reports = [report_of(group) for group in group_runs(run_logs.read_arguments(arguments.runs))]
    if arguments.json:
        print(json.dumps({"groups": reports}, indent=2))
        return
    for row in (HEAD, ["---"] * len(HEAD), *map(row_of, reports)):
        print("| " + " | ".join(row) + " |")


if __name__ == "__main__":
    main()
