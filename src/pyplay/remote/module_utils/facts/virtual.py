"""What the host runs on: machine, hypervisor or container; and what it can run itself."""

from pyplay.remote.module_utils.facts.root import Root

_BY_PRODUCT = (
    ("KVM", "kvm"),
    ("KVM Server", "kvm"),
    ("Bochs", "kvm"),
    ("AHV", "kvm"),
    ("RHEV Hypervisor", "RHEV"),
    ("oVirt Node", "oVirt"),
    ("OpenStack Nova", "openstack"),
    ("OpenStack Compute", "openstack"),
    ("VirtualBox", "virtualbox"),
    ("HVM domU", "xen"),
    ("Parallels Virtual Platform", "parallels"),
    ("BHYVE", "bhyve"),
)
_BY_VENDOR = (
    ("QEMU", "kvm"),
    ("Amazon EC2", "kvm"),
    ("DigitalOcean", "kvm"),
    ("Hetzner", "kvm"),
    ("Google", "kvm"),
    ("Scaleway", "kvm"),
    ("Nutanix", "kvm"),
    ("KubeVirt", "KubeVirt"),
    ("Parallels", "parallels"),
)
_BY_CPU = (  # key in /proc/cpuinfo, what stands in its value
    ("vendor_id", "User Mode Linux", ("uml",)),
    ("model name", "UML", ("uml",)),
    ("model name", "QEMU Virtual CPU", ("kvm",)),
    ("machine", "CHRP IBM pSeries (emulated", ("kvm",)),
    ("vendor_id", "PowerVM Lx86", ("powervm_lx86",)),
    ("vendor_id", "IBM/S390", ("ibm_systemz", "PR/SM")),
)


class Found:
    """What has been found: the type that counts first, and every technology seen."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.kind = ""
        self.role = ""
        self.guest = []
        self.host = []

    def add_guest(self, kind: str, *also: str) -> None:
        """Note that the host runs inside `kind`."""
        self.guest.extend(name for name in (kind,) + also if name not in self.guest)
        if not self.kind:
            self.kind, self.role = kind, "guest"

    def add_host(self, kind: str) -> None:
        """Note that the host can run guests of `kind`."""
        if kind not in self.host:
            self.host.append(kind)
        if not self.kind:
            self.kind, self.role = kind, "host"


def collect(root: Root) -> dict:
    """Give the virtualization facts."""
    found = Found()
    _container(root, found)
    _xen(root, found)
    _machine(root, found)
    _hypervisor(root, found)
    return {
        "virtualization_type": found.kind or "NA",
        "virtualization_role": found.role or "NA",
        "virtualization_tech_guest": found.guest,
        "virtualization_tech_host": found.host,
    }


def _container(root: Root, found: Found) -> None:
    if root.exists("/.dockerenv") or root.exists("/.dockerinit"):
        found.add_guest("docker", "container")
    groups = root.text("/proc/1/cgroup", "")
    if "/docker/" in groups or any(_is_docker_scope(name) for name in groups.split("/")):
        found.add_guest("docker", "container")
    if "/lxc/" in groups or "/machine.slice/machine-lxc/" in groups or "/lxc/" in root.text("/proc/self/cgroup", ""):
        found.add_guest("lxc", "container")
    if root.exists("/proc/vz") and not root.exists("/proc/lve"):
        if root.exists("/proc/bc"):
            found.add_host("openvz")
        else:
            found.add_guest("openvz", "container")
    for word in root.text("/proc/1/environ", "").split("\0"):
        name, _, value = word.partition("=")
        if name == "container" and value:
            kind = "lxc" if value.startswith("lxc") else value
            found.add_guest(kind if kind in ("lxc", "podman") else "container", "container")
    kind = root.text("/run/systemd/container", "")
    if kind:
        found.add_guest(kind if kind in ("lxc", "podman", "docker", "systemd-nspawn") else "container", "container")
    if root.exists("/run/.containerenv"):
        found.add_guest("podman", "container")


def _is_docker_scope(name: str) -> bool:
    """Tell whether a group is a container of docker under systemd: docker-HEX.scope."""
    number = name.partition(".scope")[0][len("docker-") :]
    return name.startswith("docker-") and ".scope" in name and bool(number) and not number.strip("0123456789abcdef")


def _xen(root: Root, found: Found) -> None:
    if not root.exists("/proc/xen"):
        return
    if "control_d" in root.text("/proc/xen/capabilities", ""):
        found.add_host("xen")
    else:
        found.add_guest("xen")


def _machine(root: Root, found: Found) -> None:
    def dmi(name: str) -> str:
        return root.text("/sys/devices/virtual/dmi/id/" + name, "")

    product, vendor, bios = dmi("product_name"), dmi("sys_vendor"), dmi("bios_vendor")
    for text, kind in _BY_PRODUCT:
        if product == text or (text == "VirtualBox" and text in product):
            found.add_guest(kind)
    if "VMware" in product or "VMware" in vendor:
        found.add_guest("VMware")
    if bios == "Xen":
        found.add_guest("xen")
    if bios == "innotek GmbH":
        found.add_guest("virtualbox")
    if bios in ("Amazon EC2", "DigitalOcean", "Hetzner"):
        found.add_guest("kvm")
    if "Microsoft Corporation" in vendor and "Virtual Machine" in product:
        found.add_guest("VirtualPC")
    for text, kind in _BY_VENDOR:
        if vendor == text:
            found.add_guest(kind)
    if "OpenStack" in vendor:
        found.add_guest("openstack")
    info = root.text("/proc/cpuinfo", "")
    for key, word, kinds in _BY_CPU:
        if word in info and any(line.startswith(key) and word in line for line in info.splitlines()):
            found.add_guest(*kinds)
    for line in root.lines("/proc/self/status"):
        key, _, number = line.partition(":")
        if key == "VxID" and number.strip() == "0":
            found.add_host("linux_vserver")
        elif key == "VxID":
            found.add_guest("linux_vserver")


def _hypervisor(root: Root, found: Found) -> None:
    names = {line.split(" ")[0] for line in root.lines("/proc/modules")}
    if "kvm" in names or root.exists("/dev/kvm"):
        found.add_host("kvm")
    if "vboxdrv" in names:
        found.add_host("virtualbox")
    if "virtio" in names and not found.kind:
        found.add_guest("kvm")
