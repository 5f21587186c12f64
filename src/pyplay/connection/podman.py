"""Podman and Buildah: `podman exec`, `buildah run`. Source: podman-exec(1), buildah-run(1)."""

from __future__ import annotations

import shlex

from pyplay.connection.engine import Engine, Entry, Target, option


def enter_podman(target: Target) -> Entry:
    """Give `podman … exec -i … CONTAINER`."""
    return Entry(
        words=(
            target.options.get("executable") or "podman",
            *shlex.split(target.options.get("extra_args", "")),
            "exec",
            "-i",
            *(["-t"] if target.pty else []),
            *(["--user", target.user] if target.user else []),
            target.address,
        )
    )


def enter_buildah(target: Target) -> Entry:
    """Give `buildah run … CONTAINER --`; without a terminal it must be told so where ours is one."""
    return Entry(
        words=(
            "buildah",
            "run",
            f"--terminal={str(target.pty).lower()}",
            *(["--user", target.user] if target.user else []),
            target.address,
            "--",
        )
    )


PODMAN = Engine(
    name="podman",
    names=frozenset({"podman", "containers.podman.podman"}),
    entry=enter_podman,
    hosts=("ansible_podman_host",),
    options=(
        option("executable", "ansible_podman_executable", "The program to call.", env="ANSIBLE_PODMAN_EXECUTABLE"),
        option(
            "extra_args",
            "ansible_podman_extra_args",
            "Words for podman itself.",
            env="ANSIBLE_PODMAN_EXTRA_ARGS",
            ini="defaults.podman_extra_args",
        ),
    ),
)
BUILDAH = Engine(name="buildah", names=frozenset({"buildah", "containers.podman.buildah"}), entry=enter_buildah)
