"""Keep single rules, chains and policies of iptables and ip6tables."""

OPTIONS = {
    "options": {
        "table": {
            "type": "str",
            "default": "filter",
            "choices": ["filter", "nat", "mangle", "raw", "security"],
            "doc": "The table.",
        },
        "state": {"type": "str", "default": "present", "choices": ["absent", "present"], "doc": "Shall it be there?"},
        "action": {
            "type": "str",
            "default": "append",
            "choices": ["append", "insert"],
            "doc": "Put a new rule at the end of the chain or at its top.",
        },
        "rule_num": {"type": "str", "doc": "Position for action=insert."},
        "ip_version": {"type": "str", "default": "ipv4", "choices": ["ipv4", "ipv6", "both"], "doc": "Which IP."},
        "chain": {"type": "str", "doc": "The chain."},
        "chain_management": {
            "type": "bool",
            "default": False,
            "doc": "Make the chain where it is not there; remove it where the task names nothing else.",
        },
        "protocol": {"type": "str", "doc": "Protocol, by name or number; ! before it inverts."},
        "source": {"type": "str", "doc": "Source address or network; ! before it inverts."},
        "destination": {"type": "str", "doc": "Destination address or network; ! before it inverts."},
        "tcp_flags": {
            "type": "dict",
            "doc": "Flags of TCP that must be set among those looked at.",
            "suboptions": {
                "flags": {"type": "list", "elements": "str", "doc": "Flags to look at."},
                "flags_set": {"type": "list", "elements": "str", "doc": "Those of them that must be set."},
            },
        },
        "match": {"type": "list", "elements": "str", "default": [], "doc": "Match extensions to load."},
        "jump": {"type": "str", "doc": "Target of the rule."},
        "gateway": {"type": "str", "doc": "Address to send copies to, for jump=TEE."},
        "log_prefix": {"type": "str", "doc": "Text before logged lines, for jump=LOG."},
        "log_level": {
            "type": "str",
            "choices": [
                "0",
                "1",
                "2",
                "3",
                "4",
                "5",
                "6",
                "7",
                "emerg",
                "alert",
                "crit",
                "error",
                "warning",
                "notice",
                "info",
                "debug",
            ],
            "doc": "Level of logged lines, for jump=LOG.",
        },
        "goto": {"type": "str", "doc": "Chain to go on in without coming back."},
        "in_interface": {"type": "str", "doc": "Interface that packets come in by; ! before it inverts."},
        "out_interface": {"type": "str", "doc": "Interface that packets leave by; ! before it inverts."},
        "fragment": {"type": "str", "doc": "Second and further fragments; ! inverts."},
        "set_counters": {"type": "str", "doc": "Packet and byte counters to begin with."},
        "source_port": {"type": "str", "doc": "Source port or range first:last."},
        "destination_port": {"type": "str", "doc": "Destination port or range first:last."},
        "destination_ports": {"type": "list", "elements": "str", "default": [], "doc": "Several destination ports."},
        "to_ports": {"type": "str", "doc": "Port or range to redirect to."},
        "to_destination": {"type": "str", "doc": "New destination, for DNAT."},
        "to_source": {"type": "str", "doc": "New source, for SNAT."},
        "syn": {
            "type": "str",
            "default": "ignore",
            "choices": ["ignore", "match", "negate"],
            "doc": "Whether packets that open a TCP connection match.",
        },
        "set_dscp_mark": {"type": "str", "doc": "DSCP value to mark packets with; needs jump=DSCP."},
        "set_dscp_mark_class": {"type": "str", "doc": "DSCP class to mark packets with; needs jump=DSCP."},
        "comment": {"type": "str", "doc": "Comment of the rule."},
        "ctstate": {"type": "list", "elements": "str", "default": [], "doc": "States of the connection."},
        "src_range": {"type": "str", "doc": "Range of source addresses."},
        "dst_range": {"type": "str", "doc": "Range of destination addresses."},
        "match_set": {"type": "str", "doc": "Name of an ipset; ! before it inverts."},
        "match_set_flags": {
            "type": "str",
            "choices": ["src", "dst", "src,dst", "dst,src", "dst,dst", "src,src"],
            "doc": "Which address is looked for in the set.",
        },
        "limit": {"type": "str", "doc": "Average rate of matches, such as 5/minute."},
        "limit_burst": {"type": "str", "doc": "Matches before the limit counts."},
        "uid_owner": {"type": "str", "doc": "User that the sending process runs as; ! before it inverts."},
        "gid_owner": {"type": "str", "doc": "Group that the sending process runs as."},
        "reject_with": {"type": "str", "doc": "Kind of answer to rejected packets; means jump=REJECT."},
        "icmp_type": {"type": "str", "doc": "Type of ICMP."},
        "flush": {"type": "bool", "default": False, "doc": "Remove all rules of the chain, or of the table."},
        "policy": {"type": "str", "choices": ["ACCEPT", "DROP", "QUEUE", "RETURN"], "doc": "Policy of the chain."},
        "wait": {"type": "str", "doc": "Seconds to wait for the lock of the tables."},
        "numeric": {"type": "bool", "default": False, "doc": "Resolve no names when rules are listed."},
    },
    "mutually_exclusive": [["set_dscp_mark", "set_dscp_mark_class"], ["flush", "policy"]],
    "required_by": {"set_dscp_mark": ["jump"], "set_dscp_mark_class": ["jump"], "match_set": ["match_set_flags"]},
    "required_if": [
        ["flush", False, ["chain"]],
        ["jump", "TEE", ["gateway"]],
        ["jump", "tee", ["gateway"]],
    ],
    "check_mode": "full",
    "diff": False,
    "identity": ["table", "chain", "ip_version"],
    "absent_undoes": True,
    "platforms": "linux",
    "returns": {
        "rule": "The rule as words of iptables.",
        "chain": "The chain.",
        "table": "The table.",
        "ip_version": "The version of IP.",
        "flush": "Whether rules were to be flushed.",
        "state": "The state.",
        "wait": "As the option.",
        "chain_management": "As the option.",
    },
}

