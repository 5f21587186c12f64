"""Docker: `docker exec`, also for hosts of the plugin that speaks to its API. Source: docker-exec(1), docker(1)."""

from __future__ import annotations

import json
import shlex

from pyplay.connection.engine import Engine, Entry, Target, option
from pyplay.source.setting import Kind

_CLIENT_OPTIONS = {
    "docker_host": "--host",
    "ca_path": "--tlscacert",
    "client_cert": "--tlscert",
    "client_key": "--tlskey",
}


def enter(target: Target) -> Entry:
    """Give `docker … exec -i … CONTAINER`. Variables are named there, their values stand in docker's environment."""
    options = target.options
    extra: dict[str, object] = json.loads(options.get("extra_env") or "{}")
    words = [
        "docker",
        *shlex.split(options.get("extra_args", "")),
        *target.valued(**_CLIENT_OPTIONS),
        *(["--tls"] if target.flag("tls") else []),
        *(["--tlsverify"] if target.flag("validate_certs") else []),
        "exec",
        "-i",
        *(["-t"] if target.pty else []),
        *(["-u", target.user] if target.user else []),
        *(["--privileged"] if target.flag("privileged") else []),
        *(["-w", options["working_dir"]] if options.get("working_dir") else []),
        *(word for name in extra for word in ("-e", name)),
        target.address,
    ]
    environment = {name: str(value) for name, value in extra.items()}
    if options.get("api_version") not in (None, "", "auto"):
        environment["DOCKER_API_VERSION"] = options["api_version"]
    return Entry(words=tuple(words), environment=environment)


DOCKER = Engine(
    name="docker",
    names=frozenset({"docker", "community.docker.docker", "community.docker.docker_api"}),
    entry=enter,
    hosts=("ansible_docker_host",),
    users=("ansible_docker_user",),
    mappings=frozenset({"extra_env"}),
    options=(
        option(
            "extra_args",
            "ansible_docker_extra_args",
            "Words for docker itself.",
            ini="docker_connection.extra_cli_args",
        ),
        option("extra_env", "ansible_docker_extra_env", "Variables for programs in the container, as a mapping."),
        option(
            "working_dir",
            "ansible_docker_working_dir",
            "Where programs start.",
            env="ANSIBLE_DOCKER_WORKING_DIR",
            ini="docker_connection.working_dir",
        ),
        option(
            "privileged",
            "ansible_docker_privileged",
            "Give programs all privileges.",
            env="ANSIBLE_DOCKER_PRIVILEGED",
            ini="docker_connection.privileged",
            kind=Kind.BOOL,
        ),
        option("docker_host", "ansible_docker_docker_host", "Where the daemon listens."),
        option("api_version", "ansible_docker_api_version", "The version of the API to speak."),
        option("ca_path", "ansible_docker_ca_cert ansible_docker_ca_path", "Certificates that are trusted."),
        option("client_cert", "ansible_docker_client_cert", "Our certificate."),
        option("client_key", "ansible_docker_client_key", "Its key."),
        option("tls", "ansible_docker_tls", "Speak TLS.", kind=Kind.BOOL),
        option("validate_certs", "ansible_docker_validate_certs", "Check the daemon's certificate.", kind=Kind.BOOL),
        option(
            "timeout",
            "ansible_docker_timeout",
            "Seconds that entering may take.",
            env="ANSIBLE_DOCKER_TIMEOUT",
            ini="docker_connection.timeout",
            kind=Kind.FLOAT,
        ),
    ),
)
