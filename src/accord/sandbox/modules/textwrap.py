"""Filling and indenting paragraphs."""

import re


def dedent(text):
    lines = [line if line.strip() else "" for line in text.split("\n")]
    margin = None
    for line in lines:
        if not line:
            continue
        indent = line[: len(line) - len(line.lstrip())]
        if margin is None:
            margin = indent
        same = 0
        while same < min(len(margin), len(indent)) and margin[same] == indent[same]:
            same += 1
        margin = margin[:same]
    return "\n".join([line[len(margin or "") :] for line in lines])


def indent(text, prefix, predicate=None):
    wanted = predicate or (lambda line: bool(line.strip()))
    return "".join([prefix + line if wanted(line) else line for line in text.splitlines(True)])


def _chunks(text, break_on_hyphens):
    found = []
    for word in re.findall(r"\s+|\S+", text):
        if break_on_hyphens and "-" in word:
            found += [part for part in re.split(r"(?<=[^\W\d_]{2}-)(?=[^\W\d_]{2})", word) if part]
        else:
            found.append(word)
    return found


def wrap(
    text,
    width=70,
    *,
    initial_indent="",
    subsequent_indent="",
    break_long_words=True,
    break_on_hyphens=True,
    max_lines=None,
    placeholder=" [...]",
):
    if width <= 0:
        raise ValueError(f"invalid width {width!r} (must be > 0)")
    left = _chunks(re.sub(r"[\t\n\x0b\x0c\r]", " ", text.expandtabs(8)), break_on_hyphens)
    left.reverse()
    lines = []
    while left:
        margin = subsequent_indent if lines else initial_indent
        room = width - len(margin)
        if lines and not left[-1].strip():
            left.pop()
        line, size = [], 0
        while left and size + len(left[-1]) <= room:
            size += len(left[-1])
            line.append(left.pop())
        if left and len(left[-1]) > room:
            size = _long_word(left, line, size, room, break_long_words)
        if line and not line[-1].strip():
            size -= len(line.pop())
        if not line:
            continue
        if max_lines is None or len(lines) + 1 < max_lines or (not _more(left) and size <= room):
            lines.append(margin + "".join(line))
            continue
        lines += _last_line(lines, line, size, room, margin, placeholder, width)
        break
    return lines


def _more(left):
    return any([chunk.strip() for chunk in left])


def _long_word(left, line, size, room, break_long_words):
    word = left[-1]
    if break_long_words:
        space = room - size if room >= 1 else 1
        line.append(word[:space])
        left[-1] = word[space:]
        return size + space
    if not line:
        line.append(left.pop())
    return size


def _last_line(lines, line, size, room, margin, placeholder, width):
    while line:
        if line[-1].strip() and size + len(placeholder) <= room:
            return [margin + "".join(line) + placeholder]
        size -= len(line.pop())
    if lines:
        before = lines[-1].rstrip()
        if len(before) + len(placeholder) <= width:
            lines[-1] = before + placeholder
            return []
    return [margin + placeholder.lstrip()]


def fill(text, width=70, **options):
    return "\n".join(wrap(text, width, **options))


def shorten(text, width, **options):
    return fill(" ".join(text.strip().split()), width, max_lines=1, **options)
