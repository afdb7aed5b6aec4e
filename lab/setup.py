"""Set-up: makes .lab, where everything lives that the course needs beside Go and Python.

Every step is skipped while the content of its inputs is what it was. Nothing is fetched by a step that is skipped, so
that a checkout which was set up once works without network, and from wherever it is moved to.

`setup.py [lab | test | gopls]`: what JupyterLab needs, what tests and slides need too, or gopls alone.
"""

import hashlib
import math
import os
import platform
import re
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from environment import BIN, LAB, LINKER_FLAGS, PLUGIN, PYTHON, ROOT, SLIDE_ASSETS, VENV, alone, apply_jupyter

HERE = ROOT / "lab"
LOGS = LAB / "log"
MACHINE = f"{sys.platform} {platform.machine()}"
NEEDED = 3 << 30  # bytes that a first set-up writes, caches included, and some room


OFFLINE = "SEQ2ATTN_OFFLINE"  # set to anything, it forbids downloads, here as in the course's programs


class Problem(Exception):
    """Something the user must mend: one line that says what is wrong and what to do."""


def say(line: str) -> None:
    print(f"seq2attn: {line}", flush=True)


# Requirements.


def go_line() -> tuple[int, ...]:
    """The Go version that go.mod asks for."""
    return numbers(re.search(r"^go (\S+)$", (ROOT / "go.mod").read_text(), re.M).group(1))


def numbers(version: str) -> tuple[int, ...]:
    """(1, 26, 5) of "go1.26.5" and (1, 27) of "1.27rc1"."""
    return tuple(int(n) for n in re.findall(r"\d+", re.split(r"[a-z]+\d*$", version.removeprefix("go"))[0]))


def check_go() -> dict[str, str]:
    """Go's settings, after checking that it is there and new enough."""
    need = ".".join(map(str, go_line()))
    if not shutil.which("go"):
        beside = "/usr/local/go/bin/go"
        where = f"it is at {beside}: add its folder to PATH" if os.path.exists(beside) else "see https://go.dev/doc/install"
        raise Problem(f"needs Go {need} or newer, and there is no go on PATH; {where}")
    names = ["GOVERSION", "GOMODCACHE", "GOCACHE", "CGO_ENABLED", "CC"]
    asked = subprocess.run(["go", "env", *names], cwd=ROOT, capture_output=True, text=True)
    values = dict(zip(names, asked.stdout.splitlines()))
    found = values.get("GOVERSION", "")
    if not found:  # Before 1.21, `go env` in a module of a later version fails.
        said = subprocess.run(["go", "version"], cwd="/", capture_output=True, text=True).stdout
        found = next(iter(re.findall(r"go\d\S*", said)), "none that runs")
    if numbers(found) < go_line():
        raise Problem(
            f"needs Go {need} or newer, and found {found}; install it from https://go.dev/dl, or let Go fetch it: make lab GOTOOLCHAIN=auto"
        )
    return values


def check_compiler(go: dict[str, str]) -> None:
    if go["CGO_ENABLED"] != "1" or not shutil.which(go["CC"].split()[0]):
        raise Problem(
            "needs a C compiler for XLA's bindings, and found none; Debian and Ubuntu: sudo apt install gcc libc6-dev;"
            " macOS: xcode-select --install"
        )


def check_python() -> None:
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        package = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
        raise Problem(
            f"{sys.executable} cannot make virtual environments; Debian and Ubuntu: sudo apt install {package};"
            " or name another: make lab PYTHON=/path/to/python3"
        ) from None


def check_disk(folders: Iterable[Path]) -> None:
    for folder in folders:
        while not folder.exists():
            folder = folder.parent
        free = shutil.disk_usage(folder).free
        if free < NEEDED:
            raise Problem(
                f"set-up needs about {NEEDED >> 30} GB, and {folder} has {free / (1 << 30):.1f} GB free; make room and call it again"
            )


def check_path() -> None:
    if set(",:\n") & set(str(ROOT)):
        raise Problem(
            f"neither GoNB nor PATH can hold a folder with a comma or a colon in its name; move the checkout out of {str(ROOT)!r}"
        )


# Steps.


