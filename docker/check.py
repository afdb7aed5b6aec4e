"""What `make image-check` runs in the image, as its user, without network: every way to start it, and a notebook from begin to end.

It says what it found, with times and memory, and ends at the first thing that is wrong.
"""

import contextlib
import functools
import http.client
import http.server
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "lab"))

import notebooks  # noqa: E402

HOME = Path.home()
START = ROOT / "docker" / "start"
PORT, OTHER, HUB = 8888, 8899, 8081
NOTEBOOK = "notebooks/00_start_here.ipynb"
EXECUTABLES = ROOT / ".lab" / "cache" / "xla"  # leads into the reader's folder


def expect(true: object, what: str) -> None:
    if not true:
        sys.exit(f"WRONG: {what}")
    print(f"ok: {what}", flush=True)


def say(line: str) -> None:
    print(f"    {line}", flush=True)


def refused(action, *arguments) -> bool:
    try:
        action(*arguments)
    except OSError:
        return True
    return False


# What the container may do.


def confined() -> None:
    expect(os.getuid() == 1000 and os.getgid() == 100, "runs as user 1000 of group 100")
    expect(not any(map(shutil.which, ("sudo", "su-exec", "gosu"))), "has no sudo")
    expect(refused((ROOT / "x").touch) and refused(Path("/usr/x").touch), "cannot change the image")
    expect(len(Path("/proc/net/route").read_text().splitlines()) <= 1, "has a route to nowhere")
    (HOME / "x").touch()
    (HOME / "x").unlink()
    strangers = [p for p in (HOME, *HOME.rglob("*")) if (p.lstat().st_uid, p.lstat().st_gid) != (os.getuid(), os.getgid())]
    expect(not strangers, "owns the reader's folder and all in it")
    expect((HOME / NOTEBOOK).exists() and os.access(HOME / NOTEBOOK, os.W_OK), "finds its own copy of the notebooks")
    expect((HOME / "docs" / "data.md").exists() and (HOME / "pkg" / "seq2seq").is_dir(), "finds what they link to")
    expect(not EXECUTABLES.exists(), "brings nothing that XLA compiled where the image was built")
    say(f"Go's cache: {sum(len(f) for _, _, f in os.walk(os.environ['GOCACHE'])):,} links")


# Servers.


def get(path: str, token: str = "", host: str = "127.0.0.1", port: int = PORT) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path, headers={"Host": f"{host}:{port}"} | ({"Authorization": f"token {token}"} if token else {}))
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def healthy() -> bool:
    return subprocess.run([sys.executable, ROOT / "docker" / "health.py"], capture_output=True).returncode == 0


def resident(process: psutil.Process) -> float:
    """MB of a process and its children, what they share counted once."""
    return sum(p.memory_full_info().pss for p in [process, *process.children(recursive=True)]) / 1e6


@contextlib.contextmanager
def served(name: str, *command: str | Path, **variables: str) -> Iterator[subprocess.Popen]:
    """A server that the entry point started, once it is healthy."""
    log = HOME / f".cache/{name}.log"
    begin = time.monotonic()
    with log.open("w") as f:
        process = subprocess.Popen([START, *command], env=os.environ | variables, stdout=f, stderr=f)
    try:
        while not healthy():
            if process.poll() is not None or time.monotonic() - begin > 600:
                sys.exit(f"WRONG: {name} does not start:\n{log.read_text()}")
            time.sleep(0.1)
        expect(True, f"{name} starts and is healthy")
        say(f"{time.monotonic() - begin:.1f} s, {resident(psutil.Process(process.pid)):.0f} MB")
        yield process
    finally:
        process.terminate()
        process.wait(300)
    expect(not healthy(), f"{name} stops, and is not healthy then")


def jupyterlab() -> None:
    with served("JupyterLab", JUPYTER_TOKEN="a-token"):
        expect(get("/api/contents")[0] == 403, "asks for the token")
        expect(get("/api/contents", "a-token")[0] == 200, "takes the token")
        expect(get("/lab", "a-token", host="attacker.example")[0] == 403, "refuses other names than localhost's")
        course(get, "/")


def course(get: Callable[[str, str], tuple[int, bytes]], prefix: str) -> None:
    """That a server is the course's: its kernel alone, no terminals, its notebooks."""
    specs = json.loads(get(f"{prefix}api/kernelspecs", "a-token")[1])
    expect(list(specs["kernelspecs"]) == ["seq2attn"] == [specs["default"]], "has the course's kernel and no other")
    expect(get(f"{prefix}api/terminals", "a-token")[0] in (403, 404), "has no terminals")
    expect(get(f"{prefix}api/contents/{NOTEBOOK}?content=0", "a-token")[0] == 200, "has the notebooks below its root")
    news = json.loads(get(f"{prefix}lab/api/settings/@jupyterlab/apputils-extension:notification", "a-token")[1])
    expect(news["schema"]["properties"]["fetchNews"]["default"] == "false", "asks nobody for news")


