"""Which boot of the host this is."""

PATH = "/proc/sys/kernel/random/boot_id"


def boot_id() -> str:
    """Return a text that is another one after each boot, "" where the kernel has none (not Linux)."""
    try:
        with open(PATH) as stream:  # pathlib is dear on hosts; hexadecimal digits
            return stream.read().strip()
    except OSError:
        return ""
