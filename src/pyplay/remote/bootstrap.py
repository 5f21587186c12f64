"""The first words a host's Python hears: so few that they fit a command line.

The program prints the marker, its version and its path, then reads the Runner (eight hexadecimal digits of length, then
zlib-compressed source) from standard input and becomes it. It holds neither a single quote, a backslash, a newline nor
an exclamation mark, so that sh, csh and fish take it in single quotes unchanged. Python 2 and 3.5 end with `TOO_OLD`.
"""

TOO_OLD = 77

BOOTSTRAP = (
    "import sys,os,zlib;v=sys.version_info;v<(3,6)and sys.exit(77);"
    "n=chr(10);"
    'os.write(1,(n+sys.argv[1]+" %d.%d.%d "%v[:3]+sys.executable+n).encode("utf-8","surrogateescape"));'
    'r=lambda k:(lambda b:b+r(k-len(b))if b else b)(os.read(0,min(k,65536)))if k else b"";'
    'exec(compile(zlib.decompress(r(int(r(8),16))),"pyplay-runner","exec"))'
)
