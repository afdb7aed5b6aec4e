"""Runs the notebooks for real, each in a fresh kernel, and checks what is committed of them.

- `notebooks.py refresh [NOTEBOOK …]` runs them and keeps their outputs;
- `notebooks.py check [NOTEBOOK …]` checks their committed outputs;
- `notebooks.py first-cell` runs one cell that needs all packages.
"""

import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
import psutil
from jupyter_client.kernelspec import NoSuchKernel
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

from environment import FIRST_NOTEBOOK, KERNEL, KERNEL_LOG, LAB, NOTEBOOKS, ROOT, alone, apply_jupyter, notebooks

EXECUTED = LAB / "executed"  # where notebooks are run, so that running them changes nothing in the checkout
LINES = 45  # of a cell, at most: one screen
BYTES = 2_000_000  # of a notebook file, at most
SLOW = 5.0  # seconds from which a cell is named in the report
CELL_TIMEOUT = 1800
ANSI = re.compile(r"\x1b\[[0-9;]*m")
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")  # in a source: what an editor made of a backslash
PICTURE = re.compile(r'src="data:[^"]*"')
LANGUAGE = {"file_extension": ".go", "mimetype": "text/x-go", "name": "go", "pygments_lexer": "go"}


@dataclass
class Cell:
    number: int  # counting code cells from 1
    title: str  # its first line
    seconds: float
    memory: int  # bytes of the program that it ran, at its peak


@dataclass
class Run:
    """What happened when a notebook was run."""

    path: Path
    notebook: nbformat.NotebookNode
    seconds: float = 0
    memory: int = 0  # of the cell that runs now
    cells: list[Cell] = field(default_factory=list)
    failure: str | None = None  # which cell failed, and how

    def report(self) -> str:
        most = max((c.memory for c in self.cells), default=0)
        lines = [f"{name(self.path)}: {self.seconds:.1f} s, cells at most {most / 1e6:.0f} MB"]
        lines += [f"    cell {c.number}, {c.seconds:.1f} s, {c.memory / 1e6:.0f} MB: {c.title}" for c in self.cells if c.seconds >= SLOW or c.memory == most]
        return "\n".join(lines + ([f"    FAILED: {self.failure}"] if self.failure else []))


def name(path: Path) -> str:
    """The notebook's path as the user writes it."""
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)


