"""JSON among other output."""

import json  # noqa: F401  # importers expect it here


def _filter_non_json_lines(data, objects_only=False):
    """Give (the JSON in output, warnings): lines before it and after it are left out. Raises ValueError for none."""
    lines = data.splitlines()
    starts = ("{",) if objects_only else ("{", "[")
    first = next((index for index, line in enumerate(lines) if line.strip().startswith(starts)), None)
    if first is None:
        raise ValueError("there is no JSON in the output")
    end = "}" if lines[first].strip().startswith("{") else "]"
    last = next((index for index in range(len(lines) - 1, first - 1, -1) if lines[index].strip().endswith(end)), None)
    if last is None:
        raise ValueError("there is no JSON in the output")
    behind = "\n".join(lines[last + 1 :]).strip()
    warnings = ["the module wrote something after its JSON: %r" % behind] if behind else []
    return "\n".join(lines[first : last + 1]), warnings
