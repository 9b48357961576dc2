#!/bin/sh
# Figures of the views of resources: each follows from a few written here.
. "$(dirname "$0")/../lib.sh"
need jq

# 1. Three runs of one program, b takes 10 and c 20 in each: one run takes that.
printf 'a;b 10\na;c 20\n' >s.folded
cp s.folded 2.folded
cp s.folded 3.folded
must git perf merge -t git-perf -o pooled.perf s.folded 2.folded 3.folded
repo=$scratch/told
must git init -q "$repo"
must git -C "$repo" commit -q --allow-empty -m a
for i in 1 2 3; do
	must git -C "$repo" perf add -n s "$PWD/s.folded"
done
must git -C "$repo" perf export -t git-perf -o "$PWD/told.perf" HEAD:s
for of in pooled told; do
	check "bars of runs, $of" exits 0 git perf show --view=bars --csv $of.perf
	check "cost of one of the runs, $of" is "$(sed 1d "$out" | tr '\n' ' ')" 'c,20 b,10 '
	check "the mean of runs, $of" exits 0 git perf show --view=bars --aggregate=mean --csv \
		$of.perf
	check "the mean of runs is that of each, $of" is "$(sed 1d "$out" | tr '\n' ' ')" 'c,20 b,10 '
	check "numbers of resources of runs, $of" exits 0 git perf show --view=bars \
		--aggregate=count --csv $of.perf
	check "one run has one of each, $of" is "$(sed 1d "$out" | tr '\n' ' ')" 'b,1 c,1 '
	check "bars of runs say so, $of" exits 0 git perf show --view=bars $of.perf
	check "bars say how many runs there are, $of" says out 'Runs: 3, figures are per run'
	check "JSON of runs, $of" exits 0 git perf show --view=bars --json $of.perf
	check "JSON has the number of runs, $of" json .runs 3
	check "a table of runs, $of" exits 0 git perf show --view=table --json $of.perf
	check "each row is of one, $of" json \
		'[.runs, ([.rows[]["samples/count"]] | unique)]' '[3,[10,20]]'
done
check 'bars by run' exits 0 git perf show --view=bars --by=perf::run --csv told.perf
check 'each run has its own bars' is "$(sed 1d "$out" | sort | tr '\n' ' ')" \
	'b,1,10 b,2,10 b,3,10 c,1,20 c,2,20 c,3,20 '
check 'bars of one of the runs' exits 0 git perf show --view=bars --filter-by=perf::run=2 \
	--csv told.perf
check 'bars of one run have all that it costs' is "$(sed 1d "$out" | tr '\n' ' ')" 'c,20 b,10 '
check 'one profile is no run of several' exits 0 git perf show --view=bars --json s.folded
check 'JSON of bars without runs has no member runs' json 'has("runs")' false

# 2. Allocations: five of f and two of g, in two samples and one, 700 bytes and 300.
cat >heap.prof <<'END2'
heap profile:      7:     1000 [     9:     1400] @ heapprofile
     4:      600 [     5:      900] @ 0x1000
     1:      100 [     1:      100] @ 0x1000 0x2000
     2:      300 [     3:      400] @ 0x3000
END2
check 'alloclist of allocated space' exits 0 git perf show --view=alloclist --of=alloc_space heap.prof
check 'alloclist counts the allocations that the profile tells, 5 + 1 + 3' mentions out '^9 allocations, 1\.[34]'
check 'alloclist of space in use' exits 0 git perf show --view=alloclist --of=inuse_space heap.prof
check 'alloclist counts the objects in use, 4 + 1 + 2' mentions out '^7 inuse_objects, 1'
check 'heaptrack says how many' exits 0 git perf show --view=alloclist --mode=most --json \
	"$measured/heaptrack/wordfreq.zst"
cp "$out" most.json
check 'top of the same' exits 0 git perf show --sample-index=allocations --json \
	"$measured/heaptrack/wordfreq.zst"
check 'the number is the total of allocations' is "$(jq .allocations most.json)" "$(jq .total "$out")"
for of in pooled told; do
	check "samples are no bytes, $of" exits 128 git perf show --view=alloclist $of.perf
	check "what shows them is named, $of" says err \
		"fatal: alloclist lists bytes, 'samples/count' are none: --view=bars shows them"
