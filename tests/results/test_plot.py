"""results/plot.py draws what the logs say, and both scripts say in one line what they cannot read."""
import pathlib
import tempfile
import unittest

import h5py
import numpy as np
import plot
import run_logs
from run_groups import group_runs
from tiny_runs import STEPS_PER_EPOCH, call, changed, train, write_data


class Plot(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.directory.cleanup)
        cls.folder = folder = pathlib.Path(cls.directory.name)
        write_data(folder / "tiny.h5")
        cls.runs = [train(folder, f"ssgd-{s}", "--algorithm", "ssgd", "--seed", s) for s in "12"]
        cls.running = changed(cls.runs[0], "running", config={"seed": 3}, status="running")
        cls.failed = changed(cls.runs[0], "failed", config={"seed": 4}, status="failed: lost")
        cls.empty = folder / "no-runs"
        cls.empty.mkdir()
        cls.benchmark = train(folder, "benchmark", "--device", "synthetic", "--compute-ms", "0.1")

    def axes(self, *runs, what="test-accuracy", x="epoch"):
        groups = group_runs(run_logs.read_arguments(map(str, runs)))
        return plot.draw(plot.curves_of(groups, what, x), what, x).axes[0]

    def test_the_line_is_the_mean_and_the_band_goes_from_lowest_to_highest(self):
        axes = self.axes(*self.runs)
        top1 = 100 * np.array([h5py.File(path, "r")["eval/top1"][:] for path in self.runs])

        (line,) = axes.lines
        np.testing.assert_array_equal(line.get_xdata(), [1, 2, 3])
        np.testing.assert_allclose(line.get_ydata(), top1.mean(axis=0))
        (band,) = axes.collections
        corners = band.get_paths()[0].vertices
        for epoch in (1, 2, 3):
            heights = corners[corners[:, 0] == epoch, 1]
            self.assertAlmostEqual(heights.min(), top1[:, epoch - 1].min())
            self.assertAlmostEqual(heights.max(), top1[:, epoch - 1].max())
        self.assertEqual(line.get_label(), "ssgd (2 runs)")

    def test_every_quantity_and_axis_is_that_of_the_log(self):
        with h5py.File(self.runs[0], "r") as log:
            train_, steps = log["train"], STEPS_PER_EPOCH * np.arange(1, 4)
            seconds = [train_["seconds"][np.flatnonzero(train_["step"][:] == step)[0]] for step in steps]
            hidden = 100 * log["overlap/hidden_share_mean"][:]
            want = {
                ("test-error", "step"): (steps, 100 - 100 * log["eval/top1"][:]),
                ("test-accuracy", "seconds"): (seconds, 100 * log["eval/top1"][:]),
                ("train-loss", "epoch"): (train_["epoch"][:], train_["loss"][:]),
                ("images-per-s", "seconds"): (train_["seconds"][:], train_["images_per_s"][:]),
                ("hidden-share", "step"): (steps, hidden),
            }
        for (what, x), (xs, ys) in want.items():
            with self.subTest(what=what, x=x):
                line = self.axes(self.runs[0], what=what, x=x).lines[0]
                np.testing.assert_allclose(line.get_xdata(), xs)
                np.testing.assert_allclose(line.get_ydata(), ys)

    def test_unfinished_runs_end_in_marks_and_stay_out_of_the_mean(self):
        axes = self.axes(*self.runs, self.running, self.failed)
        finished = self.axes(*self.runs)

        np.testing.assert_array_equal(axes.lines[0].get_ydata(), finished.lines[0].get_ydata())
        self.assertEqual([line.get_marker() for line in axes.lines[1:5]], ["None", ">", "None", "X"])
        texts = [text.get_text() for text in axes.get_legend().get_texts()]
        self.assertEqual(texts, ["ssgd (2 runs)", "a run failed here", "a run goes on, or was killed"])

    def test_a_loss_that_exploded_leaves_the_others_their_scale(self):
        with h5py.File(self.failed, "r+") as log:
            log["train/loss"][-1] = 1e18
        axes = self.axes(*self.runs, self.failed, what="train-loss")

        self.assertLess(axes.get_ylim()[1], 10)
        self.assertEqual(axes.lines[2].get_ydata(), axes.get_ylim()[1])

    def test_fifteen_groups_look_different_and_the_legend_covers_no_curve(self):
        logs = [changed(self.runs[0], f"lr-{i}", config={"lr": 0.01 + i}) for i in range(15)]
        axes = self.axes(*logs)
        axes.figure.canvas.draw()

        looks = {(line.get_color(), line.get_linestyle()) for line in axes.lines}
        self.assertEqual(len(looks), 15)
        self.assertEqual(len({line.get_label() for line in axes.lines}), 15)
        legend = axes.get_legend().get_window_extent()
        self.assertFalse(legend.overlaps(axes.get_window_extent()))

    def test_files_are_pictures_of_their_kind(self):
        for name, magic in (("a.png", b"\x89PNG"), ("a.pdf", b"%PDF")):
            output = self.folder / name
            result = call("plot.py", "--output", output, "--title", "T", f"one={self.runs[0]}", self.runs[1].parent)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertTrue(output.read_bytes().startswith(magic))

    def test_labels_given_by_hand_stand_and_hold_runs_of_one_kind(self):
        axes = self.axes(f"first={self.runs[0]}", f"second={self.runs[1]}")
        self.assertEqual([line.get_label() for line in axes.lines], ["first", "second"])
        other = changed(self.runs[0], "other", config={"lr": 7.0})
        self.assert_line(call("table.py", f"a={self.runs[0]}", f"a={other}"), "a: got runs of different lr (")

    def test_a_benchmark_is_named_as_one(self):
        axes = self.axes(self.benchmark, what="images-per-s")
        self.assertEqual(axes.lines[0].get_label(), "od-sgd (benchmark)")
        result = call("plot.py", "--output", self.folder / "no.png", self.benchmark)
        self.assert_line(result, "a benchmark on the synthetic device: it has no test-accuracy")

    def assert_line(self, result, text, code=1):
        self.assertEqual(result.returncode, code)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        self.assertIn(text, result.stderr)

    def test_bad_input_is_one_clear_line(self):
        text = self.folder / "text.h5"
        text.write_text("no HDF5")
        newer = changed(self.runs[0], "newer", format_version=99)
        for script, more in (("plot.py", ("--output", self.folder / "x.png")), ("table.py", ())):
            for run, want in (
                (self.folder / "nowhere", "nowhere: no such file, want a run.h5 or a folder of runs"),
                (self.empty, "no-runs: no run.h5 in or below this folder"),
                (text, "text.h5: cannot be read as HDF5 ("),
                (self.folder / "tiny.h5", "tiny.h5: got odsgd-data, want a run log of odsgd train"),
                (newer, "got a log of version 99, want at most 2"),
            ):
                with self.subTest(script=script, run=run.name):
                    self.assert_line(call(script, *more, self.runs[0], run), want)
            self.assert_line(call(script, *more, self.runs[0], self.runs[0].parent), "run.h5: given twice")
        missing = self.folder / "none" / "x.png"
        self.assert_line(call("plot.py", "--output", missing, self.runs[0]), "x.png: cannot be written: No such file")
        self.assertEqual(call("plot.py", "--output", "x.gif", self.runs[0]).returncode, 2)

    def test_a_run_without_rows_is_left_out_with_a_warning(self):
        empty = changed(self.runs[0], "empty", status="running")
        with h5py.File(empty, "r+") as log:
            for column in ("epoch", "step", "top1"):
                del log[f"eval/{column}"]
                log[f"eval/{column}"] = np.zeros(0)
        output = ("--output", self.folder / "rows.png")

        result = call("plot.py", *output, self.runs[0], empty)
        self.assert_line(result, "left out: no rows for test-accuracy; its status is 'running'", code=0)
        self.assertIn("nothing to draw: no run has rows for test-accuracy", call("plot.py", *output, empty).stderr)

    def test_a_missing_package_is_named_with_the_python_it_belongs_to(self):
        for module in ("h5py", "matplotlib"):
            lacking = self.folder / f"no-{module}"
            lacking.mkdir()
            (lacking / f"{module}.py").write_text("raise ImportError")
            result = call("plot.py", "--output", "x.png", self.runs[0], PYTHONPATH=str(lacking))
            self.assert_line(result, f"install Debian's python3-{module}, which belongs to /usr/bin/python3", code=2)


if __name__ == "__main__":
    unittest.main()
