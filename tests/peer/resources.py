#!/usr/bin/env python3
"""resources.py PROGRAM: bars and flows of random Perun profiles beside groups
that are made here, from the description of Perun's views: group by one key, or
by two, then aggregate; flows are added up along the key where they are sums or
counts."""
import itertools
import json
import math
import random
import statistics
import subprocess
import sys

AGGREGATES = {
    'sum': sum, 'mean': statistics.fmean, 'count': len,
    'nunique': lambda v: len(set(v)), 'median': statistics.median,
    'min': min, 'max': max}


def resource(rng):
    out = {'type': 'memory', 'subtype': rng.choice('abc'),
           'uid': rng.choice(['f', 'g', 'h']), 'amount': rng.randint(-5, 40)}
    if rng.random() < .8:
        out['structure-unit-size'] = rng.randint(0, 6)
    return out


def profile(rng):
    with_size = rng.random() < .5
    snapshots = []
    for i in range(rng.randint(1, 5)):
        rows = [resource(rng) for _ in range(rng.randint(1, 12))]
        for row in rows:
            if not with_size:
                row.pop('structure-unit-size', None)
            else:
                row.setdefault('structure-unit-size', 3)
        snapshots.append({'time': str(i), 'resources': rows})
    return {'origin': '', 'header': {'type': 'memory', 'units': {'memory': 'B'},
                                     'cmd': 'x', 'workload': ''},
            'collector_info': {'name': 'memory', 'params': {}},
            'postprocessors': [], 'snapshots': snapshots}


def groups(rows, per, by):
    out = {}
    for row in rows:
        if per in row and (by is None or by in row):
            out.setdefault((row[per], row[by] if by else None),
                           []).append(row['amount'])
    return out


def flow(cells, accumulate):
    xs = sorted({x for x, _ in cells})
    names = {name for _, name in cells}
    if not accumulate:
        return cells
    return {(x, name): sum(v for (at, n), v in cells.items()
                           if n == name and at <= x)
            for x, name in itertools.product(xs, names)}


def ask(program, file, arguments):
    done = subprocess.run([program, 'show', '--json', '--nodecount=0', *arguments, file],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode:
        raise SystemExit('%s: %s' % (arguments, done.stderr.decode()))
    return {(row['per'], row.get('by')): row['value']
            for row in json.loads(done.stdout)['rows']}


def compare(want, have, what):
    if want.keys() != have.keys() or any(
            not math.isclose(want[k], have[k], rel_tol=1e-12) for k in want):
        raise SystemExit('%s:\nwant %s\nhave %s' % (what, want, have))


def heap(rng):
    """Snapshots in which no address is used twice, and what is allocated at
    the end of each."""
    live, snapshots, rows = {}, [], []
    for at in range(rng.randint(1, 8)):
        resources, used = [], set()
        for _ in range(rng.randint(1, 20)):
            address = 16 * rng.randint(1, 60)
            if address in used:
                continue
            used.add(address)
            if address in live:
                live.pop(address)
                resources.append(('free', address, 0))
                continue
            size = rng.randint(0, 15)
            resources.append(('malloc', address, size))
            if rng.random() < .2:
                resources.append(('free', address, 0))
            else:
                live[address] = size
        snapshots.append({'time': str(at), 'resources': [
            {'type': 'memory', 'subtype': what, 'address': address, 'amount': size,
             'uid': 'f'} for what, address, size in resources]})
        rows.append((at, len(live), sum(live.values())))
    made = profile(rng)
    made['snapshots'] = snapshots
    return made, rows


def compare_heap(program, rng):
    made, rows = heap(rng)
    with open('random.perf', 'w', encoding='utf-8') as file:
        json.dump(made, file)
    out = subprocess.run([program, 'show', '--json', '--view=heapmap', 'random.perf'],
                         stdout=subprocess.PIPE, check=False)
    have = [(r['snapshot'], r['allocations'], r['live'])
            for r in json.loads(out.stdout)['rows']]
    wanted = [(at, n, size) for at, n, size in rows
              if made['snapshots'][at]['resources']]
    if have != wanted:
        raise SystemExit('heap: want %s\nhave %s' % (wanted, have))


def main():
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 14
    rng = random.Random(seed)
    compared = 0
    for _ in range(20):
        made = profile(rng)
        with open('random.perf', 'w', encoding='utf-8') as file:
            json.dump(made, file)
        rows = [dict(row, snapshot=i) for i, s in enumerate(made['snapshots'])
                for row in s['resources']]
        for _ in range(4):
            how = rng.choice(list(AGGREGATES))
            numbers = ['snapshot'] + (['structure-unit-size']
                                      if 'structure-unit-size' in rows[0] else [])
            is_flow = rng.random() < .5
            per = rng.choice(numbers if is_flow else numbers + ['uid', 'subtype'])
            by = rng.choice(['uid', 'subtype'] + ([] if is_flow else [None]))
            accumulate = rng.random() < .5
            cells = {k: AGGREGATES[how](v) for k, v in groups(rows, per, by).items()}
            arguments = ['--view=flow' if is_flow else '--view=bars',
                         '--of=amount', '--per=' + per, '--aggregate=' + how]
            if by:
                arguments.append('--by=' + by)
            if is_flow:
                arguments.append('--accumulate' if accumulate else '--no-accumulate')
                cells = flow(cells, accumulate and how in ('sum', 'count'))
            compare(cells, ask(sys.argv[1], 'random.perf', arguments), arguments)
            compared += 1
        compare_heap(sys.argv[1], rng)
    print('%d compared, seed %d' % (compared, seed))


main()
