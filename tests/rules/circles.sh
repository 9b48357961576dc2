#!/bin/sh
# No two .c files need each other, by any way round: what both use lies below
# both. The tables of plug points name all their files, which may call them.
# What calls what is read from the objects in PERF_BUILD.
. "$(dirname "$0")/lib.sh"

[ -n "${PERF_BUILD:-}" ] || skip 'PERF_BUILD names no build'
command -v tsort >/dev/null || skip 'no tsort'

tables='
cmd/main.c
libperfnotes/analysis/post/postprocess.c
libperfnotes/collect/collector.c
'

calls=$(mktemp) || exit 1
trap 'rm -f "$faults" "$calls"' EXIT

# The library's objects first: a program may put its own function in the place
# of a weak one. Objects of files that are gone count for nothing.
for part in libperfnotes:perfnotes cmd:git-perf; do
	folder=${part%:*}
	objects=$PERF_BUILD/$folder/CMakeFiles/${part#*:}.dir
	[ -d "$objects" ] || continue
	find "$folder" -name '*.c' | sed "s|^$folder/|$objects/|; s|\$|.o|" |
		xargs ls 2>/dev/null | xargs nm -gA |
		sed "s|^$objects/|$folder/|; s|\.o:| |"
done | awk -v tables="$tables" '
	BEGIN {
		n = split(tables, table, "\n")
		for (i = 1; i <= n; i++)
			is_table[table[i]] = 1
	}
	is_table[$1] { next }
	$(NF - 1) == "U" { used[$NF, $1] = 1; next }
	!($NF in home) { home[$NF] = $1 }
	END {
		for (call in used) {
			split(call, part, SUBSEP)
			to = home[part[1]]
			if (to != "" && to != part[2])
				print part[2], to
		}
	}' | sort -u >"$calls"
[ -s "$calls" ] || skip 'no objects are built'

tsort "$calls" 2>&1 >/dev/null | grep '\.c$' | sed 's/^tsort: //' |
	broken 'stands in a circle'

verdict
