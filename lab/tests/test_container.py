"""The container's files, as far as they can be checked without an engine, and what an image says of itself where there is one; `make image-check` tries the
image itself.
"""

import importlib.util
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from types import ModuleType

import pytest
import yaml

import environment
import setup
from environment import ROOT

DOCKER = ROOT / "docker"
PAGE = ROOT / "docs" / "container.md"
DOCKERFILE = (DOCKER / "Dockerfile").read_text()
INSIDE = "/opt/seq2attn"  # the checkout in the image


def instructions() -> list[tuple[str, str]]:
    """The Dockerfile's instructions: ("USER", "1000"), with lines joined and comments left out."""
    text = re.sub(r"\\\n", " ", re.sub(r"^\s*#.*\n", "", DOCKERFILE, flags=re.M))
    return [tuple(line.split(None, 1)) for line in text.splitlines() if line.strip()]


def arguments_of(instruction: str) -> list[str]:
    return [rest for name, rest in instructions() if name == instruction]


def final_stage() -> list[tuple[str, str]]:
    found = instructions()
    return found[max(i for i, (name, _) in enumerate(found) if name == "FROM") :]


def defaults() -> dict[str, str]:
    return dict(a.split("=", 1) for a in arguments_of("ARG"))


def variables() -> dict[str, str]:
    """The environment of the image: of its last stage, and of those that it comes from."""
    stages: dict[str, list[str]] = {}
    for name, rest in instructions():
        if name == "FROM":
            base, _, stage = rest.partition(" AS ")
            stages[stage] = list(stages.get(base, []))
        elif name == "ENV":
            stages[stage].append(rest)
    values = {}
    for rest in stages[stage]:
        for pair in shlex.split(rest):
            name, value = pair.split("=", 1)
            values[name] = re.sub(r"\$\{(\w+)\}", lambda m: (defaults() | values)[m[1]], value)
    return values


def compose() -> dict:
    return yaml.safe_load((DOCKER / "compose.yaml").read_text())


def blocks(language: str) -> list[str]:
    """The fenced blocks of the docs page in this language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text(), re.M | re.S)


def hub_values() -> dict:
    (values,) = (v for v in map(yaml.safe_load, blocks("yaml")) if "singleuser" in v)
    return values


# The image.


def test_every_stage_comes_from_one_base_pinned_by_digest():
    assert re.fullmatch(r"docker\.io/library/debian:\w+-slim@sha256:[0-9a-f]{64}", defaults()["BASE"])
    stages = {rest.split(" AS ")[1] for rest in arguments_of("FROM") if " AS " in rest}
    assert len(arguments_of("FROM")) > 1
    assert {rest.split(" AS ")[0] for rest in arguments_of("FROM")} <= {"${BASE}", *stages}


def test_user_is_a_number_and_as_hubs_and_binder_expect():
    assert defaults() | {"BASE": ""} == {"BASE": "", "NB_USER": "jovyan", "NB_UID": "1000"}
    users = [rest for name, rest in final_stage() if name == "USER"]
    assert users == ["${NB_UID}"]
    after = final_stage()[final_stage().index(("USER", "${NB_UID}")) :]
    assert not {"RUN", "COPY", "ADD"} & {name for name, _ in after}
    assert not re.search(r"\bsudo\b|chmod .*[+ugo]s|--allow-root", DOCKERFILE)


def test_binder_finds_the_dockerfile():
    """It looks for binder/Dockerfile in the repository; its port is 8888, and its entry point must run what it is given."""
    assert (ROOT / "binder" / "Dockerfile").samefile(DOCKER / "Dockerfile")
    assert arguments_of("EXPOSE") == ["8888"]
    assert arguments_of("ENTRYPOINT") == [f'["tini", "-g", "--", "{INSIDE}/docker/start"]'] and not arguments_of("CMD")


def test_no_version_is_said_twice():
    """The Go version is go.mod's, the Python packages' and the plugin's are those of their requirement files."""
    rest = DOCKERFILE.replace(defaults()["BASE"], "")
    assert not re.search(r"\d+\.\d+\.\d+|==|python3\.\d|go\d\.\d|sha256", rest)
    assert "GOTOOLCHAIN=auto" in DOCKERFILE and any(r.startswith("go.mod ") for r in arguments_of("COPY"))
    assert variables()["GOTOOLCHAIN"] == "local"


