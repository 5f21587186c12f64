"""The last half of every module that edits a text file: diff, backup, validation, writing, attributes, result."""

import os
import stat

from pyplay.remote.module_utils import files


def finish(
    module: object,
    before: object,
    after: bytes,
    msg: str,
    result: dict,
    backup: str = "backup_file",
    validation: bool = False,
) -> dict:
    """Write the edited content where it differs and give the module's result.

    `before` is None where there was no file; `msg` says what the edit did, `result` holds further keys, `backup` is the
    key for the copy of the old file, `validation`: tell how the validating program ended. The module has `path`,
    `backup`, `validate` and the common file options. Raises ModuleFailed.
    """
    args = module.args
    path = args["path"]
    encoding = args.get("encoding") or "utf-8"
    wanted = files.Wanted.from_args(args)
    changed = before is None or before != after
    if changed and not module.check_mode:
        if args["backup"] and before is not None:
            result[backup] = files.backup(path)
        try:
            files.make_directories(os.path.dirname(os.path.realpath(path)))
        except OSError as error:
            module.fail("cannot make the directory of %s: %s" % (path, error.strerror or error))
        attributes = files.replace_content(path, after, wanted, args["validate"])
    elif before is None:
        status = os.stat_result((_new_mode(), 0, 0, 1, os.geteuid(), os.getegid(), 0, 0, 0, 0))
        attributes = files.predict(status, wanted, path)
    else:
        attributes = files.apply(os.path.realpath(path), wanted, module.check_mode, path)
    if validation and attributes.validation:
        result["validation"] = attributes.validation
    if attributes:
        note = "ownership, permissions or SELinux context changed"
        msg = "%s and %s" % (msg, note) if msg else note
    content = {"before_header": "%s (content)" % path, "after_header": "%s (content)" % path}
    if module.diff:
        content["before"] = (before or b"").decode(encoding, "backslashreplace")
        content["after"] = after.decode(encoding, "backslashreplace")
    else:
        content["before"] = content["after"] = ""
    header = "%s (file attributes)" % path
    ownership = {"before_header": header, "after_header": header}
    if attributes:
        ownership.update(before=attributes.before, after=attributes.after)
    return dict(result, changed=changed or bool(attributes), msg=msg, diff=[content, ownership])


def _new_mode() -> int:
    return stat.S_IFREG | 0o666 & ~files.current_umask()
