"""Keep a package repository of yum or dnf in a .repo file."""

import configparser
import io
import os

from pyplay.remote.module_utils import files

OPTIONS = {
    "options": {
        "name": {"type": "str", "required": True, "doc": "The repository's id, the section in the file."},
        "description": {"type": "str", "doc": "Its name for people."},
        "state": {"type": "str", "default": "present", "choices": ["absent", "present"], "doc": "Shall it be there?"},
        "file": {"type": "str", "doc": "Name of the file without .repo; the repository's id if unset."},
        "reposdir": {"type": "path", "default": "/etc/yum.repos.d", "doc": "Directory of the .repo files."},
        "baseurl": {"type": "list", "elements": "str", "doc": "Where the repository is; several for mirrors."},
        "metalink": {"type": "str", "doc": "URL of a metalink file that lists mirrors."},
        "mirrorlist": {"type": "str", "doc": "URL of a list of mirrors."},
        "enabled": {"type": "bool", "doc": "Whether it is used."},
        "gpgcheck": {"type": "bool", "doc": "Check signatures of packages."},
        "gpgkey": {"type": "list", "elements": "str", "no_log": False, "doc": "URLs of the keys that sign packages."},
        "repo_gpgcheck": {"type": "bool", "doc": "Check the signature of the metadata."},
        "gpgcakey": {"type": "str", "no_log": False, "doc": "URL of the CA's key (no effect with dnf)."},
        "async": {"type": "bool", "doc": "Download in parallel (no effect since RHEL 8)."},
        "bandwidth": {"type": "str", "doc": "Bandwidth in bytes a second, for throttle in per cent."},
        "cost": {"type": "str", "doc": "Relative cost of this repository."},
        "countme": {"type": "bool", "doc": "Let this host be counted by the repository's owner."},
        "deltarpm_metadata_percentage": {"type": "str", "doc": "Size limit of delta metadata, in per cent."},
        "deltarpm_percentage": {"type": "str", "doc": "Size limit of delta packages, in per cent."},
        "enablegroups": {"type": "bool", "doc": "Allow the repository's package groups."},
        "exclude": {
            "type": "list",
            "elements": "str",
            "aliases": ["excludepkgs"],
            "doc": "Packages never taken from here; globs are allowed.",
        },
        "failovermethod": {"type": "str", "choices": ["roundrobin", "priority"], "doc": "Order of trying mirrors."},
        "http_caching": {"type": "str", "choices": ["all", "packages", "none"], "doc": "What HTTP caches may keep."},
        "include": {"type": "str", "doc": "Another configuration file to read here."},
        "includepkgs": {"type": "list", "elements": "str", "doc": "The only packages taken from here."},
        "ip_resolve": {
            "type": "str",
            "choices": ["4", "6", "IPv4", "IPv6", "whatever"],
            "doc": "Kind of address that names are resolved to.",
        },
        "keepalive": {"type": "bool", "doc": "Keep HTTP connections open (no effect with dnf)."},
        "metadata_expire": {"type": "str", "doc": "Age at which metadata is fetched anew."},
        "metadata_expire_filter": {
            "type": "str",
            "choices": ["never", "read-only:past", "read-only:present", "read-only:future"],
            "doc": "Commands that may work with older metadata.",
        },
        "mirrorlist_expire": {"type": "str", "doc": "Age at which the list of mirrors is fetched anew."},
        "module_hotfixes": {"type": "bool", "doc": "Offer packages that module streams would hide."},
        "password": {"type": "str", "no_log": True, "doc": "Password for basic authentication."},
        "priority": {"type": "str", "doc": "Priority, 1 (first) to 99."},
        "protect": {"type": "bool", "doc": "Keep other repositories from updating its packages (no effect with dnf)."},
        "proxy": {"type": "str", "doc": "URL of a proxy, _none_ for none."},
        "proxy_password": {"type": "str", "no_log": True, "doc": "Password for the proxy."},
        "proxy_username": {"type": "str", "doc": "User for the proxy."},
        "retries": {"type": "str", "doc": "Tries for a file, 0 for no end."},
        "s3_enabled": {"type": "bool", "doc": "Whether this is an S3 repository, for yum's plugin."},
        "skip_if_unavailable": {"type": "bool", "doc": "Go on where it cannot be reached."},
        "ssl_check_cert_permissions": {
            "type": "bool",
            "doc": "Check that certificates can be read (no effect with dnf).",
        },
        "sslcacert": {"type": "str", "aliases": ["ca_cert"], "doc": "CA certificates to trust."},
        "sslclientcert": {"type": "str", "aliases": ["client_cert"], "doc": "Certificate of this host."},
        "sslclientkey": {
            "type": "str",
            "no_log": False,
            "aliases": ["client_key"],
            "doc": "Path of the key of that certificate.",
        },
        "sslverify": {"type": "bool", "aliases": ["validate_certs"], "doc": "Check the server's certificate."},
        "throttle": {"type": "str", "doc": "Limit for downloads: bytes a second, or per cent of bandwidth."},
        "timeout": {"type": "str", "doc": "Seconds to wait for a connection."},
        "ui_repoid_vars": {"type": "str", "doc": "Variables shown behind the id (no effect with dnf)."},
        "username": {"type": "str", "doc": "User for basic authentication."},
    },
    "file_options": True,
    "required_if": [
        ["state", "present", ["baseurl", "mirrorlist", "metalink"], True],
        ["state", "present", ["description"]],
    ],
    "check_mode": "full",
    "diff": True,
    "identity": ["name", "file", "reposdir"],
    "absent_undoes": True,
    "platforms": "redhat",
    "returns": {"repo": "The repository's id.", "state": "The state asked for."},
}

