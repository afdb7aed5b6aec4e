"""What the tests share: cells run in the real kernel, and a JupyterLab started as a user starts it."""

import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import environment  # noqa: E402
import notebooks  # noqa: E402

REPORTS: list[str] = []


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: takes more than a few seconds; left out of make test-short")
    environment.apply_jupyter()


def pytest_terminal_summary(terminalreporter):
    if REPORTS:
        terminalreporter.section("notebooks")
        for report in REPORTS:
            terminalreporter.write_line(report)


@pytest.fixture
def reports():
    """Lines that are shown at the end, whether tests passed or not."""
    return REPORTS


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium. CI must have one; elsewhere tests that need it are skipped."""
    found = environment.chromium()
    if not found:
        message = "no Chromium found: install it, or name one in CHROMIUM"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return found


@pytest.fixture(scope="session")
def browser(chromium) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


def written(folder: Path, *sources: str, name: str = "cells.ipynb") -> Path:
    """A notebook of code cells."""
    path = folder / name
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(s) for s in sources]), path)
    return path


@pytest.fixture
def run_cells(tmp_path):
    """Runs cells in a fresh kernel outside the checkout."""

    def run(*sources: str, folder: Path = tmp_path) -> notebooks.Run:
        return notebooks.execute(written(folder, *sources), folder)

    return run


def said(run: notebooks.Run, number: int) -> str:
    """All text that a code cell, counted from 1, put out."""
    return "".join(text for o in notebooks.code_cells(run.notebook)[number - 1].outputs for text in notebooks.texts(o))


class Lab:
    """A running `make lab`."""

    def __init__(self, root: Path, *arguments: str, **variables: str):
        environ = {k: v for k, v in os.environ.items() if not k.startswith(("JUPYTER", "MAKE", "MFLAGS"))} | variables
        self.output = ""
        begin = time.monotonic()
        self.process = subprocess.Popen(
            ["make", "lab", "BROWSER=none", *arguments], cwd=root, env=environ, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
        for line in self.process.stdout:
            self.output += line
            if found := re.search(r"(http://127\.0\.0\.1:\d+)(\S*)\?token=(\w+)", line):
                self.base, self.path, self.token = found.groups()
                break
        else:
            raise AssertionError(f"make lab ended: {self.output}")
        deadline = time.monotonic() + 60
        while not self.answers():
            assert self.process.poll() is None and time.monotonic() < deadline, self.output
            time.sleep(0.05)
        self.seconds = time.monotonic() - begin

    def answers(self) -> bool:
        try:
            return urllib.request.urlopen(f"{self.base}/api?token={self.token}", timeout=5).status == 200
        except OSError:
            return False

    def stop(self) -> None:
        """Stops JupyterLab and waits for the end of its output, with which make and JupyterLab are both gone."""
        os.killpg(self.process.pid, signal.SIGTERM)
        self.process.communicate(timeout=60)


MINUTES = 60_000  # milliseconds


def opened(browser: Browser, lab: Lab, name: str, **options) -> Page:
    """A notebook of the folder that JupyterLab serves, with its kernel connected. `page.foreign` collects requests to others."""
    page = browser.new_page(**({"viewport": {"width": 1280, "height": 1600}} | options))
    page.foreign = []
    page.on("request", lambda r: None if r.url.startswith((lab.base, "data:", "blob:")) else page.foreign.append(r.url))
    page.goto(f"{lab.base}/doc/tree/{name}?token={lab.token}")
    page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=MINUTES)
    page.wait_for_function(
        "() => window.jupyterapp.shell.currentWidget?.sessionContext?.session?.kernel?.connectionStatus === 'connected'",
        timeout=MINUTES,
    )
    return page


def serving(folder: Path, **variables: str) -> Lab:
    """JupyterLab over another folder than the checkout's, to be looked into by tests."""
    return Lab(environment.ROOT, LAB_ARGS=f"--ServerApp.root_dir='{folder}' --LabApp.expose_app_in_browser=True", **variables)
