"""Words of `key=value` lines."""


def is_quoted(data):
    """Tell whether text begins and ends with the same quote."""
    return len(data) > 1 and data[0] == data[-1] and data[0] in ("'", '"') and data[-2] != "\\"


def unquote(data):
    """Give text without the quotes around it."""
    return data[1:-1] if is_quoted(data) else data


def split_args(args):
    """Give the words of a line: quotes and Jinja's braces hold blanks together and stay. Raises Exception."""
    words, word, quote, depth = [], "", "", 0
    index = 0
    while index < len(args):
        char, pair = args[index], args[index : index + 2]
        if quote:
            quote = "" if char == quote and args[index - 1] != "\\" else quote
        elif pair in ("{{", "{%", "{#", "}}", "%}", "#}"):
            depth += 1 if pair[0] == "{" else -1
            word += pair
            index += 2
            continue
        elif char in "'\"" and not depth:
            quote = char
        elif char in " \t\n" and depth <= 0:
            if word:
                words.append(word)
            word = ""
            index += 1
            continue
        word += char
        index += 1
    if quote or depth > 0:
        raise Exception("a quote or a brace is never closed in: %s" % args)  # noqa: TRY002  # importers catch it
    return [*words, word] if word else words
