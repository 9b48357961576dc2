#!/bin/sh
# Views of resources, which Perun has. Values by
# arithmetic from the profile below, and from groups made by Python of random
# profiles.
. "$(dirname "$0")/../lib.sh"
need jq python3

cat >heap.perf <<'END'
{"origin": "", "header": {"type": "memory", "units": {"memory": "B"}, "cmd": "./a", "workload": "", "params": ""},
"collector_info": {"name": "memory", "params": {}}, "postprocessors": [], "snapshots": [
{"time": "0.025", "resources": [
{"type": "memory", "subtype": "malloc", "amount": 4, "address": 1000, "uid": {"source": "a.c", "function": "main", "line": 22}},
{"type": "memory", "subtype": "calloc", "amount": 100, "address": 2000, "uid": {"source": "b.c", "function": "grow", "line": 7}}]},
{"time": "0.050", "resources": [
{"type": "memory", "subtype": "malloc", "amount": 50, "address": 1200, "uid": {"source": "a.c", "function": "main", "line": 22}},
{"type": "memory", "subtype": "free", "amount": 0, "address": 2000, "uid": {"source": "a.c", "function": "main", "line": 27}}]},
{"time": "0.075", "resources": [
{"type": "memory", "subtype": "malloc", "amount": 30, "address": 1500, "uid": {"source": "b.c", "function": "grow", "line": 7}}]}]}
END

# 1. table
check 'table prints all keys' exits 0 git perf show --view=table --csv heap.perf
check 'of all resources, uids as Perun flattens them' prints out <<'END'
amount/B,address,function,snapshot,subtype,time,type,uid
4,1000,a.c:main:22,0,malloc,0.025,memory,a.c:main:22
100,2000,b.c:grow:7,0,calloc,0.025,memory,b.c:grow:7
50,1200,a.c:main:22,1,malloc,0.050,memory,a.c:main:22
0,2000,a.c:main:27,1,free,0.050,memory,a.c:main:27
30,1500,b.c:grow:7,2,malloc,0.075,memory,b.c:grow:7
END
check 'headers, filters and an order' exits 0 git perf show --view=table \
	--headers=uid --headers=amount --sort=amount --reverse \
	--filter-by=subtype=malloc --filter-by=uid=a.c:main:22 \
	--filter-by=subtype=calloc heap.perf
check 'filters of one key are alternatives, of two both hold' prints out <<'END'
uid          amount/B
a.c:main:22        50
a.c:main:22         4
END
check 'numbers are in their order, the number of rows is limited' exits 0 git perf show \
	--view=table --headers=amount --sort=amount --nodecount=3 --csv heap.perf
check 'a table of three rows begins with the least number' is "$(tr '\n' ' ' <"$out")" 'amount/B 0 4 30 '
check 'a file gets CSV by its suffix' exits 0 git perf show --view=table -o t.csv heap.perf
check 'a CSV file has a head and five rows' is "$(wc -l <t.csv | tr -d ' ')" 6
check 'an unknown key is fatal' exits 128 git perf show --view=table --headers=size heap.perf
check 'the error lists the keys' mentions err \
	"no key 'size'; there are: amount/B, address, function, file, line, .*, snapshot, subtype, time, type, uid$"
check 'a filter without a value is a usage error' exits 129 git perf show --view=table \
	--filter-by=subtype heap.perf
must jq '.models = [
	{"uid": "f", "model": "linear", "r_square": 0.5, "coeffs": [{"name": "b0", "value": 1}]},
	{"uid": "g", "model": "power", "r_square": 0.25}]' heap.perf >models.perf
check 'the table of models' exits 0 git perf show --view=table --models --headers=uid \
	--headers=r_square --sort=r_square models.perf
check 'a table of models has the columns that were asked for' prints out <<'END'
uid  r_square
g        0.25
f         0.5
END
check 'a profile without models says so' exits 0 git perf show --view=table --models heap.perf
check 'a profile without models is told in one line' says out 'no models'
printf 'main;"a,b" 3\n' >odd.folded
check 'CSV of names with commas and quotes' exits 0 git perf show --csv --view=table \
	--headers=function odd.folded
check 'such names are quoted, quotes doubled' says out '"""a,b"""'
check 'top has CSV, too' exits 0 git perf show --csv odd.folded
check 'the CSV of top has a head and two rows' is "$(wc -l <"$out" | tr -d ' ')" 3

