#!/bin/sh
# What was left out by pull --filter and is needed by one command comes in one
# connection, however many commits and series that are. Bodies of random names
# have more than 64 kB, and build on none.
. "$(dirname "$0")/../lib.sh"
server=$scratch/server.git
lacking=12

# FACTOR SEED JOB: costs that do not vary, in 6,000 functions.
profile()
{
	awk -v factor="$1" -v seed="$2" -v job="$3" 'BEGIN {
		srand(seed + (job == "a" ? 100 : 0))
		print "version: 1\ncmd: true " job "\nevents: Ir"
		for (i = 1; i <= 6000; i++) {
			print "fl=src/" job ".c"
			printf "fn=n%06x%06x\n", int(rand() * 16777216), \
				int(rand() * 16777216)
			print i, 1000 * factor
		}
		print "fn=main\n1", 1000000 * factor
	}' >"$scratch/$3.callgrind"
	printf 'HEAD\t%s\n' "$scratch/$3.callgrind"
}

must git init -q --bare -b main "$server"
must git -C "$server" config uploadpack.allowFilter true
must git remote add origin "file://$server"
must mkdir src
for job in a b; do
	echo "int $job;" >src/$job.c
	printf '[job "%s"]\n\tcmd = true %s\n' $job $job >>.gitperf
done
must git add .gitperf src
for i in 1 2 3 4 5 6; do
	[ $i -lt 6 ] || sed -i 's/int/long/' src/a.c src/b.c
	must git add src
	commit "$i"
	factor=$((i < 6 ? 2 : 3))
	for job in a b; do
		profile $factor $i $job
	done | git perf add --stdin 2>"$err"
done
must git push -q origin main
must git perf push -q

counting_upload

# MOST STATUS ARGUMENT...: a clone without bodies asks as often at most.
asks()
{
	most=$1
	status=$2
	shift 2
	lean_clone
	check "$1: bodies are absent" is "$absent" $lacking
	check "git perf $*" exits "$status" git perf "$@"
	check "$1 asks for what it needs at once" test \
		"$(wc -l <"$scratch/connections")" -le "$most"
	check "$1 has asked" test -s "$scratch/connections"
}

asks 1 0 fsck
asks 1 0 log --function=main
asks 1 0 blame main
asks 1 0 diff HEAD~1:a.callgrind HEAD:a.callgrind
asks 1 0 show HEAD~1:a.callgrind HEAD:a.callgrind HEAD:b.callgrind
# those that are subtracted come behind what they are subtracted from
asks 2 0 show --base=HEAD~1:a.callgrind --base=HEAD~2:a.callgrind HEAD:a.callgrind
asks 1 1 check
check 'check says which functions explain it' mentions out 'main'
# without a change nothing has asked for bodies before
asks 1 0 check --functions HEAD~4 HEAD~3
check 'functions of both series are compared' is \
	"$(grep -c ' functions changed' "$out")" 2
asks 1 0 impact HEAD~1..HEAD
check 'impact has both series' is "$(grep -c '^touches ' "$out")" 2
asks 1 0 run --list --config=.gitperf --affected=HEAD~1..HEAD
asks 1 0 annotate src/a.c
# one to see whether the series has functions, then the others
asks 2 0 report -o "$scratch/page"
asks 1 1 export-perun "$scratch/store"

# Results of more benchmarks than a line has room for: their figures are in the
# body, and log and its like need those of many commits.
server=$scratch/results.git
lacking=4
must git init -q --bare -b main "$server"
must git -C "$server" config uploadpack.allowFilter true
must git init -q -b main "$scratch/results"
cd "$scratch/results" || exit 1
must git remote add origin "file://$server"
for i in 1 2 3 4; do
	commit "$i"
	awk -v i="$i" 'BEGIN {
		srand(i)
		print "name,value,unit"
		for (k = 0; k < 4000; k++)
			printf "m%06x%06x%d,%d,ms\n", int(rand() * 16777216),
				int(rand() * 16777216), k, i * 10
	}' >"$scratch/results.csv"
	must git perf add --format=csv --name=suite "$scratch/results.csv" 2>"$err"
done
must git push -q origin main
must git perf push -q
for command in log status 'export --to=openmetrics'; do
	# shellcheck disable=SC2086 # words
	asks 1 0 $command
done
check 'the figures are those of the bodies' is \
	"$(git perf export --to=openmetrics | grep -c '^git_perf_m.* 0.04$')" 4000
must mv "$server" "$scratch/away.git"
cd "$scratch" && must rm -rf lean && must git clone -q "file://$scratch/away.git" lean && cd lean || exit 1
must git perf pull -q --filter
must mv "$scratch/away.git" "$scratch/gone.git"
check 'log without the remote has no such figures' exits 0 git perf log --oneline
check 'log without the remote has all commits' is "$(grep -c suite "$out")" 4
