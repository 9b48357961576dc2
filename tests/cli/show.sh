#!/bin/sh
# git perf show: views of files, options, messages and exit codes.
. "$(dirname "$0")/lib.sh"
need jq

# g takes 5 of 8, h 2 below f, f itself 1.
cat >small.folded <<END
main;f;g 5
main;f;h 2
main;f 1
END

check 'a file is shown as top' exits 0 git perf show small.folded
check 'as pprof lays it out' prints out <<END
Type: samples
Showing nodes accounting for 8, 100% of 8 total
      flat  flat%   sum%        cum   cum%
         5 62.50% 62.50%          5 62.50%  g
         2 25.00% 87.50%          2 25.00%  h
         1 12.50%   100%          8   100%  f
         0     0%   100%          8   100%  main
END
check 'and nothing else is said' silent err

check 'JSON has the figures as numbers' exits 0 \
	git perf show --json ./small.folded
check 'with version, command and view' json \
	'[.version, .command, .view, .unit, .total]' \
	'[1,"show","top","count",8]'
check 'and a row each' json '[.rows[] | [.name, .self, .total]]' \
	'[["g",5,5],["h",2,2],["f",1,8],["main",0,8]]'

check 'a view is chosen by name' exits 0 \
	git perf show --view=tree --json small.folded
check 'tree has callers and callees' json \
	'.rows[2] | [[.callers[].name], [.callees[].name]]' \
	'[["main"],["g","h"]]'
check 'peek wants a function' exits 129 git perf show --view=peek small.folded
check 'peek shows those that match' exits 0 \
	git perf show --view=peek --function='^[gh]$' --json small.folded
check 'and only those' json '[.rows[].name]' '["g","h"]'
check 'none is an error' exits 128 \
	git perf show --view=peek --function=zz small.folded
check 'that says so' says err "fatal: no function matches 'zz'"
check 'tree has them of the functions it shows' exits 128 \
	git perf show --view=tree --nodecount=2 --function=main small.folded
check 'which is said, too' says err \
	"fatal: none of the 2 functions that are left matches 'main'"
check 'traces lists the samples' exits 0 \
	git perf show --view=traces --json small.folded
check 'leaf first' json '.rows[0] | [.value, [.frames[].name]]' \
	'[5,["g","f","main"]]'
check 'raw lists the tables' exits 0 \
	git perf show --view=raw --json small.folded
check 'by place' json \
	'[(.samples | length), (.locations | length), .samples[0].values]' \
	'[3,4,[5]]'
check 'an unknown view is a usage error' exits 129 \
	git perf show --view=pie small.folded
check 'that lists the views' mentions err "no view 'pie': there are top, "

printf '%s\n' 'version: 1' 'creator: callgrind-3.19.0' \
	'cmd: /opt/bin/prog -n /etc/x' 'desc: I1 cache: ' 'desc: Trigger: end' \
	'positions: line' 'events: Ir' 'ob=/lib64/ld-linux-x86-64.so.2' \
	'fn=start' '1 2' 'ob=/opt/bin/prog' 'fn=main' '1 3' >callgrind.out
check 'the header of a profile of callgrind' exits 0 \
	git perf show callgrind.out
check 'names the program, not the loader' says out 'File: prog'
check 'what a description says' says out 'desc: Trigger: end'
check 'but none that says nothing' not mentions out '^desc: I1'
check 'filters leave what matches' exits 0 \
	git perf show --focus=g --json small.folded
check 'out of the whole' json '[.total, [.rows[].name]]' '[8,["g","f","main"]]'
check 'or of themselves' exits 0 \
	git perf show --focus=g --relative-percentages --json small.folded
check 'when asked' json .total 5
check 'a filter without a match warns' exits 0 \
	git perf show --ignore=zz small.folded
check 'and names itself' says err 'warning: ignore matched no samples'
check 'a bad expression is fatal' exits 128 \
	git perf show --hide='a(' small.folded
check 'with the reason' \
	mentions err "^fatal: hide: bad regular expression 'a\\('"
check 'and prints nothing' silent out
check 'at most n rows' exits 0 git perf show --nodecount=1 --json small.folded
check 'are shown' json '[.rows[].name]' '["g"]'
check 'rows can be ordered by cum' exits 0 \
	git perf show --cum --json small.folded
check 'and then by name' json '.rows[0].name' '"f"'
check 'values can be divided' exits 0 git perf show --divide-by=2 small.folded
check 'as whole numbers' mentions out '^ +2 62.50% 62.50% +2 62.50%  g$'
check 'but not by nothing' exits 129 git perf show --divide-by=0 small.folded
check 'a share is at most 1' exits 129 \
	git perf show --nodefraction=2 small.folded
# lines of a report of gprof's: fold_case was called and took no time
cat >flat.gprof.txt <<END
Flat profile:

Each sample counts as 0.01 seconds.
  %   cumulative   self              self     total
 time   seconds   seconds    calls  ns/call  ns/call  name
 89.00      0.08     0.08  3312250    24.18    24.18  table_lookup
  0.00      0.08     0.00  3312250     0.00     0.00  fold_case
END
check 'a share of 0 leaves out none' exits 0 \
	git perf show --nodefraction=0 --json flat.gprof.txt
check 'that was called' json '.rows[1] | [.name, .self, .total, .calls]' \
	'["fold_case",0,0,3312250]'
check 'another does' exits 0 git perf show --json flat.gprof.txt
check 'where nothing was spent' json '[.rows[].name]' '["table_lookup"]'
check 'a granularity is one of five' exits 129 \
	git perf show --granularity=words small.folded
check 'a type must be there' exits 128 \
	git perf show --sample-index=x small.folded
check 'those that are there are named' says err \
	"fatal: no sample type 'x': the profile has 1: samples"

check 'one profile is needed' exits 129 git perf show
check 'and not two' exits 129 git perf show small.folded small.folded
check 'an absent one is fatal' exits 128 git perf show absent
check 'and named' mentions err "^fatal: no profile 'absent'"
check 'a folder is no profile' exits 128 git perf show .
check 'standard input is one' exits 0 sh -c 'git perf show - <small.folded'
check 'as any other' mentions out '62.50%  g$'
check 'a file takes the result' exits 0 git perf show -o result small.folded
check 'instead of standard output' silent out
check 'as it would be there' is "$(git perf show small.folded)" "$(cat result)"
check 'a failure leaves no file' exits 128 \
	git perf show --view=peek --function=zz -o other small.folded
check 'none at all' not test -e other

printf 'main;a\033[31m\342\200\256b;c 1\n' >hostile
check 'names of a profile are text' exits 0 \
	git perf show --format=collapsed hostile
check 'that no terminal obeys' mentions out 'a\\x1b\[31m\\u\{202[eE]\}b$'

mkdir "$scratch/elsewhere"
cp small.folded "$scratch/elsewhere"
check 'no repository is needed' exits 0 \
	git-perf -C "$scratch/elsewhere" show small.folded
