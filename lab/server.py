"""Starts JupyterLab at the first notebook, after the set-up that it needs."""

import os
import shlex
import socket
import subprocess
import sys

from environment import FIRST_NOTEBOOK, KERNEL_LOG, LAB, PYTHON, ROOT, jupyter
from setup import Problem, gopls, say, set_up

ADDRESS = "127.0.0.1"
FIRST_PORT, TRIES = 8888, 100


def free(port: int) -> bool:
    with socket.socket() as s:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            s.bind((ADDRESS, port))
        except OSError:
            return False
    return True


def choose_port(wanted: str) -> int:
    """The port asked for, or the first free one."""
    if not wanted:
        port = next(filter(free, range(FIRST_PORT, FIRST_PORT + TRIES)), None)
        if port is None:
            raise Problem(f"no free port from {FIRST_PORT} to {FIRST_PORT + TRIES - 1}; name one: make lab PORT=9999")
        return port
    if not wanted.isdecimal() or not 0 < int(wanted) < 65536:
        raise Problem(f"PORT={wanted} is no port: give a number from 1 to 65535, or none and a free one is taken")
    if not free(int(wanted)):
        raise Problem(f"port {wanted} is busy; name another: make lab PORT={int(wanted) % 65535 + 1}, or none and a free one is taken")
    return int(wanted)


def browser_is_there() -> bool:
    if os.environ.get("BROWSER") == "none":
        return False
    return sys.platform == "darwin" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or os.environ.get("BROWSER"))


def arguments(port: int) -> list[str]:
    # The root folder is the working directory, so that LAB_ARGS can name another.
    chosen = ["-m", "jupyterlab", "--LabApp.log_level=WARN", "--ServerApp.log_level=WARN", f"--port={port}"]
    if FIRST_NOTEBOOK.exists():
        chosen.append(f"--LabApp.default_url=/lab/tree/{FIRST_NOTEBOOK.relative_to(ROOT)}")
    if os.geteuid() == 0:
        chosen.append("--allow-root")
    if not browser_is_there():
        chosen.append("--no-browser")
    return chosen + shlex.split(os.environ.get("LAB_ARGS", ""))


def build_gopls_behind(go: dict[str, str]) -> None:
    """Completion is not needed for a first cell: gopls is built while JupyterLab is already open."""
    if gopls(go).due():
        say("building gopls, for completion in cells, behind JupyterLab; kernels started later have it")
        log = (LAB / "log" / "gopls-behind.log").open("w")
        subprocess.Popen(
            [sys.executable, ROOT / "lab" / "setup.py", "gopls"], stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
        )


def main() -> None:
    wanted = os.environ.get("PORT", "")
    choose_port(wanted)  # a port that cannot be had is said before the set-up
    build_gopls_behind(set_up())
    port = choose_port(wanted)
    KERNEL_LOG.write_text("")
    say("starting JupyterLab; Ctrl-C stops it")
    os.chdir(ROOT)
    os.execve(PYTHON, [str(PYTHON), *arguments(port)], os.environ | jupyter())


if __name__ == "__main__":
    try:
        main()
    except (Problem, OSError) as problem:
        sys.exit(f"seq2attn: {problem}")
    except KeyboardInterrupt:
        sys.exit("seq2attn: stopped; call it again, and it goes on where it stopped")
