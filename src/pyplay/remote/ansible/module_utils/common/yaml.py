"""YAML, where the host has it."""

from functools import partial

try:
    import yaml
except ImportError:
    HAS_YAML = HAS_LIBYAML = False
    SafeLoader = SafeDumper = Parser = None
    yaml_load = yaml_load_all = yaml_dump = yaml_dump_all = None
else:
    HAS_YAML = True
    HAS_LIBYAML = hasattr(yaml, "CSafeLoader")
    SafeLoader = yaml.CSafeLoader if HAS_LIBYAML else yaml.SafeLoader
    SafeDumper = yaml.CSafeDumper if HAS_LIBYAML else yaml.SafeDumper
    yaml_load = partial(yaml.load, Loader=SafeLoader)
    yaml_load_all = partial(yaml.load_all, Loader=SafeLoader)
    yaml_dump = partial(yaml.dump, Dumper=SafeDumper)
    yaml_dump_all = partial(yaml.dump_all, Dumper=SafeDumper)
