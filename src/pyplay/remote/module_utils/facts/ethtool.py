"""What ethtool tells of an interface: offload features and time stamping."""

import re

from pyplay.remote.module_utils.facts.root import Root


def collect(root: Root, name: str) -> dict:
    """Give features, timestamping, hw_timestamp_filters and phc_index of an interface."""
    found = {}
    text = root.run(["ethtool", "-k", name])
    if text is not None:
        found["features"] = {}
        for line in text.splitlines():
            key, colon, value = line.partition(":")
            if colon and value.strip():
                found["features"][key.strip().replace("-", "_")] = value.strip()
    text = root.run(["ethtool", "-T", name])
    if text is not None:
        found["timestamping"] = [item.lower() for item in re.findall(r"SOF_TIMESTAMPING_(\w+)", text)]
        found["hw_timestamp_filters"] = [item.lower() for item in re.findall(r"HWTSTAMP_FILTER_(\w+)", text)]
        clock = re.search(r"PTP Hardware Clock: (\d+)", text)
        if clock:
            found["phc_index"] = int(clock.group(1))
    return found
