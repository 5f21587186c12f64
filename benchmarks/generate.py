"""Workloads that are too long to be written down: made when they are measured."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import yaml

if TYPE_CHECKING:
    from pathlib import Path


def repeated(directory: Path, workload: Path, times: int) -> Path:
    """Give the playbook of a workload with its tasks so many times, beside copies of its files."""
    copy = directory / f"{workload.name}x{times}"
    shutil.copytree(workload, copy, dirs_exist_ok=True)
    plays = yaml.safe_load((workload / "site.yml").read_text())
    for play in plays:
        play["tasks"] *= times
    (copy / "site.yml").write_text(yaml.safe_dump(plays, sort_keys=False))
    return copy / "site.yml"


def pure(directory: Path, *, tasks: int = 300) -> Path:
    """W5: `set_fact` and `debug` with `when` and Jinja; a third is skipped. Gives the playbook."""
    lines = ["- hosts: all", "  gather_facts: false", "  tasks:"]
    for n in range(tasks):
        match n % 3:
            case 0:
                lines.append(f"    - ansible.builtin.set_fact: {{fact{n}: \"{{{{ inventory_hostname ~ '-{n}' }}}}\"}}")
                lines.append("      when: inventory_hostname is defined")
            case 1:
                lines.append(f'    - ansible.builtin.debug: {{msg: "{{{{ fact{n - 1} | upper }}}}"}}')
                lines.append(f"      when: fact{n - 1} is defined and not ansible_check_mode")
            case _:
                lines.append("    - ansible.builtin.debug: {msg: never}")
                lines.append(f"      when: fact{n - 2} is undefined")
    return _written(directory / f"pure{tasks}.yml", lines)


def roles(directory: Path, *, count: int = 50, tasks: int = 20) -> Path:
    """W7: a play of many roles, every task's `when` false. Gives the playbook."""
    for role in range(count):
        home = directory / f"roles{count}" / "roles" / f"r{role}" / "tasks"
        home.mkdir(parents=True, exist_ok=True)
        lines: list[str] = []
        for n in range(tasks):
            lines += [f"- name: role {role} task {n}", f"  ansible.builtin.command: echo {n}"]
            lines.append("  when: flag | default(false)")
        _written(home / "main.yml", lines)
    play = ["- hosts: all", "  gather_facts: false", "  roles:", *(f"    - r{role}" for role in range(count))]
    return _written(directory / f"roles{count}" / "site.yml", play)


def many(directory: Path) -> Path:
    """W8: debug on very many hosts, each reading another's `hostvars`. Gives the playbook."""
    lines = ["- hosts: all", "  gather_facts: false", "  tasks:"]
    lines.append('    - ansible.builtin.debug: {msg: "{{ hostvars[groups.all[0]].inventory_hostname }}"}')
    return _written(directory / "many.yml", lines)


def local_hosts(directory: Path, count: int, *, groups: int = 1) -> Path:
    """Give an inventory of hosts that are all this machine."""
    lines: list[str] = []
    for group in range(groups):
        lines.append(f"[g{group}]")
        lines += [f"l{n:05}" for n in range(group, count, groups)]
    lines += ["[all:vars]", "ansible_connection=local", "ansible_python_interpreter=/usr/bin/python3"]
    return _written(directory / f"local{count}.ini", lines)


def grow(directory: Path, kind: str, size: int) -> Path:
    """Give a playbook of `size` tasks, loop items, variables, facts or includes."""
    lines = ["- hosts: all", "  gather_facts: false"]
    if kind == "variables":
        lines += ["  vars:", *(f'    v{n}: "{{{{ inventory_hostname }}}}{n}"' for n in range(size))]
    lines.append("  tasks:")
    if kind == "tasks":
        lines += [f"    - ansible.builtin.debug: {{msg: t{n}}}" for n in range(size)]
    elif kind == "loop items":
        lines += ['    - ansible.builtin.debug: {msg: "{{ item }}"}', f'      loop: "{{{{ range({size}) | list }}}}"']
    elif kind == "includes":
        _written(directory / "included.yml", ['- ansible.builtin.debug: {msg: "{{ n }}"}'])
        lines += [f"    - ansible.builtin.include_tasks: included.yml\n      vars: {{n: {n}}}" for n in range(size)]
    elif kind == "facts":
        facts = directory / f"facts{size}"
        facts.mkdir(exist_ok=True)
        (facts / "bench.fact").write_text(json.dumps({f"f{n}": {"name": f"value {n}"} for n in range(size)}))
        lines.append(f"    - ansible.builtin.setup: {{gather_subset: ['!all', '!min', local], fact_path: {facts}}}")
        lines += [f'    - ansible.builtin.debug: {{msg: "{{{{ ansible_local.bench.f{n}.name }}}}"}}' for n in range(10)]
    else:
        lines += [f'    - ansible.builtin.debug: {{msg: "{{{{ v{n * size // 20} }}}}"}}' for n in range(20)]
    return _written(directory / f"{kind.replace(' ', '-')}{size}.yml", lines)


def _written(path: Path, lines: list[str]) -> Path:
    path.write_text("\n".join(lines) + "\n")
    return path
