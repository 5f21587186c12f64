"""Make, change and remove users."""

import os
import re
import shutil

from pyplay.remote.module_utils import account_programs, accounts, files

OPTIONS = {
    "options": {
        "name": {"type": "str", "required": True, "aliases": ["user"], "doc": "The user."},
        "state": {"type": "str", "default": "present", "choices": ["absent", "present"], "doc": "Shall it exist?"},
        "uid": {"type": "int", "doc": "Its number."},
        "non_unique": {"type": "bool", "default": False, "doc": "Allow a number that another user has."},
        "comment": {"type": "str", "doc": "Full name or description."},
        "group": {"type": "str", "doc": "Primary group, by name or number."},
        "groups": {"type": "list", "elements": "str", "doc": "Further groups; an empty list takes it out of all."},
        "append": {"type": "bool", "default": False, "doc": "Only add to `groups`, leave other memberships."},
        "home": {"type": "path", "doc": "Home directory."},
        "create_home": {
            "type": "bool",
            "default": True,
            "aliases": ["createhome"],
            "doc": "Make the home directory where it is missing.",
        },
        "move_home": {"type": "bool", "default": False, "doc": "Move the old home directory to a new `home`."},
        "skeleton": {"type": "str", "doc": "Directory whose files a new home begins with."},
        "umask": {"type": "str", "doc": "umask for a new home directory."},
        "shell": {"type": "path", "doc": "Login shell."},
        "system": {"type": "bool", "default": False, "doc": "Make it a system account."},
        "password": {"type": "str", "no_log": True, "doc": "Hashed password, as crypt(3) makes it."},
        "update_password": {
            "type": "str",
            "default": "always",
            "choices": ["always", "on_create"],
            "doc": "Set the password whenever it differs, or only for new users.",
        },
        "password_lock": {"type": "bool", "doc": "Lock or unlock the password."},
        "password_expire_max": {"type": "int", "doc": "Days after which the password must be changed."},
        "password_expire_min": {"type": "int", "doc": "Days before which it may not be changed."},
        "password_expire_warn": {"type": "int", "doc": "Days of warning before it expires."},
        "password_expire_account_disable": {"type": "int", "doc": "Days after that until the account is disabled."},
        "expires": {"type": "float", "doc": "When the account expires, seconds since 1970; negative: never."},
        "local": {"type": "bool", "default": False, "doc": "Look at the files in /etc alone, not at directories."},
        "force": {"type": "bool", "default": False, "doc": "Remove it even if it is logged in."},
        "remove": {"type": "bool", "default": False, "doc": "Remove home directory and mail spool too."},
        "generate_ssh_key": {"type": "bool", "default": False, "doc": "Make an SSH key where there is none."},
        "ssh_key_type": {"type": "str", "default": "rsa", "doc": "Kind of key."},
        "ssh_key_bits": {"type": "int", "doc": "Its size; ssh-keygen's default if unset."},
        "ssh_key_file": {"type": "path", "doc": "Where; relative to the home. .ssh/id_TYPE if unset."},
        "ssh_key_comment": {"type": "str", "default": "ansible-generated on $HOSTNAME", "doc": "Its comment."},
        "ssh_key_passphrase": {"type": "str", "no_log": True, "doc": "Its passphrase; none if unset."},
        "seuser": {"type": "str", "doc": "SELinux user for the login."},
        "uid_min": {"type": "int", "doc": "Lowest number to choose."},
        "uid_max": {"type": "int", "doc": "Highest number to choose."},
        "login_class": {"type": "str", "doc": "Login class, on BSD systems."},
        "hidden": {"type": "bool", "doc": "Hide it from the login window, on macOS."},
        "profile": {"type": "str", "doc": "Profile, on Solaris."},
        "authorization": {"type": "str", "doc": "Authorization, on Solaris."},
        "role": {"type": "str", "doc": "Role, on Solaris."},
    },
    "required_if": [["append", True, ["groups"]]],
    "check_mode": "full",
    "diff": False,
    "identity": ["name"],
    "absent_undoes": True,
    "platforms": "linux, freebsd",
    "returns": {
        "uid": "The user's number.",
        "group": "Number of its primary group.",
        "home": "Its home directory.",
        "shell": "Its shell.",
        "comment": "Its comment.",
        "groups": "The further groups that it is in, parted by commas.",
        "ssh_key_file": "The key that was asked for.",
        "ssh_public_key": "Its public half.",
        "ssh_fingerprint": "Its fingerprint.",
    },
}

