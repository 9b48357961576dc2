#!/bin/sh
# Stacks of which none repeats: their columns would weigh fifteen times what
# the text does, so it is kept as it is, and nothing is tried that takes the
# memory to encode and verify them.
. "$(dirname "$0")/../lib.sh"
case ${ASAN_OPTIONS:-} in
?*) skip 'the address sanitizer needs all addresses' ;;
esac
commit one
# 5.2 million frames, of 14 words each (storage/FORMAT.md), are 582 MB in
# columns; 512 MB are the limit.
awk 'BEGIN {
	for (i = 0; i < 260000; i++) {
		for (k = 0; k < 20; k++)
			printf "%x%s", i * 20 + k, k < 19 ? ";" : " 1\n"
	}
}' >heavy.folded
limited()
{
	(
		ulimit -v 1500000
		exec "$@"
	)
}
check 'a profile too large for columns is stored' \
	exits 0 limited git-perf add heavy.folded
newest()
{
	git notes --ref=perf show HEAD | tail -n 1 |
		grep -Eo ' (body=[a-z]*|m=samples;.*)' | tr -d '\n'
}
check 'a profile too large for columns is stored verbatim' \
	is "$(newest)" ' body=verbatim m=samples;count;less;1;260000'
check 'a verbatim profile is exported' \
	exits 0 git perf export --raw -o ../raw 0@i
check 'the exported bytes are those of the input' same ../raw heavy.folded
head -n 1000 heavy.folded >part.folded
check 'a part of the large profile is added' exits 0 git perf add part.folded
check 'a part that fits is stored canonically' \
	is "$(newest)" ' body=canonical m=samples;count;less;1;1000'
