#!/bin/sh
# The library exports only pn_ names and has no variable that can change.
# PERF_LIBRARY is the static library.
. "$(dirname "$0")/lib.sh"

[ -n "${PERF_LIBRARY:-}" ] || skip 'PERF_LIBRARY names no library'

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

verdict
