#!/bin/sh
# A line of log --oneline, status, diff and formats fits 80 columns, with eight
# collectors, long names and long numbers, too.
. "$(dirname "$0")/../lib.sh"
need jq

# A profile of Perun's by this collector.
perun()
{
	jq -n --arg collector "$1" --arg cmd "$2" --argjson amount "$3" '{
		origin: "", header: {type: "mixed", cmd: $cmd, params: "",
			workload: "", units: {mixed: "ns"}},
		collector_info: {name: $collector, params: {}},
		postprocessors: [],
		global: {timestamp: 1, resources: [
			{amount: $amount, type: "mixed", uid: "main"}]}}' \
		>"../$1.perf"
	must git perf add --format=perun "../$1.perf" 2>"$err"
}
widest_of()
{
	LC_ALL=C sed 's/[\xc0-\xf7][\x80-\xbf]*/x/g' |
		awk '{ if (length($0) > most) most = length($0) }
			END { print most + 0 }'
}
widest()
{
	widest_of <"$out"
}
amount=1234567890123
for message in first 'second, with a subject that alone is as long as a whole line of a terminal is'; do
	commit "$message"
	for collector in time memory trace sample callgrind cachegrind \
		counters a-collector-of-ones-own; do
		perun "$collector" ./a-program-of-some-length $amount
		amount=$((amount * 7 / 5))
	done
done
check 'log of eight collectors' exits 0 git perf log --oneline -n 1
check 'log has a line for each of eight collectors' \
	is "$(grep -c '^    [a-z]' "$out")" 8
check 'a line of log is at most 80 columns wide' test "$(widest)" -le 80
check 'status of eight collectors' exits 0 git perf status
check 'status has a line for each of eight collectors' \
	is "$(grep -c '@i  ' "$out")" 8
check 'a line of status is at most 80 columns wide' test "$(widest)" -le 80

for command in log 'log --oneline' status; do
	check "$command of eight collectors in 60 columns" \
		exits 0 env COLUMNS=60 git perf $command
	check "a line of $command of eight collectors has at most 60 columns" \
		test "$(grep -v '^    second' "$out" | widest_of)" -le 60
done

# What each command and the program itself tell of themselves.
git perf --list-commands | cut -f 1 >../commands
check '--list-commands has more than 30' test "$(wc -l <../commands)" -gt 30
for command in '' $(cat ../commands); do
	check "-h of '$command'" exits 0 git-perf ${command:+"$command"} -h
	check "-h of '$command' is at most 80 columns wide" \
		test "$(widest)" -le 80
done
check '-h with a list of names' exits 0 git perf show -h
check 'what goes on stands below its beginning' mentions out '^ {30}[a-z]+, '

# Figures of all commits stand below each other, be they longer or shorter.
for amount in 700 1234567 1300000 999000000000; do
	commit "a commit of $amount nanoseconds"
	perun time ./sort $amount
done
check 'log of one collector' exits 0 \
	git perf log --oneline --collector=time -n 4
check 'names begin in one column' is \
	"$(awk 'index($0, "nanos") { print index($0, "sort/") }' "$out" |
		sort -u | wc -l | tr -d ' ')" 1
check 'changes begin in one column' is \
	"$(awk 'match($0, /  [-+=x][^ ]*$/) { print RSTART }' "$out" | sort -u |
		wc -l | tr -d ' ')" 1

# The tables of diff and formats on a terminal of 80 columns; a pipe has all.
long='a_function(std::vector<int> const&, std::vector<std::string> const&)'
printf 'main;%s 39041765\n' "$long" >../old.folded
printf 'main;%s 121296\n' "$long" >../new.folded
check 'diff for a narrow terminal' exits 0 env COLUMNS=80 \
	git perf diff ../old.folded ../new.folded
check 'a line of diff is at most 80 columns wide' test "$(widest)" -le 80
check 'the cut is seen' mentions out ' a_fun.*\.\.\.$'
check 'a short name is whole' mentions out '0\.00%.*  main$'
printf 'main;%s;%s2 39041765\n' "$long" "$long" >../deep.folded
for view in tree graph traces; do
	for columns in 80 100; do
		check "the view $view for $columns columns" exits 0 env \
			COLUMNS=$columns git perf show --view=$view ../deep.folded
		check "the view $view has at most $columns columns" \
			test "$(expand "$out" | sed 's/ *$//' | widest_of)" -le $columns
		# a line of traces is 82 columns wide
		[ "$view$columns" = traces100 ] ||
			check "the view $view cuts names in $columns columns" \
				mentions out '\.\.\.'
	done
	check "the view $view for a pipe" exits 0 env -u COLUMNS \
		git perf show --view=$view --truncate-source=0 ../deep.folded
	check "the view $view has whole names in a pipe" mentions out \
		"const&\\)2"
done
check 'diff for a pipe' exits 0 env -u COLUMNS \
	git perf diff ../old.folded ../new.folded
