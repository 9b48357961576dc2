#!/bin/sh
# No two .c files need each other, by any way round: what both use lies below
# both. The tables of plug points name all their files, which may call them.
# What calls what is read from the objects in PERF_BUILD: of the library and the
# program together, and of each object that is loaded into others.
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

# symbols FOLDER TARGET: those of the objects of a target, behind the names of
# their sources. Objects of files that are gone count for nothing.
symbols()
{
	objects=$PERF_BUILD/$1/CMakeFiles/$2.dir
	[ -d "$objects" ] || return 0
	find "$1" -name '*.c' | sed "s|^$1/|$objects/|; s|\$|.o|" |
		xargs ls 2>/dev/null | xargs -r nm -gA |
		sed "s|^$objects/|$1/|; s|\.o:| |"
}

# "<file> <file that it calls>". The first file that has a name is its home.
arrows()
{
	awk -v tables="$tables" '
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
	}' | sort -u
}

look()
{
	[ -s "$calls" ] || skip 'no objects are built'
	tsort "$calls" 2>&1 >/dev/null | grep '\.c$' | sed 's/^tsort: //' |
		broken 'stands in a circle'
}

# The library first: a program may put its own function in the place of a weak
# one.
{
	symbols libperfnotes perfnotes
	symbols cmd git-perf
} | arrows >"$calls"
look
for name in memory sample trace; do
	for part in $name common traced; do
		[ $part = traced ] && [ $name != trace ] ||
			symbols libperfnotes/runtime runtime_$part
	done | arrows >"$calls"
	look
done

verdict
