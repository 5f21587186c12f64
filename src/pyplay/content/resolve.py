"""Which version of each collection is installed, so that every requirement and every dependency is met."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import resolvelib

from pyplay.content.faults import ContentError
from pyplay.content.names import is_collection_name
from pyplay.content.versions import Range, Version
from pyplay.diagnostics.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence


_WITHOUT = "name what it needs in your requirements, and install with --no-deps"


class ConflictError(ContentError):
    """No set of versions meets all that is wanted."""


@dataclass(frozen=True, slots=True)
class Need:
    """A collection that is needed in a range of versions; `by` says by whom, for messages."""

    name: str
    range: str
    by: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """One version of a collection."""

    name: str
    version: str


class Index(Protocol):
    """What is asked about collections."""

    def versions(self, name: str) -> Sequence[str]:
        """Return the versions there are, in any order. Raise ContentError if there are none."""
        ...

    def dependencies(self, name: str, version: str) -> Mapping[str, str]:
        """Return the ranges of the direct dependencies by name."""
        ...


def resolve(
    needs: Iterable[Need],
    index: Index,
    *,
    prefer: Mapping[str, str] | None = None,
    pre: bool = False,
    dependencies: bool = True,
) -> dict[str, str]:
    """Return the version of each collection that meets `needs` and all that they depend on.

    `prefer` names versions that are taken where they fit (installed or locked ones), else the newest is taken.
    Pre-releases count with `pre` or where a range names one. Raise ContentError that says who wants what.
    """
    provider = _Provider(index, prefer or {}, pre=pre, dependencies=dependencies)
    resolver: Any = resolvelib.Resolver(provider, resolvelib.BaseReporter())
    try:
        result: Any = resolver.resolve(list(needs), max_rounds=10_000)
    except resolvelib.ResolutionImpossible as error:  # pyright: ignore[reportUnknownVariableType]  # generic
        causes: Any = vars(error)["causes"]  # pyright knows no type of it
        raise _conflict([cause.requirement for cause in causes], index) from error
    except resolvelib.ResolutionTooDeep as error:
        raise ConflictError.of("conflict", "no set of versions was found", help="name narrower ranges") from error
    mapping: dict[str, Candidate] = result.mapping
    return {name: candidate.version for name, candidate in sorted(mapping.items())}


def _conflict(needs: list[Need], index: Index) -> ConflictError:
    lines = sorted({f"{need.by} wants {need.name} {need.range}" for need in needs})
    name = needs[0].name
    known = sorted((each for each in index.versions(name) if _is_version(each)), key=lambda each: Version(each).key)
    message = f"no version of {name} meets what is wanted: {'; '.join(lines)}"
    shown = ", ".join(known[-8:]) or "none"
    return ConflictError.of("conflict", message, help=f"change a range; the newest versions are {shown}")


class _Provider(resolvelib.AbstractProvider[Need, Candidate, str]):
    def __init__(self, index: Index, prefer: Mapping[str, str], *, pre: bool, dependencies: bool) -> None:
        self._index, self._prefer, self._pre, self._deep = index, prefer, pre, dependencies

    def identify(self, requirement_or_candidate: Need | Candidate) -> str:
        return requirement_or_candidate.name

    def get_preference(
        self, identifier: str, resolutions: Any, candidates: Any, information: Any, backtrack_causes: Any
    ) -> Any:
        del resolutions, candidates
        clashes: bool = any(cause.requirement.name == identifier for cause in backtrack_causes)
        exact: bool = any(Range(each.requirement.range).exact for each in information[identifier])
        return not clashes, not exact, identifier

    def find_matches(
        self,
        identifier: str,
        requirements: Mapping[str, Iterator[Need]],
        incompatibilities: Mapping[str, Iterator[Candidate]],
    ) -> Callable[[], Iterator[Candidate]] | list[Candidate]:
        ranges = [Range(need.range) for need in requirements[identifier]]
        barred = {candidate.version for candidate in incompatibilities[identifier]}
        fitting = [
            version
            for version in self._index.versions(identifier)
            if version not in barred and _is_version(version) and self._fits(version, ranges)
        ]
        liked = self._prefer.get(identifier)
        fitting.sort(key=lambda version: (version == liked, Version(version).key), reverse=True)
        return [Candidate(identifier, version) for version in fitting]

    def _fits(self, version: str, ranges: list[Range]) -> bool:
        wanted = self._pre or any(each.names_pre_release for each in ranges)
        return all(version in each for each in ranges) and (wanted or not Version(version).is_pre_release)

    def is_satisfied_by(self, requirement: Need, candidate: Candidate) -> bool:
        return candidate.version in Range(requirement.range)

    def get_dependencies(self, candidate: Candidate) -> list[Need]:
        if not self._deep:
            return []
        needs = self._index.dependencies(candidate.name, candidate.version)
        return [_need(name, text, candidate) for name, text in sorted(needs.items())]


def _need(name: str, text: str, candidate: Candidate) -> Need:
    """Return what `candidate` depends on. Raise ContentError where that is no name with a range."""
    by = f"{candidate.name} {candidate.version}"
    try:
        Range(text)
    except ValueError as error:
        raise ContentError.of("bad-collection", f"{by} depends on {name}: {error}", help=_WITHOUT) from error
    if not is_collection_name(name):
        raise ContentError.of("bad-collection", f"{by} depends on '{name}', which is no name", help=_WITHOUT)
    return Need(name, text, by)


def _is_version(text: str) -> bool:
    try:
        Version(text)
    except ValueError:
        return False
    return True
