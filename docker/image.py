"""Builds the image and checks it, with whichever of Docker, Podman and Buildah works here.

`image.py build [ARGUMENT …]` hands the arguments to the engine, for instance `--build-arg BASE=…`; `image.py check` runs check.py in the image, without
network and with nothing to write to but /tmp and the reader's folder. IMAGE names the image, ENGINE one of the three.
"""

import hashlib
import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
IMAGE = os.environ.get("IMAGE") or "seq2attn"
LABEL = "seq2attn.dockerfile"
CHECK = ["python3", "/opt/seq2attn/docker/check.py"]


def output(*command: str) -> str:
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE).stdout.strip()


def recipe() -> str:
    """The SHA-256 of the Dockerfile: what tells an image of another one."""
    return hashlib.sha256((ROOT / "docker" / "Dockerfile").read_bytes()).hexdigest()


def engine() -> str:
    """The one that ENGINE names, else the first that works: a client alone, without its daemon, does not."""
    for name in [os.environ["ENGINE"]] if os.environ.get("ENGINE") else ["docker", "podman", "buildah"]:
        if shutil.which(name) and subprocess.run([name, "info"], capture_output=True).returncode == 0:
            return name
    sys.exit("seq2attn: needs Docker, Podman or Buildah, and none of them works here; Debian and Ubuntu: sudo apt install podman")


def build(name: str, arguments: list[str]) -> None:
    # Docker's own format, because OCI's knows no health check.
    form = {"docker": [], "podman": ["--format", "docker"], "buildah": ["--layers", "--format", "docker"]}[name]
    subprocess.run([name, "build", *form, "--label", f"{LABEL}={recipe()}", "--tag", IMAGE, "--file", "docker/Dockerfile", *arguments, "."], cwd=ROOT, check=True)


def config(name: str) -> dict:
    """What the image says of how it is to be run: User, Env, Entrypoint, WorkingDir, Healthcheck."""
    if name == "buildah":
        return json.loads(output("buildah", "inspect", "--type", "image", IMAGE))["Docker"]["config"]
    image = json.loads(output(name, "image", "inspect", IMAGE))[0]
    return {"Healthcheck": image.get("Healthcheck")} | image["Config"]  # which Podman has beside the rest, Docker among it


def check(name: str) -> None:
    if name == "buildah":
        check_mounted()
        return
    home = config(name)["WorkingDir"]
    cut_off = ["--network", "none", "--read-only", "--tmpfs", "/tmp:exec,mode=1777", "--cap-drop", "ALL", "--security-opt", "no-new-privileges"]
    subprocess.run([name, "run", "--rm", *cut_off, "--volume", home, IMAGE, *CHECK], check=True)


def check_mounted() -> None:
    """The same by Buildah, which runs nothing read-only: the image is mounted, and entered in namespaces of its own."""
    if os.geteuid() != 0:
        os.execvp("buildah", ["buildah", "unshare", sys.executable, *sys.argv])
    image = config("buildah")
    home = image["WorkingDir"]
    command = shlex.join([*image["Entrypoint"], *CHECK])
    container = output("buildah", "from", "--pull-never", IMAGE)
    try:
        root = output("buildah", "mount", container)
        # What a volume does: it begins with what the image has there, and with its owner. It outlives no check.
        script = f"""set -eu
            ip link set lo up
            mount --bind {root} {root}
            mount -t proc proc {root}/proc
            mount -t tmpfs -o mode=755 dev {root}/dev
            for device in null zero full random urandom; do touch {root}/dev/$device; mount --bind /dev/$device {root}/dev/$device; done
            mkdir {root}/dev/shm; mount -t tmpfs -o mode=1777 shm {root}/dev/shm
            mount -t tmpfs -o exec,mode=1777 tmp {root}/tmp
            cp -a {root}{home} {root}/tmp/home
            mount -t tmpfs home {root}{home}
            cp -aT {root}/tmp/home {root}{home}
            rm -r {root}/tmp/home
            mount -o remount,bind,ro {root}
            cd {root}
            exec chroot . setpriv --reuid {image["User"]} --regid 100 --groups 100 --bounding-set -all --no-new-privs \
                env -i {shlex.join(image["Env"])} sh -c {shlex.quote(f"cd {home} && exec {command}")}"""
        subprocess.run(["unshare", "--mount", "--net", "--ipc", "--pid", "--fork", "--kill-child", "sh", "-c", script], check=True)
    finally:
        subprocess.run(["buildah", "rm", container], check=True, stdout=subprocess.DEVNULL)


def main(arguments: list[str]) -> None:
    match arguments:
        case ["build", *rest]:
            build(engine(), rest)
        case ["check"]:
            check(engine())
        case _:
            sys.exit(f"seq2attn: image.py knows build and check, not {' '.join(arguments)}")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except subprocess.CalledProcessError as failed:
        sys.exit(f"seq2attn: {failed.cmd[0]} failed with status {failed.returncode}")
