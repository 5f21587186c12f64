"""Pods: `kubectl exec`, `oc exec`. Source: `kubectl exec --help`, `kubectl options`."""

from __future__ import annotations

import json
import os
import shlex
from functools import partial

from pyplay.connection.engine import PRIVATE, Engine, Entry, Target, option
from pyplay.source.setting import Kind

LOGIN = "pyplay"
"""The name of the user in the private configuration file."""

_WORDS = {
    "namespace": "--namespace",
    "context": "--context",
    "server": "--server",
    "ca_cert": "--certificate-authority",
    "client_cert": "--client-certificate",
    "client_key": "--client-key",
}


def enter(target: Target, *, program: str) -> Entry:
    """Give `kubectl … exec -i POD … --`.

    Token and password never stand in its command line, which everybody can read: they are a user of a configuration
    file of its own, which KUBECONFIG adds to the others.
    """
    options = target.options
    login = {key: options[key] for key in ("token", "username", "password") if options.get(key)}
    environment = {key: str(value) for key, value in json.loads(options.get("local_env_vars") or "{}").items()}
    usual = options.get("kubeconfig") or environment.get("KUBECONFIG") or os.environ.get("KUBECONFIG")
    if login:
        environment["KUBECONFIG"] = f"{usual or os.path.expanduser('~/.kube/config')}:{PRIVATE}"  # noqa: PTH111  # text
    words = [
        program,
        *target.valued(**_WORDS),
        *([f"--kubeconfig={options['kubeconfig']}"] if options.get("kubeconfig") and not login else []),
        *([f"--user={LOGIN}"] if login else []),
        *(["--insecure-skip-tls-verify=true"] if options.get("validate_certs") == "false" else []),
        *shlex.split(options.get("extra_args", "")),
        "exec",
        "-i",
        *(["-t"] if target.pty else []),
        options.get("pod") or target.address,
        *(["-c", options["container"]] if options.get("container") else []),
        "--",
    ]
    return Entry(words=tuple(words), environment=environment, private=_config(login) if login else None)


def _config(login: dict[str, str]) -> str:
    users = [{"name": LOGIN, "user": login}]
    return json.dumps({"apiVersion": "v1", "kind": "Config", "users": users})


def _engine(name: str, names: str, *, password: bool) -> Engine:
    """Give kubectl or one that was made of it: the same options, each with its own name in the variables."""
    by = f"ansible_{name}_"
    logins = (
        option("username", f"{by}username {by}user", "User to log in as.", env="K8S_AUTH_USERNAME"),
        option("password", f"{by}password", "Its password.", env="K8S_AUTH_PASSWORD", secret=True),
    )
    return Engine(
        name=name,
        names=frozenset(names.split()),
        entry=partial(enter, program=name),
        mappings=frozenset({"local_env_vars"}),
        takes_user=False,
        options=(
            option("pod", f"{by}pod", "The pod, if the host's name is not it.", env="K8S_AUTH_POD"),
            option("container", f"{by}container", "The container in the pod.", env="K8S_AUTH_CONTAINER"),
            option("namespace", f"{by}namespace", "The pod's namespace.", env="K8S_AUTH_NAMESPACE"),
            option("context", f"{by}context", "The context of the configuration.", env="K8S_AUTH_CONTEXT"),
            option("kubeconfig", f"{by}kubeconfig {by}config", "The configuration file.", env="K8S_AUTH_KUBECONFIG"),
            option("server", f"{by}host {by}server", "The address of the API.", env="K8S_AUTH_HOST K8S_AUTH_SERVER"),
            option("extra_args", f"{by}extra_args", "More words.", env="K8S_AUTH_EXTRA_ARGS"),
            option("ca_cert", f"{by}ssl_ca_cert {by}ca_cert", "Who is trusted.", env="K8S_AUTH_SSL_CA_CERT"),
            option("client_cert", f"{by}cert_file {by}client_cert", "Our certificate.", env="K8S_AUTH_CERT_FILE"),
            option("client_key", f"{by}key_file {by}client_key", "Its key.", env="K8S_AUTH_KEY_FILE"),
            option(
                "validate_certs",
                f"{by}verify_ssl {by}validate_certs",
                "Check the API's certificate.",
                env="K8S_AUTH_VERIFY_SSL",
                kind=Kind.BOOL,
            ),
            option(
                "token", f"{by}token {by}api_key", "A token to log in with.",
                env="K8S_AUTH_TOKEN K8S_AUTH_API_KEY", secret=True,
            ),
            option("local_env_vars", f"{by}local_env_vars", "Variables for the program here, as a mapping."),
            *(logins if password else ()),
        ),
    )  # fmt: skip


KUBECTL = _engine("kubectl", "kubectl kubernetes.core.kubectl community.kubernetes.kubectl", password=True)
OC = _engine("oc", "oc community.okd.oc", password=False)
