"""What set-up fetches comes whole and with the pinned checksum, or what was there before stays: tried with a server that misbehaves."""

import functools
import hashlib
import http.server
import io
import re
import socket
import threading
import zipfile
from pathlib import Path

import pytest

import setup

PROGRAM = b"\x7fELF" + bytes(range(256)) * 6000
CUT = 700_000  # bytes of the file that come before a fault, however often it is asked for
NAME, WHEEL = "some-plugin", "some_plugin-1.0-py3-none-any.whl"


@functools.cache
def wheel() -> bytes:
    """A wheel with a plugin in it, which holds the time: it is made once."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("some_plugin/lib.so", PROGRAM)
        archive.writestr("some_plugin-1.0.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {NAME}\nVersion: 1.0\n")
        archive.writestr("some_plugin-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr("some_plugin-1.0.dist-info/RECORD", "")
    return data.getvalue()


class Index(http.server.ThreadingHTTPServer):
    """A package index on this machine, which serves the wheel as it is told to."""

    daemon_threads = True

    def __init__(self, fault: str):
        super().__init__(("127.0.0.1", 0), Handler)
        self.fault, self.wheel, self.asked, self.over = fault, wheel(), [], threading.Event()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def close(self) -> None:
        self.over.set()
        self.shutdown()
        self.server_close()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path = re.sub(r"^http://[^/]+", "", self.path)  # a proxy is asked for whole addresses
        self.server.asked.append((self.path, self.headers.get("Range")))
        if path.startswith("/simple/"):
            self.answer(f'<a href="/files/{WHEEL}">{WHEEL}</a>'.encode(), "text/html")
        elif path.startswith("/files/") and self.server.fault.startswith("redirects"):
            there = "/files/gone/" if self.server.fault == "redirects in a ring" else "/elsewhere/"
            self.send_response(302)
            self.send_header("Location", there + WHEEL)
            self.send_header("Content-Length", "0")
            self.end_headers()
        else:
            self.serve_wheel()

    def serve_wheel(self):
        data, fault = self.server.wheel, self.server.fault
        first = sum(WHEEL in path for path, _ in self.server.asked) == 1
        start = 0
        if asked := re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range") or ""):
            start = int(asked.group(1))
        if fault == "corrupts":
            data = data[:500] + bytes([data[500] ^ 1]) + data[501:]
        if fault == "answers in its place":
            data = b"<html>Please log in"
        cut = fault == "truncates" or fault == "truncates once" and first
        stalls = fault == "stalls" or fault == "stalls once" and first
        if not (cut or stalls):
            self.answer(data[start:], "application/zip", start, len(data))
            return
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(data) - start))
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
        self.end_headers()
        self.wfile.write(data[start:CUT])
        self.wfile.flush()
        if stalls:
            self.server.over.wait(60)
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def answer(self, data: bytes, kind: str, start: int = 0, whole: int = 0):
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{whole - 1}/{whole}")
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


@pytest.fixture
def lab(tmp_path, monkeypatch) -> Path:
    """Where set-up puts the plugin, with an old one there already, and none of this machine's settings of pip."""
    plugin = tmp_path / "pjrt" / "plugin.so"
    plugin.parent.mkdir()
    plugin.write_bytes(b"old")
    for name, path in {"LAB": tmp_path, "LOGS": tmp_path / "log", "HERE": tmp_path, "PLUGIN": plugin}.items():
        monkeypatch.setattr(setup, name, path)
    settings = ["CI", "PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL", "PIP_NO_INDEX", "HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY"]
    for name in settings:
        monkeypatch.delenv(name, raising=False)
    for name, value in {"PIP_CONFIG_FILE": "/dev/null", "PIP_NO_CACHE_DIR": "1", "PIP_DEFAULT_TIMEOUT": "2", "NO_PROXY": "127.0.0.1"}.items():
        monkeypatch.setenv(name, value)
    (tmp_path / "requirements-plugin.txt").write_text(f"{NAME}==1.0 --hash=sha256:{hashlib.sha256(wheel()).hexdigest()}\n")
    return plugin


