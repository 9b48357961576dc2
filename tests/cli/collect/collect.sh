#!/bin/sh
# git perf collect: counts, exit codes, parameters, what is kept. Nothing here
# depends on how fast the machine is.
. "$(dirname "$0")/../lib.sh"
need jq

runs='git perf collect --runs 3'
jobs=.git/perf/jobs
pending()
{
	ls "$jobs" 2>/dev/null | wc -l | tr -d ' '
}

# Without a commit.
check 'collect measures before the first commit' exits 0 $runs --json true
check 'collect keeps a pending profile before the first commit' \
	is "$(pending)" 1
check 'each metric has as many values as runs' \
	json '[.profiles[].metrics[] | [.n, (.values | length)]] | unique' \
	'[[3,3]]'
check 'the time collector gives eight metrics' \
	json '.profiles[0].metrics | map(.name)' \
	'["wall","user","sys","max-rss","minor-faults","major-faults","voluntary-switches","involuntary-switches"]'
check '--add before the first commit is refused' exits 128 $runs --add true
check 'the refusal of --add before the first commit says what to do' says err \
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
check 'a collection leaves one pending profile' is "$(pending)" 1
check 'a pending profile begins with an index line' \
	grep -q '^perf1 ' "$jobs"/*
check 'a pending profile names the commit it was measured at' \
	grep -q "$(git rev-parse HEAD)" "$jobs"/*
rm -rf "$jobs" ../run

# Status.
check 'a command that fails is fatal' exits 128 $runs false
check 'the fatal line names command and exit status' \
	says err "fatal: 'false' exited with status 1"
check 'a failed command gets the hint at --ignore-status' \
	mentions err '^hint: --ignore-status '
check 'a failed collection prints no result' silent out
check 'a failed collection keeps nothing' is "$(pending)" 0
check 'unless it may fail' exits 0 $runs --ignore-status --json -- \
	sh -c 'exit 7'
check 'the exit status of an allowed failure is kept' \
	json '.profiles[0].exit_status' 7
check 'an allowed failure is a warning of the result' \
	json '.profiles[0].warnings | map(.kind) | index("failed") != null' true
check '--keep-failed exits with failure all the same' \
	exits 128 $runs --keep-failed false
check '--keep-failed keeps the profiles of failed commands' is "$(pending)" 2
rm -rf "$jobs"
check 'a program that is not there is fatal' exits 128 $runs no-such-program
check 'a program that is not there is named' says err \
	"fatal: cannot run 'no-such-program': command not found"
check 'a whole command line in one word is no program' exits 128 $runs 'sleep 0'
check 'a command line in one word gets the hint at --command' \
	mentions err '^hint: .*--command'
check 'a command that crashes is fatal' \
	exits 128 $runs -- sh -c 'kill -s SEGV $$'
check 'the fatal line of a crash names the signal' \
	mentions err "^fatal: 'sh' ended with signal 11 "
check 'an empty --name is a usage error' exits 129 $runs --name= true
check 'a prepare command that fails is fatal' exits 128 $runs \
	--prepare 'exit 3' -- sh -c 'echo x >>../run'
check 'the failed prepare command is named with its status' says err \
	"fatal: the prepare command 'exit 3' exited with status 3"
check 'a failed prepare command gets no hint' not mentions err '^hint'
check 'the command does not run after a failed prepare' not test -e ../run
check 'no failed collection has left a pending profile' is "$(pending)" 0
check 'collect without a command is a usage error' exits 129 git perf collect
check 'bounds of runs that contradict are a usage error' \
	exits 129 git perf collect \
	--min-runs 5 --max-runs 4 true
check 'an unknown collector is a usage error' exits 129 git perf collect -c x true
check 'the error about an unknown collector lists the known ones' mentions err \
	"^error: no collector 'x'; there are: time"

# Adaptive: bounds by count, without a clock.
check 'a collection stops at --max-runs' exits 0 git perf collect --json \
	--min-runs 2 --max-runs 5 --min-time 3600 --max-time 7200 true
check '--max-runs runs are made and no more' json '.profiles[0].metrics[0].n' 5
check 'a collection stops at --min-runs when any precision will do' exits 0 \
	git perf collect --json --min-runs 7 --min-time 0 --precision 1e9 true
check '--min-runs runs are made and no more' json '.profiles[0].metrics[0].n' 7

# Parameters and several commands.
rm -rf "$jobs"
check 'every combination of parameters is measured' exits 0 $runs --json \
	-P n,1,2 -L word,a,b -- sh -c 'echo {word}{n} >>../run'
check 'each combination of parameters gives a profile' is "$(pending)" 4
check 'a profile has the arguments with its parameters' \
	json '[.profiles[].args]' \
	'["-c '\''echo a1 >>../run'\''","-c '\''echo b1 >>../run'\''","-c '\''echo a2 >>../run'\''","-c '\''echo b2 >>../run'\''"]'
check 'a profile has its parameters as labels' \
	json '.profiles[2].labels' '{"n":"2","word":"a"}'
check 'each combination runs as often as the others' \
	is "$(sort ../run | uniq -c | tr -s ' \n' ' ')" \
	' 3 a1 3 a2 3 b1 3 b2 '
rm ../run
check 'runs of several commands alternate' exits 0 $runs -L w,a,b -- \
	sh -c 'echo {w} >>../run'
check 'alternating runs go round by round' is "$(paste -d ' ' - - <../run |
	sed 's/b a/a b/' | uniq)" 'a b'
rm ../run
check '--no-interleave is accepted with parameters' \
	exits 0 $runs --no-interleave -L w,a,b -- \
	sh -c 'echo {w} >>../run'
check '--no-interleave measures one command after the other' \
	is "$(tr '\n' ' ' <../run)" 'a a a b b b '
check 'several commands are compared' exits 0 $runs --command 'sh -c "exit 0"' \
	--command true
check 'a comparison says which is how many times faster' \
	mentions out ' times faster than '
check 'a parameter that no command uses is refused' \
	exits 128 $runs -P n,1,2 true
check 'the unused parameter is named' says err \
	"fatal: parameter 'n' is not used: no command has {n} in it"

# A shell, input and output.
check '--shell gives the line to a shell' \
	exits 0 $runs --shell 'echo a b | wc -w >../n'
check 'the shell runs every part of the line' is "$(tr -d ' ' <../n)" 2
check '--shell takes one line only' exits 129 $runs --shell echo a
echo in >../in
check '--stdin is accepted with a file' exits 0 $runs --stdin ../in -- \
	sh -c 'cat >>../copied'
check 'each run reads --stdin from its beginning' \
	is "$(tr '\n' ' ' <../copied)" 'in in in '
check '--stdout is accepted with a file' \
	exits 0 $runs --stdout ../o --json echo out
check 'the file of --stdout holds one run' is "$(cat ../o)" out
check '--stdout inherit passes the output on' \
	exits 0 $runs --stdout inherit -o ../result echo out
check 'standard output has nothing but the output of the runs' \
	is "$(tr '\n' ' ' <"$out")" 'out out out '
check '-o takes the result while the output is inherited' \
	grep -q '3 runs' ../result
check 'output of the command is discarded by default' exits 0 $runs echo out
check 'no discarded output reaches standard output' not mentions out '^out'

# Memory: dd allocates one block of 64 MB and reads zeros into all of it.
check 'peak memory is measured' exits 0 $runs --json -- \
	dd if=/dev/zero of=/dev/null bs=67108864 count=1
check 'peak memory is at least what the command touched' json \
	'[.profiles[0].metrics[] | select(.name == "max-rss").min >= 67108864]' \
	'[true]'

# Where it was measured.
check '--machine is accepted' exits 0 $runs --machine bench-1 --json true
check '--machine names the environment' \
	json '.profiles[0].facts | [.env, .machine]' \
	'["bench-1","bench-1"]'
git config perf.machine bench-2
check 'perf.machine is accepted' exits 0 $runs --json true
check 'perf.machine names the environment' \
	json '.profiles[0].environment' '"bench-2"'
check 'GIT_PERF_MACHINE is accepted beside perf.machine' \
	exits 0 env GIT_PERF_MACHINE=bench-3 \
	$runs --json true
check 'GIT_PERF_MACHINE goes before perf.machine' \
	json '.profiles[0].environment' '"bench-3"'
git config --unset perf.machine
check 'without a name the machine gets a fingerprint' exits 0 $runs --json true
check 'the fingerprint has twelve hex digits' json \
	'.profiles[0].environment | test("^[0-9a-f]{12}$")' true
check 'the result does not hold the name of the host' not grep -qF \
	"\"$(uname -n)\"" "$out"
git config perf.runs 6
check 'perf.runs is accepted as the number of runs' exits 0 \
	git perf collect --json true
check 'perf.runs is how many runs are made' json '.profiles[0].metrics[0].n' 6
check 'bounds of runs are accepted beside perf.runs' exits 0 \
	git perf collect --json --max-runs 4 --min-time 9 true
check 'bounds of runs go before perf.runs' json '.profiles[0].metrics[0].n' 4
git config perf.runs many
check 'perf.runs that is no number is refused' exits 128 git perf collect true
check 'the error names perf.runs and what is right' says err \
	"fatal: bad perf.runs 'many', need a whole number of at least 1"
git config --unset perf.runs

# Dirty, added.
rm -rf "$jobs"
check '--add stores the measurement at once' \
	exits 0 $runs --add --label k=v --name mine \
	--workload w -- true a\ b
check '--add says what was added to which commit' mentions err \
	"^added [0-9a-f]{16} to $(git rev-parse --short=10 HEAD)\$"
check '--add leaves no pending profile' is "$(pending)" 0
git notes --ref=perf show HEAD >../note
check '--add writes a line into the note' grep -q ' profile ' ../note
for field in cmd=true "args='a%20b'" workload=w name=mine l.k=v \
	collector=time; do
	check "the line of --add has $field" grep -qF " $field" ../note
done
check '--quiet is accepted' exits 0 $runs --quiet true
check '--quiet prints no result' silent out
check '--quiet says nothing on standard error' silent err
check '--quiet keeps the pending profile' is "$(pending)" 1
rm -rf "$jobs"
check '-q does not make a failed command a success' exits 128 $runs -q false
check '-q tells of a failed command' mentions err '^fatal: .*false'
check '-q and --json are accepted together' exits 0 $runs -q --json true
check '--json is printed in spite of -q' json '.profiles|length' 1
rm -rf "$jobs"
check 'a measurement of a clean tree is not marked dirty' \
	not grep -q ' dirty=' ../note
echo two >file
check 'collect works in a dirty tree' exits 0 $runs --json --label k=v true
check 'the result says that the tree was dirty' \
	json '.profiles[0] | [.dirty, .origin, .labels]' \
	"[true,\"$(git rev-parse HEAD)\",{\"k\":\"v\"}]"
check 'the pending profile says that the tree was dirty' \
	grep -q ' dirty=1' "$jobs"/*
check 'standard error says that the tree was dirty' \
	mentions err ' \(the tree was dirty\)$'
git checkout -q file

# At the prompt, like a stopwatch: nothing stays behind.
must mkdir "$scratch/nowhere"
check 'collect works outside of a repository' exits 0 \
	env -C "$scratch/nowhere" TMPDIR="$scratch/nowhere" $runs true
check 'collect shows its figures outside of a repository' \
	mentions out '^  Time '
check 'nothing is said to be pending outside of a repository' \
	not mentions err pending
check 'collect leaves no file behind outside of a repository' \
	is "$(ls -A "$scratch/nowhere")" ''
check 'collect --json works outside of a repository' exits 0 \
	env -C "$scratch/nowhere" $runs --json true
check 'the JSON of what is not kept names no file' \
	json '.profiles[0] | [has("path"), has("metrics")]' '[false,true]'
check 'collect --add outside of a repository is fatal' exits 128 \
	env -C "$scratch/nowhere" $runs --add true
check 'collect with another collector works outside of a repository' exits 0 \
	env -C "$scratch/nowhere" git perf collect -c sample \
	-O clock=wall sleep 0.3
before=$(ls "$jobs" | wc -l)
check 'collect --no-keep works in a repository' exits 0 $runs --no-keep true
check 'collect --no-keep shows its figures' mentions out '^  Time '
check 'collect --no-keep leaves no pending profile' \
	is "$(ls "$jobs" | wc -l)" "$before"
check 'collect --keep is accepted' exits 0 $runs --keep true
check 'collect --keep leaves one pending profile more' \
	is "$(ls "$jobs" | wc -l | tr -d ' ')" "$((before + 1))"

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
	check "SIG$signal ends a collection with 130" \
		exits 130 setsid -w $fresh git-perf collect -r 3 \
		--cleanup 'echo x >../cleaned' -- sh ../stop $signal
	check "a collection ended by SIG$signal says that nothing is kept" \
		says err 'interrupted: nothing is kept'
	check "a collection ended by SIG$signal leaves no pending profile" \
		is "$(pending)" 0
	check "cleanup runs after SIG$signal" test -e ../cleaned
	check "no process is left after SIG$signal" all_gone
done
rm -f ../left
check 'a second signal ends a command that ignores the first' \
	exits 130 setsid -w $fresh git-perf \
	collect -r 3 -- sh -c "trap '' TERM; . ../stop" sh INT TERM
check 'no process is left after the second signal' all_gone
rm -f ../left
check 'a signal ends a prepare command' \
	exits 130 setsid -w $fresh git-perf collect -r 3 \
	--prepare 'exec sh ../stop TERM' -- touch ../ran
check 'no process of the prepare command is left' all_gone
check 'the command does not run after prepare was ended' not test -e ../ran
mkdir ../tmp
check 'a collector with temporary files ends by a signal' exits 130 \
	env TMPDIR="$scratch/tmp" setsid -w $fresh git-perf collect -r 3 -- \
	sh ../stop TERM
check 'an ended collection leaves no temporary file' \
	is "$(ls "$scratch/tmp")" ''

# Comparison: to the fastest, or to a reference; as a table. Who was faster is
# in the table: on a busy machine it may be the one that sleeps longer.
# than COMMAND: what is to be said of the first one beside COMMAND
than()
{
	awk -F , -v name="\"$1\"" 'NR == 2 { first = $4 } $1 == name {
		print $4 < first ? "slower" : "faster", "than" }' ../t.csv
}
check '--reference compares with a reference command' \
	exits 0 $runs --reference 'sleep 0.01' \
	--sort command -u ms --export ../t.csv --command 'sleep 0.1' \
	--command 'true'
check 'the reference stands first in the comparison' \
	mentions out '^sleep 0.01 is$'
check '-u gives times in the unit asked for' \
	mentions out '^  Time \(median\): +[0-9]+\.[0-9]+ ms'
check 'the comparison says who is slower than the reference' mentions out \
	"^ +[0-9]+\.[0-9]+ times $(than 'sleep 0.1') sleep 0.1   \[too few runs to tell\]$"
check 'the comparison says who is faster than the reference' mentions out \
	"^ +[0-9]+\.[0-9]+ times $(than true) true   \[too few runs to tell\]$"
check '--sort command keeps the order given' \
	is "$(grep -n ' times ' "$out" | cut -d ' ' -f 1 |
	sort -c && grep -o 'than [^[]*[^[ ]' "$out" | tr '\n' ' ')" \
	'than sleep 0.1 than true '
check '--export writes a CSV table with a head' is "$(head -n 1 ../t.csv)" \
	'command,mean,stddev,median,user,system,min,max'
check 'the CSV table has a row for each command' \
	is "$(cut -d , -f 1 ../t.csv | tr '\n' ' ')" \
	'command "sleep 0.01" "sleep 0.1" "true" '
# in ms it were at least 100
check 'times of the CSV table are in seconds' \
	awk -F , '$1 == "\"sleep 0.1\"" && ($4 < .1 || $4 >= 100) {
	exit 1 }' ../t.csv
check '--export writes Markdown' \
	exits 0 $runs --export ../t.md --command 'sleep 0.02' \
	--command 'printf "a|b"'
check 'the Markdown table has a row for each command' \
	is "$(wc -l <../t.md | tr -d ' ')" 4
# "| `command` | mean ± deviation | ... |", a bar in the command aside
sed 's/\\|//' ../t.md | awk -F '[|]' 'NR > 2 { print $4 + 0, $2 }' >../means
check 'rows of the Markdown table are sorted by speed' sort -c -n ../means
case $(head -n 1 ../means) in *printf*) first='printf .*' ;; *) first='sleep 0.02' ;; esac
check 'the fastest command of the table is the one compared with' \
	mentions out "^$first is$"
check 'bars of commands are escaped in Markdown' grep -qF 'a\|b' ../t.md
check '--export refuses a name without a known suffix' \
	exits 128 $runs --export ../t.x true
check 'the refusal names the suffixes of --export' says err \
	"fatal: cannot export to '../t.x': need a name that ends in .csv or .md"

# Collectors and their options.
check '--list-collectors is accepted' exits 0 git perf collect --list-collectors
check '--list-collectors says what each collector does' \
	mentions out '^time  +wall and processor time'
check 'completion knows each collector' is "$(git perf collect --list-options |
	grep '^--collector=' | cut -f 3 | tr ' ' '\n')" \
	"$(grep -o '^[a-z]*' "$out")"
check '--list-collectors of one collector goes to a file' exits 0 \
	git perf collect --list-collectors -c counters -o ../list.txt
check 'the list of one collector has its options' \
	is "$(cut -c 1-28 ../list.txt)" \
	'counters            instruct
    events=<name>,...       '
check '--list-collectors refuses an unknown collector' exits 129 \
	git perf collect --list-collectors -c none
check 'an option that a collector lacks is refused' exits 129 \
	$runs -O frequency=9 true
check 'the refusal says that the collector has no options' says err \
	"error: collector 'time' has no option 'frequency', nor any other"
check 'an unknown collector is refused' exits 129 $runs -c none true
check 'the refusal of an unknown collector names those there are' mentions err \
	"^error: no collector 'none'; there are: time"

# Where what is measured cannot be kept.
rm -rf .git/perf/jobs
echo file >.git/perf/jobs
check 'a folder of pending profiles that cannot be made is fatal' \
	exits 128 git perf collect -r 1 -- \
	touch ../measured
check 'a folder that cannot be made is told before anything is measured' \
	not test -e ../measured
rm .git/perf/jobs
tip=$(git rev-parse -q --verify refs/notes/perf)
mkdir -p .git/refs/notes
touch .git/refs/notes/perf.lock
check '--add fails when the ref is locked' \
	exits 128 git -c core.filesRefLockTimeout=1 \
	perf collect -r 1 --add -- true
check 'the failure of --add names the lock' mentions err '^fatal: .*perf\.lock'
check 'what was measured is kept as pending when --add fails' \
	mentions err '^kept as pending: '
rm .git/refs/notes/perf.lock
check 'a failed --add moves no ref' \
	is "$(git rev-parse -q --verify refs/notes/perf)" "$tip"
check 'a failed --add leaves one pending profile' is "$(pending)" 1
check 'what a failed --add kept can be added later' exits 0 git perf add 0@p
