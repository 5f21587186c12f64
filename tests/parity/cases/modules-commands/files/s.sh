#!/bin/sh
echo "script $*"
exit 0
