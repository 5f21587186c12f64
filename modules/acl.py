"""Set, remove and read access control lists of files."""

import os

OPTIONS = {
    "options": {
        "path": {"type": "path", "required": True, "aliases": ["name"], "doc": "The file or directory."},
        "state": {
            "type": "str",
            "default": "query",
            "choices": ["absent", "present", "query"],
            "doc": "Remove the entry, set it, or only read the list.",
        },
        "follow": {"type": "bool", "default": True, "doc": "Follow a link as path."},
        "default": {"type": "bool", "default": False, "doc": "Entry of the default list of a directory."},
        "entity": {"type": "str", "default": "", "doc": "The user or group; empty for the owner."},
        "etype": {
            "type": "str",
            "choices": ["group", "mask", "other", "user"],
            "doc": "Whom the entry is about.",
        },
        "permissions": {"type": "str", "doc": "Letters of r, w, x, X and -; for NFSv4 those of its lists."},
        "entry": {"type": "str", "doc": "The whole entry, such as user:joe:rwx, in place of the other options."},
        "recursive": {"type": "bool", "default": False, "doc": "Also everything below a directory."},
        "use_nfsv4_acls": {"type": "bool", "default": False, "doc": "Use the programs for NFSv4 lists."},
        "recalculate_mask": {
            "type": "str",
            "default": "default",
            "choices": ["default", "mask", "no_mask"],
            "doc": "Whether the mask is computed anew.",
        },
    },
    "check_mode": "full",
    "diff": False,
    "identity": ["path", "etype", "entity"],
    "absent_undoes": True,
    "platforms": "posix",
    "returns": {"acl": "The entries of the list.", "msg": "What was done."},
}


def split_entry(entry, module):
    """Give (default, type, entity, permissions) of a written entry."""
    fields = entry.split(":")
    default = fields[0].lower().startswith("d") and len(fields) > 2
    if default:
        fields.pop(0)
    kinds = {"u": "user", "g": "group", "m": "mask", "o": "other"}
    kind = kinds.get(fields[0].lower()[:1])
    if kind is None or not 2 <= len(fields) <= 3:
        module.fail("%r is no entry: [default:]user|group|mask|other:name[:permissions]" % entry)
    if kind in ("mask", "other") and len(fields) == 2:
        return default, kind, "", fields[1]
    return default, kind, fields[1], fields[2] if len(fields) > 2 else None


def build_entry(kind, entity, permissions, nfs):
    """Give the entry as setfacl reads it."""
    if nfs:
        return ":".join([kind, entity, permissions or "", "allow"])
    return "%s:%s%s" % (kind, entity, ":" + permissions if permissions else "")


def command(module, action, entry=None, test=False):
    """Give the words for getfacl or setfacl."""
    args = module.args
    nfs = args["use_nfsv4_acls"]
    program = {"get": "nfs4_getfacl" if nfs else "getfacl"}.get(action, "nfs4_setfacl" if nfs else "setfacl")
    words = [module.find_program(program, required=True)]
    if action == "get" and not nfs:
        words += ["--omit-header", "--absolute-names"]
    if args["recursive"]:
        words.append("--recursive" if not nfs else "-R")
    if not nfs:
        if action != "get" and args["recalculate_mask"] != "default":
            words.append("--mask" if args["recalculate_mask"] == "mask" else "--no-mask")
        if action != "get" and test:
            words.append("--test")
        if not args["follow"]:
            words.append("--physical")
        if args["default"]:
            words.append("-d")  # before -m and -x, which it is about
    elif test:
        words.append("--test")
    if action != "get":
        words += [("-a" if nfs else "-m") if action == "set" else "-x", entry]
    return words + ["--" if not nfs else args["path"]] + ([args["path"]] if not nfs else [])


def lines_of(module, words):
    """Run a program and give the lines that are no comments."""
    _, out, _ = module.run_command(words, check=True)
    return [line.strip() for line in out.splitlines() if line.strip() and not line.startswith("#")]


def changes(module, words):
    """Tell by a rehearsal of setfacl whether it would change a list: it marks unchanged ones with *."""
    return any(not line.endswith("*,*") for line in lines_of(module, words))


def nfs_changes(module, entry, state):
    """Tell whether an NFSv4 list lacks, or has, the entry."""
    present = any(line.replace(" ", "") == entry for line in lines_of(module, command(module, "get")))
    return present != (state == "present")


def check_options(module):
    """Refuse combinations that mean nothing, and take the written entry apart."""
    args = module.args
    state = args["state"]
    if not os.path.lexists(args["path"]):
        module.fail("there is nothing at %s" % args["path"])
    if state == "query" and args["recursive"]:
        module.fail("recursive cannot be used with state=query")
    if args["entry"]:
        if args["etype"] or args["entity"] or args["permissions"]:
            module.fail("entry stands for etype, entity and permissions, which cannot be given as well")
        if args["use_nfsv4_acls"]:
            return
        default, args["etype"], args["entity"], args["permissions"] = split_entry(args["entry"], module)
        args["default"] = args["default"] or default
        if state == "absent" and args["permissions"] is not None:
            module.fail("an entry to remove has no permissions: %s" % args["entry"])
        if state == "present" and not args["permissions"]:
            module.fail("an entry to set needs permissions: %s" % args["entry"])
    if state != "query" and not args["etype"]:
        module.fail("state=%s needs etype or entry" % state)
    if state == "present" and not args["permissions"]:
        module.fail("state=present needs permissions")


def run(module):
    """Set, remove or read."""
    args = module.args
    check_options(module)
    state, nfs = args["state"], args["use_nfsv4_acls"]
    changed, msg = False, "current acl"
    if state != "query":
        permissions = args["permissions"] if state == "present" or nfs else None
        entry = args["entry"] if nfs and args["entry"] else build_entry(args["etype"], args["entity"], permissions, nfs)
        action = "set" if state == "present" else "remove"
        rehearsal = command(module, action, entry, test=True)
        changed = nfs_changes(module, entry, state) if nfs else changes(module, rehearsal)
        if changed and not module.check_mode:
            module.run_command(command(module, action, entry), check=True)
        msg = "%s is %s" % (entry, state)
    return {"changed": changed, "msg": msg, "acl": lines_of(module, command(module, "get"))}


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
