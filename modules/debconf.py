"""Answer a question of a Debian package before the package asks it."""

import re

OPTIONS = {
    "options": {
        "name": {"type": "str", "required": True, "aliases": ["pkg"], "doc": "The package."},
        "question": {"type": "str", "aliases": ["selection", "setting"], "doc": "The question's name."},
        "vtype": {
            "type": "str",
            "choices": [
                "boolean",
                "error",
                "multiselect",
                "note",
                "password",
                "seen",
                "select",
                "string",
                "text",
                "title",
            ],
            "doc": "The kind of answer.",
        },
        "value": {"type": "raw", "aliases": ["answer"], "doc": "The answer; a list for multiselect."},
        "unseen": {"type": "bool", "default": False, "doc": "Leave the question marked as not yet asked."},
    },
    "required_together": [["question", "vtype", "value"]],
    "check_mode": "full",
    "diff": True,
    "identity": ["name", "question"],
    "absent_undoes": False,
    "platforms": "debian",
    "returns": {
        "current": "All answers, or after a change the one that was set.",
        "previous": "The answer before a change; all of them where it was not there.",
        "msg": "What the debconf program said.",
    },
}


def answers(module):
    """Give {question: answer} of the package."""
    _, out, _ = module.run_command(
        [module.find_program("debconf-show", required=True), module.args["name"]], check=True
    )
    found = {}
    for line in out.splitlines():
        question, _, value = line.partition(":")
        found[question.strip("* ").strip()] = value.strip()
    return found


def password_of(module):
    """Give the stored password, which debconf-show hides; None where the program that tells it is not installed."""
    program = module.find_program("debconf-get-selections")
    if program is None:
        program = module.find_program("debconf-communicate", required=True)
        _, out, _ = module.run_command([program, module.args["name"]], stdin="GET %s\n" % module.args["question"])
        status, _, value = out.strip().partition(" ")
        return value if status == "0" else None
    _, out, _ = module.run_command([program], check=True)
    for line in out.splitlines():
        words = line.split("\t", 3)
        if len(words) == 4 and words[0] == module.args["name"] and words[1] == module.args["question"]:
            return words[3]
    return None


def spell(module):
    """Give the answer as debconf stores it."""
    value, kind = module.args["value"], module.args["vtype"]
    if kind == "boolean":
        text = str(value).lower()
        return {"yes": "true", "on": "true", "1": "true", "no": "false", "off": "false", "0": "false"}.get(text, text)
    if kind == "multiselect" and isinstance(value, (list, tuple)):
        return ", ".join(str(item) for item in value)
    if isinstance(value, (list, tuple, dict)):
        module.fail("value must be text where vtype is %s" % kind)
    return str(value)


def same(module, wanted, have):
    """Tell whether the stored answer is the wanted one; the order of a multiselect's items does not count."""
    if module.args["vtype"] == "multiselect":
        return sorted(re.split(r",\s*", wanted)) == sorted(re.split(r",\s*", have or ""))
    if module.args["vtype"] == "boolean":
        return wanted == (have or "").lower()
    return wanted == have


def run(module):
    """Set the answer where it differs; without a question give the answers that there are."""
    args = module.args
    previous = answers(module)
    result = {"changed": False, "msg": "", "current": previous}
    question = args["question"]
    if question is None:
        return result
    wanted = spell(module)
    have = previous.get(question)
    if args["vtype"] == "password":
        module.hide(wanted)
        have = password_of(module) if question in previous else None
    if question in previous and same(module, wanted, have):
        return result
    result["changed"] = True
    if not module.check_mode:
        command = [module.find_program("debconf-set-selections", required=True)] + (["-u"] if args["unseen"] else [])
        line = " ".join([args["name"], question, args["vtype"], wanted])
        rc, out, err = module.run_command(command, stdin=line + "\n")
        if rc != 0:
            module.fail("debconf refused the answer: %s" % (err or out).strip(), stdout=out, stderr=err, rc=rc)
        result["msg"] = out.strip()
    previous = {question: previous[question]} if question in previous else dict(previous, **{question: ""})
    current = {question: wanted}
    result.update(previous=previous, current=current)
    if module.diff:
        result["diff"] = {"before": previous, "after": dict(previous, **current)}
    return result


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