_FOREIGN = {"hidden": "macOS", "profile": "Solaris", "authorization": "Solaris", "role": "Solaris"}
_AGES = (
    ("password_expire_min", "-m", "minimum"),
    ("password_expire_max", "-M", "maximum"),
    ("password_expire_warn", "-W", "warn"),
    ("password_expire_account_disable", "-I", "inactive"),
)


class Account:
    """One call: the options, the entry as it is, and what programs said."""

    def __init__(self, module):
        """Look the user up."""
        self.module = module
        self.args = module.args
        self.name = module.args["name"]
        self.changed = False
        self.programs = account_programs.choose(module)
        self.look()

    def look(self):
        """Read the user's entry again."""
        self.entry = accounts.find_user(self.name, self.args["local"])
        self.shadow = accounts.find_shadow(self.name) if self.entry is not None else None

    def do(self, change, *words, **how):
        """Note a change and, unless this is check mode, have one of the programs' methods make it."""
        self.changed = True
        if not self.module.check_mode:
            change(*words, **how)

    def wanted_groups(self):
        """Give the names of the further groups; fails for one that is not there."""
        names = set()
        for name in self.args["groups"] or ():
            if not name.strip():
                continue
            group = accounts.find_group(name.strip(), self.args["local"])
            if group is None:
                self.module.fail("the group %s is not there" % name.strip())
            names.add(group.gr_name)
        return names

    def primary(self):
        """Give the primary group's entry that is asked for; fails where it is not there."""
        group = accounts.find_group(self.args["group"], self.args["local"])
        if group is None:
            self.module.fail("the group %s is not there" % self.args["group"])
        return group


def create(account):
    """Make the user."""
    args = account.args
    change = {key: args[key] for key in ("comment", "home", "shell", "seuser", "login_class", "expires")}
    change = {key: value for key, value in change.items() if value is not None}
    if args["group"] is not None:
        change["group"] = account.primary().gr_name
    groups = account.wanted_groups()
    if groups:
        change.update(groups=groups, append=False)
    own_group = accounts.find_group(account.name, args["local"]) is None
    account.do(account.programs.add_user, account.name, change, own_group)
    if args["password"] is not None:
        set_password(account, args["password"])
    if args["password_lock"]:
        account.do(account.programs.change_user, account.name, {"lock": True})
    set_ages(account)


def set_password(account, hashed):
    """Store a password's hash."""
    account.do(account.programs.set_password, account.name, hashed)


def set_ages(account):
    """Set the ages of the password where they differ."""
    words = []
    for option, letter, field in _AGES:
        value = account.args[option]
        have = getattr(account.shadow, field, None)
        if value is not None and value != (-1 if have is None else have):
            words += [letter, str(value)]
    if words:
        account.do(account.programs.set_ages, account.name, words)


def modify(account):
    """Change what differs."""
    args, entry = account.args, account.entry
    change = {}
    if args["uid"] is not None and args["uid"] != entry.pw_uid:
        change["uid"] = args["uid"]
    if args["group"] is not None and account.primary().gr_gid != entry.pw_gid:
        change["group"] = str(account.primary().gr_gid)
    change.update(group_change(account))
    for key, have in (("comment", entry.pw_gecos), ("shell", entry.pw_shell)):
        if args[key] is not None and args[key] != have:
            change[key] = args[key]
    if args["home"] is not None and args["home"] != entry.pw_dir:
        change.update(home=args["home"], move_home=args["move_home"])
    if args["seuser"] is not None and login_seuser(account) != args["seuser"]:
        change["seuser"] = args["seuser"]
    if args["login_class"] is not None and args["login_class"] != getattr(account.shadow, "login_class", None):
        change["login_class"] = args["login_class"]
    change.update(expiry_change(account))
    change.update(lock_change(account))
    if change:
        account.do(account.programs.change_user, account.name, change)
    change_password(account)
    set_ages(account)