PROGRAMS = {"ipv4": ("iptables",), "ipv6": ("ip6tables",), "both": ("iptables", "ip6tables")}


class Rule:
    """Words of a rule, added option by option."""

    def __init__(self):
        """Begin with none."""
        self.words = []

    def add(self, flag, value):
        """Add `flag value` where there is a value; a leading ! goes before the flag."""
        if value is None or value == "":
            return
        if value.startswith("!"):
            self.words += ["!", flag, value[1:].lstrip()]
        else:
            self.words += [flag, value]

    def plain(self, flag, value):
        """Add `flag value` as it stands, where there is a value."""
        if value is not None:
            self.words += [flag, value]

    def match(self, name, wanted):
        """Load an extension where it is needed."""
        if wanted:
            self.words += ["-m", name]


def conditions(rule, args):
    """Add protocol, addresses and the extensions that the task names."""
    rule.plain("-w", args["wait"])
    rule.add("-p", args["protocol"])
    rule.add("-s", args["source"])
    rule.add("-d", args["destination"])
    for name in args["match"]:
        rule.match(name, True)
    flags = args["tcp_flags"]
    if flags:
        if not flags.get("flags") or not flags.get("flags_set"):
            raise ValueError("tcp_flags needs both flags and flags_set")
        rule.words += ["--tcp-flags", ",".join(flags["flags"]), ",".join(flags["flags_set"])]


def target(rule, args):
    """Add what happens to a packet."""
    jump = args["jump"]
    if args["reject_with"] is not None and jump is None:
        jump = "REJECT"
    if (args["log_prefix"] is not None or args["log_level"] is not None) and jump is None:
        jump = "LOG"
    rule.add("-j", jump)
    if (jump or "").lower() == "tee":
        rule.plain("--gateway", args["gateway"])
    rule.plain("--log-prefix", args["log_prefix"])
    rule.plain("--log-level", args["log_level"])
    rule.plain("--to-destination", args["to_destination"])
    if args["destination_ports"]:
        rule.match("multiport", "multiport" not in args["match"])
        rule.words += ["--dports", ",".join(args["destination_ports"])]
    rule.plain("--to-source", args["to_source"])
    rule.plain("-g", args["goto"])


def packet(rule, args):
    """Add conditions on interface, ports and flags."""
    rule.add("-i", args["in_interface"])
    rule.add("-o", args["out_interface"])
    if args["fragment"] is not None:
        rule.words += ["!", "-f"] if args["fragment"].startswith("!") else ["-f"]
    if args["set_counters"] is not None:
        rule.words += ["-c"] + args["set_counters"].replace(",", " ").split()
    rule.add("--source-port", args["source_port"])
    rule.add("--destination-port", args["destination_port"])
    rule.plain("--to-ports", args["to_ports"])
    rule.plain("--set-dscp", args["set_dscp_mark"])
    rule.plain("--set-dscp-class", args["set_dscp_mark_class"])
    if args["syn"] != "ignore":
        rule.words += ["--syn"] if args["syn"] == "match" else ["!", "--syn"]


def extensions(rule, args):
    """Add conditions of extensions, loading them where the task does not."""
    given = args["match"]
    if args["ctstate"]:
        states = ",".join(args["ctstate"])
        rule.match("conntrack", "conntrack" not in given and "state" not in given)
        rule.words += ["--state" if "state" in given and "conntrack" not in given else "--ctstate", states]
    if args["src_range"] or args["dst_range"]:
        rule.match("iprange", "iprange" not in given)
        rule.add("--src-range", args["src_range"])
        rule.add("--dst-range", args["dst_range"])
    if args["match_set"]:
        rule.match("set", "set" not in given)
        rule.add("--match-set", args["match_set"])
        rule.words.append(args["match_set_flags"])
    rule.match("limit", (args["limit"] or args["limit_burst"]) and "limit" not in given)
    rule.plain("--limit", args["limit"])
    rule.plain("--limit-burst", args["limit_burst"])
    rule.match("owner", (args["uid_owner"] or args["gid_owner"]) and "owner" not in given)
    rule.add("--uid-owner", args["uid_owner"])
    rule.add("--gid-owner", args["gid_owner"])
    rule.plain("--reject-with", args["reject_with"])


