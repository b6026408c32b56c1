"""Lists as heaps: the smallest item is the first."""


def _up(heap, place, first=0):
    item = heap[place]
    while place > first:
        above = (place - 1) // 2
        if not item < heap[above]:
            break
        heap[place] = heap[above]
        place = above
    heap[place] = item


def _down(heap, place):
    item, size = heap[place], len(heap)
    while 2 * place + 1 < size:
        below = 2 * place + 1
        if below + 1 < size and heap[below + 1] < heap[below]:
            below += 1
        if not heap[below] < item:
            break
        heap[place] = heap[below]
        place = below
    heap[place] = item


def heapify(x):
    for place in range(len(x) // 2 - 1, -1, -1):
        _down(x, place)


def heappush(heap, item):
    heap.append(item)
    _up(heap, len(heap) - 1)


def heappop(heap):
    last = heap.pop()
    if not heap:
        return last
    return heapreplace(heap, last)


def heapreplace(heap, item):
    first = heap[0]
    heap[0] = item
    _down(heap, 0)
    return first


def heappushpop(heap, item):
    if heap and heap[0] < item:
        return heapreplace(heap, item)
    return item


def nsmallest(n, iterable, key=None):
    return sorted(iterable, key=key)[: max(n, 0)]


def nlargest(n, iterable, key=None):
    return sorted(iterable, key=key, reverse=True)[: max(n, 0)]


def merge(*iterables, key=None, reverse=False):
    return iter(sorted([item for items in iterables for item in items], key=key, reverse=reverse))
