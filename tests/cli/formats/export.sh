#!/bin/sh
# git perf export: what the name of the output says of its format.
. "$(dirname "$0")/../lib.sh"
need jq

# As another program, or the first bytes of the format, tell.
is_pprof()
{
	[ "$(od -An -tx1 -N2 "$1" | tr -d ' ')" = 1f8b ]
}
is_callgrind()
{
	grep -q '^events: ' "$1"
}
is_own()
{
	git perf formats >/dev/null && ! is_pprof "$1" &&
		[ "$(head -c 4 "$1" | od -An -c | tr -d ' ')" = "$own" ]
}

printf 'main;f 3\nmain;g 5\n' >a.folded
must git perf export -t git-perf -o own a.folded
own=$(head -c 4 own | od -An -c | tr -d ' ')
for name in own.pb.gz own.pprof ./x.dir/own.pprof; do
	mkdir -p "$(dirname "$name")"
	check "a name that ends in .pb.gz is exported: $name" \
		exits 0 git perf export -o "$name" own
	check "the file is pprof: $name" is_pprof "$name"
done
for name in b.folded b.collapsed; do
	check "a name of collapsed stacks is exported: $name" \
		exits 0 git perf export -o "$name" own
	check "the file is collapsed stacks: $name" same "$name" a.folded
done
for name in b.callgrind callgrind.out callgrind.out.12; do
	check "a name of callgrind is exported: $name" \
		exits 0 git perf export -o "$name" own
	check "the file is callgrind: $name" is_callgrind "$name"
done
check 'b.speedscope.json is exported' \
	exits 0 git perf export -o b.speedscope.json own
check 'b.speedscope.json is a speedscope file' \
	grep -q 'speedscope.app/file-format-schema' \
	b.speedscope.json
check 'b.csv is exported' exits 0 git perf export -o b.csv own
check 'b.csv is CSV' grep -q '^samples/count,' b.csv

# Of others the profile's own is written, as without a name.
for name in b b.perf b.prof b.json .csv x.folded/b; do
	mkdir -p "$(dirname "$name")"
	check "a name without a known suffix is exported: $name" \
		exits 0 git perf export -o "$name" own
	check "the format of the profile is kept for $name" is_own "$name"
done
check '--to goes before the suffix of the name' exits 0 \
	git perf export -t collapsed -o c.pb.gz own
check 'the file has the format of --to' same c.pb.gz a.folded

# What add was told beside the profile, which the body does not hold.
commit told
printf 'main;h 3\n' >h.folded
labels()
{
	git perf status --json | jq -c '.profiles[0].labels'
}
for how in '' --verbatim; do
	must git perf add $how --label os=plan9 --label run=x$how h.folded
	must git perf export --to=git-perf -o told.perf 0@i
	must git perf add -f told.perf
	check "labels stay ($how)" is "$(labels)" \
		"{\"os\":\"plan9\",\"run\":\"x$how\"}"
done
must git perf merge --to=git-perf -o told.perf 0@i 2@i
must git perf add -f told.perf
check 'a merge keeps the labels that all profiles share' \
	is "$(labels)" '{"os":"plan9"}'

# Nobody looks for pprof's bytes in a picture.
for name in x.html x.svg x.dot x.svgz x.eps; do
	check "a picture is not exported: $name" \
		exits 128 git perf export -o "$name" own
	check "formats that are written are named for $name" mentions err \
		"^fatal: no format is written as '$name': there are pprof, .*; --to=<format> says which it is to be\$"
	check "nothing is left as $name" not test -e "$name"
	check "a merge is not written as a picture: $name" exits 128 git perf merge -o "$name" own
done
check 'a picture that --to names a format for is exported' \
	exits 0 git perf export -t pprof -o x.svg own

# main;a 1, main;a;b 2, main;c 4: of b there are 2, without main's frame a;b
printf 'main;a 1\nmain;a;b 2\nmain;c 4\n' >filtered
check 'export takes out what --focus does not match' is \
	"$(git perf export -t collapsed --focus='^b$' filtered)" 'main;a;b 2'
