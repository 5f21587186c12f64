"""Facts that the host's owner keeps in a directory: INI or JSON files, or programs that print them."""

import os

from pyplay.remote.module_utils.facts.root import Root


def collect(root: Root, directory: str, warn: object) -> dict:
    """Give {file's name: content} for the `*.fact` files of `directory`; `warn(text)` is told of broken ones."""
    found = {}
    if not directory:
        return {"local": found}
    for name in root.names(directory):
        if not name.endswith(".fact"):
            continue
        path = root.path(os.path.join(directory, name))
        key = name[: -len(".fact")]
        try:
            if os.access(path, os.X_OK):
                text = _run(path) if root.live else root.run([os.path.join(directory, name)]) or ""
            else:
                with open(path, "rb") as stream:
                    text = stream.read().decode("utf-8")
            found[key] = parse(text)
        except (OSError, ValueError) as error:
            found[key] = "the fact file %s cannot be used: %s" % (path, error)
            warn(found[key])
    return {"local": found}


def _run(path: str) -> str:
    from pyplay.remote.module_utils import process  # noqa: PLC0415  # only with fact programs

    rc, out, err = process.run([path])
    if rc != 0:
        raise ValueError("it ended with status %d, %s" % (rc, err.strip()))
    return out


def parse(text: str) -> object:
    """Read JSON, else INI. Raises ValueError."""
    import json  # noqa: PLC0415  # most hosts have no facts of their own

    try:
        return json.loads(text)
    except ValueError:
        pass
    import configparser  # noqa: PLC0415  # rarely needed

    parser = configparser.ConfigParser()
    try:
        parser.read_string(text)
    except configparser.Error as error:
        raise ValueError("neither JSON nor INI: %s" % str(error).replace("\n", " ")) from error
    return {section: {key: _value(parser, section, key) for key in parser[section]} for section in parser.sections()}


def _value(parser: object, section: str, key: str) -> str:
    """Give a value with what %(name)s stands for put in; as it is written where % means nothing of the kind."""
    import configparser  # noqa: PLC0415  # as above

    try:
        return parser.get(section, key)
    except configparser.InterpolationError:
        return parser.get(section, key, raw=True)


def facter(root: Root) -> dict:
    """Give Puppet's facts, where facter is installed."""
    text = root.run(["facter", "--json", "--puppet"]) or root.run(["facter", "--json"])
    return _prefixed("facter_", text)


def ohai(root: Root) -> dict:
    """Give Chef's facts, where ohai is installed."""
    return _prefixed("ohai_", root.run(["ohai"]))


def _prefixed(prefix: str, text: object) -> dict:
    if not text:
        return {}
    import json  # noqa: PLC0415  # as above

    try:
        values = json.loads(text)
    except ValueError:
        return {}
    return {prefix + name: value for name, value in values.items()}