# 2. bars: of snapshots 4 + 100, 50 + 0, 30.
check 'bars of snapshots' exits 0 env COLUMNS=40 git perf show --view=bars heap.perf
check 'the longest one fills the line' prints out <<'END'
heap.perf: sum of amount/B per snapshot
0 ################################ 104 B
1 ###############                   50 B
2 #########                         30 B
END
check 'bars, one upon the other' exits 0 env COLUMNS=40 git perf show --view=bars \
	--per=subtype --by=uid heap.perf
check 'names by their weight, each part with a fill of its own' prints out <<'END'
heap.perf: sum of amount/B per subtyp...
  # b.c:grow:7
  = a.c:main:22
  + a.c:main:27
calloc ########################### 100 B
malloc ########===============      84 B
free                                   0
END
# 4 and 50 have a mean of 27, 100 and 30 one of 65; the median is the same.
for how in 'sum 130 54 0' 'mean 65 27 0' 'count 2 2 1' 'nunique 2 2 1' 'median 65 27 0' \
	'min 30 4 0' 'max 100 50 0'; do
	set -- $how
	check "bars of the $1" exits 0 git perf show --view=bars --aggregate="$1" --per=uid \
		--csv heap.perf
	check "the $1 of each uid" is "$(sed 1d "$out" | sort | sed 's/.*,//' | tr '\n' ' ')" \
		"$3 $4 $2 "
done
check 'bars beyond the number of columns are united' exits 0 git perf show --view=bars --by=uid --nodecount=1 --json heap.perf
check 'what does not fit is one' json '[.rows[] | [.per, .by, .value]]' \
	'[[0,"b.c:grow:7",100],[0,"others",4],[1,"others",50],[2,"b.c:grow:7",30]]'
check 'an unknown aggregate is a usage error' exits 129 git perf show --view=bars \
	--aggregate=most heap.perf
check 'the error lists them' mentions err "no aggregate 'most': there are sum, mean, count, nunique"

# 3. flow: added up, what a column has stays.
check 'a flow by subtype' exits 0 git perf show --view=flow --by=subtype --csv heap.perf
check 'sums add up along the snapshots' is "$(sed 1d "$out" | sort | tr '\n' ' ')" \
	'0,calloc,100 0,free,0 0,malloc,4 1,calloc,100 1,free,0 1,malloc,54 2,calloc,100 2,free,0 2,malloc,84 '
check 'a flow that is not added up' exits 0 git perf show --view=flow --by=subtype \
	--no-accumulate --csv heap.perf
check 'a flow as it is has what is there' is "$(sed 1d "$out" | sort | tr '\n' ' ')" \
	'0,calloc,100 0,malloc,4 1,free,0 1,malloc,50 2,malloc,30 '
check 'a flow through any number' exits 0 git perf show --view=flow --through=time \
	--aggregate=max --by=type --csv heap.perf
check 'a text that is a number is one' is "$(sed 1d "$out" | tr '\n' ' ')" \
	'0.025,memory,100 0.05,memory,50 0.075,memory,30 '
check 'a flow through names is fatal' exits 128 git perf show --view=flow --through=uid heap.perf
check 'the error says that names are no numbers' says err "fatal: the key 'uid' is not a number everywhere"
check 'a flow of curves' exits 0 git perf show --view=flow --csv "$measured/massif/wordfreq.massif"
# massif's own tree at that moment: 400,064 of main, 78,192 of table_lookup.
check 'a flow of a curve shows what its points are made of' says out '81739907,table_lookup,78192'
check 'a flow on a terminal' exits 0 env COLUMNS=60 git perf show --view=flow --stacked heap.perf
check 'a flow is no wider than its terminal' not mentions out '.{61}'

# of two runs that are not told apart: each row is of one, cost and address
must git perf merge --to=git-perf -o two.gp heap.perf heap.perf
check 'addresses of two runs stay what they are' is \
	"$(git perf show --view=table --csv two.gp | sed -n 2p)" 4,1000,a.c:main:22,0,malloc,0.025,memory,a.c:main:22

# 2^53 + 1, 2 and 1 are 2^53 + 4, of which a double has only even ones
printf 'main;a 9007199254740993\nmain;a 2\nx;a 1\n' >large.folded
check 'a sum beyond 2^53 has all its digits' is \
	"$(git perf show --view=bars --per=function --csv large.folded | tail -1)" a,9007199254740996