def digest(*inputs: str | Path) -> str:
    """The SHA-256 of strings and of files' contents."""
    h = hashlib.sha256()
    for i in inputs:
        data = i.read_bytes() if isinstance(i, Path) else i.encode()
        h.update(len(data).to_bytes(8, "big") + data)
    return h.hexdigest()


class Step:
    """One thing that set-up makes: done again only when its inputs change or an output is gone."""

    def __init__(
        self,
        name: str,
        doing: str,
        inputs: Iterable[str | Path],
        outputs: Iterable[Path],
        act: Callable[[], str],
        stamp: Path | None = None,
        lasts: float = math.inf,
    ):
        self.name, self.doing, self.act = name, doing, act
        self.outputs = list(outputs)
        self.stamp = stamp or LAB / "stamps" / name
        self.digest = digest(*inputs)
        self.lasts = lasts  # seconds after which it is done again all the same

    def due(self) -> bool:
        try:
            age = time.time() - self.stamp.stat().st_mtime  # below 0 after the clock was set back: then nobody knows
            fresh = self.lasts == math.inf or 0 <= age <= self.lasts
            return not (fresh and self.stamp.read_text() == self.digest and all(o.exists() for o in self.outputs))
        except FileNotFoundError:
            return True

    def run(self) -> None:
        """Does the step where it is due. The action returns what to add to the line that reports it."""
        if not self.due():
            return
        say(f"{self.doing} …")
        begin = time.monotonic()
        self.stamp.unlink(missing_ok=True)
        said = self.act()
        self.stamp.parent.mkdir(parents=True, exist_ok=True)
        self.stamp.write_text(self.digest)
        say(f"{self.doing}: {said or 'done'} ({time.monotonic() - begin:.0f} s)")


def call(name: str, *command: str | Path, **options) -> str:
    """Runs a command with its output in a log, and returns the output; a failure becomes a Problem with its last line."""
    LOGS.mkdir(parents=True, exist_ok=True)
    log = LOGS / f"{name}.log"
    done = subprocess.run(
        [str(c) for c in command],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        **options,
    )
    with log.open("a") as f:
        f.write(f"$ {' '.join(map(str, command))}\n{done.stdout}\n")
    if done.returncode == 0:
        return done.stdout
    raise Problem(f"{name} failed: {reason(done.stdout)} (all of it: {log})")


