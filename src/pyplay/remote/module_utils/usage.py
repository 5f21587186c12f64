"""Sizes and free room of a file system."""

import os


def usage(path: str) -> dict:
    """Give sizes (bytes) and counts of blocks and inodes at `path`, {} where it cannot be asked."""
    try:
        status = os.statvfs(path)
    except OSError:
        return {}
    return {
        "size_total": status.f_frsize * status.f_blocks,
        "size_available": status.f_frsize * status.f_bavail,
        "block_size": status.f_bsize,
        "block_total": status.f_blocks,
        "block_available": status.f_bavail,
        "block_used": status.f_blocks - status.f_bavail,
        "inode_total": status.f_files,
        "inode_available": status.f_favail,
        "inode_used": status.f_files - status.f_favail,
    }


def usage_in_time(path: str, timeout: float) -> object:
    """Give the usage of a file system that may hang (a dead NFS server), None if `timeout` seconds are not enough."""
    import threading  # noqa: PLC0415  # only with network file systems and timeouts

    answer = []
    thread = threading.Thread(target=lambda: answer.append(usage(path)), daemon=True)
    thread.start()
    thread.join(timeout)
    return answer[0] if answer else None