check 'a pipe has whole names' is "$(grep -cF "$long" "$out")" 1
# Figures that have no room beside each other: a name stands behind each part.
printf 'main;slow 700000000000000\nmain;%s 39041765000000\n' "$long" >../old.folded
printf 'main;slow 900000000000000\nmain;%s 12129600000000\n' "$long" >../new.folded
for columns in 80 60 40; do
	check "diff of large figures for $columns columns" exits 0 env \
		COLUMNS=$columns git perf diff ../old.folded ../new.folded
	sed -n '/^ *old  /,$p' "$out" >../table
	check "no figure of $columns columns is without its name" not grep -E '[0-9%]$' ../table
	check "a short name is in each part of $columns columns" is \
		"$(grep -c '  slow$' ../table)" "$(grep -cE '(old|new|delta|relative|points|cum)$' ../table)"
	check "each part has at most $columns columns" test "$(widest_of <../table)" -le $columns
done
# Results of benchmarks, too few runs of which have an interval: its columns are
# empty, and go before names are cut in their middle.
for run in 1 2 3; do
	for n in 10 20; do
		echo "BenchmarkFib$n-8 5 123${run} ns/op 2${run}0 B/op 3$run allocs/op"
	done
done >../bench.txt
for columns in 80 60; do
	check "results of benchmarks for $columns columns" exits 0 env \
		COLUMNS=$columns git perf show ../bench.txt
	check "a line of results has at most $columns columns" test "$(widest)" -le $columns
	check "no empty column takes room of $columns" not mentions out '95 %'
done
check 'results of benchmarks by names that fit' exits 0 env COLUMNS=80 git perf show ../bench.txt
check 'names that fit without the empty columns are whole' is "$(grep -c '^BenchmarkFib[12]0-8 [a-zB]*/op ' "$out")" 6
check 'results of benchmarks for a pipe' exits 0 env -u COLUMNS git perf show ../bench.txt
check 'a pipe has all columns of results' mentions out '^name .*95 % from +to$'
git perf formats haskell | sed 1d | tr -s ' \n' '\n' >../whole
for columns in 60 80; do
	check "formats for $columns columns" exits 0 env COLUMNS=$columns \
		git perf formats haskell
	check "a line of formats is at most $columns columns wide" \
		test "$(widest)" -le $columns
	check "no command is cut in $columns columns" is "$(tr -s ' \n' '\n' \
		<"$out" | sed '1,/^by$/d')" "$(cat ../whole)"
done
check 'what makes a file stands below its row' mentions out \
	'^    <benchmarks> --csv <file>'

# The series of two commits, with long names that only their ends tell apart,
# as a busy machine has measured them.
GIT_PERF_QUIET=others:0.5,idle:0.1,steal:0,switches:7,load:1,mhz:2000,nice:10
for message in one two; do
	commit "$message"
	for workload in small big; do
		must git perf collect -q --add -r 5 -l job=count-all-the-words \
			--workload="$workload.txt" -- true
	done
	printf 'main;f 1\n' >../count.folded
	must git perf collect -q --add -c command -O format=collapsed \
		-l job=count-all-the-words -- cp ../count.folded '{output}'
done
rm -f '{output}'
check 'diff of commits on one line each' exits 0 git perf diff
check 'a wide line has spreads, both counts and what was noisy' mentions out \
	'^count-all-the-words/time@big.txt .* ± .* 5, 5  .* noisy$'
for columns in 60 80 100; do
	check "diff of commits for $columns columns" exits 0 \
		env COLUMNS=$columns git perf diff
	check "a line of diff of commits has at most $columns columns" \
		test "$(widest)" -le $columns
	check "names of $columns columns are told apart" is \
		"$(sed -n 's/^\(cou[^ ]*xt\) .*/\1/p' "$out" | sort -u |
			wc -l | tr -d ' ')" 2
	check "a busy machine is seen in $columns columns" \
		mentions out '^cou.*(5~|noisy$)'
	for command in 'log -v -n 2' 'status -v' 'check -v' 'show HEAD' \
		'show HEAD:@big.txt'; do
		check "$command for $columns columns" sh -c \
			"COLUMNS=$columns git perf $command >'$out' 2>'$err'
			test \$? -lt 126"
		test "$columns" -lt 80 ||
			check "$command has at most $columns columns" \
				test "$(widest)" -le $columns
	done
done

# Ten series, whose names are as long as people make them, and a job that fails.
cat >.gitperf <<'END'
[job "count-all-the-words-of-a-long-text"]
	cmd = ./words --count-everything-that-is-there
	workload = small-texts-of-the-last-year.txt
	workload = big-texts-of-the-last-decade.txt
	collector = time
	collector = command
	option = format=collapsed
	option = output=out.folded
	runs = 3
[job "fails-to-run-at-all-in-this-repository"]
	cmd = "sh -c 'echo cannot open the database of all the words >&2; exit 3'"
[job "does-not-build-here"]
	build = cc -o x missing-file-with-a-long-name.c
	cmd = ./x
