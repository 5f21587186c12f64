#!nosuchpython
import json

print(json.dumps({"said": "hello"}))
