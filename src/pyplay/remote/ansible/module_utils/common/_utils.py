"""Classes below a class."""


def get_all_subclasses(cls):
    """Give all classes below `cls`, at any depth."""
    found = set()
    waiting = [cls]
    while waiting:
        below = [child for child in waiting.pop().__subclasses__() if child not in found]
        found.update(below)
        waiting += below
    return found
