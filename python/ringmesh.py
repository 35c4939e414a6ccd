# SPDX-License-Identifier: Apache-2.0
"""Ringmesh from Python: its command line, JSON and CSV, as dictionaries and pandas frames.

    import ringmesh
    result = ringmesh.run("wulfkit-ring", "ping-pong:sizes=64..1024x2")
    result.frame()                                  # pandas, units in frame.attrs["units"]
    ringmesh.sweep("mesh-8x8", "traffic", axes={"options.load": "0.1..0.3 step 0.1"}).frame()
    ringmesh.study("my-study")["rings"]             # a frame for each table
    ringmesh.validate("wulfkit")["rows"]

Each call starts the program, which keeps what it ran in its store: asked again, it answers at once. Nothing is forked in
the calling process, so notebooks and their threads are safe. Plain Python 3.9; pandas is wanted by frames alone.
"""
import contextlib
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import tempfile

__all__ = ["RingmeshError", "Table", "run", "sweep", "study", "validate", "command"]


class RingmeshError(RuntimeError):
    """What the program says on stderr. status: 2 for a mistake of the caller, 1 for a result that is not good."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


class Table(dict):
    """A JSON document of the program (docs/reference/formats.md) whose `columns` and `rows` may be had as a frame."""

    def frame(self):
        """pandas.DataFrame of the rows, columns in their order; frame.attrs["units"] by column."""
        import pandas
        table = self.get("results", self)
        if "columns" not in table:  # the rows of a ledger
            return pandas.DataFrame(table["rows"])
        names = [column["name"] for column in table["columns"]]
        frame = pandas.DataFrame(table["rows"], columns=names)
        frame.attrs["units"] = {column["name"]: column["unit"] for column in table["columns"]}
        return frame


def program():
    """The executable: $RINGMESH, or `ringmesh` on the path."""
    found = os.environ.get("RINGMESH") or shutil.which("ringmesh")
    if not found:
        raise RingmeshError(2, "no program: put `ringmesh` on the path, or its file into $RINGMESH")
    return found


def command(*arguments, accept=(0,)):
    """Runs the program with these arguments. Returns its standard output; raises RingmeshError unless its status is one
    of those accepted."""
    ended = subprocess.run([program(), *map(str, arguments)], capture_output=True, text=True, check=False)
    if ended.returncode not in accept:
        raise RingmeshError(ended.returncode, ended.stderr.strip())
    return ended.stdout


def _options(library=None, set=None, overlays=(), seed=None, store=None, **flags):
    words = []
    for overlay in [overlays] if isinstance(overlays, str) else overlays:
        words += ["--overlay", overlay]
    for key, value in (set or {}).items():
        words += ["--set", f"{key}={_text(value)}"]
    for name, value in {"library": library, "seed": seed, "store": store, **flags}.items():
        option = "--" + name.replace("_", "-")
        if value is True:
            words.append(option)
        elif value is not None and value is not False:
            for each in value if isinstance(value, (list, tuple)) else [value]:
                words += [option, each]
    return words


def _text(value):
    if isinstance(value, (list, tuple)):
        return ",".join(map(_text, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _axis_text(name, values):
    """Between values stands a comma, so that a value has none: [[2, 4], [3, 5]] is "2x4,3x5"."""
    if not isinstance(values, (list, tuple)):
        return _text(values)
    texts = []
    for value in values:
        text = "x".join(map(_text, value)) if isinstance(value, (list, tuple)) else _text(value)
        if not text or "," in text or isinstance(value, (list, tuple)) and not all(type(one) is int for one in value):
            raise RingmeshError(2, f"axis {name}: {value!r} cannot be one value of an axis; write lists of whole numbers, "
                                   "as in [[2, 4], [3, 5]], or a variant for each")
        texts.append(text)
    return ",".join(texts)


def run(platform, workload, **options):
    """One run. options: library, set (a dictionary), overlays (a name or a list), seed, and any of `ringmesh run`, such as
    statistics=True. Returns a Table with `parameters`,
    `provenance`, `statistics`, `results`."""
    return Table(json.loads(command("run", platform, "--workload", workload, "--json", "-", *_options(**options))))


def sweep(platform, workload, axes, variants=None, repeat=None, jobs=None, **options):
    """A run for each value of the axes: {"link.symbol_time": ["4ns", "2ns"]}, or a text such as "1..8 x2"; a value that is
    a list is a list in the list: {"topology.dimensions": [[2, 4], [3, 5]]} are two tori. variants: the
    changes of each by its name, as a text or a dictionary. options as of run(), and store. Points that fail raise RingmeshError; the others are
    kept."""
    words = []
    for name, values in axes.items():
        words += ["--axis", f"{name}={_axis_text(name, values)}"]
    for name, changes in (variants or {}).items():
        if isinstance(changes, dict):
            changes = ",".join(f"{key}={_text(value)}" for key, value in changes.items())
        words += ["--variant", f"{name}={changes}"]
    return Table(json.loads(command("sweep", platform, "--workload", workload, "--json", "-", *words,
                                    *_options(repeat=repeat, jobs=jobs, **options))))


def study(folder, **options):
    """Runs what is missing of a study. Returns its tables by name, a frame each; a table's name is that of its test.
    options: store, jobs."""
    import pandas
    command("study", "run", folder, *_options(**options))
    options.pop("jobs", None)
    with tempfile.TemporaryDirectory() as into:
        file = pathlib.Path(into, "study.sqlite")
        command("study", "export", folder, "--sqlite", file, *_options(**options))
        with contextlib.closing(sqlite3.connect(file)) as database:
            names = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            return {name: pandas.read_sql(f'SELECT * FROM "{name}"', database) for name in names}


def validate(study_name, **options):
    """Published, calculated and simulated, side by side: the document of `ringmesh validate --json`. A row that leaves its
    tolerance does not raise: its verdict says so."""
    return Table(json.loads(command("validate", study_name, "--json", "-", *_options(**options), accept=(0, 1))))
