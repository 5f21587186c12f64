"""Versions that compare as versions: distutils' two classes, which newer Pythons no longer have."""

import re


class Version:
    """What both have in common: made from text, compared with texts and their like."""

    def __init__(self, vstring=None):
        if vstring:
            self.parse(vstring)

    def __repr__(self):
        return "%s ('%s')" % (type(self).__name__, self)

    def _pair(self, other):
        if isinstance(other, str):
            other = type(self)(other)
        return (self._order(), other._order()) if isinstance(other, Version) else None

    def __eq__(self, other):
        pair = self._pair(other)
        return NotImplemented if pair is None else pair[0] == pair[1]

    def __lt__(self, other):
        pair = self._pair(other)
        return NotImplemented if pair is None else pair[0] < pair[1]

    def __le__(self, other):
        pair = self._pair(other)
        return NotImplemented if pair is None else pair[0] <= pair[1]

    def __gt__(self, other):
        pair = self._pair(other)
        return NotImplemented if pair is None else pair[0] > pair[1]

    def __ge__(self, other):
        pair = self._pair(other)
        return NotImplemented if pair is None else pair[0] >= pair[1]

    __hash__ = None


class StrictVersion(Version):
    """Numbers with two or three parts and maybe a1 or b1 behind; other texts raise ValueError."""

    version_re = re.compile(r"(\d+)\.(\d+)(?:\.(\d+))?(?:([ab])(\d+))?$", re.ASCII)

    def parse(self, vstring):
        """Read the text."""
        match = self.version_re.match(vstring)
        if not match:
            raise ValueError("%r is no version of the form 1.2, 1.2.3 or 1.2.3b4" % (vstring,))
        major, minor, patch, kind, number = match.groups()
        self.version = (int(major), int(minor), int(patch or 0))
        self.prerelease = (kind, int(number)) if kind else None

    def __str__(self):
        parts = self.version if self.version[2] else self.version[:2]
        tail = "%s%d" % self.prerelease if self.prerelease else ""
        return ".".join(str(part) for part in parts) + tail

    def _order(self):
        return self.version, self.prerelease is None, self.prerelease or ()


class LooseVersion(Version):
    """Any text: its runs of digits compare as numbers, its runs of letters as text (TypeError across the two)."""

    component_re = re.compile(r"(\d+|[a-z]+|\.)", re.IGNORECASE)

    def parse(self, vstring):
        """Read the text."""
        self.vstring = vstring
        parts = [part for part in self.component_re.split(vstring) if part and part != "."]
        self.version = [int(part) if part.isdigit() else part for part in parts]

    def __str__(self):
        return self.vstring

    def _order(self):
        return self.version