done
check 'a number is no bytes' exits 128 git perf show --view=alloclist --of=alloc_objects heap.prof
check 'the error lists the types of bytes' mentions err '--of takes alloc_space/bytes, inuse_space/bytes$'
for i in 1 2 3; do
	must cp heap.prof h$i.prof
done
must git perf merge -t git-perf -o heaps.perf h1.prof h2.prof h3.prof
check 'allocations of three equal runs' exits 0 git perf show --view=alloclist --of=alloc_space \
	--json heaps.perf
check 'figures of runs are those of one' json '[.runs, .amount, .allocations]' '[3,1400,9]'

# Of two runs that allocate alike, and of one that has another size and address.
# allocs FILE SIZE ADDRESS: one of f of 8 bytes twice, one of g of SIZE
allocs()
{
	cat >"$1" <<END2
{"origin": "", "header": {"type": "memory", "units": {"memory": "B"}, "cmd": "./a", "workload": "", "params": ""},
"collector_info": {"name": "memory", "params": {}}, "postprocessors": [], "snapshots": [{"time": "1", "resources": [
{"type": "memory", "subtype": "malloc", "amount": 8, "address": 16, "uid": "f"},
{"type": "memory", "subtype": "malloc", "amount": 8, "address": $3, "uid": "f"},
{"type": "memory", "subtype": "malloc", "amount": $2, "address": 64, "uid": "g"}]}]}
END2
}
allocs one.perf 80 32
allocs two.perf 80 32
allocs other.perf 90 48
must git perf merge -t git-perf -o alike.perf one.perf two.perf
must git perf merge -t git-perf -o unlike.perf one.perf other.perf
must git -C "$repo" perf add "$PWD/one.perf"
must git -C "$repo" perf add "$PWD/one.perf"
must git -C "$repo" perf export -t git-perf -o "$PWD/apart.perf" HEAD:a/memory
list='[.rows[] | .place, .amount, .address]'
for of in alike apart; do
	check "allocations of runs, $of" exits 0 git perf show --view=alloclist --json $of.perf
	check "what both runs allocate is listed once, $of" json "$list" \
		'["g",80,64,"f",8,16,"f",8,32]'
	check "allocations are counted once, $of" json '[.allocations, .amount]' '[3,96]'
	check "places of runs, $of" exits 0 git perf show --view=alloclist --mode=most --json $of.perf
	check "places have the number of one run, $of" json '[.rows[] | .place, .count]' \
		'["f",2,"g",1]'
done
# Three in each run, which was not added up: each row is of one run, as are the
# largest and the mean, (8 + 8 + 80) / 3; sums and numbers are per run, of
# (8 + 8 + 80 + 8 + 8 + 90) / 2 bytes.
for of in alike apart unlike; do
	size='80 80'
	if [ $of = unlike ]; then
		size='80 90'
	fi
	check "a table of allocations, $of" exits 0 git perf show --view=table --json $of.perf
	check "each allocation has its bytes, $of" is \
		"$(jq -r '[.rows[]["amount/B"]] | sort | map(tostring) | join(" ")' "$out")" "8 8 8 8 $size"
	check "the largest allocation, $of" exits 0 git perf show --view=bars --aggregate=max --csv $of.perf
	check "the largest has its bytes, $of" says out "0,${size#* }"
	check "the number of allocations, $of" exits 0 git perf show --view=bars --aggregate=count --csv $of.perf
	check "a run has three, $of" says out 0,3
done
check 'bytes of unlike runs' exits 0 git perf show --view=bars --csv unlike.perf
check 'bytes of unlike runs are of the mean run' says out 0,101
check 'the mean allocation of two runs' exits 0 git perf show --view=bars --aggregate=mean --csv alike.perf
check 'the mean allocation of two runs is that of one' says out 0,32
check 'allocations of unlike runs' exits 0 git perf show --view=alloclist --json unlike.perf
check 'each of another size is one in half of the runs' json "$list" \
	'["g",45,64,"g",40,64,"f",8,16,"f",8,null]'