END
cat >words <<'END'
#!/bin/sh
printf 'main;a_function_with_a_name_that_is_as_long_as_a_line_of_a_terminal 9\n' \
	>out.folded
END
chmod +x words
echo out.folded >.gitignore
must git add .
for message in 'a subject that is as long as the line of a terminal, which is eighty' two; do
	commit "$message, and of ten series"
	must git perf trust >"$out" 2>"$err"
	check "ten series of '$message'" exits 128 git perf run
done
for command in 'run --list' run status 'status -v' 'log --oneline -n 2' \
	'log --oneline -v -n 2' 'log --oneline --changes' diff show \
	'show HEAD:/command' 'show HEAD~1' check 'check -v' size \
	'size --by=series' 'size --by=commit' blame impact trust 'hooks install' \
	'hooks status' 'hooks uninstall' init 'worker --status' \
	'collect --list-collectors' 'model --list-postprocessors' \
	'collect --no-keep -r 2 -- ./words' 'bisect HEAD~1 HEAD' \
	'log --function=main' fsck 'gc -n' 'prune -n --keep=last:1'; do
	check "$command on a terminal of 80 columns" sh -c \
		"COLUMNS=80 git perf $command >'$out' 2>'$err'; test \$? -lt 129"
	check "$command has at most 80 columns" test "$(widest)" -le 80
done
for command in 'log --function=main' blame size 'size --by=series' \
	'collect --list-collectors' 'model --list-postprocessors'; do
	check "$command on a terminal of 60 columns" sh -c \
		"COLUMNS=60 git perf $command >'$out' 2>'$err'; test \$? -lt 129"
	check "$command has at most 60 columns" test "$(widest)" -le 60
done
COLUMNS=80 git perf log --oneline -n 1 >"$out" 2>"$err"
check 'a name that is cut has its collector and ends as its workload does' \
	mentions out '^ +[a-z-]+\.\.\.[a-z-]+/command@[a-z-]+\.\.\.[a-z-]*\.txt '
check 'a view of many columns' exits 0 env COLUMNS=80 git perf show \
	--view=table "HEAD:@big-texts-of-the-last-decade.txt/command"

# A change of instructions that somebody agreed to, at length.
for amount in 100 200; do
	commit "of $amount instructions"
	printf 'events: Ir\nfn=main\n1 %d\n' $amount >../one.callgrind
	must git perf add --name=instructions-of-the-program \
		--format=callgrind ../one.callgrind
done
must git perf accept HEAD -m 'this costs more because it does more, as we have
agreed in the meeting'
for columns in 60 80; do
	check "log --changes for $columns columns" exits 0 env COLUMNS=$columns \
		git perf log --oneline --changes -n 2
	check "log --changes has at most $columns columns" test "$(widest)" -le $columns
	check "the reason goes on below, in $columns columns" mentions out '^      [a-z]'
done

# Jobs, given names and metrics of 60 and 200 characters, which only their ends
# tell apart: cut for a terminal, whole in a pipe.
long_name()
{
	awk -v name="$1" -v length_of="$2" 'BEGIN {
		while (length(name) < length_of - 4)
			name = name "-abcdefghij"
		print substr(name, 1, length_of - 4) "-end" }'
}
export LC_ALL=C.UTF-8
for length in 60 200; do
	must mkdir "../names$length"
	must cd "../names$length"
	must git init -q
	metric=$(long_name metric $length)
	for n in 1 2 3 4 5 6 7 8; do
		commit "names of $length characters, $n"
		jq -n --arg metric "$metric" --arg other "${metric%end}own" \
			--argjson n "$n" '
			($n * 37 + (if $n > 5 then 900 else 0 end) + 1000) as $v |
			[{name: $metric, unit: "instructions",
				value: ($v * 1e9 + 1)},
			{name: $other, unit: "ns", value: ($v * 1e6)}]' \
			>../names.json
		must git perf add --format=customSmallerIsBetter \
			-l job="$(long_name job $length)" ../names.json 2>"$err"
		must git perf add --format=customSmallerIsBetter \
			--name="$(long_name given $length)" ../names.json 2>"$err"
	done
	for command in status 'status -v' 'log -n 2' 'log -v -n 2' \
		'log --oneline' 'log --oneline -v' 'log --oneline --changes' \
		check 'check -v' 'check --why' 'check HEAD~7..HEAD' diff show \
		'size --by=series'; do
		check "$command with names of $length characters" sh -c \
			"COLUMNS=80 git perf $command >'$out' 2>'$err'
			test \$? -lt 126"
		check "$command with names of $length has at most 80 columns" \
			test "$(widest)" -le 80
	done
	check "metrics of $length are told apart by their ends" is \
		"$(COLUMNS=80 git perf status -v |
			grep -cE '^ {9}metric.*\.\.\..*-(end|own)  ')" 4
	check "status -v for a pipe" exits 0 env -u COLUMNS git perf status -v
	check "a pipe has whole names of $length" is \
		"$(grep -c "^ *$metric " "$out")" 2
done