check 'export takes frames out with --hide' is \
	"$(git perf export -t collapsed --hide=main --ignore=c filtered)" \
	"$(printf 'a 1\na;b 2')"
check 'merge filters the sum' is \
	"$(git perf merge -t collapsed --show-from='^a$' filtered filtered)" \
	"$(printf 'a 2\na;b 4')"
must git perf export -t pprof --focus='^c$' --add-comment=one \
	--add-comment='two words' -o filtered.pb.gz filtered
check 'nothing of what was filtered away stays in the file' is \
	"$(gzip -dc filtered.pb.gz | tr -c '[:alnum:]' '\n' | grep -cx '[ab]')" 0
check 'comments are written in order' is \
	"$(git perf show filtered.pb.gz | sed -n 1,2p)" \
	"$(printf 'one\ntwo words')"
check 'a profile of which a filter leaves nothing is written' exits 0 \
	git perf export -t pprof -o none.pb.gz --focus=zzz filtered
check 'the filter without a match is named' mentions err \
	'^warning: focus matched no samples$'
check 'stored bytes cannot be filtered' exits 129 \
	git perf export --raw --focus=a filtered

# ---- names

# Two addresses of a file that is told without a build id.
cat >heap.txt <<'END'
heap profile: 2: 200 [2: 200] @ heapprofile
1: 100 [1: 100] @ 0x401000
1: 100 [1: 100] @ 0x401008

MAPPED_LIBRARIES:
00400000-00500000 r-xp 00000000 00:00 0 /no/such/file
END
check 'a profile without build ids is exported with --symbolize' \
	exits 0 git perf export --symbolize -t collapsed heap.txt
check 'addresses that stay are counted, and missing build ids are the reason' \
	mentions err \
	'^warning: 2 addresses stay without a name: the profile has no build ids'
check 'without --symbolize nothing is said of addresses' \
	exits 0 git perf export -t collapsed heap.txt
check 'nothing is warned of without --symbolize but for what the format lacks' \
	prints err <<'EOF'
warning: collapsed has no place for units and names: its numbers are bytes of 'space'
warning: collapsed has one value type: 1 of the profile's is left out
EOF
check 'a profile without build ids is shown with --symbolize' \
	exits 0 git perf show --symbolize heap.txt
check 'show says of addresses without build ids what export says' \
	mentions err '^warning: [0-9]+ address(es stay|.* stays) without a name: '
check 'a profile of names is exported with --symbolize' \
	exits 0 git perf export --symbolize -t collapsed a.folded
check 'where all have names nothing is warned of' silent err

# Times of samples are their order in speedscope: the leaves of one process as
# perf wrote them, one after the other.
process()
{
	awk -v pid="$1" '/^[^ \t].*cpu-clock/ { wanted = $0 ~ " " pid " "; next }
		wanted && NF { print; wanted = 0 }' |
		sed 's/^[ \t]*[0-9a-f]* //; s/ ([^()]*)$//; s/+0x[0-9a-f]*$//'
}
must git perf export --to=speedscope -o ../ordered.json \
	"$measured/perf/make-gcc.perf.txt"
for thread in 'cc1 2950' 'ld 2953'; do
	process "${thread#* }" <"$measured/perf/make-gcc.perf.txt" >../expected
	jq -r --arg name "cpu-clock: $thread" '.shared.frames as $frames |
		.profiles[] | select(.name == $name) | .samples[] |
		$frames[.[-1]].name | sub("^\\[.*"; "[unknown]")' \
		../ordered.json >../got
	check "the samples of $thread are in the order of their times" \
		same ../expected ../got
done
check 'samples in the order of time weigh what perf counted' is "$(jq '[.profiles[].weights[]] | add' \
	../ordered.json)" "$(sed -n 's/.* \([0-9]*\) cpu-clock:.*/\1/p' \
	"$measured/perf/make-gcc.perf.txt" | awk '{ s += $1 } END { print s }')"
check 'speedscope threads are read as one value type' is "$(git perf show \
	--json ../ordered.json | jq -r '.type, .unit')" 'cpu-clock
nanoseconds'
