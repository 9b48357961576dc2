#!/usr/bin/env python3
"""Reads a flame graph's SVG with expat and folded stacks with nothing but
split, and compares: each stack prefix that is wide enough has one rectangle,
whose left edge lies within its parent's and whose width is its share of the
picture; there is none besides. flame_svg.py PICTURE FOLDED [FROM]"""
import sys
import xml.etree.ElementTree as tree

PICTURE, NARROWEST = 1180.0, 0.5
SVG = '{http://www.w3.org/2000/svg}'


def weights(path):
    out = {}
    with open(path, encoding='utf-8') as lines:
        for line in lines:
            stack, value = line.rstrip('\n').rsplit(' ', 1)
            names = ('all',) + tuple(stack.split(';'))
            for end in range(1, len(names) + 1):
                key = names[:end]
                out[key] = out.get(key, 0) + int(value)
    return out


def rectangles(path):
    """(name, left, width) by row, the root's first."""
    rows = {}
    for g in tree.parse(path).getroot().iter(SVG + 'g'):
        title, rect = g.find(SVG + 'title'), g.find(SVG + 'rect')
        if title is None or rect is None:
            continue
        name = title.text.rsplit(': ', 1)[0]
        row = rows.setdefault(float(rect.get('y')), [])
        row.append((name, float(rect.get('x')), float(rect.get('width'))))
    return [rows[y] for y in sorted(rows, reverse=True)]


def main():
    rows = rectangles(sys.argv[1])
    wanted = weights(sys.argv[2])
    total, found = wanted[('all',)], []
    above = {}
    for depth, row in enumerate(rows):
        now = {}
        for name, left, width in row:
            if depth:
                parents = [k for k, (x, w) in above.items()
                           if x - 0.02 <= left and
                           left + width <= x + w + 0.02]
                assert len(parents) == 1, (name, left, width, parents)
                key = parents[0] + (name,)
            else:
                key = (name,)
            assert key not in now, key
            now[key] = (left, width)
            share = wanted[key] / total
            assert abs(width - share * PICTURE) < 0.02, (key, width)
            found.append(key)
        above = now
    missing = [k for k, v in wanted.items()
               if v / total * PICTURE >= NARROWEST and k not in set(found)]
    assert not missing, missing[:3]
    assert len(found) > 1
    print(len(found), 'frames')


main()
