"""Package managers, for modules that list what is installed."""

from abc import ABCMeta, abstractmethod

from ..common._utils import get_all_subclasses
from ..common.process import get_bin_path


def get_all_pkg_managers():
    """Give an object of each known manager by its name in lower case."""
    kinds = (CLIMgr, LibMgr, RespawningLibMgr)
    return {kind.__name__.lower(): kind() for kind in get_all_subclasses(PkgMgr) if kind not in kinds}


class PkgMgr(metaclass=ABCMeta):
    """One package manager."""

    @abstractmethod
    def is_available(self, handle_exceptions=True):
        """Tell whether this host has it."""

    @abstractmethod
    def list_installed(self):
        """Give what is installed, in the manager's own form."""

    @abstractmethod
    def get_package_details(self, package):
        """Give {name, version, …} of one of these."""

    def get_packages(self):
        """Give the packages by name, a list for each since there may be several versions."""
        found = {}
        for package in self.list_installed():
            about = self.get_package_details(package)
            about.setdefault("source", type(self).__name__.lower())
            found.setdefault(about["name"], []).append(about)
        return found


class LibMgr(PkgMgr):
    """A manager that is asked through a library of Python, `LIB`."""

    LIB = None

    def __init__(self):
        self._lib = None
        PkgMgr.__init__(self)

    def is_available(self, handle_exceptions=True):
        """Import the library; tells whether it is there."""
        try:
            self._lib = __import__(self.LIB)
        except ImportError:
            if not handle_exceptions:
                raise
            return False
        return True


class RespawningLibMgr(LibMgr):
    """As above; where only another Python has the library, the module starts again under that."""

    CLI_BINARIES = []
    INTERPRETERS = []

    def is_available(self, handle_exceptions=True):
        """Tell whether the library is there, here or, with one of the programs, in another Python."""
        if LibMgr.is_available(self):
            return True
        from ..common.respawn import has_respawned, probe_interpreters_for_module, respawn_module  # noqa: PLC0415

        for name in self.CLI_BINARIES:
            try:
                get_bin_path(name)
            except ValueError:
                continue
            found = None if has_respawned() else probe_interpreters_for_module(self.INTERPRETERS, self.LIB)
            if found:
                respawn_module(found)
            if not handle_exceptions:
                raise Exception("%s is there, the Python library %s is not" % (name, self.LIB))  # noqa: TRY002
        return False


class CLIMgr(PkgMgr):
    """A manager that is asked through its program, `CLI`."""

    CLI = None

    def __init__(self):
        self._cli = None
        PkgMgr.__init__(self)

    def is_available(self, handle_exceptions=True):
        """Find the program; tells whether it is there."""
        try:
            self._cli = get_bin_path(self.CLI)
        except ValueError:
            if not handle_exceptions:
                raise
            return False
        return True
