#!/bin/sh
# The views stats, callers and callees print what Python's pstats does: of
# dumps of 2.7 to 3.13, of made-up ones, of several at a time, of dumps that
# were stored, and of what our own writer makes of other profiles. PERF_REPORTS
# is how many dumps are made up, and with how many options each is shown.
. "$(dirname "$0")/../lib.sh"
need python3
data=$measured/python
PYTHONIOENCODING=utf-8
export PYTHONIOENCODING

pairs=
for dump in "$data"/*.prof; do
	pairs="$pairs $dump $dump"
done
# What has samples or a call graph of another kind comes to what export writes.
for profile in go/cpu.pb.gz gprof/wordfreq.gprof.txt racket/run.json \
	node/work.cpuprofile php/xdebug.cachegrind.gz; do
	name=$(basename "$profile")
	must git perf export --to=pstats -o "$name.prof" "$measured/$profile"
	# of the time of the export, as that is what Python reads
	must cp "$measured/$profile" "$name"
	must touch -r "$name.prof" "$name"
	pairs="$pairs ./$name ./$name.prof"
done
# shellcheck disable=SC2086 # a list of names without blanks
check 'all reports are equal' exits 0 python3 "$root/tests/peer/pstats_reports.py" \
	"$data" 1 ${PERF_REPORTS:-10 10} $pairs

# What pstats printed on the machine where the dumps were made. Of dicts of
# Python 2 the order was another one there.
for dump in "$data"/*-py3*.prof "$data"/compileall-stdlib.prof; do
	[ -e "$dump" ] || continue
	sed 1d "$dump.pstats-time.txt" >wanted
	git perf show --view=stats --sort=time --restrict=25 "$dump" | sed 1d >got
	check "$(basename "$dump") is as it was printed then" same got wanted
done

commit first
must git perf add --keep "$data/recursion-py3.11.7.prof"
git perf show --view=callers "$data/recursion-py3.11.7.prof" >of_file
check 'a stored dump is shown' exits 0 git perf show --view=callers 0@i
check 'a stored dump is shown in the order of its file' same of_file "$out"

check 'a wrong key' exits 129 git perf show --view=stats --sort=n "$data/recursion-py3.11.7.prof"
check 'a wrong sort key is named, with the right ones' mentions err "^error: no sort key 'n': there are calls, ncalls,"
check 'two numbers of old pstats as keys' exits 129 git perf show --view=stats --sort=1 --sort=2 0@i
check 'numbers are no sort keys' mentions err "^error: no sort key '1'"
check 'values without times' exits 128 git perf show --view=stats "$measured/callgrind/wordfreq.callgrind"
check 'values without times are refused' mentions err '^fatal: .*need values in a unit of time'

check 'JSON is printed' exits 0 git perf show --json --view=stats \
	--sort=cumulative --restrict=fib "$data/recursion-py3.11.7.prof"
check 'callers and callees have their calls' json \
	'[.rows[] | [.name, (.callers | map(.name, .calls, .primitive)), (.callees | map(.name))]]' \
	'[["fib",["fib",3192,2,"main",1,1],["fib"]]]'

# Names that a terminal must not get.
must python3 - <<'END'
import marshal
name = "a\x1b[31m\u202eb\n"
marshal.dump({("x\r.py", 1, name): (1, 1, 1.0, 1.0, {}),
              ("y" * 100000, 2, "g"): (1, 1, 1.0, 1.0,
              {("x\r.py", 1, name): (1, 1, 1.0, 1.0)})}, open("odd.prof", "wb"))
END
for view in stats callers callees; do
	git perf show --view=$view --restrict='[ab]' ./odd.prof >odd.txt
	check "$view has no control bytes" is \
		"$(LC_ALL=C tr -d '\n\40-\176' <odd.txt | wc -c)" 0
done