def test_pip_goes_when_nothing_needs_it_any_more(monkeypatch):
    """The Dockerfile makes set-up's Python part step by step and then removes pip: what it leaves out, set-up would make later, and could not."""
    done = []
    monkeypatch.setattr(setup.Step, "run", lambda self: done.append(self.name))
    monkeypatch.setattr(setup, "pip", lambda command, *_: done.append(f"pip {command}"))
    for program in re.findall(r"python3 -c '(.*setup\.pip.*|.*packages.*)'", DOCKERFILE):
        exec(program, {})
    assert done[-1] == "pip uninstall"
    made, done[:] = set(done), []
    setup.python_side(test=False)
    assert set(done) <= made


def test_what_is_copied_is_there():
    for name, rest in instructions():
        if name == "COPY" and not rest.startswith("--from"):
            *sources, _ = rest.split()
            assert all((ROOT / s).exists() for s in sources), rest


def test_hub_packages_agree_with_the_lab():
    """Packages that both requirement files name have one version, and every one is pinned with hashes."""

    def pins(path: Path) -> dict[str, str]:
        return dict(re.findall(r"^([\w.-]+)==(\S+)", path.read_text(), re.M))

    lab, hub = pins(ROOT / "lab" / "requirements.txt"), pins(DOCKER / "requirements.txt")
    assert "jupyterhub" in hub and lab.keys() & hub.keys()
    assert {n: v for n, v in hub.items() if n in lab and lab[n] != v} == {}
    text = (DOCKER / "requirements.txt").read_text()
    assert all(re.search(rf"^{re.escape(n)}==.*\\\n    --hash=sha256:", text, re.M) for n in hub)


def test_gopls_is_bounded(tmp_path):
    """It is linked into the folder of the course's programs, and lies above that itself."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "gopls").symlink_to(DOCKER / "gopls")
    (tmp_path / "gopls").write_text('#!/bin/sh\necho "$GOMEMLIMIT $*"\n')
    (tmp_path / "gopls").chmod(0o755)
    path = f"{tmp_path / 'bin'}:/usr/bin:/bin"
    said = subprocess.run(["sh", "-c", "gopls -mode=stdio 'a b'"], env={"PATH": path}, check=True, capture_output=True, text=True)
    assert said.stdout == "400MiB -mode=stdio a b\n"
    (link,) = re.findall(r"ln -s (\S+) (/\S+/bin)/", " ".join(arguments_of("RUN")))
    assert os.path.normpath(os.path.join(link[1], link[0])) == f"{INSIDE}/docker/gopls"
    assert any(re.match(rf"--from=\w+ .*/gopls .*{INSIDE}/.lab/$", c) for c in arguments_of("COPY"))


def test_jupyter_reads_the_courses_settings():
    """As `make lab` does; what it writes goes into the reader's folder, where Jupyter has it by itself."""
    lab = {k: v.replace(str(ROOT), INSIDE) for k, v in environment.jupyter().items()}
    assert variables()["JUPYTER_PATH"] == lab["JUPYTER_PATH"]
    first, second = variables()["JUPYTER_CONFIG_PATH"].split(":")
    assert (first, second) == (f"{INSIDE}/docker/jupyter", lab["JUPYTER_CONFIG_PATH"])
    assert (DOCKER / "jupyter" / "jupyter_lab_config.py").exists()


def test_context_holds_neither_history_nor_made_files():
    ignored = (ROOT / ".dockerignore").read_text().split("\n")
    assert {".git", ".lab", "runs", "data"} <= set(ignored)


@pytest.mark.parametrize("path", sorted(p for p in DOCKER.rglob("*") if p.is_file() and "__pycache__" not in p.parts) + [PAGE])
def test_holds_no_secret(path):
    text = re.sub(r"sha256[:=][0-9a-f]{64}", "", path.read_text())
    assert not re.search(r"(?i)(token|password|secret|api_key)\s*[:=]\s*[\"']?(?!a-token)[A-Za-z0-9][\w-]{11,}", text)
    assert not re.search(r"\b[0-9a-f]{32,}\b", text)


# The compose file and the page.


def test_compose_publishes_on_this_machine_only():
    (service,) = compose()["services"].values()
    assert [p.split(":")[0] for p in service["ports"]] == ["127.0.0.1"]
    assert "network_mode" not in service and "privileged" not in service and "user" not in service
    assert service["read_only"] is True and service["cap_drop"] == ["ALL"] and "no-new-privileges:true" in service["security_opt"]
    assert service["environment"] == {"JUPYTER_TOKEN": None}


