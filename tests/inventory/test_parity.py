"""The same inventories through ansible-inventory and through ours: outputs must be the same, byte for byte."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pyplay.inventory.export import InventoryView, json_text
from pyplay.inventory.load import load_inventory
from pyplay.inventory.patterns import select
from pyplay.inventory.varfiles import VarsFiles
from pyplay.inventory.yaml_text import yaml_text
from pyplay.source.settings import Settings

ORACLE = os.environ.get("PYPLAY_ORACLE", "")
pytestmark = [
    pytest.mark.parity,
    pytest.mark.skipif(not ORACLE, reason="PYPLAY_ORACLE does not name the bin directory of ansible-core"),
]

CASES: dict[str, dict[str, str]] = {
    "ini": {
        "hosts": """
lonely
web0[1:3].ex.com:2222 x=1 y=yes z=True l=[1,2] s="a b" d="{'a':1}" qq='it''s' u=hello # comment
[2001:db8::1]:2200 a=1
2001:db8::3 b=2
10.0.0.1 f=1.5 n=None oct=0644 e="" us=1_000 neg=-5 str="'05'" plus=+3 hex=0x1F exp=1e3 nan=nan tu=(1,2) h=a#b
[web]
web0[1:3].ex.com
h[a:e:2]x
foo k=v=w
n[08:11]
m[1:2]-[a:b]
[db-x]
d1
[web:vars]
a=1
b = yes
c= [1, 2]
d=hello world # cmt
e="quoted # no"
f=
g = 'x'
h=a b "c"
i=a#b
ansible_group_priority=10
[all:children]
web
[parent:children]
web
db-x
[parent:vars]
z=0x10
[grp:children]
[empty]
"""
    },
    "tree": {
        "hosts": "z1\n[c]\nhc1\nhc2\n[a:children]\nb\nc\n[b:children]\nd\n[d]\nhd2\nhd1\nhc2\n[e]\nhe1\nhd1\n[all]\nhx\n"
    },
    "diamond": {
        "hosts": "[top:children]\nmid\n[mid:children]\nlow\n[other:children]\nmid\n[low]\nh1 x=1\n[low:vars]\nv=1\n[mid:vars]\nm=1\n"
    },
    "yaml": {
        "hosts.yml": """
all:
  vars: {top: "{{ x }}", when: 2020-01-02, at: 2020-01-02 03:04:05, flag: no, oct: 0644}
  hosts:
    h[1:3]:22: {a: 1}
    plain:
  children:
    g:
      hosts: {h1: {b: [1, {c: d}]}}
      children:
        k: {hosts: lone}
      vars: {v: g, raw: !unsafe "{{ no }}"}
    m: {}
