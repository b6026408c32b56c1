"""Matching of sequences."""

from collections import namedtuple

Match = namedtuple("Match", "a b size")  # noqa: PYI024 - the interpreter has no typed form


class SequenceMatcher:
    def __init__(self, isjunk=None, a="", b="", autojunk=True):
        self.isjunk = isjunk
        self.autojunk = autojunk
        self.set_seqs(a, b)

    def set_seqs(self, a, b):
        self.set_seq1(a)
        self.set_seq2(b)

    def set_seq1(self, a):
        self.a = a
        self.matching_blocks = None

    def set_seq2(self, b):
        self.b = b
        self.matching_blocks = None
        places = {}
        for place, item in enumerate(b):
            places.setdefault(item, []).append(place)
        junk = {item for item in places if self.isjunk is not None and self.isjunk(item)}
        most = len(b) // 100 + 1
        crowd = self.autojunk and len(b) >= 200
        popular = {item for item, where in places.items() if crowd and item not in junk and len(where) > most}
        self.bjunk, self.bpopular = junk, popular
        self.b2j = {item: where for item, where in places.items() if item not in junk and item not in popular}

    def find_longest_match(self, alo=0, ahi=None, blo=0, bhi=None):
        a, b = self.a, self.b
        ahi = len(a) if ahi is None else ahi
        bhi = len(b) if bhi is None else bhi
        i, j, size = alo, blo, 0
        ends = {}
        for place in range(alo, ahi):
            now = {}
            for other in self.b2j.get(a[place], []):
                if other < blo:
                    continue
                if other >= bhi:
                    break
                length = now[other] = ends.get(other - 1, 0) + 1
                if length > size:
                    i, j, size = place - length + 1, other - length + 1, length
            ends = now
        for junk in (False, True):
            while i > alo and j > blo and (b[j - 1] in self.bjunk) == junk and a[i - 1] == b[j - 1]:
                i, j, size = i - 1, j - 1, size + 1
            while i + size < ahi and j + size < bhi and (b[j + size] in self.bjunk) == junk:
                if a[i + size] != b[j + size]:
                    break
                size += 1
        return Match(i, j, size)

    def get_matching_blocks(self):
        if self.matching_blocks is not None:
            return self.matching_blocks
        left, found = [(0, len(self.a), 0, len(self.b))], []
        while left:
            alo, ahi, blo, bhi = left.pop()
            i, j, size = self.find_longest_match(alo, ahi, blo, bhi)
            if not size:
                continue
            found.append((i, j, size))
            if alo < i and blo < j:
                left.append((alo, i, blo, j))
            if i + size < ahi and j + size < bhi:
                left.append((i + size, ahi, j + size, bhi))
        found.sort()
        blocks = []
        for i, j, size in found:
            if blocks and blocks[-1].a + blocks[-1].size == i and blocks[-1].b + blocks[-1].size == j:
                blocks[-1] = Match(blocks[-1].a, blocks[-1].b, blocks[-1].size + size)
            else:
                blocks.append(Match(i, j, size))
        self.matching_blocks = [*blocks, Match(len(self.a), len(self.b), 0)]
        return self.matching_blocks

    def get_opcodes(self):
        i, j, codes = 0, 0, []
        for a, b, size in self.get_matching_blocks():
            if i < a and j < b:
                codes.append(("replace", i, a, j, b))
            elif i < a:
                codes.append(("delete", i, a, j, b))
            elif j < b:
                codes.append(("insert", i, a, j, b))
            if size:
                codes.append(("equal", a, a + size, b, b + size))
            i, j = a + size, b + size
        return codes

    def ratio(self):
        return self._share(sum([size for _, _, size in self.get_matching_blocks()]))

    def quick_ratio(self):
        counts = {}
        for item in self.b:
            counts[item] = counts.get(item, 0) + 1
        same = 0
        for item in self.a:
            if counts.get(item, 0) > 0:
                counts[item] -= 1
                same += 1
        return self._share(same)

    def real_quick_ratio(self):
        return self._share(min(len(self.a), len(self.b)))

    def _share(self, same):
        both = len(self.a) + len(self.b)
        return 2.0 * same / both if both else 1.0


def get_close_matches(word, possibilities, n=3, cutoff=0.6):
    if n <= 0:
        raise ValueError(f"n must be > 0: {n!r}")
    if not 0.0 <= cutoff <= 1.0:
        raise ValueError(f"cutoff must be in [0.0, 1.0]: {cutoff!r}")
    matcher = SequenceMatcher()
    matcher.set_seq2(word)
    found = []
    for other in possibilities:
        matcher.set_seq1(other)
        if min(matcher.real_quick_ratio(), matcher.quick_ratio()) >= cutoff and matcher.ratio() >= cutoff:
            found.append((matcher.ratio(), other))
    return [other for _, other in sorted(found, reverse=True)[:n]]
