#!/usr/bin/env python3
"""odd_lines.py COMMIT TREE: lines at the edges of the grammar of an index
line, each with the id that fits it. FORMAT.md says which of them are records.
"""
import hashlib
import sys

COMMIT, TREE = sys.argv[1:3]
TIME = "2026-11-20T10:00:00.%09dZ"
made = 0


def line(version="perf1", time=None, kind="profile", body="-", size="0",
         commit=COMMIT, tree=TREE, rest="", gap=" ", id_of=str):
    """`rest` is all behind the eighth word, with its blank."""
    global made
    made += 1
    time = time or TIME % made
    head = version + gap + time + gap
    tail = gap.join([kind, body, size, commit, tree])
    tail += " n=%016x name=odd%d" % (made, made) + rest
    name = hashlib.sha256((head + tail).encode("latin-1")).hexdigest()[:16]
    sys.stdout.buffer.write((head + id_of(name) + " " + tail + "\n").encode(
        "latin-1"))


def fields(n):
    """n words in all, n= and name= among them."""
    return "".join(" k%d=v" % i for i in range(n - 2))


def metric(values, n=None, name="wall", better="less"):
    return " m=%s;ns;%s;%s;%s" % (name, better, values.count(",") + 1
                                  if n is None else n, values)


line()
line(gap="  ")
line(rest=" ")
line(rest="\r")
line(version="perf2")
line(version="PERF1")
line(id_of=str.upper)
line(id_of=lambda name: "0" * 16)
line(size="-")
line(size="18446744073709551615")
line(size="18446744073709551616")
line(size="x")
line(size="-1")
line(commit=COMMIT.upper(), tree=TREE.upper())
line(commit=COMMIT[:39])
line(tree=TREE + "0")
line(tree="0" * 64)
line(kind="accept")
line(kind="of-later")
line(kind="skip", rest=" state=build")
for time in ("2026-02-29T10:00:00.000000000Z", "2024-02-29T10:00:00.000000001Z",
             "2026-11-20T24:00:00.000000000Z", "2026-11-20T10:00:60.000000000Z",
             "2026-11-20T10:00:00Z", "2026-11-20T10:00:00.000000000+00",
             "1677-09-21T00:12:43.145224192Z", "1677-09-21T00:12:43.145224191Z",
             "2262-04-11T23:47:16.854775807Z", "2262-04-11T23:47:16.854775808Z",
             "0000-01-01T00:00:00.000000000Z", "9999-01-01T00:00:00.000000000Z"):
    line(time=time)
line(rest=" word")
line(rest=" =value")
line(rest=" k=")
line(rest=" k=a=b")
line(rest=" l.a%20b=c%2Cd%2cd")
line(rest=" l.a=%zz")
line(rest=" l.a=%4")
line(rest=" l.a=%")
line(rest=" l.twice=1 l.twice=2")
for n in (511, 512, 513):
    line(rest=fields(n))
for n in (16000, 16100, 16160, 16170, 16180, 16190, 16200, 16383, 16384):
    line(rest=" l.long=" + "x" * (n - 300))
for n in (16382, 16383, 16384):
    # bytes of the whole line without its line feed
    fixed = len("perf1  0123456789abcdef profile - 0   n=0123456789abcdef"
                " name=odd00 l.long=") + 30 + len(COMMIT) + len(TREE)
    line(rest=" l.long=" + "y" * (n - fixed))
line(rest=metric("1"))
line(rest=metric("1,2.5,-3e-07"))
line(rest=metric("1,2", n=3))
line(rest=metric("1,,3"))
line(rest=metric("", n=1))
line(rest=metric("nan"))
line(rest=metric("inf"))
line(rest=metric("1e400"))
line(rest=metric("0x10"))
line(rest=metric("1_000"))
line(rest=metric("+.5"))
line(rest=metric("5."))
line(rest=metric("1e"))
line(rest=metric("1", better="-"))
line(rest=metric("1", better="worse"))
line(rest=metric("1", name="a%3Bb"))
line(rest=metric("s,1,2,3,4,5,6,7", n=9))
line(rest=metric("s,1,,3,,5,,", n=9))
line(rest=metric("s,1,2,3", n=9))
line(rest=metric("s", n=9))
line(rest=" m=a;b;less;1")
line(rest=" m=a;b;less;1;2;3")
line(rest=" m=")
line(rest=" m")
line(rest=metric(",".join("1" * 33)))
line(rest=metric(",".join("1" * 4096)))
line(rest=metric(",".join("1" * 4097)))
print()
print("a line of somebody else")
print("perf1")
