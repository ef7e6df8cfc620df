"""Run logs of odsgd (docs/file-formats.md), as plot.py and table.py read them, and the command line that both have."""
import dataclasses
import os
import pathlib
import sys
import time

PROGRAM = pathlib.Path(sys.argv[0]).name
NEWEST_VERSION = 2
TABLES = ("train", "eval", "timing", "staleness")


def warn(message):
    print(f"{PROGRAM}: warning: {message}", file=sys.stderr)


def fail(message, code=1):
    print(f"{PROGRAM}: {message}", file=sys.stderr)
    sys.exit(code)


def require(**modules):
    """Ends the program when a Python module is missing; the keywords are modules and their Debian packages."""
    missing = []
    for module, package in modules.items():
        try:
            __import__(module)
        except ImportError:
            missing.append((module, package))
    if missing:
        names, packages = (", ".join(column) for column in zip(*missing))
        fail(
            f"{sys.executable} lacks {names}: install Debian's {packages}, which belong{'s' if len(missing) == 1 else ''} "
            f"to /usr/bin/python3, and start this with it: /usr/bin/python3 {sys.argv[0]}",
            code=2,
        )


@dataclasses.dataclass
class Run:
    path: pathlib.Path
    status: str  # running, finished, or failed: why
    is_benchmark: bool
    seed: int
    setting: dict  # what it shares with the runs that differ from it in their seeds alone
    steps_per_epoch: int
    tables: dict  # name -> column -> array; columns of a table are equally long

    @property
    def is_finished(self):
        return self.status == "finished"

    def workers(self, column):
        """A column of /timing, the rows of workers; None in logs that are older than the column."""
        timing = self.tables["timing"]
        return timing[column][timing["role"] == 1] if column in timing else None


def plain(value):
    return value.item() if hasattr(value, "item") else value


def read_table(log, name):
    """While a run goes on, the columns may differ in length by what was written last: the shortest counts."""
    columns = {column: data[:] for column, data in log[name].items()} if name in log else {}
    rows = min((len(values) for values in columns.values()), default=0)
    return {column: values[:rows] for column, values in columns.items()}


def setting_of(log):
    """The options that make a run what it is, and what the launcher decides, which is in no option."""
    places = ("seed", "output", "trace", "toml", "preset")  # a preset is what it made of the others
    setting = {name: plain(value) for name, value in log["config"].attrs.items() if name not in places}
    environment = log["environment"].attrs
    return setting | {name: plain(environment[name]) for name in ("workers", "transport")}


def open_log(path):
    import h5py

    for wait_s in (0.05, 0.2, None):
        try:
            return h5py.File(path, "r")
        except OSError as error:  # also a log that was being written at this moment
            if wait_s is None:
                fail(f"{path}: cannot be read as HDF5 ({' '.join(str(error).split())})")
            time.sleep(wait_s)


def logs_at(path):
    """The log `path`, or all run.h5 in and below the directory `path`. Ends the program when there is none."""
    path = pathlib.Path(path)
    if path.is_file():
        return [path]
    if not path.is_dir():
        fail(f"{path}: no such file, want a run.h5 or a folder of runs")
    logs = sorted(path.rglob("run.h5"))
    if not logs:
        fail(f"{path}: no run.h5 in or below this folder")
    return logs


def read_run(path):
    """The log `path`. Ends the program with one line when it is none."""
    with open_log(path) as log:
        kind = log.attrs.get("format", "no format")
        if kind != "odsgd run log":
            fail(f"{path}: got {kind}, want a run log of odsgd train")
        version = plain(log.attrs["format_version"])
        if version > NEWEST_VERSION:
            fail(f"{path}: got a log of version {version}, want at most {NEWEST_VERSION}")
        try:
            return Run(
                path=path,
                status=log.attrs["status"],
                is_benchmark=bool(log.attrs.get("is_benchmark", 0)),
                seed=plain(log["config"].attrs["seed"]),
                setting=setting_of(log),
                steps_per_epoch=plain(log["environment"].attrs["steps_per_epoch"]),
                tables={name: read_table(log, name) for name in TABLES},
            )
        except KeyError as error:
            fail(f"{path}: a run log without {error.args[0]}")


def add_arguments(parser):
    parser.add_argument(
        "runs",
        nargs="+",
        metavar="[LABEL=]RUN",
        help="a run.h5, or a folder of runs, at any depth. Runs of the same options but for seed and output make one "
        "group; its name is what tells it from the others, or LABEL",
    )


def read_arguments(arguments):
    """(label or None, run) of each; a word with = in it that is a path is no label."""
    found = {}
    for argument in arguments:
        label, equals, path = argument.partition("=")
        if os.path.exists(argument) or not equals:
            label, path = None, argument
        for log in logs_at(path):
            if log.resolve() in found:
                fail(f"{log}: given twice")
            found[log.resolve()] = (label, read_run(log))
    return list(found.values())