def reason(output: str) -> str:
    """The line of a failed command's output that tells most."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    if any("No space left on device" in line for line in lines):
        return "no space left on the disk; make room and call it again"
    for line in lines:
        if re.match(r"\S+\.go:\d+:\d+: ", line):
            return line
        if re.search(r"dial tcp|connection refused|name resolution|no such host|timed out|unreachable|proxy ?error", line, re.I):
            return "the network, which a first set-up needs, cannot be reached"
    telling = [line for line in lines if re.search(r"error|failed|cannot", line, re.I)]
    return (telling or lines or ["it said nothing"])[-1]


def build(module: Path, package: str, nice: bool = False) -> None:
    """Builds a program of a module into .lab/bin, replacing a running one safely."""
    name = package.rsplit("/", 1)[-1]
    fresh = LAB / "tmp" / name
    fresh.parent.mkdir(parents=True, exist_ok=True)
    BIN.mkdir(parents=True, exist_ok=True)
    call(name, "go", "-C", module, "build", "-o", fresh, package, preexec_fn=(lambda: os.nice(19)) if nice else None)
    fresh.replace(BIN / name)


def tools(go: dict[str, str]) -> Step:
    def act() -> str:
        build(ROOT, "github.com/janpfeifer/gonb")
        build(HERE, "golang.org/x/tools/cmd/goimports")
        return ""

    inputs = [MACHINE, go["GOVERSION"], ROOT / "go.mod", ROOT / "go.sum", HERE / "go.mod", HERE / "go.sum"]
    return Step("tools", "building the notebook kernel", inputs, [BIN / "gonb", BIN / "goimports"], act)


def gopls(go: dict[str, str]) -> Step:
    def act() -> str:
        build(HERE, "golang.org/x/tools/gopls", nice=True)
        return ""

    inputs = [MACHINE, go["GOVERSION"], HERE / "go.mod", HERE / "go.sum"]
    return Step("gopls", "building gopls, for completion in cells", inputs, [BIN / "gopls"], act)


def pip(*arguments: str | Path) -> str:
    if os.environ.get(OFFLINE):
        raise Problem(f"{OFFLINE} forbids downloads, and {' '.join(map(str, arguments[:1]))} needs one; unset it for this set-up")
    return call("pip", PYTHON, "-m", "pip", "--disable-pip-version-check", "--no-input", *arguments)


def packages() -> Step:
    def act() -> str:
        call("venv", sys.executable, "-m", "venv", "--clear", VENV)
        pip("install", "--require-hashes", "-r", HERE / "requirements.txt")
        return ""

    inputs = [sys.version, os.path.realpath(sys.executable), HERE / "requirements.txt"]
    return Step("packages", "installing JupyterLab", inputs, [PYTHON], act, VENV / "installed")


def installer() -> Step:
    def act() -> str:
        pip("install", "--require-hashes", "--no-deps", "-r", HERE / "requirements-pip.txt")
        return ""

    return Step("pip", "installing pip", [HERE / "requirements-pip.txt"], [PYTHON], act, VENV / "installed-pip")


def test_packages() -> Step:
    def act() -> str:
        pip("install", "--require-hashes", "-r", HERE / "requirements-test.txt")
        return ""

    inputs = [HERE / "requirements.txt", HERE / "requirements-test.txt"]
    return Step("test-packages", "installing the test packages", inputs, [PYTHON], act, VENV / "installed-test")


def fetch(requirements: Path, folder: Path) -> list[Path]:
    """The wheels of packages of which only some files are wanted, fetched into a fresh folder."""
    shutil.rmtree(folder, ignore_errors=True)
    only = ["--no-deps", "--only-binary", ":all:", "--require-hashes", "--retries", "2"]
    pip("download", *only, "-d", folder, "-r", requirements)
    return sorted(folder.glob("*.whl"))


def slide_assets() -> Step:
    """reveal.js and MathJax out of the wheels that carry them."""

    def act() -> str:
        folder = LAB / "tmp" / "slide-assets"
        for wheel in fetch(HERE / "requirements-slides.txt", folder):
            with zipfile.ZipFile(wheel) as archive:
                archive.extractall(folder)
        shutil.rmtree(SLIDE_ASSETS, ignore_errors=True)
        shutil.copytree(folder / "sphinx_revealjs" / "_static" / "revealjs", SLIDE_ASSETS / "reveal.js")
        shutil.copy(folder / "mathjax" / "static" / "mathjax" / "es5" / "tex-svg.js", SLIDE_ASSETS)
        shutil.rmtree(folder)
        return ""

    outputs = [SLIDE_ASSETS / "reveal.js", SLIDE_ASSETS / "tex-svg.js"]
    return Step("slide-assets", "fetching reveal.js and MathJax", [HERE / "requirements-slides.txt"], outputs, act)


def plugin() -> Step:
    """XLA's plugin out of its wheel, where there is one for this platform."""
    inputs = [MACHINE, HERE / "requirements-plugin.txt"]

    def act() -> str:
        folder = LAB / "tmp" / "plugin"
        wheels = fetch(HERE / "requirements-plugin.txt", folder)
        if not wheels:
            return (
                f"none is built for {platform.system()} on {platform.machine()}: models train on the pure-Go engine, ten to twenty times slower"
            )
        PLUGIN.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(wheels[0]) as wheel:
            (member,) = (n for n in wheel.namelist() if n.endswith(PLUGIN.suffix))
            fresh = Path(wheel.extract(member, folder))
        fresh.replace(PLUGIN)
        shutil.rmtree(folder)
        return ""

    return Step("plugin", "fetching XLA's plugin for the CPU", inputs, [], act, PLUGIN.parent / "fetched")


def fetch_plugin() -> None:
    """The course runs without the plugin, only slower; a failure is said and tried again next time. CI does not accept it."""
    try:
        plugin().run()
    except Problem as problem:
        if os.environ.get("CI"):
            raise
        say(f"goes on with the pure-Go engine, ten to twenty times slower: {problem}")


