"""What dmidecode(8) tells of the machine, where the kernel itself shows nothing of its firmware."""

from pyplay.remote.module_utils.facts.root import Root

_DMI = (
    ("bios_date", "bios-release-date"),
    ("bios_vendor", "bios-vendor"),
    ("bios_version", "bios-version"),
    ("board_asset_tag", "baseboard-asset-tag"),
    ("board_name", "baseboard-product-name"),
    ("board_serial", "baseboard-serial-number"),
    ("board_vendor", "baseboard-manufacturer"),
    ("board_version", "baseboard-version"),
    ("chassis_asset_tag", "chassis-asset-tag"),
    ("chassis_serial", "chassis-serial-number"),
    ("chassis_vendor", "chassis-manufacturer"),
    ("chassis_version", "chassis-version"),
    ("form_factor", "chassis-type"),
    ("product_name", "system-product-name"),
    ("product_serial", "system-serial-number"),
    ("product_uuid", "system-uuid"),
    ("product_version", "system-version"),
    ("system_vendor", "system-manufacturer"),
)


def collect(root: Root) -> dict:
    """Give what the firmware says; NA where it says nothing, or the program is missing or may not ask."""
    asks = root.program("dmidecode")
    facts = {}
    for fact, word in _DMI:
        text = root.run(["dmidecode", "-s", word]) if asks else None
        lines = [line for line in (text or "").splitlines() if not line.startswith("#")]
        facts[fact] = "".join(lines).strip() or "NA"
    return facts
