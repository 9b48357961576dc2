#!/usr/bin/env python3
"""second_reader.py REPOSITORY SCRATCH [--change N] [--least N]

Reads all that git-perf keeps in a repository with a reader of its own and
compares it with what the program says: the list of records, their figures,
every stack, label, value, node and edge. What was read is written again by a
writer of its own, too, for same_profile to compare. With --change profiles
that differ a little are written by that writer and added, so that deltas of
every table are among what is read. --least: so many deltas have to be there.
"""
import argparse
import json
import marshal
import os
import re
import subprocess
from collections import Counter

import body_reader
import body_writer
import notes_reader
from body_reader import Sample
from notes_reader import field, need

faults = []


def perf(*args):
    return subprocess.run(["git-perf"] + list(args), stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False)


def compare(record, what, mine, theirs):
    if mine != theirs:
        faults.append("%s (%s): %s: read %.300r, the program says %.300r" %
                      (record.id, field(record, "name"), what, mine, theirs))


def text(data):
    return data.decode("utf-8", "surrogateescape")


# What the program says

def listed(commit):
    """Records of a commit by id, as log has them."""
    said = json.loads(perf("log", "--json", "-n1", commit).stdout)
    return {r["id"]: r for c in said["commits"] for r in c["profiles"]}


def compare_line(record, said):
    compare(record, "name", field(record, "name"), said["name"])
    compare(record, "time", re.sub("[.]?0*Z$", "Z", record.time),
            said["added"])
    compare(record, "format", field(record, "format"), said.get("format", ""))
    compare(record, "body", record.body, said.get("body"))
    compare(record, "size", record.size, said.get("size", 0))
    compare(record, "labels", {k[2:]: v for k, v in record.fields
                               if k.startswith("l.")}, said["labels"])
    if field(record, "metrics") == "body":
        return
    compare(record, "metrics", [[m.name, m.unit, m.n, m.values]
                                for m in record.metrics],
            [[m["name"], m.get("unit", ""), m["n"], m.get("values")]
             for m in said["metrics"]])
    for mine, theirs in zip(record.metrics, said["metrics"]):
        if mine.summary:
            compare(record, "summary of " + mine.name,
                    [mine.summary[i] for i in (0, 2, 4, 5)],
                    [theirs.get(k) for k in ("min", "median", "max", "mean")])


def their_samples(said):
    """Of `show raw --json`: a counted set of (stack, labels, values)."""
    places = []
    for at in said["locations"]:
        lines = tuple((x.get("name", ""), x.get("system_name",
                                                x.get("name", "")),
                       x.get("file", ""), x.get("start_line", 0),
                       x.get("line", 0), x.get("column", 0))
                      for x in at["lines"])
        places.append((at["address"], at.get("mapping"), lines))
    return Counter(
        (tuple(places[i - 1] for i in s["locations"]),
         tuple(sorted((x.get("key", ""), x.get("unit", ""), str(x["value"]))
                      for x in s.get("labels", []))),
         tuple(float(v) for v in s["values"])) for s in said["samples"])


def my_samples(p):
    out, known = Counter(), {}
    for s in p.samples:
        for x in s.stack:
            if x not in known:
                known[x] = (x.address,
                            None if x.mapping is None else x.mapping + 1,
                            tuple((text(f.name), text(f.system or f.name),
                                   text(f.file), f.line, line, column)
                                  for f, line, column in x.lines))
        labels = sorted((text(k), text(u),
                         text(v) if kind in (0, 3) else str(v))
                        for k, u, kind, v in s.labels)
        out[(tuple(known[x] for x in s.stack), tuple(labels),
             tuple(float(v or 0) for v in s.values))] += 1
    return out


def compare_samples(record, p, name):
    said = json.loads(perf("show", "--json", "--view=raw", name).stdout)
    compare(record, "value types", [[text(t[0]), text(t[1])] for t in p.types],
            [[t.get("type", ""), t.get("unit", "")]
             for t in said["sample_types"]])
    mine, theirs = my_samples(p), their_samples(said)
    compare(record, "samples", list((mine - theirs).items())[:1],
            list((theirs - mine).items())[:1])
    compare(record, "mappings", [[m[0], m[1], m[2], text(m[3]), text(m[4])]
                                 for m in p.mappings],
            [[m["start"], m["limit"], m["offset"], m.get("file", ""),
              m.get("build_id", "")] for m in said["mappings"]])


def function_of(node):
    line = node.location.lines[-1]
    return (text(line[0].file), line[0].line, text(line[0].name))