@pytest.fixture
def index(request, monkeypatch):
    server = Index(getattr(request, "param", ""))
    monkeypatch.setenv("PIP_INDEX_URL", server.address + "/simple")
    yield server
    server.close()


def rest(plugin: Path) -> list[str]:
    """What is in the plugin's folder beside it."""
    return sorted(p.name for p in plugin.parent.iterdir() if p != plugin)


@pytest.mark.parametrize("index", ["", "redirects", "truncates once", "stalls once"], indirect=True)
def test_comes_whole(lab, index, capsys):
    setup.fetch_plugin()
    assert lab.read_bytes() == PROGRAM, capsys.readouterr().out
    assert rest(lab) == ["fetched"]
    if index.fault.endswith("once"):
        assert re.fullmatch(r"bytes=[1-9]\d+-", index.asked[-1][1]), "the download does not go on where it was cut off"
    before = len(index.asked)
    setup.fetch_plugin()
    assert len(index.asked) == before, "what is there is fetched again"


@pytest.mark.parametrize("index", ["truncates", "stalls", "corrupts", "answers in its place", "redirects in a ring"], indirect=True)
def test_what_was_there_stays(lab, index, capsys, monkeypatch):
    setup.fetch_plugin()
    said = capsys.readouterr().out
    assert "goes on with the pure-Go engine, ten to twenty times slower: pip failed: " in said and str(setup.LOGS) in said
    assert lab.read_bytes() == b"old" and rest(lab) == []
    monkeypatch.setenv("CI", "true")
    with pytest.raises(setup.Problem):
        setup.fetch_plugin()
    index.fault = ""  # and the next time
    setup.fetch_plugin()
    assert lab.read_bytes() == PROGRAM


def test_without_network(lab, monkeypatch, capsys):
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{s.getsockname()[1]}/simple")
        setup.fetch_plugin()
    assert "cannot be reached" in capsys.readouterr().out
    assert lab.read_bytes() == b"old" and rest(lab) == []


def test_offline(lab, index, monkeypatch, capsys):
    monkeypatch.setenv("SEQ2ATTN_OFFLINE", "1")
    setup.fetch_plugin()
    assert "SEQ2ATTN_OFFLINE forbids downloads" in capsys.readouterr().out
    assert index.asked == [] and lab.read_bytes() == b"old"


def test_through_a_proxy(lab, index, monkeypatch):
    monkeypatch.setenv("PIP_INDEX_URL", "http://packages.invalid/simple")
    monkeypatch.setenv("PIP_TRUSTED_HOST", "packages.invalid")  # pip takes no open address from elsewhere by itself
    monkeypatch.setenv("HTTP_PROXY", index.address)
    setup.fetch_plugin()
    assert lab.read_bytes() == PROGRAM
    assert index.asked and all(path.startswith("http://packages.invalid/") for path, _ in index.asked)


def test_an_open_address(lab, index, monkeypatch, capsys):
    """Over plain HTTP nothing is fetched from elsewhere, checksum or not."""
    monkeypatch.setenv("PIP_INDEX_URL", "http://packages.invalid/simple")
    monkeypatch.setenv("HTTP_PROXY", index.address)
    setup.fetch_plugin()
    assert "goes on with the pure-Go engine" in capsys.readouterr().out
    assert lab.read_bytes() == b"old" and index.asked == []


def test_an_archive_whose_paths_lead_out(lab, index, tmp_path):
    """Only the plugin is taken out of the wheel, and to its own place."""
    data = io.BytesIO(wheel())
    with zipfile.ZipFile(data, "a") as archive:
        archive.writestr("../../../escaped", "out")
    index.wheel = data.getvalue()
    (tmp_path / "requirements-plugin.txt").write_text(f"{NAME}==1.0 --hash=sha256:{hashlib.sha256(index.wheel).hexdigest()}\n")
    setup.fetch_plugin()
    assert lab.read_bytes() == PROGRAM
    assert not list(tmp_path.parent.rglob("escaped"))


def test_go_offline(monkeypatch):
    monkeypatch.setenv("SEQ2ATTN_OFFLINE", "1")
    monkeypatch.delenv("GOPROXY", raising=False)
    setup.heed_offline()
    assert setup.os.environ["GOPROXY"] == "off"
