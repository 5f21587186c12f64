"""The importer of Python parts that came over the wire, and the first code of ours that runs on a host.

`shipping.payload` puts a line `PARTS = {...}` (module name → [digest, path, is_package, source]) before this file's
text and sends both to `bootstrap`; the last lines then start the Runner. Python 3.6 and up.
"""

import sys


class Sources:
    """Imports parts by name. `table` names those of the module at hand: name → [digest, path, is_package].

    `own` are the Runner's.
    """

    def __init__(self):
        self.parts = {}
        self.codes = {}
        self.table = {}
        self.own = {}
        self.spec = type(sys.__spec__)

    def find_spec(self, name, path=None, target=None):  # noqa: ARG002  # the protocol's argument
        """Give the spec of a part of the module at hand, None for all else."""
        entry = self.entry(name)
        if entry is None:
            return None
        spec = self.spec(name, self, origin=entry[1], is_package=entry[2])
        spec.has_location = True
        return spec

    def entry(self, name):
        """Give what is known of a part, None for all else."""
        return self.table.get(name) or self.own.get(name)

    def create_module(self, spec):
        """Leave the making of the module object to Python."""

    def exec_module(self, module):
        """Run the code of a part in its module."""
        entry = self.entry(module.__name__)
        exec(self.code(entry[0], entry[1]), module.__dict__)  # this is an importer

    def code(self, digest, path):
        """Give the compiled code of a part; it is compiled once."""
        code = self.codes.get(digest)
        if code is None:
            code = compile(self.parts[digest], path, "exec", dont_inherit=True)
            self.codes[digest] = code
        return code

    def get_source(self, name):
        """Give the text of a part, for the lines of a traceback."""
        entry = self.entry(name)
        return self.parts[entry[0]].decode("utf-8", "replace") if entry else None


def begin(parts):
    """Start the Runner from the parts that were sent with this file."""
    sources = Sources()
    for name, (digest, path, package, source) in parts.items():
        sources.parts[digest] = source
        sources.own[name] = [digest, path, package]
    sys.meta_path.insert(0, sources)
    from pyplay.remote.runner import Runner  # noqa: PLC0415  # importable only now

    Runner(sources).run()


if "PARTS" in globals():
    begin(globals()["PARTS"])