def group_change(account):
    """Give the change of the further groups, {} for none."""
    if account.args["groups"] is None:
        return {}
    have = set(accounts.groups_of(account.name, account.entry.pw_gid, account.args["local"]))
    wanted, append = account.wanted_groups(), account.args["append"]
    primary = accounts.find_group(account.entry.pw_gid, account.args["local"])
    if primary is not None:
        wanted.discard(primary.gr_name)
    missing, surplus = wanted - have, set() if append else have - wanted
    if not missing and not surplus:
        return {}
    return {"groups": wanted, "have": have, "add_groups": missing, "drop_groups": surplus, "append": append}


def expiry_change(account):
    """Give the change of the day on which the account expires."""
    seconds = account.args["expires"]
    if seconds is None:
        return {}
    have = account.shadow.expires if account.shadow is not None else None
    if seconds < 0:
        return {"expires": seconds} if have is not None and have >= 0 else {}
    return {"expires": seconds} if have != int(seconds // 86400) else {}


def lock_change(account):
    """Give the change that locks or unlocks."""
    wanted = account.args["password_lock"]
    if wanted is None or account.shadow is None or wanted == account.shadow.locked:
        return {}
    return {"lock": wanted}


def change_password(account):
    """Store the password where it is another one."""
    wanted = account.args["password"]
    if wanted is None or account.args["update_password"] == "on_create" or not accounts.may_read_shadow():
        return
    have = account.shadow.hashed if account.shadow is not None else ""
    if have == wanted.lstrip("!"):
        return
    locked = account.args["password_lock"] or (account.args["password_lock"] is None and wanted.startswith("!"))
    set_password(account, ("!" if locked else "") + wanted.lstrip("!"))


def login_seuser(account):
    """Give the SELinux user that the login maps to."""
    rc, out, _ = account.module.run_command(["semanage", "login", "-l", "-n"])
    for line in out.splitlines() if rc == 0 else ():
        words = line.split()
        if words and words[0] == account.name:
            return words[1]
    return None


def home_directory(account):
    """Make the home directory of a user where it is missing."""
    args = account.args
    if not args["create_home"]:
        return
    home = args["home"] or (account.entry.pw_dir if account.entry is not None else None)
    if home is None or os.path.exists(home):
        return
    account.changed = True
    if account.module.check_mode:
        return
    skeleton = args["skeleton"] or "/etc/skel"
    try:
        os.makedirs(os.path.dirname(home), exist_ok=True)
        if os.path.isdir(skeleton):
            shutil.copytree(skeleton, home, symlinks=True)
        else:
            os.mkdir(home)
        mask = int(args["umask"], 8) if args["umask"] else login_umask()
        os.chmod(home, 0o777 & ~mask)
        give_away(home, account.entry.pw_uid, account.entry.pw_gid)
    except (OSError, ValueError, shutil.Error) as error:
        account.module.fail("cannot make the home directory %s: %s" % (home, error))


def login_umask():
    """Give the umask that /etc/login.defs has for homes."""
    try:
        with open("/etc/login.defs") as stream:
            found = re.search(r"^\s*UMASK\s+(\d+)", stream.read(), re.MULTILINE)
    except OSError:
        found = None
    return int(found.group(1), 8) if found else 0o22


def give_away(path, uid, gid):
    """Make a user the owner of a directory and all in it."""
    os.lchown(path, uid, gid)
    for _, directories, names, held in os.fwalk(path):
        for name in directories + names:
            os.chown(name, uid, gid, dir_fd=held, follow_symlinks=False)


def ssh_key(account, result):
    """Make the user's SSH key where it is missing, and tell what it is."""
    args = account.args
    home = account.entry.pw_dir if account.entry is not None else args["home"] or "/home/" + account.name
    path = os.path.join(home, args["ssh_key_file"] or ".ssh/id_" + args["ssh_key_type"])
    if os.path.exists(path):
        pass
    elif account.module.check_mode:
        account.changed = True
    else:
        make_key(account, home, path)
    result["ssh_key_file"] = path
    result.update(ssh_public_key=None, ssh_fingerprint="")
    if os.path.exists(path + ".pub"):
        result["ssh_public_key"] = files.read_bytes(path + ".pub").decode("utf-8", "replace").strip()
    if os.path.exists(path):
        rc, out, err = account.module.run_command(["ssh-keygen", "-l", "-f", path])
        result["ssh_fingerprint"] = out.strip() if rc == 0 else err.strip()


def make_key(account, home, path):
    """Run ssh-keygen and give what it made to the user."""
    args, entry = account.args, account.entry
    if not os.path.isdir(home):
        account.module.fail("the home directory %s is not there, an SSH key needs it" % home)
    directory = os.path.dirname(path)
    for made in files.make_directories(directory, 0o700):
        os.lchown(made, entry.pw_uid, entry.pw_gid)
    comment = args["ssh_key_comment"].replace("$HOSTNAME", os.uname().nodename)
    words = ["-q", "-t", args["ssh_key_type"], "-C", comment, "-f", path]
    if args["ssh_key_bits"]:
        words += ["-b", str(args["ssh_key_bits"])]
    if args["ssh_key_passphrase"]:
        secret = args["ssh_key_passphrase"] + "\n"
        account.do(account.programs.run, "ssh-keygen", *words, stdin=secret + secret)
    else:
        account.do(account.programs.run, "ssh-keygen", *words + ["-N", ""])
    for name in (path, path + ".pub"):
        os.lchown(name, entry.pw_uid, entry.pw_gid)


def absent(account):
    """Remove the user."""
    args = account.args
    result = {"name": account.name, "state": "absent"}
    if account.entry is not None and account.module.check_mode:
        account.changed = True
        return {}
    if account.entry is not None:
        account.do(account.programs.remove_user, account.name)
        result.update(force=args["force"], remove=args["remove"])
    return result


def present(account):
    """Make or change the user."""
    args = account.args
    result = {"name": account.name, "state": "present"}
    if account.entry is None:
        create(account)
        if account.module.check_mode:
            return {}
        result.update(create_home=args["create_home"], system=args["system"])
    else:
        modify(account)
        result.update(append=args["append"], move_home=args["move_home"])
    if args["password"] is not None:
        result["password"] = "NOT_LOGGING_PASSWORD"
    if not account.module.check_mode:
        account.look()
    if account.entry is not None:
        home_directory(account)
        entry = account.entry
        result.update(uid=entry.pw_uid, group=entry.pw_gid, comment=entry.pw_gecos, home=entry.pw_dir)
        result["shell"] = entry.pw_shell
        result["groups"] = ",".join(accounts.groups_of(account.name, entry.pw_gid, args["local"]))
    if args["generate_ssh_key"]:
        ssh_key(account, result)
    return result


def run(module):
    """Bring the user into the wanted state."""
    args = module.args
    for name in [name for name in _FOREIGN if args[name] is not None]:
        module.warn("%s changes nothing: it is for %s" % (name, _FOREIGN[name]))
    if args["password"] is not None and not re.match(r"[!*]*$|!?\$\w+\$|!?[./0-9A-Za-z]{13}$|!?_", args["password"]):
        module.warn("the password does not look hashed: give what password_hash makes of it")
    if args["seuser"] is not None and os.uname().sysname == "Linux" and not files.selinux_enabled():
        module.warn("seuser changes nothing: SELinux is not enabled on this host")
        args["seuser"] = None
    account = Account(module)
    if args["login_class"] is not None and not account.programs.login_classes:
        module.warn("login_class changes nothing: it is for BSD")
        args["login_class"] = None
    ages = [option for option, _, _ in _AGES if args[option] is not None]
    if ages and not account.programs.ages:
        module.fail("this host has no chage, which %s needs: install the package shadow" % ", ".join(ages))
    result = absent(account) if args["state"] == "absent" else present(account)
    for key, text in (("stdout", account.programs.out), ("stderr", account.programs.err)):
        if text:
            result[key] = text
    return dict(result, changed=account.changed)


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
