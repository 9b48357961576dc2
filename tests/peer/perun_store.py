#!/usr/bin/env python3
"""A Perun store, written and read byte for byte as Perun does, and by nothing
of git-perf: what tests compare with.

	perun_store.py add DIR LAYOUT COMMIT TIME NAME PROFILE.json [TYPE]
	perun_store.py object DIR HEADER PROFILE.json [NAME]
	perun_store.py list DIR LAYOUT

add registers a profile in the index of a commit, as `perun add` does, and
prints the name of its object. object writes one with a header of any text
(%d is the length), under its own name or NAME, and prints that. list reads
the whole store, fails when anything in it is not as it has to be, and prints
a line for each entry.
"""
import glob
import hashlib
import json
import os
import struct
import sys
import zlib

# Texts of an entry behind its name, by layout.
LAYOUTS = {
    "v1": [],
    "v2a": ["type", "cmd", "args", "workload", "collector", "posts"],
    "v2b": ["type", "cmd", "workload", "collector", "posts"],
    "v2c": ["type", "cmd", "workload", "label", "collector", "posts"],
}


def path_of(store, sha):
    return os.path.join(store, "objects", sha[:2], sha[2:])


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)


def write_object(store, header, profile, name=None):
    text = json.dumps(profile)
    plain = (header.replace("%d", str(len(text))) + "\0" + text).encode()
    sha = name or hashlib.sha1(plain).hexdigest()
    write(path_of(store, sha), zlib.compress(plain))
    return sha


def texts_of(profile):
    header = profile["header"]
    return {
        "type": header["type"],
        "cmd": header["cmd"],
        "args": header.get("args", ""),
        "workload": header.get("workload", ""),
        "label": header.get("label", ""),
        "collector": profile["collector_info"]["name"],
        "posts": " ".join(p["name"] for p in profile["postprocessors"]),
    }


def read_index(data, layout):
    """Entries as Perun's loop reads them."""
    assert data[:4] == b"pidx", "magic"
    version, count = struct.unpack("<ii", data[4:12])
    assert version == (1 if layout == "v1" else 2), "version"
    at, entries = 12, []
    while at + 24 < len(data) and len(entries) < count:
        time = struct.unpack_from("<I", data, at)[0]
        sha = data[at + 4 : at + 24].hex()
        end = data.index(b"\0", at + 24)
        # Perun decodes byte by byte
        name = "".join(bytes([b]).decode() for b in data[at + 24 : end])
        at, texts = end + 1, {}
        for key in LAYOUTS[layout]:
            length = struct.unpack_from("<i", data, at)[0]
            assert 0 <= length <= len(data) - at - 4, "length"
            texts[key] = data[at + 4 : at + 4 + length].decode()
            at += 4 + length
        entries.append((name, time, sha, texts))
    assert len(entries) == count and at == len(data), "number of entries"
    return entries


def write_index(path, layout, entries):
    data = b"pidx" + struct.pack(
        "<ii", 1 if layout == "v1" else 2, len(entries)
    )
    for name, time, sha, texts in sorted(entries, key=lambda e: e[:2]):
        data += struct.pack("<I", time) + bytes.fromhex(sha)
        data += name.encode() + b"\0"
        for key in LAYOUTS[layout]:
            text = texts[key].encode()
            data += struct.pack("<I", len(text)) + text
    write(path, data)


def add(store, layout, commit, time, name, file, kind=None):
    with open(file) as stream:
        profile = json.load(stream)
    profile.pop("origin", None)
    texts = texts_of(profile)
    header = "profile %s %%d" % (kind or texts["type"])
    sha = write_object(store, header, profile)
    path = path_of(store, commit)
    entries = []
    if os.path.exists(path):
        with open(path, "rb") as stream:
            entries = read_index(stream.read(), layout)
    write_index(path, layout, entries + [(name, int(time), sha, texts)])
    print(sha)


def read_object(store, sha):
    """As Perun reads it; and its name, which Perun does not look at."""
    with open(path_of(store, sha), "rb") as stream:
        plain = zlib.decompress(stream.read())
    assert hashlib.sha1(plain).hexdigest() == sha, "name of " + sha
    header, body = plain.decode().split("\0")
    word, kind, length = header.split(" ")
    assert word == "profile" and kind in ("memory", "mixed", "time"), header
    assert int(length) == len(body), "length of " + sha
    profile = json.loads(body)
    assert json.dumps(profile) == body, "text of " + sha
    assert "origin" not in profile and profile["header"]["type"] == kind
    return profile


def list_store(store, layout):
    used = set()
    for path in sorted(glob.glob(os.path.join(store, "objects", "??", "*"))):
        with open(path, "rb") as stream:
            data = stream.read()
        if data[:4] != b"pidx":
            continue
        entries = read_index(data, layout)
        assert entries == sorted(entries, key=lambda e: e[:2]), "order"
        commit = path[-41:].replace("/", "")
        for name, time, sha, texts in entries:
            profile = read_object(store, sha)
            for key in texts:
                assert texts[key] == texts_of(profile)[key], key
            used.add(sha)
            print(commit, time, sha, name)
    for path in glob.glob(os.path.join(store, "objects", "??", "*")):
        with open(path, "rb") as stream:
            is_index = stream.read(4) == b"pidx"
        assert is_index or path[-41:].replace("/", "") in used, path
    for folder in ("jobs", "logs", "cache", "stats", "tmp"):
        assert os.path.isdir(os.path.join(store, folder)), folder


def main(command, *args):
    if command == "add":
        add(*args)
    elif command == "object":
        with open(args[2]) as stream:
            print(write_object(args[0], args[1], json.load(stream), *args[3:]))
    elif command == "list":
        list_store(*args)
    else:
        sys.exit(__doc__)


main(*sys.argv[1:])
