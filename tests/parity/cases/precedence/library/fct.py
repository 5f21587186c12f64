#!/usr/bin/python3
import json
print(json.dumps({"changed":False,"ansible_facts":{"v09":"fact", "v10":"fact", "vall":"fact"}}))