def words_of(args, version):
    """Give the rule's words, the wait for the lock first. Raises ValueError."""
    rule = Rule()
    conditions(rule, args)
    target(rule, args)
    packet(rule, args)
    extensions(rule, args)
    rule.plain("--icmpv6-type" if version == "ipv6" else "--icmp-type", args["icmp_type"])
    if args["comment"] is not None:
        rule.match("comment", "comment" not in args["match"])
        rule.words += ["--comment", args["comment"]]
    return rule.words


class Tables:
    """One of the two programs, on the task's table and chain."""

    def __init__(self, module, program):
        """Find the program; raises ModuleFailed."""
        self.module = module
        self.args = module.args
        self.program = module.find_program(program, required=True)

    def call(self, action, rest=(), check=True, chain=True):
        """Run the program; gives (rc, stdout)."""
        argv = [self.program, "-t", self.args["table"], action]
        if chain and self.args["chain"]:
            argv.append(self.args["chain"])
        rc, out, err = self.module.run_command(argv + list(rest))
        if check and rc != 0:
            shown = " ".join(argv + list(rest))
            self.module.fail((err or out).strip(), rc=rc, cmd=shown, stdout=out, stderr=err)
        return rc, out

    def listing(self, check=True):
        """List the chain; gives (rc, stdout)."""
        return self.call("-L", ["--numeric"] if self.args["numeric"] else [], check=check)

    def policy(self):
        """Give the policy of the chain, None for a chain of the user's."""
        head = self.listing()[1].splitlines()[0]
        return head.split("(policy ", 1)[1].split()[0].rstrip(")") if "(policy " in head else None

    def has_chain(self):
        """Tell whether the chain is there."""
        return self.listing(check=False)[0] == 0

    def has_rule(self, words):
        """Tell whether the rule is there."""
        return self.call("-C", words, check=False)[0] == 0


def set_policy(tables, policy):
    """Set the chain's policy; tells whether that changes it."""
    have = tables.policy()
    if have is None:
        tables.module.fail("the chain %s is not a built-in one and can have no policy" % tables.args["chain"])
    if have != policy and not tables.module.check_mode:
        tables.call("-P", [policy])
    return have != policy


def manage_chain(tables):
    """Make or remove the chain itself; tells whether that changes anything."""
    present = tables.args["state"] == "present"
    if tables.has_chain() == present:
        return False
    if not tables.module.check_mode:
        tables.call("-N" if present else "-X")
    return True


def manage_rule(tables, words):
    """Add or remove the rule; tells whether that changes anything."""
    args = tables.args
    present = args["state"] == "present"
    made = False
    if args["chain_management"] and present and not tables.has_chain():
        made = True
        if tables.module.check_mode:
            return True
        tables.call("-N")
    if tables.has_rule(words) == present:
        return made
    if tables.module.check_mode:
        return True
    if not present:
        tables.call("-D", words)
    elif args["action"] == "insert":
        tables.call("-I", ([args["rule_num"]] if args["rule_num"] else []) + words)
    else:
        tables.call("-A", words)
    return True


def run(module):
    """Bring rule, chain or policy into the wanted state."""
    args = module.args
    if (args["log_prefix"] is not None or args["log_level"] is not None) and args["jump"] not in (None, "LOG"):
        module.fail("log_prefix and log_level belong to jump=LOG, not to jump=%s" % args["jump"])
    result = {
        name: args[name] for name in ("chain", "chain_management", "flush", "ip_version", "state", "table", "wait")
    }
    result["changed"] = False
    try:
        words = words_of(args, args["ip_version"])
    except ValueError as error:
        module.fail(str(error))
    shown = words[2:] if args["wait"] is not None else words
    result["rule"] = " ".join(shown)
    for program in PROGRAMS[args["ip_version"]]:
        tables = Tables(module, program)
        if args["flush"]:
            result["changed"] = True
            if not module.check_mode:
                tables.call("-F")
        elif args["policy"]:
            result["changed"] = set_policy(tables, args["policy"]) or result["changed"]
        elif not shown:
            if args["chain_management"]:
                result["changed"] = manage_chain(tables) or result["changed"]
            elif not tables.has_chain() and args["state"] == "present":
                module.fail("there is no chain %s in the table %s" % (args["chain"], args["table"]))
        else:
            rule = words_of(args, "ipv6" if program == "ip6tables" else "ipv4")
            result["changed"] = manage_rule(tables, rule) or result["changed"]
    return result


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