def modules(go: dict[str, str]) -> Step:
    """Every module's source, and the .mod file of every module in the graph: GoNB's `go get` reads them in each cell."""

    def act() -> str:
        call("modules", "go", "mod", "download")
        call("modules", "go", "list", "-m", "all")
        return ""

    inputs = [go["GOMODCACHE"], ROOT / "go.mod", ROOT / "go.sum"]
    return Step("modules", "fetching the Go modules", inputs, [Path(go["GOMODCACHE"], "github.com", "gomlx")], act)


def linker(go: dict[str, str]) -> Step:
    """The linker flags of cells, which the kernel reads: without debug information, and by Go's own linker where it can take the C
    code of XLA's bindings. Each halves what is left of the linking."""

    def act() -> str:
        program = LAB / "tmp" / "linked"
        program.parent.mkdir(parents=True, exist_ok=True)
        LINKER_FLAGS.write_text("-w")
        call("compile", "go", "build", "-o", program, "./cmd/results")  # what does not compile says nothing of linkers
        try:
            call("linker", "go", "build", "-ldflags=-w -linkmode=internal", "-o", program, "./cmd/results")
            call("linker", program, "-h")
        except Problem:
            return "gcc's"
        program.unlink()
        LINKER_FLAGS.write_text("-w -linkmode=internal")
        return "Go's own"

    inputs = [MACHINE, go["GOVERSION"], go["CC"], ROOT / "go.mod", ROOT / "go.sum"]
    return Step("linker", "choosing the linker of cells", inputs, [LINKER_FLAGS], act)


def compiled(go: dict[str, str]) -> Step:
    """A first cell, run in the real kernel: it compiles what any cell needs, and shows that all of the above work together.

    Go drops from its cache what was not used for five days.
    """

    def act() -> str:
        call("compile", "go", "build", "-tags", "notebookdeps", "./...")
        return call("first-cell", PYTHON, HERE / "notebooks.py", "first-cell").strip()

    sources = sorted((ROOT / "pkg").rglob("*.go"))
    inputs = [str(ROOT), go["GOVERSION"], go["GOCACHE"], ROOT / "go.mod", ROOT / "go.sum", ROOT / "notebookdeps.go", *sources]
    return Step("compiled", "compiling the packages and a first cell", inputs, [Path(go["GOCACHE"])], act, lasts=4 * 24 * 3600)


def compile_packages(go: dict[str, str]) -> None:
    """Where the packages do not compile, JupyterLab opens all the same, so that they can be mended there."""
    try:
        linker(go).run()
        compiled(go).run()
    except Problem as problem:
        say(f"the first cell will not run: {problem}")


def heed_offline() -> None:
    """Go takes modules from its cache alone where downloads are forbidden; pip is not called at all."""
    if os.environ.get(OFFLINE):
        os.environ["GOPROXY"] = "off"


def set_up(test: bool = False) -> dict[str, str]:
    """Makes all that JupyterLab needs, and what tests and slides need too where they are asked for; returns Go's settings."""
    heed_offline()
    check_path()
    go = check_go()
    check_compiler(go)
    check_python()
    apply_jupyter()
    with alone("set-up", say):
        if any(step.due() for step in (tools(go), packages(), modules(go))):
            check_disk([LAB, Path(go["GOMODCACHE"]), Path(go["GOCACHE"])])
        # While one of the two waits for the network, the other has the processor.
        with ThreadPoolExecutor() as pool:
            sides = pool.submit(python_side, test), pool.submit(go_side, go)
        for side in sides:
            side.result()
        compile_packages(go)
    return go


def python_side(test: bool) -> None:
    packages().run()
    installer().run()
    if test:
        test_packages().run()
        slide_assets().run()
    fetch_plugin()


def go_side(go: dict[str, str]) -> None:
    modules(go).run()
    tools(go).run()


def main(arguments: list[str]) -> int:
    try:
        match arguments:
            case [] | ["lab"]:
                set_up()
            case ["test"]:
                set_up(test=True)
            case ["gopls"]:
                with alone("gopls", say):
                    gopls(check_go()).run()
            case _:
                raise Problem(f"set-up knows lab, test and gopls, not {' '.join(arguments)}")
    except Problem as problem:
        print(f"seq2attn: {problem}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"seq2attn: set-up cannot go on: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("seq2attn: stopped; call it again, and it goes on where it stopped", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
