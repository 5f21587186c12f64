#!/bin/sh
echo '{"changed": true, "msg": "of another role"}'
