#!/bin/sh
# Inputs of 300 MB: refused by a clear line, in memory that does not grow with
# them. 256 MB are read at most (perf.maxBodySize).
. "$(dirname "$0")/../lib.sh"
case ${ASAN_OPTIONS:-} in
?*) skip 'the address sanitizer needs all addresses' ;;
esac
commit one
# 256 MB of input twice over, and what the program is itself.
limited()
{
	(
		ulimit -v 640000
		exec "$@"
	)
}
lines()
{
	yes 'main;work 1' | head -c 300000000
}
refused()
{
	check "$1 is refused" exits 128 limited git-perf add "$2"
	check "$1 gives one line" is "$(wc -l <"$err")" 1
	check "$1 gives the reason" mentions err "$3"
}
truncate -s 300M zeros
refused 'zeros' zeros "^fatal: cannot read 'zeros': its format is not"
lines >lines.folded
refused 'lines' lines.folded \
	"^fatal: cannot read 'lines.folded': more than 268435456 bytes\$"
lines | gzip -1 >small.gz
refused 'a megabyte that unpacks to it' small.gz \
	"^fatal: cannot read 'small.gz': more than 268435456 bytes\$"
mkfifo fifo
lines >fifo &
refused 'a pipe' fifo "^fatal: cannot read 'fifo': more than 268435456 bytes\$"
wait
check 'no refused file has stored anything' \
	exits 1 git rev-parse -q --verify refs/notes/perf
check 'a smaller perf.maxBodySize is refused at once' exits 128 \
	git -c perf.maxBodySize=1k perf add lines.folded
check 'the refusal names the limit in bytes' \
	mentions err "^fatal: cannot read 'lines.folded': more than 1024 bytes\$"
