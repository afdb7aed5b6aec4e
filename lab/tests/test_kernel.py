"""The project's own kernel: the same packages and versions from anywhere, whatever the user's environment."""

import os
import shutil
import subprocess
import sys
import time

import psutil
import pytest
from conftest import said, written
from jupyter_client.manager import start_new_kernel

from environment import BIN, KERNEL, ROOT

HELLO = '%%\nfmt.Println("hello")'
PROJECT = 'import (\n\t"fmt"\n\t"seq2attn/pkg/project"\n)\n\n%%\nroot, err := project.Root()\nfmt.Println(root, err)'

root_only = pytest.mark.skipif(os.geteuid() != 0, reason="needs root, for mount or a network namespace")


def test_finds_the_checkout_from_a_folder_outside(run_cells, tmp_path):
    folder = tmp_path / "a folder with spaces"
    folder.mkdir()
    run = run_cells(PROJECT, folder=folder)
    assert run.failure is None
    assert said(run, 1) == f"{ROOT} <nil>\n"


def test_says_nothing_of_its_own(run_cells):
    run = run_cells("var words = []string{}", HELLO)
    assert [said(run, 1), said(run, 2)] == ["", "hello\n"]


def test_ignores_the_users_go_settings(run_cells, monkeypatch, tmp_path):
    settings = tmp_path / "go.env"
    settings.write_text("GOFLAGS=-mod=vendor\n")
    for name, value in {
        "GOFLAGS": "-mod=mod -nonsense",
        "GOWORK": "/nowhere/go.work",
        "GOPROXY": "nonsense",
        "GOENV": str(settings),
    }.items():
        monkeypatch.setenv(name, value)
    run = run_cells(PROJECT)
    assert run.failure is None


def test_two_at_once():
    kernels = [start_new_kernel(kernel_name=KERNEL, startup_timeout=60) for _ in range(2)]
    try:
        heard: list[list[str]] = [[], []]
        for i, (_, client) in enumerate(kernels):
            client.execute(f"%%\nfmt.Println({i})")
        for i, (_, client) in enumerate(kernels):
            while (message := client.get_iopub_msg(timeout=60))["content"].get("execution_state") != "idle":
                if message["msg_type"] == "stream":
                    heard[i].append(message["content"]["text"])
        assert heard == [["0\n"], ["1\n"]]
    finally:
        for manager, client in kernels:
            client.stop_channels()
            manager.shutdown_kernel()


def test_interrupt_reaches_the_cell_and_spares_the_kernel():
    manager, client = start_new_kernel(kernel_name=KERNEL, startup_timeout=60)
    try:
        client.execute(
            'import "os/signal"\n%%\nstopped := make(chan os.Signal, 1)\nsignal.Notify(stopped, os.Interrupt)\n'
            'fmt.Println("ready")\nselect {\ncase <-stopped:\n\tfmt.Println("saved")\ncase <-time.After(time.Minute):\n}'
        )
        heard = ""
        while (message := client.get_iopub_msg(timeout=60))["content"].get("execution_state") != "idle":
            if message["msg_type"] == "stream":
                heard += message["content"]["text"]
                if message["content"]["text"] == "ready\n":
                    manager.interrupt_kernel()
        assert heard == "ready\nsaved\n"
        reply = client.execute_interactive(HELLO, timeout=60, output_hook=lambda _: None)
        assert reply["content"]["status"] == "ok"
    finally:
        client.stop_channels()
        manager.shutdown_kernel()


def test_ends_with_the_jupyter_that_started_it():
    """Also where that is killed, and a cell is running: neither the kernel nor the cell stays behind."""
    code = (
        "from jupyter_client.manager import start_new_kernel as s; m, c = s(kernel_name='seq2attn', startup_timeout=60);"
        "c.execute('%%\\ntime.Sleep(time.Hour)'); print(m.provisioner.pid, flush=True); input()"
    )
    jupyter = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    kernel = psutil.Process(int(jupyter.stdout.readline()))
    deadline = time.monotonic() + 60
    while not any(p.name().startswith("gonb_") for p in kernel.children()):
        assert time.monotonic() < deadline, "the cell does not run"
        time.sleep(0.1)
    family = [kernel, *kernel.children(recursive=True)]
    jupyter.kill()
    jupyter.wait()  # not communicate: the kernel has the same output
    _, left = psutil.wait_procs(family, timeout=30)
    assert not left


def test_a_link_to_the_kernel_works(run_cells, tmp_path, monkeypatch):
    link = tmp_path / "share" / "kernels" / KERNEL
    link.parent.mkdir(parents=True)
    link.symlink_to(ROOT / "lab" / "jupyter" / "kernels" / KERNEL)
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "share"))
    assert said(run_cells(PROJECT), 1) == f"{ROOT} <nil>\n"


@root_only
def test_a_temporary_folder_that_forbids_programs(run_cells, tmp_path, monkeypatch):
    folder = tmp_path / "noexec"
    folder.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "noexec,size=64m", "tmpfs", folder], capture_output=True).returncode:
        pytest.skip("mount is not allowed here")
    try:
        monkeypatch.setenv("TMPDIR", str(folder))
        run = run_cells(HELLO)
        assert run.failure is None
    finally:
        subprocess.run(["umount", folder], check=True)


@root_only
def test_without_network(tmp_path):
    if not shutil.which("ip") or subprocess.run(["unshare", "-n", "true"], capture_output=True).returncode:
        pytest.skip("network namespaces are not allowed here")
    code = "import sys, notebooks; from pathlib import Path; p = Path(sys.argv[1]); r = notebooks.execute(p, p.parent); sys.exit(r.failure)"
    done = subprocess.run(
        ["unshare", "-n", "sh", "-c", 'ip link set lo up && exec "$@"', "sh", sys.executable, "-c", code, written(tmp_path, PROJECT)],
        cwd=ROOT / "lab", capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_completes_with_gopls():
    """gopls is built behind an open JupyterLab; here it is waited for."""
    done = subprocess.run([sys.executable, ROOT / "lab" / "setup.py", "gopls"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (BIN / "gopls").exists()
    manager, client = start_new_kernel(kernel_name=KERNEL, startup_timeout=60)
    try:
        client.execute_interactive('import "seq2attn/pkg/project"', timeout=60, output_hook=lambda _: None)
        cell = "%%\nproject.Roo"
        deadline = time.monotonic() + 120
        matches: list[str] = []
        while not any("Root" in m for m in matches) and time.monotonic() < deadline:
            matches = client.complete(cell, len(cell), reply=True, timeout=60)["content"].get("matches", [])
        assert any("Root" in m for m in matches)
    finally:
        client.stop_channels()
        manager.shutdown_kernel()