"""
    },
    "directory": {
        "inv/a.ini": "[g]\na\nb v=1\n",
        "inv/b.yml": "a: [",
        "inv/c.cfg": "[g]\nc\n",
        "inv/d~": "[g]\nd\n",
        "inv/e.txt": "[g]\ne\n",
        "inv/.hid": "[g]\nf\n",
        "inv/sub/f": "[g]\nh\n",
        "inv/group_vars/g/z.yml": "q1: 1\n",
        "inv/group_vars/g/a.yml": "q1: 2\nq2: 2\n",
        "inv/group_vars/g/noext": "q4: 1\n",
        "inv/group_vars/g/x.txt": "q3: 1\n",
        "inv/group_vars/g/sub/k.yml": "q5: 5\n",
        "inv/group_vars/g.yml": "q6: 1\n",
        "inv/sub/group_vars/g.yml": "q7: 6\n",
        "inv/group_vars/all.yml": "q8: 7\n",
        "inv/host_vars/a": "q9: 8\n",
        "inv/group_vars/ungrouped": "qa: 9\n",
    },
    "levels": {
        "hosts": "[top:children]\ng\n[g]\nh v=h\nk\n[all:vars]\nv=all\nw=all\n[top:vars]\nv=top\nw=top\n[g:vars]\nw=g\n",
        "group_vars/all": "w: file_all\nx: file_all\ny: file_all\n",
        "group_vars/g": "x: file_g\n",
        "group_vars/top": "x: file_top\ny: file_top\n",
        "play/group_vars/all": "y: play_all\nz: play_all\n",
        "play/group_vars/top": "z: play_top\n",
        "play/host_vars/k": "v: play_k\n",
        "host_vars/k": "v: file_k\nz: file_k\n",
    },
    "priority": {
        "hosts": "[a]\nh\n[b]\nh\n[a:vars]\nv=a\nansible_group_priority=2\n[b:vars]\nv=b\n[c]\nh\n[c:vars]\nv=c\n"
    },
    "script": {
        "inv.sh": '#!/bin/sh\n[ "$1" = --list ] || exit 1\ncat <<X\n'
        '{"g": {"hosts": ["a","b"], "vars": {"x": "{{ 1+1 }}"}, "children": ["k"]}, "l": ["c"], "old": {"y": 1},\n'
        ' "_meta": {"hostvars": {"a": {"z": 2}, "extra": {"q": 1}}}}\nX\n'
    },
    "toml": {
        "hosts.toml": '[web]\nchildren = ["apache", "nginx"]\nvars = { http_port = 8080 }\n[web.hosts]\nhost1 = {}\n[apache.hosts.t1]\nmyvar = 34\n[nginx.vars]\nj = false\n'
    },
}
FORMS = ["list", "list --export", "list --yaml", "list --yaml --export", "graph", "graph --vars"]


def write(directory: Path, files: dict[str, str]) -> str:
    for name, text in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        if text.startswith("#!"):
            path.chmod(0o755)
    first = next(iter(files))
    return str(directory / first.split("/")[0])


def oracle(program: str, *arguments: str) -> str:
    environment = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/"), "LC_ALL": "C.UTF-8"}
    command = [str(Path(ORACLE) / program), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout.rstrip("\n")


def ours(source: str, form: str, play: Path) -> str:
    inventory = load_inventory([source], Settings(), basedir="/", on_warning=lambda _warning: None)
    view = InventoryView(inventory, export="--export" in form, playbook_vars=[VarsFiles(str(play))])
    if form.startswith("graph"):
        return view.graph_text(show_vars="--vars" in form)
    return yaml_text(view.tree_data()).rstrip("\n") if "--yaml" in form else json_text(view.list_data())


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("case", CASES)
def test_ansible_inventory_prints_the_same(case: str, form: str, tmp_path: Path) -> None:
    source = write(tmp_path, CASES[case])
    play = tmp_path / "play"
    play.mkdir(exist_ok=True)
    assert ours(source, form, play) == oracle(
        "ansible-inventory", "-i", source, "--playbook-dir", str(play), *f"--{form}".split()
    )


# Groups of one depth below different parents are left out: ansible-core orders their hosts by chance.
PATTERNS = [
    "all", "*", "a", "d:c", "h*", "~h[cd]", "~(hc|hd)1", "a:!d", "!d:a", "!d", "a:&d", "&d:a", "a[0]", "a[-1]", "a[1:2]", "a[1:]", "a[9]", "c[5:9]",
    "d[1]:c", "hc1[0]", "a,e", "e d", "ungrouped", "hc1:hc1", "localhost", "127.0.0.1", "::1", "hc1:localhost", "nope", "nope:a", "a:&nope", "a:!nope", "a*",
]  # fmt: skip


@pytest.mark.parametrize("pattern", PATTERNS)
def test_patterns_name_the_same_hosts(pattern: str, tmp_path: Path) -> None:
    source = write(tmp_path, CASES["tree"])
    inventory: Any = load_inventory([source], Settings(), basedir="/", on_warning=lambda _warning: None)
    lines = oracle("ansible", "-i", source, "--list-hosts", pattern).splitlines()
    assert [host.name for host in select(inventory, pattern)] == [line.strip() for line in lines[1:]]