def test_compose_builds_this_checkout_and_keeps_the_readers_folder():
    (service,) = compose()["services"].values()
    context = (DOCKER / service["build"]["context"]).resolve()
    assert context == ROOT and (context / service["build"]["dockerfile"]).exists()
    (volume,) = service["volumes"]
    name, path = volume.split(":")
    assert name in compose()["volumes"] and path == variables()["HOME"]
    assert [t.split(":")[0] for t in service["tmpfs"]] == ["/tmp"] and "exec" in service["tmpfs"][0]
    for folder in ("SEQ2ATTN_RUNS", "SEQ2ATTN_DATA"):
        assert variables()[folder].startswith(path + "/")
    assert variables()["GOCACHE"].startswith("/tmp/")


def test_every_command_in_the_docs_publishes_on_this_machine_only():
    for page in (PAGE, ROOT / "README.md"):
        published = re.findall(r"(?:-p|--publish)[ =](\S+)", page.read_text())
        assert all(p.startswith("127.0.0.1:") for p in published), page
    assert "127.0.0.1:8888:8888" in PAGE.read_text()


def test_gpu_plugin_is_of_the_cpu_plugins_version():
    (gpu,) = re.findall(r"jax-cuda12-plugin\[with-cuda\]==([\d.]+)", PAGE.read_text())
    assert f"=={gpu} " in (ROOT / "lab" / "requirements-plugin.txt").read_text()


def test_hub_values_agree_with_the_image():
    values = hub_values()["singleuser"]
    assert f"JupyterHub {re.search(r'^jupyterhub==([0-9]+[.][0-9]+)', (DOCKER / 'requirements.txt').read_text(), re.M)[1]}." in PAGE.read_text()
    assert values["cmd"] is None  # the entry point knows what a hub wants
    assert str(values["uid"]) == defaults()["NB_UID"] and values["fsGid"] == 100
    assert values["storage"]["homeMountPath"] == variables()["HOME"]
    rules = values["networkPolicy"]["egressAllowRules"]
    assert values["networkPolicy"]["enabled"] is True and not any(v for k, v in rules.items() if not k.startswith("dns"))
    assert values["memory"]["guarantee"] and values["memory"]["limit"] and values["cpu"]["limit"]
    mounts = {m["mountPath"] for m in values["storage"]["extraVolumeMounts"]}
    assert mounts == {"/tmp"}


# The entry point.


