#!/usr/bin/python
"""A module that says which collection it is of."""

import json
import sys

json.dump({"changed": False, "msg": "own.one"}, sys.stdout)
