#!/bin/sh
# A remote that means harm: one line, bounded time and memory, nothing outside
# of the object database, and what is here stays as it is.
# PERF_ZEROS is how large the large blobs are, PERF_SECONDS how much
# processor time a pull may take.
. "$(dirname "$0")/../lib.sh"
. "$root/tests/cli/share/lib.sh"
need python3
must add "$one" mine 5
must git perf push -q
before=$(git rev-parse refs/notes/perf)
base=$(git rev-parse base)
must git init -q --bare "$scratch/evil.git"
must git remote add evil "$scratch/evil.git"
# the other side runs here, too: its memory is not what is measured
must git -C "$scratch/evil.git" config core.bigFileThreshold 1m
must git -C "$scratch/evil.git" fetch -q "$server" main
GIT_DIR=$scratch/evil.git
E="git --git-dir=$GIT_DIR"
unset GIT_DIR

# evil TREE: the remote's notes become a commit of this tree
evil()
{
	must $E update-ref refs/notes/perf "$($E commit-tree -m x "$1")"
}
# limited SENTENCE CODE: a pull in PERF_SECONDS, 64 MB of git-perf itself, and one line
# where it fails
limited()
{
	/usr/bin/python3 - "$scratch/peak" git-perf pull evil \
		>"$out" 2>"$err" <<'END'
import os, resource, sys
seconds = int(os.environ.get("PERF_SECONDS", "300"))
pid = os.fork()
if not pid:
	resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
	os.execvp(sys.argv[2], sys.argv[2:])
pid, status, used = os.wait4(pid, 0)
open(sys.argv[1], "w").write(str(used.ru_maxrss))
sys.exit(os.waitstatus_to_exitcode(status))
END
	status=$?
	check "$1 ends well or with one line" test $status -eq "$2"
	[ "$2" -eq 0 ] ||
		check "$1: the error is one line" is "$(grep -c . "$err")$(grep -c '^fatal: ' "$err")" 11
	check "$1: no control reaches the terminal" \
		not grep -q "$(printf '[\001-\010\033]')" "$err"
	[ -n "${ASAN_OPTIONS:-}" ] ||
		check "$1: memory ($(cat "$scratch/peak") kB)" \
			test "$(cat "$scratch/peak")" -le 65536
	check "$1: nothing outside of the database" \
		is "$(files)" "$listed"
	check "$1: my profile is there" is "$(names "$one" 2>/dev/null |
		grep -o mine)" mine
	must git update-ref refs/notes/perf "$before"
	git for-each-ref --format='delete %(refname)' refs/perf |
		git update-ref --stdin
}
files()
{
	(cd "$scratch" && ls | grep -v '^why$'; ls "$one")
}
touch "$scratch/peak"
listed=$(files)