def binder() -> None:
    """As BinderHub starts an image: its own command, which the entry point must run, in a hub's environment."""
    arguments = ["--ip=0.0.0.0", f"--port={PORT}", "--ServerApp.base_url=/user/x/", "--IdentityProvider.token=a-token"]
    with served("Binder's command", "jupyter-lab", *arguments, JUPYTERHUB_API_TOKEN="unused"):
        expect(get("/user/x/api/contents")[0] == 403, "asks for the token")
        expect(get(f"/user/x/lab/tree/{NOTEBOOK}", "a-token", "hub.example")[0] == 200, "opens a notebook by the hub's name")


class Hub(http.server.BaseHTTPRequestHandler):
    """As much of a JupyterHub as a single-user server asks of it: its version, and whose token this is."""

    protocol_version = "HTTP/1.1"

    def answer(self) -> None:
        known = self.headers.get("Authorization", "").split()[-1:] == ["a-token"]
        user = {"name": "ada", "kind": "user", "groups": [], "admin": False, "scopes": ["access:servers!server=ada/"], "session_id": None}
        body = json.dumps(user if known and self.path.startswith("/hub/api/user") else {"version": "5"}).encode()
        self.send_response(200 if known or self.path == "/hub/api" else 403)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = answer

    def log_message(self, *_) -> None:
        pass


def hub() -> None:
    """As JupyterHub starts a single-user server: by its environment."""
    asked = http.server.ThreadingHTTPServer(("127.0.0.1", HUB), Hub)
    threading.Thread(target=asked.serve_forever, daemon=True).start()
    environment = {
        "JUPYTERHUB_API_TOKEN": "a-token",
        "JUPYTERHUB_API_URL": f"http://127.0.0.1:{HUB}/hub/api",
        "JUPYTERHUB_ACTIVITY_URL": f"http://127.0.0.1:{HUB}/hub/api/users/ada/activity",
        "JUPYTERHUB_BASE_URL": "/",
        "JUPYTERHUB_CLIENT_ID": "jupyterhub-user-ada",
        "JUPYTERHUB_HOST": "",
        "JUPYTERHUB_OAUTH_CALLBACK_URL": "/user/ada/oauth_callback",
        "JUPYTERHUB_OAUTH_SCOPES": '["access:servers!server=ada/"]',
        "JUPYTERHUB_OAUTH_ACCESS_SCOPES": '["access:servers!server=ada/"]',
        "JUPYTERHUB_SERVER_NAME": "",
        "JUPYTERHUB_SERVICE_PREFIX": "/user/ada/",
        "JUPYTERHUB_SERVICE_URL": f"http://0.0.0.0:{OTHER}/user/ada/",
        "JUPYTERHUB_USER": "ada",
    }
    ask = functools.partial(get, port=OTHER)
    with served("JupyterHub's single-user server", **environment):
        expect(ask("/user/ada/api/contents")[0] == 403, "asks whom the hub knows")
        expect(ask("/user/ada/api/contents", "another")[0] == 403, "refuses whom the hub does not know")
        expect(ask("/user/ada/lab", "a-token", "hub.example")[0] == 200, "answers by the hub's name")
        course(ask, "/user/ada/")
    asked.shutdown()


# A notebook.


def notebook() -> None:
    path = HOME / NOTEBOOK
    largest: dict[str, float] = {}
    tmp = 0.0
    done = threading.Event()

    def watch() -> None:
        nonlocal tmp
        while not done.wait(0.2):
            tmp = max(tmp, shutil.disk_usage("/tmp").used / 1e6)
            for p in psutil.Process().children(recursive=True):
                with contextlib.suppress(psutil.Error, OSError):
                    name = "a cell" if p.name().startswith("gonb_") else p.name()
                    largest[name] = max(largest.get(name, 0), p.memory_info().rss / 1e6)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        run = notebooks.execute(path, path.parent)
    finally:
        done.set()
        watcher.join()
    for line in run.report().splitlines():
        say(line.strip())
    say("most memory: " + ", ".join(f"{name} {mb:.0f} MB" for name, mb in sorted(largest.items(), key=lambda x: -x[1])[:5]))
    expect(not run.failure, f"runs {NOTEBOOK} from begin to end")
    said = "".join(t for c in notebooks.code_cells(run.notebook) for o in c.outputs for t in notebooks.texts(o))
    plugin = (ROOT / ".lab" / "pjrt" / "pjrt_c_api_cpu_plugin.so").exists()
    expect(not plugin or "pure-Go" not in said, "trains on XLA" if plugin else "trains on the pure-Go engine")
    kept = [p for p in Path(os.environ["SEQ2ATTN_RUNS"]).iterdir() if p.is_dir()]
    expect(kept, "keeps its runs in the reader's folder")
    if plugin:
        made = list(EXECUTABLES.resolve().iterdir()) if EXECUTABLES.exists() else []
        expect(made and EXECUTABLES.resolve().is_relative_to(HOME), "keeps what XLA compiles there too")
        say(f"{len(made)} graphs, {size(EXECUTABLES.resolve()) / 1e6:.0f} MB")
    say(f"in the reader's folder: {size(HOME) / 1e6:.0f} MB; in /tmp at most: {tmp:.0f} MB")


def size(folder: Path) -> int:
    found = (os.lstat(os.path.join(d, f)) for d, _, files in os.walk(folder) for f in files)
    return sum(s.st_blocks * 512 for s in found)


if __name__ == "__main__":
    for step in (confined, jupyterlab, binder, hub, notebook):
        step()
    print("the image is as it should be")