def compare_pstats(record, p, path):
    """Python's own dump: calls, own and total seconds, and callers."""
    with open(path, "rb") as f:
        theirs = marshal.load(f)
    mine = {}
    for n in p.nodes:
        mine[function_of(n)] = (n.primitive, n.calls, n.self[0], n.total[0],
                                {})
    for e in p.edges:
        mine[function_of(p.nodes[e.callee])][4][
            function_of(p.nodes[e.caller])] = (e.calls, e.primitive,
                                               e.self[0], e.total[0])
    compare(record, "functions of the graph", mine, theirs)


def compare_callgrind(record, p, path):
    """callgrind's text: the sums of own costs and of each line's calls."""
    own, calls, inclusive, after_calls = [], 0, [], False
    with open(path, encoding="utf-8", errors="surrogateescape") as f:
        for line in f:
            words = line.split()
            if line.startswith("calls="):
                calls += int(line[6:].split()[0])
                after_calls = True
            elif words and words[0].lstrip("+-*")[:1].isdigit() or (
                    words and words[0] == "*"):
                to = inclusive if after_calls else own
                to.append([int(w) for w in words[1:]])
                after_calls = False

    def total(rows):
        return [sum(r[t] for r in rows if t < len(r))
                for t in range(len(p.types))]
    compare(record, "own costs", total([n.self for n in p.nodes]), total(own))
    compare(record, "calls", sum(e.calls for e in p.edges), calls)
    compare(record, "costs of calls", total([e.total for e in p.edges]),
            total(inclusive))


def compare_export(record, p, name, scratch):
    """What the program writes, and what the second writer wrote. Labels that
    add was told are in the line alone."""
    known = [k for k, v in p.header["labels"]]
    p.header["labels"] = p.header["labels"] + [
        (k[2:].encode(), v.encode()) for k, v in record.fields
        if k.startswith("l.") and k[2:].encode() not in known]
    mine, theirs = (os.path.join(scratch, x) for x in ("mine.perf",
                                                       "theirs.perf"))
    with open(mine, "wb") as f:
        f.write(body_writer.write(p))
    done = perf("export", "--to=git-perf", "-o", theirs, name)
    compare(record, "export", done.returncode, 0)
    said = subprocess.run(["same_profile", mine, theirs],
                          stderr=subprocess.PIPE, check=False)
    compare(record, "written again", said.stderr, b"")
    if not p.nodes:
        return
    path = os.path.join(scratch, "graph")
    whole = all(not t[3] for t in p.types)
    if field(record, "format") == "pstats":
        perf("export", "--to=pstats", "-o", path, name)
        compare_pstats(record, p, path)
    elif whole and field(record, "format") == "callgrind":
        perf("export", "--to=callgrind", "-o", path, name)
        compare_callgrind(record, p, path)


def compare_metrics(record, p, said):
    """Figures that are in the body only."""
    if field(record, "metrics") != "body":
        return
    compare(record, "metrics of the body",
            [[text(m[0]), text(m[1]), m[3], list(m[4])] for m in p.metrics],
            [[m["name"], m.get("unit", ""), m["n"], m.get("values", [])]
             for m in said["metrics"]])


# Profiles that differ a little

def changed(p, step):
    """The profile in another shape: rows gone and new ones, other values,
    names, addresses and labels."""
    def name(f):
        if step != 2 or hash_of(f.name) % 7:
            return f
        return f._replace(name=b"renamed " + f.name)

    def line(of):
        return (name(of[0]), of[1] + (step == 2), of[2])

    def place(x):
        return x and x._replace(address=x.address + 16 * (step == 3),
                                lines=tuple(map(line, x.lines)))

    def values(now):
        return tuple(v if v is None else v + step * (1.25 if t[3] else 10)
                     for v, t in zip(now, p.types))
    q = body_reader.Profile()
    q.header = dict(p.header, comments=p.header["comments"] + [b"%d" % step])
    q.types, q.mappings, q.metrics = p.types, p.mappings, p.metrics
    q.functions = list(map(name, p.functions))
    q.locations = list(map(place, p.locations))
    label = ((b"round", b"", 0, b"%d" % step), (b"size", b"bytes", 1, -step))
    for i, s in enumerate(p.samples):
        if step == 1 and i % 3 == 1:
            continue
        q.samples.append(Sample(tuple(map(place, s.stack)),
                                s.labels + label * (step == 3 and i % 2),
                                values(s.values)))
    q.nodes = [n._replace(location=place(n.location), self=values(n.self),
                          total=values(n.total)) for n in p.nodes]
    q.edges = [e._replace(calls=e.calls + step, self=values(e.self),
                          total=values(e.total))
               for i, e in enumerate(p.edges) if step != 1 or i % 3 != 1]
    q.curves = [curve[:3] + (tuple(
        point[:2] + (tuple((tuple(map(place, stack)), value)
                           for stack, value in point[2]),)
        for point in curve[3][step:]),) for curve in p.curves]
    q.events = [(time + step, lasts, tuple(map(place, stack)), thread, of)
                for time, lasts, stack, thread, of in p.events]
    q.ticks = [(tuple(map(place, stack)), line, count + step)
               for stack, line, count in p.ticks]
    q.threads, q.processes, q.facts = p.threads, p.processes, p.facts
    q.costs = [c._replace(values=values(c.values))
               for i, c in enumerate(p.costs) if step != 1 or i % 3 != 1]
    return q


