"""Set-up says in one line what is missing, repeats nothing, and works from a moved checkout without network."""

import math
import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

import setup
from environment import ROOT

GO_ENV = ["go1.99.1", "/mod", "/cache", "1", "sh"]


def program(folder: Path, name: str, body: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{body}\n")
    (folder / name).chmod(0o755)


def refused(command: list, **variables: str) -> str:
    """The one line that a command ends with."""
    environ = {k: v for k, v in os.environ.items() if k not in ("PYTHON", "PORT", "MAKEFLAGS", "MAKELEVEL")} | variables
    done = subprocess.run(command, cwd=ROOT, env=environ, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    assert done.returncode != 0, done.stdout
    (line,) = (done.stdout + done.stderr).splitlines()
    return line


def fake_go(folder: Path, *values: str) -> str:
    program(folder, "go", "\n".join(f"echo '{v}'" for v in values))
    return f"{folder}:/usr/bin:/bin"


def test_no_python(tmp_path):
    tmp_path.joinpath("empty").mkdir()
    line = refused(["/bin/sh", "lab/python", "lab/setup.py"], PATH=str(tmp_path / "empty"))
    assert "needs Python 3.11 or newer, and found none" in line and "python3-venv" in line


def test_old_python(tmp_path):
    program(tmp_path, "python3", '[ "$1" = --version ] && echo Python 3.9.2')
    (tmp_path / "python3").write_text('#!/bin/sh\n[ "$1" = --version ] || exit 1\necho Python 3.9.2\n')
    line = refused(["/bin/sh", "lab/python", "lab/setup.py"], PATH=str(tmp_path))
    assert "needs Python 3.11 or newer, and found Python 3.9.2" in line


def test_a_named_python(tmp_path):
    """PYTHON is taken where it will do, also with a space in its path."""
    folder = tmp_path / "a folder"
    program(folder, "mine", f'exec "{sys.executable}" "$@"')
    done = subprocess.run(
        ["/bin/sh", "lab/python", "-c", "print('ran')"],
        cwd=ROOT,
        env={"PATH": str(tmp_path), "PYTHON": str(folder / "mine")},
        capture_output=True,
        text=True,
    )
    assert done.stdout == "ran\n"


def test_no_venv_module():
    code = "import sys; sys.modules['ensurepip'] = None; sys.path.insert(0, 'lab'); import setup\ntry:\n setup.check_python()\nexcept setup.Problem as p:\n sys.exit(str(p))"
    line = refused([sys.executable, "-c", code])
    assert "cannot make virtual environments" in line and "-venv" in line


def test_no_go(tmp_path):
    line = refused([sys.executable, "lab/setup.py"], PATH=str(tmp_path))
    assert "needs Go 1." in line and "no go on PATH" in line


@pytest.mark.parametrize("version", ["go1.25.3", "go1.26rc1", "go1.26.0"])
def test_old_go(tmp_path, version):
    line = refused([sys.executable, "lab/setup.py"], PATH=fake_go(tmp_path, version, *GO_ENV[1:]))
    assert f"and found {version}" in line and "https://go.dev/dl" in line


def test_very_old_go(tmp_path):
    """Before Go knew of toolchains, `go env` only failed on a newer module."""
    program(tmp_path, "go", '[ "$1" = version ] || exit 1\necho go version go1.19.8 linux/amd64')
    line = refused([sys.executable, "lab/setup.py"], PATH=f"{tmp_path}:/usr/bin:/bin")
    assert "and found go1.19.8" in line


def test_no_compiler(tmp_path):
    line = refused([sys.executable, "lab/setup.py"], PATH=fake_go(tmp_path, *GO_ENV[:3], "0", "nothing-such"))
    assert "C compiler" in line and "apt install gcc" in line


@pytest.mark.parametrize("name", ["a,b", "a:b"])
def test_a_path_that_cannot_be(monkeypatch, name):
    monkeypatch.setattr(setup, "ROOT", Path("/somewhere", name))
    with pytest.raises(setup.Problem, match="move the checkout"):
        setup.check_path()


def test_versions():
    assert setup.numbers("go1.26.5") == (1, 26, 5)
    assert setup.numbers("1.27rc1") == (1, 27)
    assert setup.numbers("go1.26.8-custom X:simd") == (1, 26, 8)
    assert setup.numbers("devel go1.28-abcdef12") == (1, 28)


@pytest.mark.parametrize("port, words", [("eighty", "is no port"), ("0", "is no port"), ("70000", "is no port")])
def test_no_port(port, words):
    assert words in refused([sys.executable, "lab/server.py"], PORT=port)


def test_busy_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        s.listen()
        port = s.getsockname()[1]
        line = refused([sys.executable, "lab/server.py"], PORT=str(port))
    assert f"port {port} is busy" in line and "make lab PORT=" in line


def test_disk(tmp_path, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10**9, 9 * 10**8, 10**8))
    with pytest.raises(setup.Problem, match=r"needs about \d GB, and .* has 0.1 GB free; make room"):
        setup.check_disk([tmp_path / "not" / "yet" / "there"])


@pytest.mark.parametrize(
    "output, words",
    [
        ("collecting\nOSError: [Errno 28] No space left on device\nbye", "no space left on the disk; make room"),
        ("retrying: Connection refused\nERROR: No matching distribution", "the network, which a first set-up needs, cannot be reached"),
        ('go: x@v1: Get "https://proxy": dial tcp: lookup proxy: no such host', "cannot be reached"),
        ("downloading\nERROR: Could not find a version\n\n", "ERROR: Could not find a version"),
        ("# seq2attn/pkg/x\npkg/x/x.go:3:1: undefined: y\ntoo many errors", "pkg/x/x.go:3:1: undefined: y"),
        ("", "it said nothing"),
    ],
)
def test_reason(output, words):
    assert words in setup.reason(output)


def test_step_is_done_when_its_inputs_change(tmp_path, capsys):
    made, ran = tmp_path / "made", []

    def step(text: str) -> setup.Step:
        return setup.Step("it", "making it", [text], [made], lambda: ran.append(made.write_text(text)) or "", tmp_path / "stamp")

    for text, count in [("a", 1), ("a", 1), ("b", 2)]:
        step(text).run()
        assert len(ran) == count and made.read_text() == text
    made.unlink()
    step("b").run()
    assert len(ran) == 3
    assert capsys.readouterr().out.count("making it: done") == 3


def test_step_lasts_as_long_as_it_says(tmp_path):
    def step(lasts: float) -> setup.Step:
        return setup.Step("it", "making it", ["a"], [], lambda: "", tmp_path / "stamp", lasts)

    step(100).run()
    assert not step(100).due()
    for made in (0, time.time() + 3600):  # long ago, and before the clock was set back
        os.utime(tmp_path / "stamp", (made, made))
        assert step(100).due() and not step(math.inf).due()


def test_step_that_failed_is_done_again(tmp_path):
    def fail() -> str:
        raise setup.Problem("no network")

    with pytest.raises(setup.Problem):
        setup.Step("it", "making it", ["a"], [], fail, tmp_path / "stamp").run()
    assert setup.Step("it", "making it", ["a"], [], fail, tmp_path / "stamp").due()


def copy_of_the_checkout(folder: Path) -> Path:
    kept_out = shutil.ignore_patterns(
        ".git", ".lab", "runs", "data", "figures", "__pycache__", ".ipynb_checkpoints", ".pytest_cache", "*.test"
    )
    return Path(shutil.copytree(ROOT, folder, ignore=kept_out, symlinks=True))


def files(folder: Path) -> set[str]:
    return {str(p.relative_to(folder)) for p in folder.rglob("*")}


def make(folder: Path, *arguments: str, **variables: str) -> str:
    environ = {k: v for k, v in os.environ.items() if not k.startswith(("JUPYTER", "MAKE", "MFLAGS", "SEQ2ATTN"))} | variables
    done = subprocess.run(
        ["make", "--no-print-directory", *arguments], cwd=folder, env=environ, capture_output=True, text=True, timeout=1200
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.slow
def test_a_copy_with_a_space_moved_and_cut_off(tmp_path):
    copy = copy_of_the_checkout(tmp_path / "a copy with spaces")
    before = files(copy)
    said = make(copy, "setup")
    assert "compiling the packages and a first cell: engine: " in said
    assert make(copy, "setup") == ""

    moved = copy.rename(tmp_path / "moved elsewhere")
    cut_off = {"PIP_INDEX_URL": "http://127.0.0.1:9", "PIP_FIND_LINKS": "", "PIP_NO_CACHE_DIR": "1", "GOPROXY": "off"}
    said = make(moved, "setup", **cut_off)
    assert "compiling the packages and a first cell: engine: " in said
    assert str(copy) not in said and "JupyterLab" not in said

    make(moved, "clean")
    assert files(moved) == before


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, for mount")
def test_a_full_disk(tmp_path):
    copy = copy_of_the_checkout(tmp_path / "copy")
    (copy / ".lab").mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", copy / ".lab"], capture_output=True).returncode:
        pytest.skip("mount is not allowed here")
    try:
        done = subprocess.run([sys.executable, "lab/setup.py"], cwd=copy, capture_output=True, text=True)
        assert done.returncode == 1
        (line,) = (done.stdout + done.stderr).splitlines()
        assert "0.0 GB free; make room" in line
    finally:
        subprocess.run(["umount", copy / ".lab"], check=True)
