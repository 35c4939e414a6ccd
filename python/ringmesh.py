# SPDX-License-Identifier: Apache-2.0
"""Ringmesh from Python: its command line, JSON and CSV, as dictionaries and pandas frames.

    import ringmesh
    result = ringmesh.run("wulfkit-ring", "ping-pong:sizes=64..1024x2")
    result.frame()                                  # pandas, units in frame.attrs["units"]
    ringmesh.sweep("mesh-8x8", "traffic", axes={"options.load": "0.1..0.3 step 0.1"}).frame()
    ringmesh.study("my-study")["rings"]             # a frame for each table
    ringmesh.validate("wulfkit")["rows"]
    ringmesh.whatif("scc", "ping-pong:sizes=256", set={"mesh.pipeline": "2cycles"})
    ringmesh.saturate("mesh-8x8"), ringmesh.explain("wulfkit-ring", 0, 2)
    result.figure("figure.pdf", x="size_bytes", log_axes="x", width="8cm")      # or .svg, .png

In Jupyter a result shows its figure and its table, and long calls a bar of tqdm, if there is one.

Each call starts the program, which keeps what it ran in its store: asked again, it answers at once. Nothing is forked in
the calling process, so notebooks and their threads are safe. Plain Python 3.9; pandas is wanted by frames alone.
"""
import contextlib
import html
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import tempfile
import threading

__all__ = ["RingmeshError", "Table", "run", "sweep", "study", "validate", "whatif", "saturate", "explain", "command"]


class RingmeshError(RuntimeError):
    """What the program says on stderr. status: 2 for a mistake of the caller, 1 for a result that is not good."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


class Table(dict):
    """A JSON document of the program (docs/reference/results/formats.md) whose rows may be had as a frame, and drawn."""

    SHOWN_ROWS = 40

    def __init__(self, document, words=()):
        """words: of the command that has made it, which draws it again from the store."""
        super().__init__(document)
        self.words = list(words)

    def rows(self):
        """The rows as dictionaries, and the unit of each column, "" for none."""
        table = self.get("results", self)
        if "columns" in table:
            return table["rows"], {column["name"]: column["unit"] for column in table["columns"]}
        if "legs" in self:  # of explain: its parts
            rows = [{"leg": leg["name"], **part} for leg in self["legs"] for part in leg["parts"]]
        elif "places" in self:  # of whatif: a row for each variant
            by = self["by"]["name"]
            rows = [{**place["at"], "variant": name, by: each["mean"], "interval": each["interval"],
                     "change_percent": each.get("change_percent")}
                    for place in self["places"] for name, each in place["variants"].items()]
            units = {each["name"]: each["unit"] for each in self["dimensions"]}
            return rows, {**units, "variant": "", by: self["by"]["unit"], "interval": self["by"]["unit"], "change_percent": "%"}
        else:
            rows = self.get("latencies", self.get("rows", []))
        return rows, {name: _unit_of(name) for name in (rows[0] if rows else ())}

    def frame(self):
        """pandas.DataFrame of the rows, columns in their order; frame.attrs["units"] by column."""
        import pandas
        rows, units = self.rows()
        frame = pandas.DataFrame(rows, columns=list(units))
        frame.attrs["units"] = units
        return frame

    def figure(self, file, **options):
        """Draws the report's figure into FILE, which ends with .svg, .png or .pdf. options: figure, x, y, log_axes,
        width ("8cm"), as of the program (docs/reference/results/figures.md)."""
        form = pathlib.Path(file).suffix[1:].lower()
        if form not in ("svg", "png", "pdf"):
            raise RingmeshError(2, f"{file}: no picture of a known kind; write a name that ends with .svg, .png or .pdf")
        command(*self.words, f"--{form}", file, *_options(**options), accept=(0, 1))

    def _repr_svg_(self):
        """Of notebooks; None if there is nothing to draw, or no gnuplot."""
        try:
            return command(*self.words, "--svg", "-", accept=(0, 1)) if self.words else None
        except RingmeshError:
            return None

    def _repr_html_(self):
        rows, units = self.rows()
        head = "".join(f"<th>{html.escape(name)}{f'<br>({html.escape(unit)})' if unit else ''}</th>" for name, unit in units.items())
        body = "".join("<tr>" + "".join(f"<td>{html.escape(_cell(row.get(name)))}</td>" for name in units) + "</tr>"
                       for row in rows[:self.SHOWN_ROWS])
        more = f"<p>{len(rows) - self.SHOWN_ROWS} more rows; .frame() has all</p>" if len(rows) > self.SHOWN_ROWS else ""
        svg = (self._repr_svg_() or "").partition("<svg")
        return f"{svg[1]}{svg[2]}<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _unit_of(name):
    return "ns" if name.endswith("_ns") else "%" if name.endswith("_percent") else ""


def _cell(value):
    return "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def program():
    """The executable: $RINGMESH, or `ringmesh` on the path."""
    found = os.environ.get("RINGMESH") or shutil.which("ringmesh")
    if not found:
        raise RingmeshError(2, "no program: put `ringmesh` on the path, or its file into $RINGMESH")
    return found


def command(*arguments, accept=(0,)):
    """Runs the program with these arguments, with a bar of tqdm if that is there and it takes more than seconds. Returns
    its standard output; raises RingmeshError unless its status is one of those accepted."""
    said = []
    with subprocess.Popen([program(), *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env={**os.environ, "RINGMESH_PROGRESS": "lines"}) as ended:
        listener = threading.Thread(target=_listen, args=(ended.stderr, said))
        listener.start()
        out = ended.stdout.read()
        listener.join()
    if ended.returncode not in accept:
        raise RingmeshError(ended.returncode, "".join(said).strip())
    return out


def _listen(lines, said):
    """Reads lines "progress PART WHAT", which move a bar, and others, which are kept."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        tqdm = None
    bar = None
    for line in lines:
        if not line.startswith("progress "):
            said.append(line)
        elif tqdm:
            _, part, what = line.rstrip("\n").split(" ", 2)
            bar = bar or tqdm(total=1, bar_format="{l_bar}{bar}| {elapsed}, {remaining} left", leave=False)
            bar.set_description(what, refresh=False)
            bar.update(float(part) - bar.n)
    if bar:
        bar.close()


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
    return _table("run", platform, "--workload", workload, *_options(**options))


