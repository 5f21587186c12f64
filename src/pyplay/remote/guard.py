"""The watchdog beside a Runner: it sleeps until the Runner is dead, then ends what the Runner could not end itself.

Both share a table of slots, one per running call: the process group and the temporary directory. A Runner that ends as
it should leaves an empty table. Without this, `kill -9` of the Runner would leave its modules running. Keeping the
table costs a call two writes into memory and no system call. Python 3.6 and up.
"""

import _signal  # see `runner`
import mmap
import os
import time

SLOT = 512
SLOTS = 128
GRACE = 5


def kill_group(pid, number):
    """Signal the process group that `pid` leads; gives whether there was one."""
    try:
        os.killpg(pid, number)
    except OSError:
        return False
    return True


def kill_one(pid):
    """Kill a single process, if it is still there."""
    try:
        os.kill(pid, _signal.SIGKILL)
    except OSError:
        return


def remove_tree(path):
    """Remove a directory with all that is in it; what cannot be removed stays."""
    for folder, folders, files in os.walk(path, topdown=False):
        for name in folders + files:
            full = os.path.join(folder, name)
            try:
                (os.rmdir if os.path.isdir(full) and not os.path.islink(full) else os.unlink)(full)
            except OSError:
                continue
    try:
        os.rmdir(path)
    except OSError:
        return


class Guard:
    """The table, seen from the Runner."""

    def __init__(self):
        self.table = mmap.mmap(-1, SLOT * SLOTS)
        self.free = list(range(SLOTS))
        self.descriptor = -1

    def start(self):
        """Fork the watchdog. Its only tie to the Runner is a pipe whose end-of-file means that the Runner is dead."""
        near, self.descriptor = os.pipe()
        if os.fork():
            os.close(near)
            return
        try:
            os.setsid()
            os.close(self.descriptor)
            null = os.open("/dev/null", os.O_RDWR)
            for number in (0, 1, 2):
                os.dup2(null, number)
            os.chdir("/")
            for number in (_signal.SIGTERM, _signal.SIGHUP, _signal.SIGINT):
                _signal.signal(number, _signal.SIG_IGN)
            os.read(near, 1)
            self.clean()
        finally:
            os._exit(0)

    def note(self, pid, folder):
        """Write a running call down; gives its slot, None if the table is full."""
        if not self.free:
            return None
        slot = self.free.pop()
        text = ("%d %s" % (pid, folder or "")).encode("utf-8", "surrogateescape")[: SLOT - 1]
        at = slot * SLOT
        self.table[at : at + len(text) + 1] = text + b"\0"
        return slot

    def clear(self, slot):
        """A call has ended."""
        if slot is not None:
            self.table[slot * SLOT : slot * SLOT + 1] = b"\0"
            self.free.append(slot)

    def noted(self):
        """Give (process group, directory) of every call in the table."""
        for at in range(0, SLOT * SLOTS, SLOT):
            text = bytes(self.table[at : at + SLOT]).split(b"\0", 1)[0]
            if text:
                pid, folder = text.decode("utf-8", "surrogateescape").split(" ", 1)
                yield int(pid), folder

    def clean(self):
        """End the calls in the table and remove their directories."""
        calls = list(self.noted())
        left = [pid for pid, _folder in calls if kill_group(pid, _signal.SIGTERM)]
        until = time.monotonic() + GRACE
        while left and time.monotonic() < until:
            time.sleep(0.1)
            left = [pid for pid in left if kill_group(pid, 0)]
        for pid in left:
            kill_group(pid, _signal.SIGKILL)
        for _pid, folder in calls:
            if folder:
                remove_tree(folder)
