#!/bin/sh
# git perf collect: counts, exit codes, parameters, what is kept. Nothing here
# depends on how fast the machine is.
. "$(dirname "$0")/lib.sh"
need jq

runs='git perf collect --runs 3'
jobs=.git/perf/jobs
pending()
{
	ls "$jobs" 2>/dev/null | wc -l | tr -d ' '
}

# Without a commit.
check 'measures before the first commit' exits 0 $runs --json true
check 'and keeps it' is "$(pending)" 1
check 'with as many values as runs' \
	json '[.profiles[].metrics[] | [.n, (.values | length)]] | unique' \
	'[[3,3]]'
check 'of eight metrics' json '.profiles[0].metrics | map(.name)' \
	'["wall","user","sys","max-rss","minor-faults","major-faults","voluntary-switches","involuntary-switches"]'
check 'refuses to list it at no commit' exits 128 $runs --add true
check 'and says why' says err \
	'fatal: there is no commit yet to list a profile at: commit first, or leave --add out'
rm -rf "$jobs"

echo one >file
git add file
commit first

# How often what is run.
count()
{
	wc -l <"$1" | tr -d ' '
}
exits 0 git perf collect -r 4 -w 2 \
	--setup 'echo x >>../setup' --cleanup 'echo x >>../cleanup' \
	--prepare 'echo x >>../prepare' --conclude 'echo x >>../conclude' \
	-- sh -c 'echo $GIT_PERF_ITERATION >>../run'
check 'setup runs once' is "$(count ../setup)" 1
check 'cleanup runs once' is "$(count ../cleanup)" 1
check 'prepare runs before every run, warm-up too' \
	is "$(count ../prepare)" 6
check 'conclude runs after every run' is "$(count ../conclude)" 6
check 'the command knows which run it is' is "$(tr '\n' ' ' <../run)" \
	'warmup-0 warmup-1 0 1 2 3 '