check 'the largest has all its digits' is \
	"$(git perf show --view=bars --per=function --aggregate=max --csv large.folded | tail -1)" a,9007199254740993

# 4. scatter: y = 2x + 1 by the functions f and g.
python3 - >line.perf <<'END'
import json
print(json.dumps({
    "origin": "", "header": {"type": "mixed", "units": {"mixed": "us"}, "cmd": "x", "workload": ""},
    "collector_info": {"name": "trace", "params": {}}, "postprocessors": [], "models": [],
    "resources": {"f#0": {"amount": [3, 5, 7, 9], "structure-unit-size": [1, 2, 3, 4]},
                  "g#0": {"amount": [6, 6, 6], "structure-unit-size": [1, 2, 3]}},
    "resource_type_map": {k + "#0": {"uid": k, "type": "mixed", "subtype": "t"} for k in "fg"}}))
END
check 'points with models fitted here' exits 0 git perf show --view=scatter --json line.perf
check 'the line is found' json '[.curves[] | select(.uid == "f") | [.model, .r_square]][0]' '["linear",1]'
check 'each point is there' json '[.rows[] | [.uid, .x, .y]]' \
	'[["f",1,3],["f",2,5],["f",3,7],["f",4,9],["g",1,6],["g",2,6],["g",3,6]]'
check 'a scatter on a terminal' exits 0 env COLUMNS=50 git perf show --view=scatter line.perf
check 'a line says what was fitted' mentions out '^f: 4 points; linear, r.* 1$'
check 'nothing of it is wider' not mentions out '.{51}'
must git perf model -p 'regression-analysis models=linear' --json -o made.json line.perf
check 'models of the profile are drawn' exits 0 git perf show --view=scatter --json \
	"$(jq -r .path made.json)"
check 'no model is drawn that it has not' json '[.curves[].model] | unique' '["linear"]'

# 5. heapmap: 4 + 100 at the first snapshot, 4 + 50 when 100 are freed, then 30.
check 'a map of the heap' exits 0 git perf show --view=heapmap --csv heap.perf
check 'what is allocated at each snapshot' prints out <<'END'
snapshot,time,allocations,live
0,0.025,2,104
1,0.05,2,54
2,0.075,3,84
END
# Runs have the same addresses. 104 and 104 of two runs are 104 of one, 104 and
# 108, where 8 B stand for the 4, are 106.
must git perf show --view=heapmap --csv two.gp >"$out"
check 'two equal runs have the heap of one' prints out <<'END'
snapshot,time,allocations,live
0,0.025,2,104
1,0.05,2,54
2,0.075,3,84
END
check 'two equal runs have the map of one' is \
	"$(git perf show --view=heapmap --json two.gp | jq -c '[.column_bytes, .regions, .rows, .heat]')" \
	"$(git perf show --view=heapmap --json heap.perf | jq -c '[.column_bytes, .regions, .rows, .heat]')"
must sed 's/"amount": 4,/"amount": 8,/' heap.perf >more.perf
must git perf merge --to=git-perf -o unequal.gp heap.perf more.perf
must git perf show --view=heapmap --csv unequal.gp >"$out"
check 'of two runs with 4 and 8 bytes one has 6' prints out <<'END'
snapshot,time,allocations,live
0,0.025,2,106
1,0.05,2,56
2,0.075,3,86
END
# From 1000 to 2100 there are 1100 bytes, 46 columns of 24: 2000 is in number 41,
# of which 1984 to 2008 has 8, and 2080 to 2104 the last 20 of 100.
check 'a map on a terminal' exits 0 env COLUMNS=80 git perf show --view=heapmap heap.perf
check 'a row is a snapshot, a column some bytes' mentions out \
	'^       0     104 B \|\. {40}:####\|$'
check 'the bytes of a column are told' says out 'a column is 24 B; 0x3e8-0x834'
check 'nothing of the map is wider' not mentions out '.{81}'
check 'a heap without addresses is fatal' exits 128 git perf show --view=heapmap line.perf
check 'the error says what is missing' says err \
	'fatal: the profile does not say at which addresses memory was allocated'
must sed 's/"address": 1500/"address": 140000000000000/' heap.perf >far.perf
check 'a heap with a gap of terabytes' exits 0 git perf show --view=heapmap --json far.perf
check 'the gap is left out' json '[.regions[] | [.start, .end]]' '[[1000,2100],[140000000000000,140000000000030]]'
check 'how often is counted' json '[.heat | add, max] | .[1]' 1

