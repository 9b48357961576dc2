#!/bin/sh
# Every measured file that these formats read: add, then export,
# gives back an equal profile; stored verbatim, the same bytes.
. "$(dirname "$0")/../lib.sh"
need same_profile
data=$measured
commit one

# roundtrip FORMAT FILE...
roundtrip()
{
	format=$1
	shift
	for file; do
		name=$(basename "$(dirname "$file")")/$(basename "$file")
		must git perf add -n p "$file"
		must git perf export --to="$format" -o ../back 0@i
		check "$name comes back equal" same_profile "$file" ../back
		must git perf export -o ../own --to=git-perf 0@i
		check "$name comes back equal from our own format" \
			same_profile "$file" ../own
		must git perf add --verbatim -n v "$file"
		must git perf export --raw -o ../raw 0@i
		gzip -dcf <"$file" >../plain
		check "$name stored verbatim has its bytes" \
			same ../plain ../raw
	done
}
roundtrip pprof "$data"/go/*.pb.gz "$data"/gperftools/*.pb.gz \
	"$data"/synthetic/*.pb.gz "$data"/series/pprof/0*.pb.gz
roundtrip collapsed "$data"/perf/*.folded "$data"/series/folded/0*.folded
check 'the store has no fault' exits 0 git perf fsck