check 'a pending profile is left' is "$(pending)" 1
check 'in git-perf'\''s own form' grep -q '^perf1 ' "$jobs"/*
check 'with its origin' grep -q "$(git rev-parse HEAD)" "$jobs"/*
rm -rf "$jobs" ../run

# Status.
check 'a command that fails is fatal' exits 128 $runs false
check 'and named' says err "fatal: 'false' exited with status 1"
check 'with a hint' mentions err '^hint: --ignore-status '
check 'and prints nothing' silent out
check 'and nothing is kept' is "$(pending)" 0
check 'unless it may fail' exits 0 $runs --ignore-status --json -- \
	sh -c 'exit 7'
check 'and the status is kept' json '.profiles[0].exit_status' 7
check 'with a warning' json '.profiles[0].warnings | map(.kind) | index("failed") != null' true
check 'keep-failed keeps it' exits 128 $runs --keep-failed false
check 'both times' is "$(pending)" 2
rm -rf "$jobs"
check 'a program that is not there is fatal' exits 128 $runs no-such-program
check 'and named, too' says err \
	"fatal: cannot run 'no-such-program': command not found"
check 'a whole line in one word is no program' exits 128 $runs 'sleep 0'
check 'and what would run it is named' mentions err '^hint: .*--command'
check 'one that crashes is fatal' exits 128 $runs -- sh -c 'kill -s SEGV $$'
check 'with the signal' mentions err "^fatal: 'sh' ended with signal 11 "
check 'an empty name is a usage error' exits 129 $runs --name= true
check 'a prepare command that fails is fatal' exits 128 $runs \
	--prepare 'exit 3' -- sh -c 'echo x >>../run'
check 'and says which' says err \
	"fatal: the prepare command 'exit 3' exited with status 3"
check 'no hint that would not help' not mentions err '^hint'
check 'the command did not run' not test -e ../run
check 'nothing is kept of all that' is "$(pending)" 0
check 'no command is a usage error' exits 129 git perf collect
check 'bounds that contradict are one' exits 129 git perf collect \
	--min-runs 5 --max-runs 4 true
check 'an unknown collector is fatal' exits 128 git perf collect -c x true
check 'and the known are listed' mentions err \
	"^fatal: no collector 'x'; there are: time"

# Adaptive: bounds by count, without a clock.
check 'stops at the most runs' exits 0 git perf collect --json \
	--min-runs 2 --max-runs 5 --min-time 3600 --max-time 7200 true
check 'exactly' json '.profiles[0].metrics[0].n' 5
check 'stops at the fewest when any precision will do' exits 0 \
	git perf collect --json --min-runs 7 --min-time 0 --precision 1e9 true
check 'exactly, too' json '.profiles[0].metrics[0].n' 7

# Parameters and several commands.
rm -rf "$jobs"
check 'measures every combination' exits 0 $runs --json \
	-P n,1,2 -L word,a,b -- sh -c 'echo {word}{n} >>../run'
check 'gives a profile each' is "$(pending)" 4
check 'with its arguments' json '[.profiles[].args]' \
	'["-c '\''echo a1 >>../run'\''","-c '\''echo b1 >>../run'\''","-c '\''echo a2 >>../run'\''","-c '\''echo b2 >>../run'\''"]'
check 'and its labels' json '.profiles[2].labels' '{"n":"2","word":"a"}'
check 'each as often' is "$(sort ../run | uniq -c | tr -s ' \n' ' ')" \
	' 3 a1 3 a2 3 b1 3 b2 '
rm ../run
check 'alternates the runs' exits 0 $runs -L w,a,b -- \
	sh -c 'echo {w} >>../run'
check 'round by round' is "$(paste -d ' ' - - <../run |
	sed 's/b a/a b/' | uniq)" 'a b'
rm ../run
check 'or does not' exits 0 $runs --no-interleave -L w,a,b -- \
	sh -c 'echo {w} >>../run'
check 'one after the other' is "$(tr '\n' ' ' <../run)" 'a a a b b b '
check 'compares several commands' exits 0 $runs --command 'sh -c "exit 0"' \
	--command true
check 'in the end' mentions out ' times faster than '
check 'refuses a parameter that is not used' exits 128 $runs -P n,1,2 true
check 'and names it' says err \
	"fatal: parameter 'n' is not used: no command has {n} in it"

# A shell, input and output.
check 'gives a line to a shell' exits 0 $runs --shell 'echo a b | wc -w >../n'
check 'that does all of it' is "$(tr -d ' ' <../n)" 2
check 'takes one line only' exits 129 $runs --shell echo a
echo in >../in
check 'reads input for every run' exits 0 $runs --stdin ../in -- \
	sh -c 'cat >>../copied'
check 'from its beginning' is "$(tr '\n' ' ' <../copied)" 'in in in '
check 'writes output to a file' exits 0 $runs --stdout ../o --json echo out
check 'of one run' is "$(cat ../o)" out
check 'or to ours' exits 0 $runs --stdout inherit -o ../result echo out
check 'which has nothing else' is "$(tr '\n' ' ' <"$out")" 'out out out '
check 'result goes to a file' grep -q '3 runs' ../result
check 'discards it by default' exits 0 $runs echo out
check 'entirely' not mentions out '^out'

# Memory: dd allocates one block of 64 MB and reads zeros into all of it.
check 'measures peak memory' exits 0 $runs --json -- \
	dd if=/dev/zero of=/dev/null bs=67108864 count=1
check 'of at least what was touched' json \
	'[.profiles[0].metrics[] | select(.name == "max-rss").min >= 67108864]' \
	'[true]'

# Where it was measured.
check 'names the machine when told' exits 0 $runs --machine bench-1 --json true
check 'in the environment' json '.profiles[0].facts | [.env, .machine]' \
	'["bench-1","bench-1"]'
git config perf.machine bench-2
check 'or configured' exits 0 $runs --json true
check 'likewise' json '.profiles[0].environment' '"bench-2"'
check 'the variable goes before' exits 0 env GIT_PERF_MACHINE=bench-3 \
	$runs --json true
check 'the configuration' json '.profiles[0].environment' '"bench-3"'
git config --unset perf.machine
check 'takes a fingerprint otherwise' exits 0 $runs --json true
check 'of twelve digits' json \
	'.profiles[0].environment | test("^[0-9a-f]{12}$")' true
check 'without the name of the host' not grep -qF \
	"\"$(uname -n)\"" "$out"
git config perf.runs 6
check 'takes the number of runs from the configuration' exits 0 \
	git perf collect --json true
check 'all of them' json '.profiles[0].metrics[0].n' 6
check 'unless bounds are given' exits 0 \
	git perf collect --json --max-runs 4 --min-time 9 true
check 'which hold then' json '.profiles[0].metrics[0].n' 4
git config perf.runs many
check 'refuses one that is none' exits 128 git perf collect true
check 'and says what is right' says err \
	"fatal: bad perf.runs 'many', need a whole number of at least 1"
git config --unset perf.runs

# Dirty, added.
rm -rf "$jobs"
check 'adds at once' exits 0 $runs --add --label k=v --name mine \
	--workload w -- true a\ b
check 'says so' mentions err \
	"^added [0-9a-f]{16} to $(git rev-parse --short=10 HEAD)\$"
check 'leaves nothing pending' is "$(pending)" 0
git notes --ref=perf show HEAD >../note
check 'is in the note' grep -q ' profile ' ../note
for field in cmd=true "args='a%20b'" workload=w name=mine l.k=v \
	collector=time; do
	check "with $field" grep -qF " $field" ../note
done
check 'quietly' exits 0 $runs --quiet true
check 'prints nothing' silent out
check 'and says nothing' silent err
check 'but keeps it' is "$(pending)" 1
rm -rf "$jobs"
check 'a command that fails' exits 128 $runs -q false
check 'is told all the same' mentions err '^fatal: .*false'
check 'and JSON is printed' exits 0 $runs -q --json true
check 'when it is asked for' json '.profiles|length' 1
rm -rf "$jobs"
check 'is not dirty' not grep -q ' dirty=' ../note
echo two >file
check 'marks a dirty tree' exits 0 $runs --json --label k=v true
check 'in the result' json '.profiles[0] | [.dirty, .origin, .labels]' \
	"[true,\"$(git rev-parse HEAD)\",{\"k\":\"v\"}]"
check 'in the profile' grep -q ' dirty=1' "$jobs"/*
check 'and says so' mentions err ' \(the tree was dirty\)$'
git checkout -q file
check 'outside of a repository it is fatal' exits 128 \
	env -C "$scratch" $runs true

# Told to end: so are the command and what it started, and cleanup runs. The
# command's parent is a helper; that one's parent is git-perf.
rm -rf "$jobs"
need setsid
# Who runs tests in the background ignores some signals, and so did what we start.
fresh='env --default-signal=INT,TERM,HUP'
cat >../stop <<'END'
sleep 100 & echo $! >../left
read -r _ _ _ parent _ </proc/$PPID/stat
for signal in $*; do kill -s $signal $parent; done
wait
END
all_gone()
{
	must test -s ../left
	gone "$(cat ../left)"
}
for signal in INT TERM HUP; do
	rm -f ../left ../cleaned
	check "SIG$signal ends it" exits 130 setsid -w $fresh git-perf collect -r 3 \
		--cleanup 'echo x >../cleaned' -- sh ../stop $signal
	check 'and says so' says err 'interrupted: nothing is kept'
	check 'nothing is kept' is "$(pending)" 0
	check 'cleanup has run' test -e ../cleaned
	check 'no process is left' all_gone
done
rm -f ../left
check 'a second signal ends the stubborn' exits 130 setsid -w $fresh git-perf \
	collect -r 3 -- sh -c "trap '' TERM; . ../stop" sh INT TERM
check 'all of them' all_gone
rm -f ../left
check 'so it does in prepare' exits 130 setsid -w $fresh git-perf collect -r 3 \
	--prepare 'exec sh ../stop TERM' -- touch ../ran
check 'nothing of it is left' all_gone
check 'the command does not run' not test -e ../ran
mkdir ../tmp
check 'no temporary file is left either' exits 130 \
	env TMPDIR="$scratch/tmp" setsid -w $fresh git-perf collect -r 3 -- \
	sh ../stop TERM
check 'none at all' is "$(ls "$scratch/tmp")" ''

# Comparison: to the fastest, or to a reference; as a table. Who was faster is
# in the table: on a busy machine it may be the one that sleeps longer.
# than COMMAND: what is to be said of the first one beside COMMAND
than()
{
	awk -F , -v name="\"$1\"" 'NR == 2 { first = $2 } $1 == name {
		print $2 < first ? "slower" : "faster", "than" }' ../t.csv
}
check 'compares with a reference' exits 0 $runs --reference 'sleep 0.01' \
	--sort command -u ms --export ../t.csv --command 'sleep 0.1' \
	--command 'true'
check 'which stands first' mentions out '^sleep 0.01 is$'
check 'in the unit asked for' mentions out '^  Time \(median\): +[0-9]+\.[0-9]+ ms'
check 'and says who is slower' mentions out \
	"^ +[0-9]+\.[0-9]+ ± [0-9.]+ times $(than 'sleep 0.1') sleep 0.1$"
check 'and faster' mentions out \
	"^ +[0-9]+\.[0-9]+ ± [0-9.]+ times $(than true) true$"
check 'in the order given' is "$(grep -n ' times ' "$out" | cut -d ' ' -f 1 |
	sort -c && grep -o 'than .*' "$out" | tr '\n' ' ')" \
	'than sleep 0.1 than true '
check 'exports a table' is "$(head -n 1 ../t.csv)" \
	'command,mean,stddev,median,user,system,min,max'
check 'of all commands' is "$(cut -d , -f 1 ../t.csv | tr '\n' ' ')" \
	'command "sleep 0.01" "sleep 0.1" "true" '
# in ms it were at least 100
check 'in seconds' awk -F , '$1 == "\"sleep 0.1\"" && ($4 < .1 || $4 >= 100) {
	exit 1 }' ../t.csv
check 'or as Markdown' exits 0 $runs --export ../t.md --command 'sleep 0.02' \
	--command 'printf "a|b"'
check 'a row each' is "$(wc -l <../t.md | tr -d ' ')" 4
# "| `command` | mean ± deviation | ... |", a bar in the command aside
sed 's/\\|//' ../t.md | awk -F '[|]' 'NR > 2 { print $3 + 0, $2 }' >../means
check 'with the fastest first' sort -c -n ../means
case $(head -n 1 ../means) in *printf*) first='printf .*' ;; *) first='sleep 0.02' ;; esac
check 'that one' mentions out "^$first is$"
check 'and bars escaped' grep -qF 'a\|b' ../t.md
check 'refuses a name without a format' exits 128 $runs --export ../t.x true
check 'and says which there are' says err \
	"fatal: cannot export to '../t.x': need a name that ends in .csv or .md"

# Collectors and their options.
check 'lists the collectors' exits 0 git perf collect --list-collectors
check 'with what they do' mentions out '^time  +wall and processor time'
check 'completion knows each of them' is "$(git perf collect --list-options |
	grep '^--collector=' | cut -f 3 | tr ' ' '\n')" \
	"$(grep -o '^[a-z]*' "$out")"
check 'lists one of them, to a file' exits 0 \
	git perf collect --list-collectors -c counters -o ../list.txt
check 'with its option' is "$(cut -c 1-28 ../list.txt)" \
	'counters            instruct
    events=<name>,...       '
check 'lists none that is not there' exits 128 \
	git perf collect --list-collectors -c none
check 'refuses an option that a collector lacks' exits 128 \
	$runs -O frequency=9 true
check 'and says that there is none' says err \
	"fatal: collector 'time' has no option 'frequency', nor any other"
check 'refuses a collector that is not there' exits 128 $runs -c none true
check 'and names those that are' mentions err \
	"^fatal: no collector 'none'; there are: time"

# Where what is measured cannot be kept.
rm -rf .git/perf/jobs
echo file >.git/perf/jobs
check 'no place for pending profiles' exits 128 git perf collect -r 1 -- \
	touch ../measured
check 'is told before it is measured' not test -e ../measured
rm .git/perf/jobs
tip=$(git rev-parse -q --verify refs/notes/perf)
mkdir -p .git/refs/notes
touch .git/refs/notes/perf.lock
check 'an add that fails' exits 128 git -c core.filesRefLockTimeout=1 \
	perf collect -r 1 --add -- true
check 'says why' mentions err '^fatal: .*perf\.lock'
check 'and keeps what was measured' mentions err '^kept as pending: '
rm .git/refs/notes/perf.lock
check 'it adds nothing' is "$(git rev-parse -q --verify refs/notes/perf)" "$tip"
check 'what was kept' is "$(pending)" 1
check 'can be added later' exits 0 git perf add 0@p
