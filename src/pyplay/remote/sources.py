"""The importer of Python parts that came over the wire, and the first code of ours that runs on a host.

`shipping.payload` sends this file to `bootstrap`, and with it `PARTS`: module name → (digest, path, is_package, data,
whether that is code or source). The last lines then start the Runner. Python 3.6 and up.
"""

import marshal
import sys


class Sources:
    """Imports parts by name. `table` names those of the module at hand: name → [digest, path, is_package].

    `own` are the Runner's. `parts` are the sources by digest; those in `compiled` are marshalled code instead.
    """

    def __init__(self):
        self.parts = {}
        self.compiled = set()
        self.codes = {}
        self.table = {}
        self.own = {}
        self.spec = type(sys.__spec__)

    def take(self, digest, data, compiled):
        """Keep a part that came."""
        self.parts[digest] = data
        if compiled:
            self.compiled.add(digest)
        else:
            self.compiled.discard(digest)  # a part may come as code first, and as source with a module

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
        if self.parts[entry[0]]:  # of an empty one there is nothing to compile, which takes 1 ms the first time
            exec(self.code(entry[0], entry[1]), module.__dict__)  # this is an importer

    def code(self, digest, path):
        """Give the compiled code of a part; it is compiled once, unless it came so."""
        code = self.codes.get(digest)
        if code is None:
            data = self.parts[digest]
            code = marshal.loads(data) if digest in self.compiled else compile(data, path, "exec", dont_inherit=True)
            self.codes[digest] = code
        return code

    def get_source(self, name):
        """Give the text of a part, for the lines of a traceback; None where only its code came."""
        entry = self.entry(name)
        if entry is None or entry[0] in self.compiled:
            return None
        return self.parts[entry[0]].decode("utf-8", "replace")


ENDED = 129  # a status after which the search for an interpreter does not go on: this one was found


def begin(parts):
    """Be the Runner, from the parts that were sent with this file. What ends it is told on standard error."""
    try:
        serve(parts)
    except OSError as error:  # the host has no process, memory or descriptor left
        sys.stderr.write("%s\n" % error)
        sys.exit(ENDED)


def serve(parts):
    """Import the Runner from its parts, and run it."""
    sources = Sources()
    for name, (digest, path, package, data, compiled) in parts.items():
        sources.take(digest, data, compiled)
        sources.own[name] = [digest, path, package]
    sys.meta_path.insert(0, sources)
    from pyplay.remote.runner import Runner  # noqa: PLC0415  # importable only now

    Runner(sources).run()


if "PARTS" in globals():
    begin(globals()["PARTS"])