# what is not a setting of the repository
_OWN = (
    *("name", "description", "state", "file", "reposdir"),
    *("owner", "group", "mode", "attributes", "seuser", "serole", "setype", "selevel", "unsafe_writes"),
)
_BY_LINE = ("baseurl", "gpgkey")
_OBSOLETE = (
    *("async", "gpgcakey", "keepalive", "mirrorlist_expire", "protect"),
    *("ssl_check_cert_permissions", "ui_repoid_vars"),
)


def settings(args):
    """Give {key: text} of the repository's section."""
    found = {}
    for name, value in args.items():
        if name in _OWN or value is None:
            continue
        if isinstance(value, bool):
            found[name] = "1" if value else "0"
        elif isinstance(value, list):
            found[name] = ("\n" if name in _BY_LINE else " ").join(value)
        else:
            found[name] = value
    if args["description"] is not None:
        found["name"] = args["description"]
    return found


def read(path, module):
    """Give the file as a parser, empty where there is none."""
    parser = configparser.RawConfigParser()
    if os.path.exists(path):
        try:
            parser.read_string(files.read_bytes(path).decode("utf-8", "surrogateescape"), path)
        except configparser.Error as error:
            module.fail(
                "%s is no file of repositories: %s" % (path, str(error).splitlines()[0]), repo=module.args["name"]
            )
        except OSError as error:
            module.fail("cannot read %s: %s" % (path, error.strerror or error), repo=module.args["name"])
    return parser


def dump(parser):
    """Give a parser's text."""
    stream = io.StringIO()
    parser.write(stream)
    return stream.getvalue()


def edit(parser, args):
    """Put the section in, or take it out."""
    name = args["name"]
    if parser.has_section(name) and args["state"] == "absent":
        parser.remove_section(name)
    if args["state"] == "absent":
        return
    if parser.has_section(name):  # emptied in place, so that the order of sections stays
        for key in parser.options(name):
            parser.remove_option(name, key)
    else:
        parser.add_section(name)
    for key, value in sorted(settings(args).items()):
        parser.set(name, key, value)


def run(module):
    """Bring the repository's section into the wanted state."""
    args = module.args
    if not os.path.isdir(args["reposdir"]):
        module.fail("the directory %s does not exist" % args["reposdir"])
    path = os.path.join(args["reposdir"], (args["file"] or args["name"]) + ".repo")
    for name in _OBSOLETE:
        if args[name] is not None:
            module.deprecate("option %r has no effect where dnf is the package manager" % name, version="2.22")
    parser = read(path, module)
    before = dump(parser)
    edit(parser, args)
    after = dump(parser)
    changed = before != after
    result = {"repo": args["name"], "state": args["state"]}
    if module.diff:
        told = {"before": before.replace("\n\t", "\n"), "after": after.replace("\n\t", "\n")}  # as values are given
        result["diff"] = dict(told, before_header=path, after_header=path)
    wanted = files.Wanted.from_args(args)
    if changed and not module.check_mode:
        if parser.sections():
            files.replace_content(path, after.encode("utf-8", "surrogateescape"), wanted)
        else:
            os.unlink(path)
    elif not changed and os.path.exists(path):
        changed = bool(files.apply(path, wanted, module.check_mode))
    result["changed"] = changed
    return result


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
