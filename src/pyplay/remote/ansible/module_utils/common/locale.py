"""Which locale makes programs speak English in UTF-8."""


def get_best_parsable_locale(module, preferences=None, raise_on_locale=False):
    """Give the first of `preferences` (C.utf8, C.UTF-8, en_US.utf8, en_US.UTF-8, C, POSIX) that the host has, else C.

    Raises RuntimeWarning where it cannot be found out and `raise_on_locale` is set.
    """
    wanted = preferences or ("C.utf8", "C.UTF-8", "en_US.utf8", "en_US.UTF-8", "C", "POSIX")
    try:
        program = module.get_bin_path("locale")
        if not program:
            raise RuntimeWarning("the program `locale` is not there")
        rc, out, err = module.run_command([program, "-a"])
        if rc != 0:
            raise RuntimeWarning("`locale -a` ended with status %d: %s" % (rc, err))
    except RuntimeWarning:
        if raise_on_locale:
            raise
        return "C"
    there = out.strip().splitlines()
    return next((name for name in wanted if name in there), "C")