def _table(*words, accept=(0,)):
    return Table(json.loads(command(*words, "--json", "-", accept=accept)), words)


def sweep(platform, workload, axes, variants=None, repeat=None, jobs=None, **options):
    """A run for each value of the axes: {"link.symbol_time": ["4ns", "2ns"]}, or a text such as "1..8 x2"; a value that is
    a list is a list in the list: {"topology.dimensions": [[2, 4], [3, 5]]} are two tori. variants: the
    changes of each by its name, as a text or a dictionary. options as of run(), and store. Points that fail raise RingmeshError; the others are
    kept."""
    return _table("sweep", platform, "--workload", workload, *_axes(axes, variants),
                  *_options(repeat=repeat, jobs=jobs, **options))


def _axes(axes, variants):
    words = []
    for name, values in (axes or {}).items():
        words += ["--axis", f"{name}={_axis_text(name, values)}"]
    for name, changes in (variants or {}).items():
        if isinstance(changes, dict):
            changes = ",".join(f"{key}={_text(value)}" for key, value in changes.items())
        words += ["--variant", f"{name}={changes}"]
    return words


def whatif(platform_or_study, workload=None, axes=None, variants=None, **options):
    """Variants of a machine side by side, and where their curves cross: the document of `ringmesh whatif --json`. set and
    overlays change the second variant alone; with variants both. options: by, repeat, test (of a study), and as of run()."""
    return _table("whatif", platform_or_study, *_options(workload=workload), *_axes(axes, variants), *_options(**options))


def saturate(platform, workload=None, **options):
    """The load at which a network saturates, and its curve: the document of `ringmesh saturate --json`, whose "answer"
    is empty if nothing can be said. options: seed, interval, longest, and as of run()."""
    return _table("saturate", platform, *_options(workload=workload, **options), accept=(0, 1))


def explain(platform, sender=None, receiver=None, nbytes=None, workload=None, **options):
    """Where one message of nbytes bytes (64 if not given) from node sender to node receiver spends its time, or, with a
    workload, its slowest packets: the document of `ringmesh explain --json`; its rows are parts. options: slowest,
    library, and as of run()."""
    return _table("explain", platform,
                  *_options(**{"from": sender, "to": receiver, "bytes": nbytes, "workload": workload, **options}))


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
    return _table("validate", study_name, *_options(**options), accept=(0, 1))
