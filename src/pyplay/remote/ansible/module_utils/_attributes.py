"""The part of AnsibleModule that is about files: owner, group, mode, flags, SELinux, digests, replacing."""

import os
import shutil
import stat

from pyplay.remote.module_utils import files, flags
from pyplay.remote.module_utils.modes import ModeError, parse_mode
from pyplay.remote.module_utils.module import ModuleFailed

from .common.file import format_attributes
from .common.parameters import env_fallback
from .common.text.converters import to_native

FILE_COMMON_ARGUMENTS = {
    "mode": {"type": "raw"},
    "owner": {"type": "str"},
    "group": {"type": "str"},
    "seuser": {"type": "str"},
    "serole": {"type": "str"},
    "selevel": {"type": "str"},
    "setype": {"type": "str"},
    "attributes": {"type": "str", "aliases": ["attr"]},
    "unsafe_writes": {"type": "bool", "default": False, "fallback": (env_fallback, ["ANSIBLE_UNSAFE_WRITES"])},
}


class FileAttributes:
    """What modules do with files; `params`, `check_mode`, `fail_json` are AnsibleModule's."""

    def _apply(self, path, wanted, changed, diff, expand=True):
        """Give `path` these attributes; tells whether something changed, then or before, and fills `diff`."""
        path = to_native(path)
        if expand:
            path = os.path.expanduser(os.path.expandvars(path))
        if self.check_mode and not os.path.lexists(path):
            return True
        try:
            changes = files.apply(path, wanted, self.check_mode)
        except ModuleFailed as failed:
            result = dict(failed.result)
            self.fail_json(**result)
        if diff is not None and changes:
            diff.setdefault("before", {}).update(changes.before)
            diff.setdefault("after", {}).update(changes.after)
        return bool(changes) or changed

    def load_file_common_arguments(self, params, path=None):
        """Give the attributes that a task asks for, for set_fs_attributes_if_different; {} without a path."""
        if path is None:
            path = params.get("path", params.get("dest"))
            if path is None:
                return {}
            path = os.path.expanduser(os.path.expandvars(to_native(path)))
        if params.get("follow", False) and os.path.islink(path):
            path = os.path.realpath(path)
        context = [params.get(name) for name in ("seuser", "serole", "setype")]
        if self.selinux_mls_enabled():
            context.append(params.get("selevel"))
        defaults = self.selinux_default_context(path) if "_default" in context else []
        secontext = [
            (defaults[index] if index < len(defaults) else None) if part == "_default" else part
            for index, part in enumerate(context)
        ]
        found = {name: params.get(name) for name in ("mode", "owner", "group")}
        found.update({name: params.get(name) for name in ("seuser", "serole", "setype", "selevel", "attributes")})
        return dict(found, path=path, secontext=secontext)

    def set_fs_attributes_if_different(self, file_args, changed, diff=None, expand=True):
        """Give a file all attributes of `file_args`; tells whether something changed, then or before (`changed`)."""
        wanted = files.Wanted(
            file_args.get("owner"),
            file_args.get("group"),
            file_args.get("mode"),
            file_args.get("attributes"),
            tuple((list(file_args.get("secontext") or ()) + [None] * 4)[:4]),
        )
        return self._apply(file_args["path"], wanted, changed, diff, expand)

    set_file_attributes_if_different = set_fs_attributes_if_different
    set_directory_attributes_if_different = set_fs_attributes_if_different

    def set_owner_if_different(self, path, owner, changed, diff=None, expand=True):
        """Give a file this owner."""
        return changed if owner is None else self._apply(path, files.Wanted(owner=owner), changed, diff, expand)

    def set_group_if_different(self, path, group, changed, diff=None, expand=True):
        """Give a file this group."""
        return changed if group is None else self._apply(path, files.Wanted(group=group), changed, diff, expand)

    def set_mode_if_different(self, path, mode, changed, diff=None, expand=True):
        """Give a file this mode."""
        return changed if mode is None else self._apply(path, files.Wanted(mode=mode), changed, diff, expand)

    def set_attributes_if_different(self, path, attributes, changed, diff=None, expand=True):
        """Give a file these flags."""
        if attributes is None:
            return changed
        return self._apply(path, files.Wanted(attributes=attributes), changed, diff, expand)

    def set_context_if_different(self, path, context, changed, diff=None):
        """Give a file this SELinux context."""
        wanted = files.Wanted(context=tuple((list(context) + [None] * 4)[:4]))
        return self._apply(path, wanted, changed, diff, expand=False)

    def set_default_selinux_context(self, path, changed):
        """Give a file the SELinux context that the policy has for it."""
        if not self.selinux_enabled():
            return changed
        return self.set_context_if_different(path, self.selinux_default_context(path), changed)

    # -- what files have ----------------------------------------------------------------------------------------

    def selinux_enabled(self):
        """Tell whether the kernel labels files."""
        return files.selinux_enabled()

    def selinux_mls_enabled(self):
        """Tell whether labels have a level."""
        try:
            with open("/sys/fs/selinux/mls") as stream:
                return stream.read(1) == "1"
        except OSError:
            return False

    def selinux_initial_context(self):
        """Give the parts of a context, none of them known."""
        return [None] * (4 if self.selinux_mls_enabled() else 3)

    def selinux_default_context(self, path, mode=0):  # the signature in use
        """Give the parts of the context that the policy has for a path."""
        return (files.default_context(to_native(path)) if files.selinux_enabled() else None) or self._no_context()

    def _no_context(self):
        return self.selinux_initial_context()

    def selinux_context(self, path):
        """Give the parts of a file's context."""
        return (files.read_context(to_native(path)) if files.selinux_enabled() else None) or self._no_context()

    def is_special_selinux_path(self, path):
        """Give (whether the path is on a file system whose files have no labels of their own, the label to use)."""
        mount = self.find_mount_point(path)
        try:
            with open("/proc/mounts") as stream:
                kinds = {words[1]: words[2] for words in map(str.split, stream) if len(words) > 2}
        except OSError:
            return False, None
        if any(name in kinds.get(mount, "") for name in self._selinux_special_fs):
            return True, self.selinux_context(mount)
        return False, None

    def user_and_group(self, path, expand=True):
        """Give the numbers of a file's owner and group."""
        status = os.lstat(os.path.expanduser(os.path.expandvars(path)) if expand else path)
        return status.st_uid, status.st_gid

    def find_mount_point(self, path):
        """Give the mount point above a path."""
        path = os.path.realpath(to_native(os.path.expanduser(os.path.expandvars(path))))
        while not os.path.ismount(path):
            path = os.path.dirname(path)
        return path

    def get_file_attributes(self, path, include_version=True):
        """Give {attr_flags, attributes, version} of a file; {} where its file system has no flags."""
        value = flags.read_flags(to_native(path))
        if value is None:
            return {}
        letters = flags.letters(value)
        found = {"attr_flags": letters, "attributes": format_attributes(letters)}
        if include_version:
            found["version"] = str(flags.read_version(to_native(path)) or 0)
        return found

    def add_path_info(self, kwargs):
        """Add owner, mode, size and the like of the file that a result names as `path` or `dest`, if it is there."""
        path = kwargs.get("path", kwargs.get("dest"))
        about = files.describe(to_native(path)) if isinstance(path, (str, bytes)) else {"state": "absent"}
        if about["state"] != "absent":
            kwargs.update(about)
        return kwargs

    # -- contents -----------------------------------------------------------------------------------------------

    def digest_from_file(self, filename, algorithm):
        """Give a file's digest, None where there is no such file; `algorithm` is a name or an object of hashlib."""
        filename = to_native(filename)
        if not os.path.exists(filename):
            return None
        if os.path.isdir(filename):
            self.fail_json(msg="a directory has no digest: %s" % filename)
        if hasattr(algorithm, "update"):
            with open(filename, "rb") as stream:
                for block in iter(lambda: stream.read(files.CHUNK), b""):
                    algorithm.update(block)
            return algorithm.hexdigest()
        try:
            return files.checksum(filename, algorithm)
        except ValueError:
            return self.fail_json(msg="there is no digest %r on this host, for %s" % (algorithm, filename))

    def md5(self, filename):
        """Give a file's MD5."""
        return self.digest_from_file(filename, "md5")

    def sha1(self, filename):
        """Give a file's SHA-1."""
        return self.digest_from_file(filename, "sha1")

    def sha256(self, filename):
        """Give a file's SHA-256."""
        return self.digest_from_file(filename, "sha256")

    def append_to_file(self, filename, str):  # noqa: A002  # the signature in use
        """Add text at the end of a file."""
        with open(os.path.expanduser(os.path.expandvars(filename)), "a") as stream:
            stream.write(str)

    def backup_local(self, fn):
        """Copy a file beside itself; gives the copy's path, "" where there is no file."""
        fn = to_native(fn)
        try:
            return files.backup(fn)
        except (OSError, ModuleFailed) as error:
            return self.fail_json(msg="cannot make a backup of %s: %s" % (fn, to_native(error)))

    def preserved_copy(self, src, dest):
        """Copy a file with owner, mode and times."""
        src, dest = to_native(src), to_native(dest)
        shutil.copy2(src, dest)
        status = os.stat(src)
        try:
            os.chown(dest, status.st_uid, status.st_gid)
        except PermissionError:
            pass
        wanted = self.get_file_attributes(src, include_version=False)
        have = self.get_file_attributes(dest, include_version=False)
        if wanted.get("attr_flags", "") != have.get("attr_flags", ""):
            self.set_attributes_if_different(dest, "=" + wanted.get("attr_flags", ""), changed=True)

    def atomic_move(self, src, dest, unsafe_writes=False, keep_dest_attrs=True):
        """Put `src` in the place of `dest`, with the attributes of the old `dest`; nobody ever sees half of it.

        Fails where it cannot be done; with `unsafe_writes` `dest` is then written in place.
        """
        src, dest = to_native(src), to_native(dest)
        new = not os.path.exists(dest)
        try:
            if os.path.isdir(src):
                shutil.move(src, dest)
                return
            self._replace(src, dest, unsafe_writes, keep_dest_attrs)
        except ModuleFailed as failed:
            result = dict(failed.result)
            self.fail_json(**result)
        except (OSError, shutil.Error) as error:
            self.fail_json(msg="cannot move %s to %s: %s" % (src, dest, to_native(error)))
        if new and self.selinux_enabled():
            self.set_default_selinux_context(dest, changed=False)

    def _replace(self, src, dest, unsafe_writes, keep_dest_attrs):
        status = os.stat(src)
        with files.Replacement(dest, files.Wanted(unsafe=unsafe_writes), follow=False) as new:
            files.copy_into(src, new)
            if keep_dest_attrs:
                new.commit()
            else:
                new.commit(keep=stat.S_IMODE(status.st_mode), gid=status.st_gid)
        os.unlink(src)

    def _symbolic_mode_to_octal(self, path_stat, symbolic_mode):
        """Give the permission bits that a symbolic mode makes of a file's. Raises ValueError."""
        try:
            return parse_mode(symbolic_mode, path_stat.st_mode, stat.S_ISDIR(path_stat.st_mode))
        except ModeError as error:
            raise ValueError(str(error)) from None
