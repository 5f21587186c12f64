"""Keep the keys that APT trusts, through apt-key."""

import os
import re

from pyplay.remote.module_utils import files, openpgp

OPTIONS = {
    "options": {
        "id": {"type": "str", "doc": "The key's id (8 or 16 digits) or fingerprint."},
        "data": {"type": "str", "doc": "The key itself."},
        "file": {"type": "path", "doc": "A file of the host that holds the key."},
        "url": {"type": "str", "doc": "Where to fetch the key."},
        "keyserver": {"type": "str", "doc": "Key server to fetch the key from; needs id."},
        "keyring": {"type": "path", "doc": "The keyring's file; APT's own if unset."},
        "validate_certs": {"type": "bool", "default": True, "doc": "Check the server's certificate, for a URL."},
        "state": {"type": "str", "default": "present", "choices": ["absent", "present"], "doc": "Shall it be trusted?"},
    },
    "mutually_exclusive": [["data", "file", "keyserver", "url"]],
    "check_mode": "full",
    "diff": False,
    "identity": ["id", "keyring"],
    "absent_undoes": True,
    "platforms": "debian",
    "returns": {
        "before": "Ids of the keys before.",
        "after": "Ids of the keys after a change.",
        "id": "The id as asked for.",
        "key_id": "The id that was looked for.",
        "fp": "Its last 16 digits.",
        "short_id": "Its last 8 digits.",
    },
}

TRIES = 5  # key servers are many behind one name, and some of them do not answer


class AptKey:
    """The program apt-key on the task's keyring."""

    def __init__(self, module):
        """Find the program; raises ModuleFailed."""
        self.module = module
        self.argv = [module.find_program("apt-key", required=True)]
        if module.args["keyring"]:
            self.argv += ["--keyring", module.args["keyring"]]

    def call(self, words, stdin=None, check=True):
        """Run it and give (rc, stdout, stderr)."""
        quiet = {"APT_KEY_DONT_WARN_ON_DANGEROUS_USAGE": "1"}
        return self.module.run_command(self.argv + words, stdin=stdin, environment=quiet, check=check)

    def keys(self):
        """Give the ids (16 digits) of all keys and subkeys."""
        if self.module.args["keyring"] and not os.path.exists(self.module.args["keyring"]):
            return []
        _, out, _ = self.call(["adv", "--list-public-keys", "--with-colons"])
        lines = [line.split(":") for line in out.splitlines()]
        return [fields[4] for fields in lines if fields[0] in ("pub", "sub")]


def shaped(keys, length):
    """Give the keys' ids with as many digits as the task's id has, 16 for a fingerprint."""
    return [identity[-length:] for identity in keys]


def material(module):
    """Give the key as bytes, None where only its id is known."""
    args = module.args
    if args["data"] is not None:
        return args["data"].encode("utf-8"), "data"
    if args["file"] is not None:
        try:
            return files.read_bytes(args["file"]), args["file"]
        except OSError as error:
            module.fail("cannot read the key %s: %s" % (args["file"], error.strerror or error))
    if args["url"] is not None:
        from pyplay.remote.module_utils import urls  # noqa: PLC0415  # most keys are given

        try:
            request = urls.Request(args["url"], validate_certs=args["validate_certs"])
            return urls.content(request), args["url"]
        except (urls.RequestFailed, OSError) as error:
            module.fail("cannot fetch the key %s: %s" % (args["url"], error))
    return None, ""


def add(module, program, data, wanted):
    """Have the key trusted."""
    if data is not None:
        program.call(["add", "-"], stdin=data)
        return
    server = module.args["keyserver"]
    for _ in range(TRIES):
        rc, out, err = program.call(["adv", "--no-tty", "--keyserver", server, "--recv", wanted], check=False)
        if rc == 0:
            return
    text = (err or out).strip()
    module.fail("cannot fetch the key %s from %s: %s" % (wanted, server, text), rc=rc, stdout=out, stderr=err)


def run(module):
    """Bring the key into the wanted state."""
    args = module.args
    if args["keyserver"] is not None and args["id"] is None:
        module.fail("keyserver needs id")
    given = args["id"]
    data, place = (None, "") if given is not None else material(module)
    if data is not None:
        try:
            given = openpgp.keys_in(data)[0].key_id
        except ValueError as error:
            module.fail("there is no key in %s: %s" % (place, error))
    wanted = re.sub(r"^0X", "", (given or "").strip().upper())
    if not re.match(r"[0-9A-F]{8,}$", wanted):
        module.fail("%r is no key id" % (given,), id=given)
    program = AptKey(module)
    length = 8 if len(wanted) == 8 else 16
    fingerprint = wanted[-16:]
    before = shaped(program.keys(), length)
    result = {"changed": False, "before": before, "id": given, "key_id": wanted}
    result.update(short_id=wanted[-8:], fp=fingerprint)
    present = any(fingerprint.endswith(have) or have.endswith(fingerprint) for have in before)
    if present == (args["state"] == "present"):
        return result
    result["changed"] = True
    if args["state"] == "present" and data is None and args["keyserver"] is None:
        data, place = material(module)
        if data is None:
            module.fail("the key %s is not there; data, file, url or keyserver must tell where it is" % given, **result)
    if module.check_mode:
        return result
    if args["state"] == "present":
        add(module, program, data, wanted)
    else:
        program.call(["del", wanted[-16:]])
    result["after"] = shaped(program.keys(), length)
    there = any(fingerprint.endswith(have) or have.endswith(fingerprint) for have in result["after"])
    if there != (args["state"] == "present"):
        verb = "added" if args["state"] == "present" else "removed"
        module.fail("the key was not %s; is %s the id of a subkey, or of another key?" % (verb, given), **result)
    return result


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