# 6. alloclist: what was freed is no allocation.
check 'the largest allocations' exits 0 env COLUMNS=80 git perf show --view=alloclist --nodecount=2 heap.perf
check 'the largest are listed with place and time' is "$(grep -v '^ ' "$out")" "4 allocations, 184 B: 2 of 4
#1 calloc: 100 B at 0x7d0, snapshot 0 (0.025 s), b.c:grow:7
#2 malloc: 50 B at 0x4b0, snapshot 1 (0.05 s), a.c:main:22"
check 'places by number' exits 0 git perf show --view=alloclist --mode=most --csv heap.perf
check 'each place has two allocations' is "$(sed 1d "$out" | tr '\n' ' ')" '54,2,a.c:main:22 130,2,b.c:grow:7 '
check 'places by amount' exits 0 git perf show --view=alloclist --mode=sum --csv heap.perf
check 'grow has 130 bytes, main 54' is "$(sed 1d "$out" | tr '\n' ' ')" '130,2,b.c:grow:7 54,2,a.c:main:22 '
check 'what one function allocated' exits 0 git perf show --view=alloclist --mode=func \
	--function='^main$' --csv heap.perf
check 'the function is that of the uid' is "$(sed 1d "$out" | cut -d, -f1 | tr '\n' ' ')" '4 50 '
check 'what was allocated in a time' exits 0 git perf show --view=alloclist --mode=all \
	--from-time=.04 --to-time=.08 --csv heap.perf
check 'the time has 50 and 30 bytes' is "$(sed 1d "$out" | cut -d, -f1 | tr '\n' ' ')" '50 30 '
check 'func without a function is fatal' exits 128 git perf show --view=alloclist --mode=func heap.perf
check 'any heap profile has such a list' exits 0 git perf show --view=alloclist "$measured/go/heap.pb.gz"
# pprof -top -sample_index=inuse_space: main.build has most.
check 'the largest of Go is in main.build' mentions out '^#1 .*, main.build$'

# 7. Groups of random profiles beside Python's.
check 'twenty random profiles give what Python makes of them' exits 0 \
	python3 "$root/tests/peer/resources.py" git-perf

# 8. Pictures and pages are documents, whatever names there are.
must python3 - >hostile.perf <<'END'
import json
names = ['<script>x</script>', '"&\'>', 'a\x1b[31mb', '\u202eevil', 'n' * 100000, ']]>']
print(json.dumps({
    "origin": "", "header": {"type": "memory", "units": {"memory": "<B>"}, "cmd": "x", "workload": ""},
    "collector_info": {"name": "memory", "params": {}}, "postprocessors": [],
    "snapshots": [{"time": "1", "resources": [
        {"type": "memory", "subtype": n, "amount": i + 1, "uid": n, "structure-unit-size": i * i, "address": 4096 * i + 16,
         "a\x1b]0;x": 1}
        for n in names for i in range(4)]}]}))
END
for view in bars flow scatter heapmap alloclist table; do
	for form in svg html; do
		case $view.$form in table.svg | alloclist.svg) continue ;; esac
		check "$view as $form of hostile names" exits 0 git perf show --view=$view \
			-o x.$form hostile.perf
		check "nothing of $view.$form runs" exits 1 grep -F '<script>x' x.$form
		check "no name of $view.$form moves a terminal" exits 1 \
			grep -P '\x1b|\xe2\x80\xae' x.$form
	done
	[ $view = table ] || [ $view = alloclist ] || check "$view is XML" exits 0 python3 -c \
		'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' x.svg
	check "$view on a terminal" exits 0 env COLUMNS=80 git perf show --view=$view hostile.perf
	cp "$out" text
	check "$view sends no escape" exits 1 grep -P '\x1b|\xe2\x80\xae' text
done
check 'a table has no picture' exits 128 git perf show --view=table -o x.svg heap.perf
check 'the error says which views have a picture' mentions err "is no SVG: there are .*bars, flow, scatter"
check 'options of resources are refused by other views' exits 129 git perf show --per=snapshot heap.perf
check 'the option that is not of a view is named' says err \
	"error: --per is not of the view 'top': it is of table, bars, flow, scatter, heapmap and alloclist"
for view in scatter heapmap; do
	check "$view refuses --filter-by" exits 129 git perf show --view=$view --filter-by=subtype=malloc heap.perf
done
