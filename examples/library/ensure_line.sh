#!/bin/sh
# WANT_JSON
# A user's module in shell: keep a line in a file. The arguments come as JSON in the file named by $1, JSON goes out.
option() { sed -n "s/.*\"$1\": *\"\([^\"]*\)\".*/\1/p" "$2" | head -n 1; }

path=$(option path "$1")
line=$(option line "$1")
if [ -z "$path" ]; then
    echo '{"failed": true, "msg": "path is missing"}'
    exit 1
fi
if grep -qxF -- "$line" "$path" 2>/dev/null; then
    echo '{"changed": false}'
    exit 0
fi
if ! grep -q '"_ansible_check_mode": *true' "$1"; then
    printf '%s\n' "$line" >>"$path" || exit 1
fi
echo '{"changed": true, "msg": "line added"}'
