"""Dictionaries: their keys in other cases, merged, compared."""

import re
from collections.abc import MutableMapping
from copy import deepcopy


def camel_dict_to_snake_dict(camel_dict, reversible=False, ignore_list=()):
    """Give a mapping with its keys and those in it in snake_case. What its keys in `ignore_list` hold stays as it is.

    HTTPEndpoint becomes http_endpoint; with `reversible` h_t_t_p_endpoint, from which it can be made again.
    """

    def convert(value):
        if isinstance(value, list):
            return [convert(item) if isinstance(item, (dict, list)) else item for item in value]
        return camel_dict_to_snake_dict(value, reversible) if isinstance(value, dict) else value

    return {
        _camel_to_snake(key, reversible=reversible): value if key in ignore_list else convert(value)
        for key, value in camel_dict.items()
    }


def snake_dict_to_camel_dict(snake_dict, capitalize_first=False):
    """Give a mapping with its keys, and those in it, in dromedaryCase, or with `capitalize_first` in CamelCase."""

    def convert(value):
        if isinstance(value, dict):
            return {_snake_to_camel(key, capitalize_first): convert(item) for key, item in value.items()}
        if isinstance(value, list):
            return [convert(item) for item in value]
        return value

    return convert(snake_dict)


def _snake_to_camel(snake, capitalize_first=False):
    """Give a word in dromedaryCase, or with `capitalize_first` in CamelCase."""
    first, *rest = snake.split("_")
    head = first.capitalize() or "_" if capitalize_first else first
    return head + "".join(word.capitalize() or "_" for word in rest)


def _camel_to_snake(name, reversible=False):
    """Give a word in snake_case. Without `reversible` a run of capitals is one word, a plural's s included (ARNs)."""
    if reversible:
        snake = re.sub(r"([A-Z])", r"_\1", name).lower()
        return snake[1:] if snake.startswith("_") and not name.startswith("_") else snake
    text = re.sub(r"[A-Z]{3,}s$", lambda run: "_" + run.group().lower(), name)
    text = re.sub(r"(.)([A-Z][a-z]+)", r"\1_\2", text)
    text = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", text).lower()
    return text[1:] if text.startswith("_") and not name.startswith("_") else text


def dict_merge(a, b):
    """Give `a` with `b` merged into it, mappings within as well; `b` wins."""
    if not isinstance(b, dict):
        return b
    result = deepcopy(a)
    for key, value in b.items():
        if isinstance(result.get(key), dict):
            result[key] = dict_merge(result[key], value)
        else:
            result[key] = deepcopy(value)
    return result


def recursive_diff(dict1, dict2):
    """Give what differs as (only or other in the first, only or other in the second); None where nothing does."""
    if not all(isinstance(side, MutableMapping) for side in (dict1, dict2)):
        raise TypeError("only mappings can be compared, not %r and %r" % (dict1, dict2))
    left = {key: value for key, value in dict1.items() if key not in dict2}
    right = {key: value for key, value in dict2.items() if key not in dict1}
    for key in dict1.keys() & dict2.keys():
        one, two = dict1[key], dict2[key]
        if isinstance(one, dict) and isinstance(two, dict):
            inner = recursive_diff(one, two)
            if inner:
                left[key], right[key] = inner
        elif one != two:
            left[key], right[key] = one, two
    return (left, right) if left or right else None
