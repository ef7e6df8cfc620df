"""Small real runs for the tests: `odsgd train` on ten patterns with noise, and logs changed by hand."""
import os
import pathlib
import shutil
import subprocess

import h5py
import numpy as np

RESULTS = pathlib.Path(__file__).resolve().parents[2] / "results"
TRAIN, BATCH, WORKERS, EPOCHS = 320, 8, 2, 3
STEPS_PER_EPOCH = TRAIN // (BATCH * WORKERS)


def write_data(path):
    random = np.random.default_rng(1)
    patterns = random.uniform(0, 150, (10, 1, 28, 28))
    with h5py.File(path, "w") as data:
        data.attrs.update(format="odsgd-data", format_version=1, layout="NCHW", mean=[0.5], std=[0.25])
        data.attrs["class_names"] = [str(i) for i in range(10)]
        for part, count in (("train", TRAIN), ("test", 100)):
            labels = np.arange(count) % 10
            noise = random.uniform(0, 100, (count, 1, 28, 28))
            data[f"{part}/images"] = (patterns[labels] + noise).astype(np.uint8)
            data[f"{part}/labels"] = labels.astype(np.int32)


def train(folder, name, *options, exit_code=0):
    """The log of a run; the data is folder/tiny.h5."""
    command = f"{os.environ['ODSGD']} train --data tiny.h5 --model mlp --workers {WORKERS} --batch-per-worker {BATCH}"
    command += f" --epochs {EPOCHS} --log-every 5 --lr 0.01 --progress off --save-weights false --output {name}"
    result = subprocess.run(command.split() + list(options), cwd=folder, capture_output=True, text=True)
    assert result.returncode == exit_code, result.stderr
    return folder / name / "run.h5"


def changed(log, name, config=(), **attributes):
    """A copy of a log, with other attributes."""
    copy = log.parent.parent / name / "run.h5"
    copy.parent.mkdir(exist_ok=True)
    shutil.copy(log, copy)
    with h5py.File(copy, "r+") as file:
        file.attrs.update(attributes)
        file["config"].attrs.update(config)
    return copy


def call(script, *arguments, **environment):
    """What a script of results/ prints and says, and its exit code."""
    command = ["/usr/bin/python3", str(RESULTS / script), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=os.environ | environment)
