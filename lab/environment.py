"""Where things are, and the environment that JupyterLab and its kernels run in."""

import contextlib
import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LAB = ROOT / ".lab"  # all that set-up makes; `make clean` removes it
BIN = LAB / "bin"
VENV = LAB / "venv"
PYTHON = VENV / "bin" / "python"
LINKER_FLAGS = LAB / "linker-flags"
PLUGIN = LAB / "pjrt" / "pjrt_c_api_cpu_plugin.so"
SLIDE_ASSETS = LAB / "slide-assets"  # reveal.js and MathJax
KERNEL = "seq2attn"
KERNEL_LOG = LAB / "kernel.log"
NOTEBOOKS = ROOT / "notebooks"
FIRST_NOTEBOOK = NOTEBOOKS / "00_start_here.ipynb"


def jupyter() -> dict[str, str]:
    """The variables that keep Jupyter inside the checkout: our kernel and settings, and none of the user's files."""
    own = LAB / "jupyter"
    (own / "ipython").mkdir(parents=True, exist_ok=True)  # IPython warns where it would have to make more than one folder
    return {
        "JUPYTER_PATH": str(ROOT / "lab" / "jupyter"),
        "JUPYTER_CONFIG_PATH": str(ROOT / "lab" / "jupyter"),
        "JUPYTER_CONFIG_DIR": str(own / "config"),
        "JUPYTER_DATA_DIR": str(own / "data"),
        "JUPYTER_RUNTIME_DIR": str(own / "runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(own / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(own / "workspaces"),
        "IPYTHONDIR": str(own / "ipython"),
        "npm_config_cache": str(own / "npm"),  # JupyterLab asks npm for its registry where npm is there
    }


def notebooks() -> list[Path]:
    """Every notebook of the course, solutions last."""
    found = (p for p in NOTEBOOKS.rglob("*.ipynb") if ".ipynb_checkpoints" not in p.parts and "executed" not in p.parts)
    return sorted(found, key=lambda p: (len(p.parts), p))


def apply_jupyter() -> None:
    os.environ.update(jupyter())


def chromium() -> str | None:
    """A Chromium, for the slides' PDF and for tests."""
    names = ["chromium", "chromium-browser", "google-chrome", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"]
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


@contextlib.contextmanager
def alone(what: str, say: Callable[[str], None]) -> Iterator[None]:
    """Keeps two commands of one checkout from doing the same at once: the second says so, and waits."""
    LAB.mkdir(exist_ok=True)
    with (LAB / f"{what}.lock").open("w") as f:
        try:
            fcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"waiting for another {what} of this checkout …")
            fcntl.flock(f, fcntl.LOCK_EX)
        yield
