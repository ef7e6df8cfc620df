"""results/table.py says what the logs say: numbers by hand from the logs' data sets and the program's own results."""
import json
import pathlib
import shutil
import statistics
import tempfile
import unittest

import h5py
import numpy as np
from tiny_runs import EPOCHS, STEPS_PER_EPOCH, call, changed, train, write_data

FAILURE = "failed: step 3: loss is nan (try a smaller --lr)"


class Table(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.directory.cleanup)
        folder = pathlib.Path(cls.directory.name)
        write_data(folder / "tiny.h5")
        cls.ssgd = [train(folder, f"ssgd-{s}", "--algorithm", "ssgd", "--seed", s) for s in "21"]
        with h5py.File(cls.ssgd[0], "r+") as log:
            log["eval/top1"][-1] = 0.5  # so that there is a spread
        cls.od_sgd = train(folder, "od-sgd", "--local-rule", "sgd", "--trace", "trace")
        cls.smooth = train(folder, "smooth", "--algorithm", "ssgd", "--label-smoothing", "0.2")
        cls.failed = changed(cls.ssgd[0], "failed", config={"seed": 9}, status=FAILURE)
        cls.all = [*cls.ssgd, cls.od_sgd, cls.smooth, cls.failed]

    def report(self, *runs):
        result = call("table.py", "--json", *runs)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return json.loads(result.stdout)["groups"]

    def test_runs_that_differ_in_seed_and_output_are_one_group(self):
        elsewhere = changed(self.od_sgd, "elsewhere", config={"seed": 2, "trace": "other", "output": "elsewhere"})
        groups = self.report(*self.all, elsewhere)

        self.assertEqual([[run["seed"] for run in group["runs"]] for group in groups], [[1, 2, 9], [1, 2], [1]])

    def test_a_folder_stands_for_the_runs_below_it_and_a_label_for_all_of_them(self):
        folder = self.ssgd[0].parent.parent / "series"
        for log in self.ssgd:
            (folder / "deep" / log.parent.name).mkdir(parents=True)
            shutil.copy(log, folder / "deep" / log.parent.name)
        (group,) = self.report(f"both={folder}")

        self.assertEqual((group["label"], [run["seed"] for run in group["runs"]]), ("both", [1, 2]))

    def test_labels_are_what_differs(self):
        groups = self.report(*self.all)
        self.assertEqual(
            [group["label"] for group in groups],
            ["ssgd, label smoothing 0", "od-sgd, label smoothing 0", "ssgd, label smoothing 0.2"],
        )
        self.assertEqual([group["label"] for group in self.report(*self.ssgd, self.od_sgd)], ["ssgd", "od-sgd"])
        self.assertEqual([group["label"] for group in self.report(self.od_sgd)], ["od-sgd"])

    def test_a_rules_options_name_runs_of_that_rule_alone(self):
        mild = changed(self.od_sgd, "mild", config={"local-lr": 0.003})
        other = changed(self.od_sgd, "other", config={"local-rule": "mc", "delay-steps": 7})
        faster = changed(self.od_sgd, "faster", config={"lr": 0.02, "local-lr": 0.02})
        labels = [group["label"] for group in self.report(self.ssgd[0], self.od_sgd, mild, other, faster)]
        self.assertEqual(
            labels,
            [
                "ssgd, lr 0.01",
                "od-sgd, local rule sgd, lr 0.01, local lr 0.01",
                "od-sgd, local rule sgd, lr 0.01, local lr 0.003",
                "od-sgd, local rule mc, lr 0.01",
                "od-sgd, local rule sgd, lr 0.02, local lr 0.02",
            ],
        )

    def test_a_local_rate_that_follows_the_global_one_is_in_no_label(self):
        faster = changed(self.od_sgd, "both-faster", config={"lr": 0.02, "local-lr": 0.02})
        labels = [group["label"] for group in self.report(self.od_sgd, faster)]
        self.assertEqual(labels, ["lr 0.01", "lr 0.02"])

    def test_the_shortest_column_of_a_killed_run_counts(self):
        killed = changed(self.ssgd[0], "killed", status="running")
        with h5py.File(killed, "r+") as log:
            column = log["eval/top1"][:-1]
            del log["eval/top1"]
            log["eval/top1"] = column
            loss = log["eval/loss"][-2]
        (run,) = self.report(killed)[0]["runs"]
        self.assertEqual((run["test_top1"], run["test_loss"]), (column[-1], loss))

    def test_numbers_are_those_of_the_logs(self):
        group = self.report(*self.ssgd)[0]
        got = group["finished"]
        logs = [h5py.File(path, "r") for path in self.ssgd]
        top1 = [float(log["eval/top1"][-1]) for log in logs]
        model_mib = logs[0]["environment"].attrs["parameters"] * 4 / 2**20

        self.assertAlmostEqual(got["test_top1"]["mean"], sum(top1) / 2, 12)
        self.assertEqual((got["test_top1"]["min"], got["test_top1"]["max"]), (min(top1), max(top1)))
        self.assertAlmostEqual(got["test_top1"]["sample_standard_deviation"], statistics.stdev(top1), 12)
        self.assertEqual(got["best_test_top1"]["max"], max(max(log["eval/top1"][:]) for log in logs))
        self.assertAlmostEqual(got["pushed_mib_per_worker_step"]["mean"], model_mib, 9)
        # The weights before the first step are pulled, too.
        pulls = EPOCHS * STEPS_PER_EPOCH + 1
        self.assertAlmostEqual(
            got["pulled_mib_per_worker_step"]["mean"], model_mib * pulls / (pulls - 1), 9
        )
        for run, log in zip(group["runs"], reversed(logs)):  # sorted by seed
            self.assertAlmostEqual(run["seconds_per_epoch"], log.attrs["train_seconds"] / EPOCHS, 9)
            self.assertAlmostEqual(run["images_per_s"], log.attrs["images_per_s"], 6)
            self.assertAlmostEqual(run["hidden_share"], log.attrs["hidden_share_mean"], 9)
            self.assertEqual(run["peak_memory_mib"] * 2**20, log.attrs["peak_memory_bytes"])
            self.assertEqual(run["best_epoch"], 1 + np.argmax(log["eval/top1"][:]))

    def test_staleness_is_mean_and_greatest(self):
        ssgd, od_sgd = (group["finished"] for group in self.report(self.ssgd[0], self.od_sgd))

        self.assertEqual((ssgd["staleness_mean"]["mean"], ssgd["staleness_max"]["max"]), (0, 0))
        self.assertEqual(od_sgd["staleness_max"]["max"], 1)
        # All gradients but the first of each worker are taken with weights of the step before.
        steps = EPOCHS * STEPS_PER_EPOCH
        self.assertAlmostEqual(od_sgd["staleness_mean"]["mean"], (steps - 1) / steps, 9)

    def test_only_finished_runs_count_and_the_others_are_told(self):
        group = self.report(*self.ssgd, self.failed)[0]
        self.assertEqual(group["finished"], self.report(*self.ssgd)[0]["finished"])

        lines = call("table.py", *self.ssgd, self.failed).stdout.splitlines()

        self.assertEqual(lines[2].split(" | ")[-1], "2 finished, 1 failed: step 3: loss is nan |")

    def test_markdown_has_as_many_cells_in_every_row(self):
        lines = call("table.py", *self.all).stdout.splitlines()
        top1 = [100 * h5py.File(path, "r")["eval/top1"][-1] for path in self.ssgd]

        self.assertEqual({line.count("|") for line in lines}, {14})
        self.assertEqual(lines[2].split(" | ")[2], f"{sum(top1) / 2:.2f} ± {statistics.stdev(top1):.2f}")

    def test_a_group_without_a_finished_run_has_no_numbers(self):
        cells = call("table.py", self.failed).stdout.splitlines()[2].strip("| ").split(" | ")
        self.assertEqual(set(cells[2:-1]), {"-"})

    def test_the_smoothed_loss_is_logged_and_the_plain_one_evaluated(self):
        with h5py.File(self.smooth, "r") as smooth:
            self.assertEqual(smooth["config"].attrs["label-smoothing"], 0.2)
            # The least that targets 0.82 and nine times 0.02 allow is their entropy.
            entropy = -0.82 * np.log(0.82) - 9 * 0.02 * np.log(0.02)
            self.assertGreaterEqual(smooth["train/loss"][-1], entropy)
            self.assertLess(smooth["eval/loss"][-1], entropy)


if __name__ == "__main__":
    unittest.main()
