#!/bin/sh
# The library exports only pn_ names, defines what its headers declare, and has
# no variable that can change.
# PERF_LIBRARY is the static library.
. "$(dirname "$0")/lib.sh"

[ -n "${PERF_LIBRARY:-}" ] || skip 'PERF_LIBRARY names no library'
names=$(mktemp)
inline=$(mktemp)
trap 'rm -f "$faults" "$names" "$inline"' EXIT

nm -g --defined-only "$PERF_LIBRARY" |
	awk 'NF == 3 && $3 !~ /^pn_/ { print $3 }' |
	grep -v '^__gnu_lto' | broken 'not a pn_ name'
# .data.rel.ro holds constant tables of pointers.
objdump -t "$PERF_LIBRARY" |
	awk '/file format/ { file = $1 }
	NF > 4 { section = $(NF - 2) }
	NF > 4 && section ~ /^\.t?(data|bss)/ && section !~ /^\.data\.rel/ &&
	$NF != section { print file " " $NF }' |
	broken 'a variable that can change'

# What the headers declare, without comments; runtime/ is no part of it.
find libperfnotes -path libperfnotes/runtime -prune -o -name '*.h' -print0 | xargs -0 awk '
	{
		text = $0
		if (inside && !sub(/.*\*\//, "", text))
			next
		inside = 0
		gsub(/\/\*([^*]|\*[^\/])*\*\//, "", text)
		inside = sub(/\/\*.*/, "", text)
		print text
	}' | grep -v '^#' | grep -Eo '(^|[^a-z_0-9])pn_[a-z0-9_]+\(' |
	grep -Eo 'pn_[a-z0-9_]+' | sort -u >"$names"
find libperfnotes -name '*.h' -exec grep -h -A 1 '^static inline ' {} + |
	grep -Eo 'pn_[a-z0-9_]+\(' | tr -d '(' >"$inline"
nm -g --defined-only "$PERF_LIBRARY" | awk 'NF == 3 { print $3 }' |
	sort -u - "$inline" | comm -23 "$names" - |
	broken 'declared but not defined'

# What is loaded into a program needs libc only, and takes the place of nothing
# but libc's own functions.
libc=$(ldd "$(command -v sh)" | awk '$1 ~ /^libc\.so/ { print $3 }')
nm -D --defined-only "$libc" | awk '{ sub("@.*", "", $3); print $3 }' |
	sort -u >"$names"
for object in $PERF_RUNTIMES; do
	objdump -p "$object" |
		awk -v o="$object" '$1 == "NEEDED" { print o ": " $2 }' |
		grep -Ev ' (libc|ld-linux[-a-z0-9_]*)\.so\.[0-9]+$' |
		broken 'needs more than libc'
	nm -D --defined-only "$object" | awk '{ print $3 }' | sort -u |
		comm -23 - "$names" |
		grep -Ev '^(git_perf_[a-z_]+|__cyg_profile_func_(enter|exit))$' |
		broken "$object: neither libc's name nor git_perf_*"
done

verdict
