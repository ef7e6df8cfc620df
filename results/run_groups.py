"""Groups of runs that differ in their seeds alone, and names for them, as plot.py and table.py show them."""
import dataclasses

from run_logs import fail

# What says something only beside runs of the same algorithm and local rule: all runs have a value of each.
OF_RULES = frozenset(
    "local-lr local-momentum local-lr-schedule local-lr-steps local-lr-counts local-scale warmup-steps lambda lambda-rule "
    "dc-reference dc-decay staleness delay-steps glu-alpha glu-beta threshold correction-steps local-steps outer-lr "
    "outer-momentum elastic-alpha".split()
)
# What is the other option's value unless somebody gives it another.
FOLLOWS = {
    "local-lr": "lr",
    "local-momentum": "momentum",
    "local-lr-schedule": "lr-schedule",
    "local-lr-steps": "lr-steps",
}
FIRST = ("algorithm", "local-rule", "lr", "momentum")


@dataclasses.dataclass
class Group:
    label: str
    runs: list

    @property
    def finished(self):
        return [run for run in self.runs if run.is_finished]


def text_of(name, value):
    if name == "algorithm":
        return value
    if isinstance(value, bool):
        value = str(value).lower()
    return f"{name.replace('-', ' ')} {value:.6g}" if isinstance(value, float) else f"{name.replace('-', ' ')} {value}"


def differ(settings, name):
    """Whether settings that have the option have different values of it."""
    values = set()
    for setting in settings:
        value = setting.get(name)
        if value is not None:
            values.add("follows" if name in FOLLOWS and value == setting.get(FOLLOWS[name]) else value)
    return len(values) > 1


def peers_of(setting, name, settings):
    same = ("algorithm", "local-rule") if name in OF_RULES else ("algorithm",) if name == "local-rule" else ()
    return [other for other in settings if all(other.get(key) == setting.get(key) for key in same)]


def label_of(setting, settings):
    names = sorted(setting, key=lambda name: (FIRST.index(name) if name in FIRST else len(FIRST), name))
    parts = [text_of(name, setting[name]) for name in names if differ(peers_of(setting, name, settings), name)]
    return ", ".join(parts) or setting["algorithm"]


def labels_of(settings):
    """Different settings get different labels."""
    labels = [label_of(setting, settings) for setting in settings]
    result = []
    for label, setting in zip(labels, settings):
        alike = [other for other, same in zip(settings, labels) if same == label]
        names = sorted({name for other in alike for name in other})
        apart = [name for name in names if len({other.get(name) for other in alike}) > 1]
        more = [text_of(name, setting[name]) if name in setting else f"no {name}" for name in apart]
        result.append(", ".join([label] + more))
    return result


def group_runs(labelled):
    """Groups in the order in which their first runs are given, the runs of each by seed."""
    groups = {}
    for label, run in labelled:
        key = label if label is not None else tuple(sorted(run.setting.items()))
        groups.setdefault(key, []).append((label, run))
    result = []
    for members in groups.values():
        first = members[0][1]
        for label, run in members[1:]:
            names = sorted(first.setting.keys() | run.setting.keys())
            other = [name for name in names if first.setting.get(name) != run.setting.get(name)]
            if other:
                fail(f"{label}: got runs of different {', '.join(other)} ({first.path}, {run.path}), want seeds alone")
        result.append(Group(members[0][0], sorted((run for _, run in members), key=lambda run: run.seed)))
    unnamed = [group for group in result if group.label is None]
    for group, label in zip(unnamed, labels_of([group.runs[0].setting for group in unnamed])):
        group.label = label
    for group in result:
        if any(run.is_benchmark for run in group.runs):
            group.label += " (benchmark)"
    return result
