"""JupyterLab as `make lab` starts it."""

import json
import urllib.error
import urllib.request

import pytest
from conftest import Lab

from environment import FIRST_NOTEBOOK, KERNEL, ROOT

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


def test_asks_for_the_token(lab):
    with pytest.raises(urllib.error.HTTPError) as refusal:
        get(lab, "/api/contents", token=False)
    assert refusal.value.code == 403


def test_has_one_kernel(lab):
    specs = json.load(get(lab, "/api/kernelspecs"))
    assert list(specs["kernelspecs"]) == [KERNEL] and specs["default"] == KERNEL


def test_has_no_terminals(lab):
    with pytest.raises(urllib.error.HTTPError) as refusal:
        get(lab, "/api/terminals")
    assert refusal.value.code in (403, 404)


def test_calls_nobody(lab):
    raw = json.load(get(lab, "/lab/api/settings/@jupyterlab/apputils-extension:notification"))
    properties = raw["schema"]["properties"]
    assert properties["fetchNews"]["default"] == "false"
    assert properties["checkForUpdates"]["default"] is False