def code_cells(notebook: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    return [c for c in notebook.cells if c.cell_type == "code"]


def title(cell: nbformat.NotebookNode) -> str:
    """A cell's first line that is more than an import or a mark of GoNB's."""
    lines = [line.strip() for line in cell.source.splitlines() if line.strip()]
    return next((line for line in lines if not re.match(r'%%$|import\b|\)|([\w.]+ )?"', line)), "(empty)")[:80]


# Running.


@contextlib.contextmanager
def peak_memory(run: Run) -> Iterator[None]:
    """Watches the programs that GoNB starts for the cells (named gonb_…) and notes in the run how large they get."""
    done = threading.Event()

    def watch() -> None:
        while not done.wait(0.2):
            for process in psutil.Process().children(recursive=True):
                with contextlib.suppress(psutil.NoSuchProcess):
                    if process.name().startswith("gonb_"):
                        run.memory = max(run.memory, process.memory_info().rss)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def execute(path: Path, folder: Path) -> Run:
    """Runs a notebook in a fresh kernel that works in the folder, up to the first cell that fails."""
    notebook = nbformat.read(path, as_version=4)
    for cell in code_cells(notebook):
        cell.outputs, cell.execution_count = [], None
    run = Run(path, notebook)
    cells = code_cells(notebook)
    started: dict[int, float] = {}

    def begin(cell, cell_index):
        started[cell_index], run.memory = time.monotonic(), 0

    def end(cell, cell_index, **_):
        if cell.cell_type == "code" and cell.source.strip():
            run.cells.append(Cell(index(cells, cell) + 1, title(cell), time.monotonic() - started[cell_index], run.memory))

    client = NotebookClient(
        notebook,
        kernel_name=KERNEL,
        timeout=CELL_TIMEOUT,
        resources={"metadata": {"path": str(folder)}},
        coalesce_streams=True,
        record_timing=False,
        on_cell_execute=begin,
        on_cell_executed=end,
    )
    begun = time.monotonic()
    with peak_memory(run):
        try:
            client.execute()
        except (CellExecutionError, CellTimeoutError, DeadKernelError, NoSuchKernel, RuntimeError) as error:
            run.failure = failure(path, cells, error)
    run.seconds = time.monotonic() - begun
    run.failure = run.failure or failed_command(path, cells)
    normalise(notebook)
    return run


def index(cells: list[nbformat.NotebookNode], cell: nbformat.NotebookNode) -> int:
    return next(i for i, c in enumerate(cells) if c is cell)


def place(path: Path, number: int, cell: nbformat.NotebookNode) -> str:
    return f"{name(path)}, code cell {number} ({title(cell)})"


def failure(path: Path, cells: list[nbformat.NotebookNode], error: Exception) -> str:
    """Names the cell that raised the error: the last one that was begun."""
    last = max((i for i, c in enumerate(cells) if c.execution_count is not None), default=None)
    if last is None:
        log = KERNEL_LOG.read_text(errors="replace")[-2000:] if KERNEL_LOG.exists() else ""
        return f"{name(path)}: the kernel did not start: {error}\n{log}"
    said = "".join(text for o in cells[last].outputs for text in texts(o)) or str(error)
    said = ANSI.sub("", said)
    return f"{place(path, last + 1, cells[last])}: {said[-4000:]}"


def failed_command(path: Path, cells: list[nbformat.NotebookNode]) -> str | None:
    """The first cell with a shell command (!…) that failed: GoNB only says so on stderr and goes on."""
    for i, cell in enumerate(cells):
        if not re.search(r"^(//gonb:)?!", cell.source, re.M):
            continue
        said = "".join(o.text for o in cell.outputs if o.output_type == "stream" and o.name == "stderr")
        if re.search(r"^(exit status \d+|signal: .+)$", said, re.M):
            return f"{place(path, i + 1, cell)}: a shell command failed: {said.strip()}"
    return None


def normalise(notebook: nbformat.NotebookNode) -> None:
    """Leaves in the file only what a reader needs, so that a run changes no more of it than its results."""
    notebook.metadata = nbformat.from_dict(
        {"kernelspec": {"display_name": "Go (seq2attn)", "language": "go", "name": KERNEL}, "language_info": LANGUAGE}
    )
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict({k: v for k, v in cell.metadata.items() if k in ("tags", "slideshow", "jupyter")})


@contextlib.contextmanager
def scratch() -> Iterator[None]:
    """An empty folder in which notebooks are run, with their training runs and what XLA compiles for them (SEQ2ATTN_RUNS and SEQ2ATTN_COMPILED name others)."""
    with alone("notebook-run", lambda line: print(line, flush=True)):
        shutil.rmtree(EXECUTED, ignore_errors=True)
        EXECUTED.mkdir(parents=True)
        os.environ.setdefault("SEQ2ATTN_RUNS", str(EXECUTED / "runs"))
        os.environ.setdefault("SEQ2ATTN_COMPILED", str(EXECUTED / "compiled"))
        yield


def run_copy(path: Path) -> Run:
    """Runs a notebook beside a copy of its own, so that nothing in the checkout changes."""
    copy = EXECUTED / (path.relative_to(NOTEBOOKS) if path.is_relative_to(NOTEBOOKS) else path.name)
    copy.parent.mkdir(parents=True, exist_ok=True)
    run = execute(path, copy.parent)
    nbformat.write(run.notebook, copy)
    return run


# Checking.


def texts(output: nbformat.NotebookNode) -> Iterator[str]:
    """Every text of an output, without the pictures in it: base64 can spell anything."""
    if output.output_type == "stream":
        yield output.text
    elif output.output_type == "error":
        yield "\n".join([output.ename, output.evalue, *output.traceback])
    else:
        for kind, value in output.data.items():
            if isinstance(value, str) and not kind.startswith("image/"):
                yield PICTURE.sub("src=…", value)


def machine_paths() -> re.Pattern[str]:
    """Paths that only one machine has: this checkout, this home and temporary folder, and those of others."""
    here = [str(ROOT), str(Path.home()), tempfile.gettempdir()]
    others = [r"/home/\w", r"/Users/\w", r"/root/", r"/tmp/", r"/var/folders/", r"gonb_[0-9a-f]{8}"]
    return re.compile("|".join([re.escape(h) for h in here if len(h) > 1] + others))


def check(path: Path) -> list[str]:
    """What is wrong with a committed notebook, one line each."""
    try:
        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
    except Exception as error:  # nbformat raises many kinds
        return [f"{name(path)}: no valid notebook: {error}"]
    found = []
    solution = "solutions" in path.parts
    if notebook.metadata.get("kernelspec", {}).get("name") != KERNEL:
        found.append(f"{name(path)}: is for another kernel than {KERNEL}")
    if notebook.metadata.get("language_info", {}).get("name") != "go":
        found.append(f"{name(path)}: language_info.name is not go, so exports colour it wrongly")
    if path.stat().st_size > BYTES:
        found.append(f"{name(path)}: {path.stat().st_size:,} bytes, more than {BYTES:,}")
    for number, cell in enumerate(notebook.cells, 1):
        if match := CONTROL.search(cell.source):
            around = cell.source[max(0, match.start() - 20) : match.start() + 20]
            found.append(f"{name(path)}, cell {number}: a control character in the source: {around!r}")
    pictures = 0
    foreign = machine_paths()
    for number, cell in enumerate(code_cells(notebook), 1):

        def wrong(what: str) -> None:
            found.append(f"{place(path, number, cell)}: {what}")

        if cell.execution_count != number:
            wrong(f"has execution count {cell.execution_count}: run `make notebooks`")
        if len(cell.source.splitlines()) > LINES:
            wrong(f"has {len(cell.source.splitlines())} lines, more than a screen of {LINES}")
        for output in cell.outputs:
            if output.output_type == "error":
                wrong(f"ends in an error: {output.ename} {output.evalue}"[:300])
            data = output.get("data", {})
            if "image/svg+xml" in data or "<svg" in data.get("text/html", ""):
                wrong("holds SVG, which a fresh clone does not show")
            pictures += "image/png" in data or "data:image" in data.get("text/html", "")
            for text in texts(output):
                if match := foreign.search(text):
                    wrong(f"holds a path of the machine that ran it: {text[match.start() : match.start() + 60]!r}")
    if failed := failed_command(path, code_cells(notebook)):
        found.append(failed)
    if not pictures and path != FIRST_NOTEBOOK and not solution:
        found.append(f"{name(path)}: no picture in its outputs")
    return found


# Commands.


def first_cell() -> str:
    """Runs a cell that imports every package, and returns what it says about the engine."""
    listed = subprocess.run(["go", "list", "./pkg/..."], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    engine = "seq2attn/pkg/engine"
    imports = "\n".join(f'\t_ "{p}"' for p in listed if p != engine and not p.endswith("test"))
    cell = (
        f'import (\n{imports}\n\t"fmt"\n\t"{engine}"\n)\n\n%%\ne, err := engine.Open()\nif err != nil {{\n\tpanic(err)\n}}\nfmt.Println(e)'
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "first.ipynb")
        nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell)]), path)
        run = execute(path, Path(folder))
    if run.failure:
        raise SystemExit(run.failure)
    return "".join(text for o in code_cells(run.notebook)[0].outputs for text in texts(o)).strip()


def main(arguments: list[str]) -> int:
    apply_jupyter()
    command, *rest = arguments or ["check"]
    paths = [Path(p).resolve() for p in rest] or notebooks()
    wrong: list[str] = []
    match command:
        case "first-cell":
            print(first_cell())
        case "refresh":
            for path in paths:
                with scratch():  # for each, so that its time is that of a newcomer
                    run = run_copy(path)
                print(run.report(), flush=True)
                if run.failure:
                    wrong.append(run.failure)
                else:
                    nbformat.write(run.notebook, run.path)
                    wrong += check(run.path)
        case "check":
            wrong = [w for path in paths for w in check(path)]
        case _:
            wrong = [f"notebooks.py knows refresh, check and first-cell, not {command}"]
    print("\n".join(wrong), file=sys.stderr, end="\n" if wrong else "")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