def hash_of(data):
    return sum(data) + len(data)


def add_changed(record, p, scratch):
    """Adds four versions; what has to come out, by id."""
    out = {}
    for step in range(4):
        q = changed(p, step)
        path = os.path.join(scratch, "changed.perf")
        with open(path, "wb") as f:
            f.write(body_writer.write(q))
        done = perf("add", "-n", "changed " + field(record, "name"), path)
        words = done.stderr.decode().split()
        if done.returncode or words[0] != "added":
            faults.append("%s: step %d: %s" % (record.id, step, done.stderr))
        else:
            out[words[1]] = q
    return out


# All of a repository

def records_of(notes, objects):
    for commit, data in sorted(notes.texts.items()):
        for record in notes_reader.live(data, 2 * objects.hash_bytes):
            if record.kind == "profile":
                yield commit, record


def read_body(record, notes, bodies):
    need(notes.bodies.get(record.body) == record.body, "no anchor")
    body = bodies.get(record.body)
    compare(record, "base", field(record, "base"), body.base_name or "")
    compare(record, "bytes", body.size, record.size)
    if body.base_name:
        need(notes.bodies.get(body.base_name) == body.base_name,
             "no anchor of the base")
    return body, body_reader.profile(body)


def check(repository, scratch, expected, done=()):
    """Compares what is not in `done`; what was read, by id."""
    objects = notes_reader.Objects(repository)
    notes = notes_reader.Notes(objects)
    bodies = body_reader.Bodies(objects)
    seen, profiles, said = Counter(), {}, {}
    for commit, record in records_of(notes, objects):
        if commit not in said:
            said[commit] = listed(commit)
            ids = {r.id for c, r in records_of(notes, objects) if c == commit}
            compare(record, "ids", ids, set(said[commit]))
        if record.id in done:
            continue
        compare_line(record, said[commit][record.id])
        seen["records"] += 1
        name = "%s:%s" % (commit, record.id)
        if not record.body:
            continue
        if field(record, "body") == "verbatim":
            seen["verbatim"] += 1
            compare(record, "stored bytes", objects.blob(record.body),
                    perf("export", "--raw", name).stdout)
            continue
        body, p = read_body(record, notes, bodies)
        profiles[record.id] = (record, p)
        seen["deltas" if body.base else "keys"] += 1
        seen["depth"] = max(seen["depth"], body.depth)
        for table in ("samples", "nodes", "edges", "costs", "metrics",
                      "curves", "events", "threads", "facts", "ticks"):
            seen[table] += bool(getattr(p, table))
            seen[table + "-delta"] += bool(getattr(p, table) and body.base)
        for key in ("models", "posts", "extras", "comments"):
            seen[key] += bool(p.header[key])
        seen["labels"] += any(s.labels for s in p.samples)
        seen["sites"] += any(e.file or e.address for e in p.edges)
        if record.id in expected:
            mine, theirs = p.content(), expected[record.id].content()
            for key, value in mine.items():
                compare(record, "as written: " + key, value, theirs[key])
        if p.samples:
            compare_samples(record, p, name)
        compare_metrics(record, p, said[commit][record.id])
        compare_export(record, p, name, scratch)
    return seen, profiles


def main():
    options = argparse.ArgumentParser()
    options.add_argument("repository")
    options.add_argument("scratch")
    options.add_argument("--change", type=int, default=0)
    options.add_argument("--least", type=int, default=0)
    o = options.parse_args()
    os.chdir(o.repository)
    seen, profiles = check(".", o.scratch, {})
    if o.change:
        expected = {}
        for record, p in list(profiles.values())[::o.change]:
            expected.update(add_changed(record, p, o.scratch))
        seen, profiles = check(".", o.scratch, expected, profiles)
        need(expected and all(i in profiles for i in expected), "not read")
    print(" ".join("%s %d" % two for two in sorted(seen.items())))
    for fault in faults[:20]:
        print(fault)
    if seen["deltas"] < o.least:
        faults.append("too few")
        print("%d deltas, %d are needed" % (seen["deltas"], o.least))
    return bool(faults)


if __name__ == "__main__":
    raise SystemExit(main())
