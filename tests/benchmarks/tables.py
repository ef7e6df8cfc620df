#!/usr/bin/env python3
"""Markdown tables of what `odsgd bench ps --json` and `odsgd bench overlap --json` have measured.

    tests/benchmarks/tables.py FOLDER

FOLDER holds their output as <name>.json.
"""
import json
import pathlib
import sys

WAYS = ("plain ssgd", "ssgd", "asgd", "od-sgd")


def rows_of(report):
    return {row["name"]: row for row in report["rows"]}


def number(row, digits=0):
    return "-" if row is None or row["median"] is None else f"{row['median']:.{digits}f}"


def limited(row, digits=0):
    """A number, and in brackets what it is of its limit."""
    if row.get("limit") is None:
        return number(row, digits)
    return f"{number(row, digits)} ({row['limit']['ratio']:.2f})"


def overlap_table(reports):
    lines = [
        "| run | keys | compute | exchange alone | "
        + " | ".join(f"{way} (of model)" for way in WAYS)
        + " | od-sgd: exposed wait | hidden | faster than "
        + " | than ".join(WAYS[:-1]) + " |",
        "|" + "---|" * 13,
    ]
    for name, report in reports:
        rows = rows_of(report)
        cells = [
            name,
            report["facts"]["keys"].split(":")[0],
            report["facts"]["compute"].split(" a step")[0],
            number(rows["exchange alone"]) + " ms",
            *(limited(rows[f"{way}: step"]) for way in WAYS),
            number(rows["od-sgd: exposed wait"], 1) + " ms",
            f"{100 * rows['od-sgd: hidden share']['median']:.1f} %",
            *(number(rows[f"od-sgd is faster than {way}"], 2) for way in WAYS[:-1]),
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def ps_table(reports):
    lines = [
        "| run | ranks | keys | push + pull GB/s (of its limit) | limit: GB/s | fused update GB/s (of triad) "
        "| MPI message GB/s | server: core | worker: core | peak MiB: server, worker |",
        "|" + "---|" * 10,
    ]
    for name, report in reports:
        rows = rows_of(report)
        digits = 1 if rows["push + pull"]["median"] > 1 else 4
        update = next(row for key, row in rows.items() if key.startswith("fused update"))
        limit = rows["push + pull"]["limit"]
        peaks = [number(rows.get(f"{who}: peak memory")) for who in ("server 0", "worker 1")]
        cells = [
            name,
            report["facts"]["ranks"],
            report["facts"]["keys"].split(":")[0 if "flat" not in report["facts"]["keys"] else 1].strip(),
            limited(rows["push + pull"], digits),
            f"{limit['name']}: {limit['median']:.{digits}f}",
            limited(update, 1),
            number(rows.get("MPI ping-pong, one message"), digits),
            number(rows["server 0: progress"]) + " %",
            number(rows["worker 0: progress"]) + " %",
            ", ".join(peaks),
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    reports = [(path.stem, json.loads(path.read_text())) for path in sorted(pathlib.Path(sys.argv[1]).glob("*.json"))]
    for prefix, table in (("ps", ps_table), ("overlap", overlap_table)):
        chosen = [(name, report) for name, report in reports if name.startswith(prefix + "-")]
        if chosen:
            print("\n".join(table(chosen)), end="\n\n")


if __name__ == "__main__":
    main()
