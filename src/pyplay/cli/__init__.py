"""Command line: parse options, build objects, map exceptions to exit codes."""