@pytest.fixture
def start(tmp_path):
    """Runs the entry point of a copy of the image's checkout with a home and a warm cache of its own."""
    copy = tmp_path / "image"
    for folder in ("docker", "notebooks", "docs"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__", "figures", ".ipynb_checkpoints"))
    (copy / "pkg").mkdir()
    (copy / "warm" / "00").mkdir(parents=True)
    (copy / "warm" / "00" / "compiled").write_text("warm")
    script = copy / "docker" / "start"
    script.write_text(script.read_text().replace("/opt/go/cache", str(copy / "warm")))
    for name in ("jupyter", "jupyterhub-singleuser"):
        program = copy / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text('#!/bin/sh\necho "$(basename "$0") $*"\n')
        program.chmod(0o755)
    (tmp_path / "home").mkdir()

    def run(*arguments: str, **more: str) -> str:
        environ = {"HOME": str(tmp_path / "home"), "GOCACHE": str(tmp_path / "go-cache"), "PATH": f"{copy / 'bin'}:/usr/bin:/bin"} | more
        return subprocess.run([script, *arguments], env=environ, check=True, capture_output=True, text=True, timeout=60).stdout.strip()

    return run


def test_start_runs_what_it_is_given(start):
    assert start("echo", "a b", "c") == "a b c"


def test_start_alone_opens_jupyterlab_or_what_a_hub_wants(start):
    assert start() == "jupyter lab"
    assert start(JUPYTERHUB_API_TOKEN="x") == "jupyterhub-singleuser"


def test_start_gives_the_reader_notebooks_of_his_own(start, tmp_path):
    start("true")
    home = tmp_path / "home"
    names = {str(p.relative_to(ROOT)) for p in environment.notebooks()}
    assert {str(p.relative_to(home)) for p in (home / "notebooks").rglob("*.ipynb")} == names
    assert (home / "docs" / "data.md").read_text() == (ROOT / "docs" / "data.md").read_text()

    (home / "notebooks" / "00_start_here.ipynb").write_text("changed")
    (home / "notebooks" / "03_bahdanau_attention.ipynb").unlink()
    start("true")
    assert (home / "notebooks" / "00_start_here.ipynb").read_text() == "changed"
    assert (home / "notebooks" / "03_bahdanau_attention.ipynb").exists()


def test_start_leaves_a_folder_of_the_readers_alone(start, tmp_path):
    (tmp_path / "home" / "docs").mkdir()
    (tmp_path / "home" / "docs" / "mine").write_text("mine")
    start("true")
    assert os.listdir(tmp_path / "home" / "docs") == ["mine"]


def test_start_links_the_warm_cache(start, tmp_path):
    """What is compiled stays in the image, and the cache itself can be written."""
    start("true")
    cache = tmp_path / "go-cache"
    assert (cache / "00" / "compiled").is_symlink() and (cache / "00" / "compiled").read_text() == "warm"
    (cache / "00" / "new").write_text("")
    start("true")
    assert (cache / "00" / "new").exists()


# The engines.


@pytest.fixture
def image(monkeypatch) -> ModuleType:
    """docker/image.py, with no engine named."""
    monkeypatch.delenv("ENGINE", raising=False)
    spec = importlib.util.spec_from_file_location("image", DOCKER / "image.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def engines(tmp_path, monkeypatch):
    """Puts engines on PATH that do nothing but note how they are called, and end as is said."""
    monkeypatch.setenv("PATH", str(tmp_path))
    called = tmp_path / "called"

    def put(**status: int) -> Path:
        for name, code in status.items():
            program = tmp_path / name
            program.write_text(f'#!/bin/sh\necho "{name} $*" >>{shlex.quote(str(called))}\nexit {code}\n')
            program.chmod(0o755)
        return called

    return put


@pytest.mark.parametrize(
    "status, named, found",
    [
        ({"docker": 0, "podman": 0}, "", "docker"),
        ({"docker": 1, "podman": 0, "buildah": 0}, "", "podman"),  # a client without its daemon
        ({"buildah": 0}, "", "buildah"),
        ({"docker": 0, "podman": 0}, "podman", "podman"),
        ({"docker": 0, "podman": 1}, "podman", None),
        ({}, "", None),
    ],
)
def test_takes_the_engine_that_works(image, engines, monkeypatch, status, named, found):
    engines(**status)
    monkeypatch.setenv("ENGINE", named)
    if found:
        assert image.engine() == found
    else:
        with pytest.raises(SystemExit, match="needs Docker, Podman or Buildah"):
            image.engine()


@pytest.mark.parametrize("name", ["docker", "podman", "buildah"])
def test_builds_with_the_arguments_of_the_caller(image, engines, name):
    called = engines(**{name: 0})
    image.main(["build", "--build-arg", "BASE=x"])
    (line,) = (c for c in called.read_text().splitlines() if not c.endswith(" info"))
    assert line.startswith(f"{name} build ") and line.endswith(" --file docker/Dockerfile --build-arg BASE=x .")
    assert ("--format docker" in line) == (name != "docker")  # or the health check would be lost


@pytest.fixture
def built(image) -> dict:
    """What the image says of itself; there is none on most machines, and that is no fault."""
    try:
        engine = image.engine()
    except SystemExit as why:
        pytest.skip(str(why))
    try:
        config = image.config(engine)
    except subprocess.CalledProcessError:
        pytest.skip(f"{engine} has no image {image.IMAGE}: make image")
    if (config.get("Labels") or {}).get(image.LABEL) != image.recipe():
        pytest.skip(f"the image {image.IMAGE} is of another Dockerfile: make image")
    return config


def test_built_image_is_what_the_dockerfile_says(built):
    environ = dict(v.split("=", 1) for v in built["Env"])
    assert environ == variables()
    assert built["User"] == "1000" and built["WorkingDir"] == variables()["HOME"]
    assert built["Entrypoint"] == ["tini", "-g", "--", f"{INSIDE}/docker/start"] and not built.get("Cmd")
    assert list(built["ExposedPorts"]) == ["8888/tcp"]
    assert built["Healthcheck"]["Test"] == ["CMD", "python3", f"{INSIDE}/docker/health.py"]
