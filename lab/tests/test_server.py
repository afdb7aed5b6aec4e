"""JupyterLab as `make lab` starts it: what it shows, and whom it keeps out."""

import contextlib
import http.client
import json
import time
import urllib.error
import urllib.request
from urllib.parse import urlsplit

import psutil
import pytest
from conftest import Lab

from environment import FIRST_NOTEBOOK, KERNEL, LAB, ROOT

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def lab():
    running = Lab(ROOT)
    yield running
    running.stop()


def get(lab, path: str, token: bool = True):
    request = urllib.request.Request(lab.base + path, headers={"Authorization": f"token {lab.token}"} if token else {})
    return urllib.request.urlopen(request, timeout=30)


def test_opens_the_first_notebook(lab, reports):
    reports.append(f"second make lab: {lab.seconds:.1f} s until JupyterLab answers")
    assert lab.path == (f"/lab/tree/{FIRST_NOTEBOOK.relative_to(ROOT)}" if FIRST_NOTEBOOK.exists() else "/lab")
    assert get(lab, lab.path).status == 200
    assert len(lab.output.splitlines()) < 12, lab.output


def ask(lab, path: str, method: str = "GET", body: str = "", **headers: str) -> tuple[int, str]:
    """The status of an answer, and where it leads; no redirection is followed."""
    connection = http.client.HTTPConnection(urlsplit(lab.base).netloc, timeout=30)
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    return answer.status, answer.getheader("Location", "")


SECRETS = ["/api/contents", "/api/contents/README.md", "/api/kernels", "/api/sessions", "/api/kernelspecs", "/api/config/x", "/api/me"]
PAGES = ["/lab", "/files/README.md", "/nbconvert/html/README.md", "/view/README.md", "/tree", "/"]


@pytest.mark.parametrize("path", SECRETS + PAGES)
@pytest.mark.parametrize("header", [{}, {"Authorization": "token 0000"}, {"Authorization": "token "}, {"Cookie": "username-127-0-0-1=x"}])
def test_asks_for_the_token(lab, path, header):
    status, to = ask(lab, path, **header)
    refused = status in (403, 404) or status == 302 and (to.startswith("/login") or path == "/" and to.startswith("/lab"))
    assert refused if path in PAGES else status == 403, (status, to)


@pytest.mark.parametrize(
    "path, method",
    [("/api/kernels", "POST"), ("/api/contents/x.txt", "PUT"), ("/api/contents/README.md", "DELETE"), ("/api/shutdown", "POST")],
)
def test_changes_nothing_without_the_token(lab, path, method):
    assert ask(lab, path, method, "{}")[0] == 403
    assert get(lab, "/api/contents/README.md").status == 200


def test_opens_no_channel_without_the_token(lab):
    upgrade = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    }
    with kernel(lab) as one:
        assert ask(lab, f"/api/kernels/{one}/channels", **upgrade)[0] == 403
        assert ask(lab, f"/api/kernels/{one}/channels", Origin="http://elsewhere.example", **upgrade)[0] == 403
    assert ask(lab, "/api/events/subscribe", **upgrade)[0] == 403


@pytest.mark.parametrize("host", ["elsewhere.example", "elsewhere.example:8888", "192.0.2.1", "127.0.0.1.elsewhere.example"])
def test_refuses_other_host_names(lab, host):
    """A page on the network may give its own name this address, and have a browser ask for it."""
    for path in ["/lab", "/api/kernels", "/login"]:
        assert ask(lab, path, Host=host, Authorization=f"token {lab.token}")[0] == 403


@pytest.mark.parametrize(
    "path",
    [
        "/api/contents/../../etc/passwd",
        "/files/..%2f..%2fetc/passwd",
        "/files/%2e%2e/%2e%2e/etc/passwd",
        "/files/.lab/kernel.log",
        "/files/.git/config",
    ],
)
def test_shows_nothing_outside_and_nothing_hidden(lab, path):
    assert ask(lab, path, Authorization=f"token {lab.token}")[0] in (400, 403, 404)


@contextlib.contextmanager
def kernel(lab):
    """The id of a running kernel."""
    request = urllib.request.Request(lab.base + "/api/kernels", b"{}", {"Authorization": f"token {lab.token}"})
    one = json.load(urllib.request.urlopen(request, timeout=60))["id"]
    yield one
    assert ask(lab, f"/api/kernels/{one}", "DELETE", Authorization=f"token {lab.token}")[0] == 204


def connections(lab) -> list:
    """Of the server and all that it started; a process that ends in between has none."""
    first, found = psutil.Process(lab.process.pid), []
    for p in [first, *first.children(recursive=True)]:
        with contextlib.suppress(psutil.NoSuchProcess):
            found += p.net_connections("inet")
    return found


def test_listens_on_this_machine_only(lab):
    with kernel(lab) as one:
        file = LAB / "jupyter" / "runtime" / f"kernel-{one}.json"
        ports = {value for name, value in json.loads(file.read_text()).items() if name.endswith("_port")}
        assert file.stat().st_mode & 0o077 == 0, "the kernel's key can be read by others"
        deadline = time.monotonic() + 60
        while True:
            open_ports = {c.laddr for c in connections(lab) if c.status == psutil.CONN_LISTEN}
            if ports <= {port for _, port in open_ports}:
                break
            assert time.monotonic() < deadline, f"the kernel does not open {ports}, only {open_ports}"
            time.sleep(0.1)
    assert {ip for ip, _ in open_ports} == {"127.0.0.1"}


def test_has_one_kernel(lab):
    specs = json.load(get(lab, "/api/kernelspecs"))
    assert list(specs["kernelspecs"]) == [KERNEL] and specs["default"] == KERNEL


@pytest.mark.parametrize("path", ["/api/terminals", "/terminals/websocket/1", "/lsp/status"])
def test_has_no_terminals_and_no_language_servers(lab, path):
    """GoNB completes by itself."""
    assert ask(lab, path, Authorization=f"token {lab.token}")[0] in (403, 404)


def test_installs_no_extensions(lab):
    assert json.load(get(lab, "/lab/api/extensions?query=git&refresh=1")) == []


def test_calls_nobody(lab, browser):
    """Neither the server, with a kernel, nor the page in a browser."""
    raw = json.load(get(lab, "/lab/api/settings/@jupyterlab/apputils-extension:notification"))
    properties = raw["schema"]["properties"]
    assert properties["fetchNews"]["default"] == "false"
    assert properties["checkForUpdates"]["default"] is False

    asked = set()
    with kernel(lab):
        page = browser.new_page()
        page.on("request", lambda r: asked.add(r.url))
        page.on("websocket", lambda w: asked.add(w.url))
        page.goto(f"{lab.base}/lab?token={lab.token}")
        page.wait_for_selector("#jp-main-dock-panel", timeout=120_000)
        page.wait_for_timeout(3000)
        connected = {c.raddr.ip for c in connections(lab) if c.raddr}
        page.close()
    assert asked and {urlsplit(url).hostname for url in asked if urlsplit(url).scheme not in ("data", "blob")} == {"127.0.0.1"}
    assert connected <= {"127.0.0.1"}