blob()
{
	printf '%s' "$1" | $E hash-object -w --stdin
}
text=$(blob "$(git notes --ref=perf show base)
")
rest=${base#??}
first=${base%"$rest"}

# Trees that git's own checks refuse.
for name in .. . .git 'a/b'; do
	id=$(python3 - "$name" "$text" <<'END' | $E hash-object -t tree -w --stdin --literally
import sys
sys.stdout.buffer.write(b"100644 " + sys.argv[1].encode() + b"\0"
	+ bytes.fromhex(sys.argv[2]))
END
	)
	evil "$id"
	limited "a tree with '$name'" 128
done
id=$(python3 - "$text" <<'END' | $E hash-object -t tree -w --stdin --literally
import sys
i = bytes.fromhex(sys.argv[1])
sys.stdout.buffer.write(b"100644 b\0" + i + b"100644 a\0" + i)
END
)
evil "$id"
limited 'an unsorted tree' 128

# Trees that git takes: links and submodules are followed by nobody.
evil "$(printf '120000 blob %s\t%s\n160000 commit %s\tobjects\n' \
	"$(blob ../../../evil)" "$base" "$base" | $E mktree)"
limited 'a link as a note, a submodule as bodies' 0
check 'a link is not a note' is "$(names "$one")" 'mine '

# A blob of zeros, a thousandth of that packed: as a note, which is above the
# memory that a pull may take, and as a body.
bytes=${PERF_ZEROS:-272629760}
zeros()
{
	head -c "$1" /dev/zero | $E -c core.bigFileThreshold=1m \
		hash-object -w --stdin
}
zeros=$(zeros "${PERF_ZEROS:-80000000}")
evil "$(printf '100644 blob %s\t%s\n' "$zeros" "$base" | $E mktree)"
limited 'a note of many zeros' 128
zeros=$(zeros "$bytes")
sub=$(printf '100644 blob %s\t%s\n' "$zeros" "${zeros#??}" | $E mktree)
objects=$(printf '040000 tree %s\t%.2s\n' "$sub" "$zeros" | $E mktree)
evil "$(printf '040000 tree %s\tobjects\n' "$objects" | $E mktree)"
limited 'a body of many zeros' 128
check 'a body of many zeros is named' mentions err "body '$zeros' has $bytes bytes"

# A million lines in a note.
lines=$(awk 'BEGIN { for (i = 0; i < 1100000; i++) print i }' |
	$E hash-object -w --stdin)
evil "$(printf '100644 blob %s\t%s\n' "$lines" "$base" | $E mktree)"
limited 'a note of a million lines' 128

# The same folder 256 times on each of six levels: 2^48 notes.
id=$(printf '100644 blob %s\t%s\n' "$text" \
	"$(echo "$base" | cut -c 13-)" | $E mktree)
for level in 1 2 3 4 5 6; do
	id=$(awk -v id="$id" 'BEGIN { for (i = 0; i < 256; i++)
		printf "040000 tree %s\t%02x\n", id, i }' | $E mktree)
done
evil "$id"
limited 'folders that stand for 2^48 notes' 128

# The same by two folders a level in turns, whose names begin with the same
# twelve bits: what keeps few names forgets one for the other.
python3 - "$text" "$(echo "$base" | cut -c 13-)" >"$one/trees" <<'END'
import hashlib, random, sys
random.seed(1)
def name(tree):
    return hashlib.sha1(b"tree %d\0" % len(tree) + tree).digest()
def pair(make):
    seen = {}
    while True:
        tree = make()
        key = int.from_bytes(name(tree)[:2], "little") % 4096
        if seen.setdefault(key, tree) != tree:
            return seen[key], tree
text, rest = bytes.fromhex(sys.argv[1]), sys.argv[2].encode()
def leaf():
    rests = sorted(b"%028x" % random.getrandbits(112) for _ in range(2))
    return b"".join(b"100644 %s\0" % r + text for r in rests)
def folder(kids):
    return b"".join(b"40000 %02x\0" % i + name(kids[random.random() < .01
                    or i % 2]) for i in range(256))
trees = list(pair(leaf))
for level in range(5):
    kids = trees[-2:]
    trees += pair(lambda: folder(kids))
trees.append(folder(trees[-2:]))
for tree in trees:
    print(tree.hex())
END
while read -r hex; do
	id=$(echo "$hex" | python3 -c 'import sys
sys.stdout.buffer.write(bytes.fromhex(sys.stdin.read()))' |
		$E hash-object -t tree -w --stdin --literally)
done <"$one/trees"
rm "$one/trees"
evil "$id"
limited 'two folders in turns that stand for 2^48 notes' 128
check 'two folders in turns are seen' \
	mentions err 'the same folders in more than 4096 places'

# Escapes in a note, in a file 'format', in what the remote says.
evil "$(printf '100644 blob %s\tformat\n' "$(blob "$(printf \
	'perf-notes 1\nepoch 77777777777\n\033]0;x\007')")" | $E mktree)"
limited 'too late an epoch' 128
check 'too late an epoch is named' mentions err \
	'has epoch 77777777777, at most'
evil "$(printf '100644 blob %s\tformat\n' "$(blob 'perf-notes 9
')" | $E mktree)"
limited 'a later format' 128
check 'a later format is named' mentions err 'has format 9, this git-perf knows'
evil "$(printf '100644 blob %s\t%s\n' "$(blob "$(printf \
	'perf1 \033]52;c;eA==\007 x\n')
")" "$base" | $E mktree)"
limited 'escapes in a note' 0
must $E config uploadpack.hideRefs refs
printf '#!/bin/sh\nprintf "\\033]0;owned\\007\\n" >&2; exit 1\n' \
	>"$scratch/upload"
chmod +x "$scratch/upload"
listed=$(files)
must git config remote.evil.uploadpack "$scratch/upload"
limited 'a server that writes escapes' 128
check 'escapes of a server are shown as text' mentions err '\\x1b\]0;owned'
must git config --unset remote.evil.uploadpack
must $E config --unset uploadpack.hideRefs

# The ref is no commit, or its tree is not there.
must $E update-ref refs/notes/perf "$text"
limited 'a ref that is a blob' 128
evil "$($E mktree --missing </dev/null)"
limited 'an empty tree' 0
check 'nothing is wrong in the end' sound "$one"
