"""The first words a host's Python hears: so few that they fit a command line.

The program prints the marker, its version, its bytecode's name and its path, then reads the Runner from standard input
(eight hexadecimal digits of length, then, by zlib and marshal, the program `sources` and the parts that it imports) and
becomes it. It holds neither a single quote, a backslash, a newline nor an exclamation mark, so that sh, csh and fish
take it in single quotes unchanged. Python 2 and 3.5 end with `TOO_OLD`.
"""

TOO_OLD = 77

BOOTSTRAP = (
    "import sys,os,zlib,marshal;v=sys.version_info;v<(3,6)and sys.exit(77);"
    "n=chr(10);"
    'm=getattr(sys.modules.get("_frozen_importlib_external"),"MAGIC_NUMBER",b"").hex();'
    'h=" %d.%d.%d %s-%s "%(v[:3]+(sys.implementation.cache_tag,m));'
    'os.write(1,(n+sys.argv[1]+h+sys.executable+n).encode("utf-8","surrogateescape"));'
    'r=lambda k:(lambda b:b+r(k-len(b))if b else b)(os.read(0,min(k,65536)))if k else b"";'
    "s,PARTS=marshal.loads(zlib.decompress(r(int(r(8),16))));"
    'exec(compile(s,"pyplay-runner","exec")if type(s)is bytes else s)'
)
