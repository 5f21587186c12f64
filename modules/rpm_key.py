"""Keep the keys that rpm trusts."""

import os
import re

from pyplay.remote.module_utils import files, openpgp

OPTIONS = {
    "options": {
        "key": {"type": "str", "required": True, "no_log": False, "doc": "URL, file of the host, or key id."},
        "state": {"type": "str", "default": "present", "choices": ["absent", "present"], "doc": "Shall it be trusted?"},
        "fingerprint": {"type": "list", "elements": "str", "doc": "Fingerprints, one of which the key must have."},
        "validate_certs": {"type": "bool", "default": True, "doc": "Check the server's certificate, for a URL."},
    },
    "check_mode": "full",
    "diff": False,
    "identity": ["key"],
    "absent_undoes": True,
    "platforms": "redhat",
    "returns": {"changed": "Whether rpm's keys changed."},
}


def content_of(module):
    """Give the key's file as bytes, None where the option names a key by its id."""
    key = module.args["key"]
    if "://" in key:
        from pyplay.remote.module_utils import urls  # noqa: PLC0415  # most keys are files

        try:
            request = urls.Request(key, validate_certs=module.args["validate_certs"])
            return urls.content(request)
        except (urls.RequestFailed, OSError) as error:
            module.fail("cannot fetch %s: %s" % (key, error))
    if os.path.isfile(key):
        try:
            return files.read_bytes(key)
        except OSError as error:
            module.fail("cannot read %s: %s" % (key, error.strerror or error))
    return None


def id_of(module):
    """Give the key id that the option names."""
    text = re.sub(r"^0X", "", module.args["key"].replace(" ", "").upper())
    if not re.match(r"[0-9A-F]{8,}$", text):
        module.fail("%s is neither a URL, a file nor a key id" % module.args["key"])
    return text


def installed(module, rpm, wanted):
    """Give the names of rpm's packages that hold a key; rpm names them after its id or (6.0) its fingerprint."""
    rc, out, _ = module.run_command([rpm, "-q", "gpg-pubkey", "--qf", "%{NAME}-%{VERSION}-%{RELEASE}\\n"])
    found = []
    for line in out.splitlines() if rc == 0 else []:
        have = line.split("-")[2].upper() if line.count("-") > 2 else ""
        if have and (wanted.endswith(have) or have.endswith(wanted)):
            found.append(line)
    return found


def run(module):
    """Bring the key into the wanted state."""
    args = module.args
    rpm = module.find_program("rpm", required=True)
    data = content_of(module)
    if data is None:
        wanted, keys = id_of(module), []
    else:
        try:
            keys = openpgp.keys_in(data)
        except ValueError as error:
            module.fail("%s is no public key: %s" % (args["key"], error))
        wanted = keys[0].fingerprint if keys[0].version > 4 else keys[0].key_id
    have = installed(module, rpm, wanted)
    if args["state"] == "absent":
        if have and not module.check_mode:
            module.run_command([rpm, "--erase", "--allmatches"] + have, check=True)
        return {"changed": bool(have)}
    if have:
        return {"changed": False}
    if data is None:
        module.fail("the key %s is not there; to import it, key must be a URL or a file" % args["key"])
    if args["fingerprint"]:
        asked = {text.replace(" ", "").upper() for text in args["fingerprint"]}
        if not asked & {key.fingerprint for key in keys}:
            found = ", ".join(key.fingerprint for key in keys if not key.subkey)
            module.fail("the key's fingerprint is %s, not %s" % (found, ", ".join(sorted(asked))))
    if not module.check_mode:
        import tempfile  # noqa: PLC0415  # only to import

        with tempfile.NamedTemporaryFile(prefix=".pyplay-") as stream:
            stream.write(data)
            stream.flush()
            module.run_command([rpm, "--import", stream.name], check=True)
    return {"changed": True}


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