check 'allocations of unlike runs as text' exits 0 git perf show --view=alloclist unlike.perf
check 'text says what part of a run it is in' mentions out '^#1 malloc: 45 B in 0\.5 allocations at 0x40, '

# 3. Addresses have 64 bits: 0x1234567890abcdef is 1311768467294899695.
cat >addr.perf <<'END2'
{"origin": "", "header": {"type": "memory", "units": {"memory": "B"}, "cmd": "./a", "workload": "", "params": ""},
"collector_info": {"name": "memory", "params": {}}, "postprocessors": [], "snapshots": [{"time": "1", "resources": [
{"type": "memory", "subtype": "malloc", "amount": 8, "address": 1311768467294899695, "uid": "f"}]}]}
END2
check 'an address of 61 bits is listed' exits 0 git perf show --view=alloclist addr.perf
check 'an address has all its digits' says out '#1 malloc: 8 B at 0x1234567890abcdef, snapshot 0 (1 s), f'
check 'an address of 61 bits is printed as CSV' exits 0 git perf show --view=alloclist --csv addr.perf
check 'CSV has the address as the file has it' says out '8,malloc,1311768467294899695,0,1,f'

# 4. What a spreadsheet would run is text in it; numbers below 0 stay numbers.
printf '=cmd;-x 3\n+1;@a 2\n' >formulas.folded
for view in top bars table; do
	check "CSV of names like formulas, $view" exits 0 git perf show --view=$view --csv \
		formulas.folded
	check "no cell of $view begins as a formula" not mentions out '(^|,)"?[=+@-][a-z0-9]'
	check "the name is there, $view" mentions out "(^|,)'-x(,|\$)"
done
must sed 's/"amount": 8/"amount": -3/; s/"uid": "f"/"uid": "=b"/' addr.perf >less.perf
check 'values below 0 in CSV' exits 0 git perf show --view=bars --per=uid --csv less.perf
check 'numbers below 0 are no text' says out "'=b,-3"
check 'a scatter of one point is drawn' exits 0 git perf show --view=scatter --of=samples/count --per=samples/count \
	s.folded
check 'one point is said as one' mentions out '^c: 1 point[;]?'

# 5. Places of a binary without a function have its name, as in top.
cat >unnamed.perf.txt <<'END2'
gzip  2185   100.000001:    1000000 cpu-clock:ppp:
	            4883 [unknown] (/usr/bin/gzip)

gzip  2185   100.002001:    1000000 cpu-clock:ppp:
	            5000 [unknown] (/usr/bin/gzip)

gzip  2185   100.003001:     500000 cpu-clock:ppp:
	            6000 inflate (/usr/bin/gzip)

END2
check 'bars of places without a function' exits 0 git perf show --view=bars --csv unnamed.perf.txt
check 'two samples of the binary are 2 ms' is "$(sed 1d "$out" | tr '\n' ' ')" \
	'[gzip],2000000 inflate,500000 '

# 6. Measured values keep their unit, and other units are not added to them.
printf 'name,value,unit\nt,5,ms\nt,7,ms\nm,3,B\n' >units.csv
check 'bars of measured values' exits 0 git perf show --view=bars --format=csv --json units.csv
check 'the sum is 5 + 7 ms, the bytes are left out' json \
	'[.unit, .left_out, [.rows[] | [.per, .value]]]' '["ms",1,[["t",12]]]'
check 'bars of units on a terminal' exits 0 git perf show --view=bars --format=csv units.csv
check 'how to see the bytes is told' says out 'without 1 of other units: --filter-by=unit=<unit> chooses'
check 'bars of the other unit' exits 0 git perf show --view=bars --format=csv \
	--filter-by=unit=B --json units.csv
check 'nothing is added to the bytes' json '[.unit, [.rows[] | [.per, .value]]]' '["B",[["m",3]]]'

# 7. Options that these views do not have are refused.
for view in table bars flow scatter heapmap alloclist; do
	for option in --sample-index=nope --unit=ms --divide-by=10 --mean --granularity=files; do
		check "$view refuses $option" exits 129 git perf show --view=$view $option s.folded
		check "$view names ${option%%=*} and what would do" mentions err \
			"${option%%=*} is not of the view '$view': --of says"
	done
done
