#!/usr/bin/env python3
"""perun_convert.py FILE: the profile as Perun stores it, by Python's own json.

Perun's conversion of old profiles (profile/factory.py, profile/convert.py),
written down again from its rules, as something to compare with: resources are
grouped by str() of what they share, names are flat uids with a count.
"""
import json
import sys

COLUMNS = ("amount", "structure-unit-size", "call-order", "order", "address",
           "timestamp", "exclusive")
PLACES = {"bin": 0, "file": 1, "source": 1, "package": 1, "module": 2,
          "class": 3, "struct": 3, "structure": 3, "function": 4, "func": 4,
          "method": 4, "procedure": 4, "line": 5, "instruction": 6}


def place(item):
    key = item[0]
    if key in PLACES:
        return PLACES[key]
    return int("".join(str(ord(c) + 6) for c in key) or "-1")


def is_named_list(value):
    return (isinstance(value, list) and value and
            all(isinstance(v, dict) and set(v) == {"name", "value"}
                for v in value))


def items_of(mapping):
    return [pair for key, value in mapping.items()
            for pair in items_under(key, value)]


def joined(items):
    return ":".join(str(value) for _, value in sorted(items, key=place))


def joined_list(values):
    return ",".join(":".join(str(text) for _, text in items_under(i, value))
                    for i, value in enumerate(values))


def items_under(key, value):
    if is_named_list(value):
        value = {v["name"]: v["value"] for v in value}
    if isinstance(value, dict):
        nested = items_of(value)
        out = [("%s:%s" % (key, k), v) for k, v in nested]
        return out + [(key, joined(nested))] if isinstance(key, str) else out
    if isinstance(value, list):
        return [(key, joined_list(value))]
    return [(key, value)]


def flat(value):
    if isinstance(value, dict):
        return joined(items_of(value))
    return joined_list(value) if isinstance(value, list) else str(value)


class Store:
    def __init__(self, profile):
        old = profile.get("global", {})
        self.ids, self.counts = {}, {}
        self.out = {"resources": {}, "resource_type_map": {},
                    "models": old.get("models", [])
                    if isinstance(old, dict) else []}
        for key, value in profile.items():
            if key == "snapshots":
                for i, snapshot in enumerate(value):
                    self.add(snapshot["resources"], snapshot=i,
                             time=snapshot.get("time", "0.0"))
            elif key == "global" and isinstance(value, dict):
                if value:
                    self.add(value["resources"], time=value.get("time", "0.0"))
            elif key in ("global", "resources") and isinstance(value, list):
                self.add(value)
            elif key != "origin":
                self.out[key] = value

    def add(self, resources, **more):
        for resource in resources:
            shared = [(k, v) for k, v in resource.items() if k not in COLUMNS]
            shared = sorted(shared + list(more.items()), key=lambda p: p[0])
            identity = str(tuple(shared))
            if identity not in self.ids:
                uid = flat(resource["uid"])
                count = self.counts.get(uid, 0)
                self.counts[uid] = count + 1
                self.ids[identity] = "%s#%d" % (uid, count)
                self.out["resource_type_map"][self.ids[identity]] = dict(shared)
            columns = self.out["resources"].setdefault(self.ids[identity], {})
            for key, value in resource.items():
                if key in COLUMNS:
                    columns.setdefault(key, []).append(value)


with open(sys.argv[1]) as f:
    sys.stdout.write(json.dumps(Store(json.load(f)).out))
