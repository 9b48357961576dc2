#!/bin/sh
# check --functions: a verdict for each function of what is stored of both sides,
# on costs that are written here, and as detect functions has them.
. "$(dirname "$0")/../lib.sh"
need jq

# side NAME HOT COLD: five runs of twelve functions, 2 % of noise by a fixed
# sequence; hot costs so many times what it did, cold as well. Each run is a file,
# and the values of all are lines of costs/NAME for detect functions.
side()
{
	mkdir -p "../costs"
	awk -v name="$1" -v hot="$2" -v cold="$3" '
	function noise() { # from -1 to 1, the same by every awk
		state = (state * 16807) % 2147483647
		return 2 * state / 2147483647 - 1
	}
	BEGIN {
		state = length(name) * 7919 + hot * 104729 + 1
		n = split("hot cold f01 f02 f03 f04 f05 f06 f07 f08 f09 f10", f)
		for (r = 1; r <= 5; r++)
			for (i = 1; i <= n; i++) {
				cost = 1000000 * i * (1 + 0.02 * noise())
				if (f[i] == "hot") cost *= 8 * hot
				if (f[i] == "cold") cost *= cold
				cost = int(cost)
				print "main;" f[i], cost > ("../run." r)
				line[i] = line[i] (r > 1 ? " " : "") cost
			}
		for (i = 1; i <= n; i++)
			print f[i] "\t" line[i] > ("../costs/" name)
	}' || exit 1
	for r in 1 2 3 4 5; do
		must git perf add -n p "../run.$r" 2>"$err"
	done
}
# verdict_of UID: of the check that ran last
verdict_of()
{
	jq -r --arg uid "$1" '.verdicts[] | select(.uid == $uid) | .verdict' "$out"
}

commit base
side base 1 1
commit worse
# 8 of 8 + 2 + 3 .. + 12 = 85 parts get 1.4 times as much: 3.2 more, 3.8 %
side worse 1.4 .9
check 'verdicts on functions' exits 1 git perf check --functions --json HEAD~1 HEAD
cp "$out" ../check.json
check 'each function that costs more than a thousandth has one' json \
	'[.verdicts[] | select(.uid) | .uid] | sort' \
	'["cold","f01","f02","f03","f04","f05","f06","f07","f08","f09","f10","hot"]'
check 'metrics come first, and have none' json \
	'.verdicts | map(has("uid")) | index(true) as $i | .[$i:] | all' true
check '40 % more is a severe degradation' is "$(verdict_of hot)" SevereDegradation
check '10 % less is an optimization' is "$(verdict_of cold)" Optimization
check 'noise is no change' json \
	'[.verdicts[] | select(.uid and .uid != "hot" and .uid != "cold") | .verdict] | unique' \
	'["NoChange"]'
check 'what changed comes first, the largest difference in front' json \
	'[.verdicts[] | select(.uid) | .uid][:2]' '["hot","cold"]'
check 'runs of both sides are counted' json \
	'[.verdicts[] | select(.uid) | .n] | unique' '[[5,5]]'
check 'a row names its series, its costs and the commit beside it' json \
	".verdicts[] | select(.uid == \"hot\") | .series, .metric, .base" \
	"\"p\"
\"samples\"
\"$(git rev-parse HEAD~1)\""
check 'the ratio is that of the means, the common factor taken out' json \
	'.verdicts[] | select(.uid == "hot") | .ratio > 1.35 and .ratio < 1.45 and
	 .low < .ratio and .ratio < .high and .q < 0.02 and
	 (.after / .before / .ratio - 1 | fabs) < 0.02' true

# The same detector: uid, verdict, ratio and q of each.
join -t "$(printf '\t')" ../costs/base ../costs/worse >../table 2>"$err" || {
	sort ../costs/base >../a && sort ../costs/worse >../b &&
		join -t "$(printf '\t')" ../a ../b >../table
}
check 'detect functions of the same costs' exits 0 git perf detect functions --json <../table
jq -c '[.functions[] | [.uid, .verdict, .ratio, .low, .high, .p, .q]] | sort' "$out" >../detected
jq -c '[.verdicts[] | select(.uid) | [.uid, .verdict, .ratio, .low, .high, .p, .q]] | sort' \
	../check.json >../checked
check 'detect functions says the same of each, to the last digit' same ../detected ../checked

check 'as text' exits 1 git perf check --functions HEAD~1 HEAD
check 'a line says how many changed' mentions out \
	"^p samples beside $(git rev-parse HEAD~1 | cut -c1-10): 2 of 12 functions changed\$"
check 'the table has what changed' mentions out \
	'^SevereDegradation +\+4[0-9.]+% +\[\+[0-9.]+, \+[0-9.]+\] +[0-9.e-]+ +\+3\.[0-9]+ M +hot$'
check 'without --verbose what did not change is no row' not mentions out ' f0[1-9]$'
check 'all of them' exits 1 git perf check --functions -v HEAD~1 HEAD
check 'what did not change stands there, too' mentions out '^NoChange .* f05$'
check 'without the option none is told' exits 1 git perf check HEAD~1 HEAD
check 'without the option there is no line of them' not mentions out 'functions changed'
check 'without the option JSON has none' exits 1 git perf check --json HEAD~1 HEAD
check 'without the option no row has a function' json '[.verdicts[] | has("uid")] | any' false

commit same
side same 1 1
commit 'again the same'
side again 1 1
check 'no change of any function' exits 0 git perf check --functions --json HEAD~1 HEAD
check 'of twelve that did not change none is named' json \
	'[.verdicts[] | select(.uid) | .verdict] | unique' '["NoChange"]'
check 'functions of a commit beside its past' exits 0 git perf check --functions --json
check 'a commit beside its past has verdicts on functions' json \
	'[.verdicts[] | select(.uid)] | length' 12
check 'functions are compared with the last commit that was measured' json \
	'[.verdicts[] | select(.uid) | .base] | unique' "[\"$(git rev-parse HEAD~1)\"]"
check 'a range' exits 0 git perf check --functions --json HEAD~1..HEAD
check 'a least effect is that of functions, too' exits 0 \
	git perf check --functions --json --min-effect=20% HEAD~2 HEAD~1
check '10 % are no change then' json \
	'[.verdicts[] | select(.uid and .verdict != "NoChange") | [.uid, .verdict]]' \
	'[["hot","SevereOptimization"]]'

# What functions cost does not decide, unless it is named what fails.
commit 'from hot to f10'
# hot is 8 and f10 12 of 85 parts: 8 * .7 + 12 * 1.2 = 20
for r in 1 2 3 4 5; do
	awk '/hot/ { $2 = int($2 * .7) } /f10/ { $2 = int($2 * 1.2) } 1' "../run.$r" >../run.n
	must git perf add -n p ../run.n 2>"$err"
done
check 'a function that is slower where the whole is not fails nothing' exits 0 \
	git perf check --functions --json HEAD~1 HEAD
check 'a slower function is told where the whole is not slower' is "$(verdict_of f10)" Degradation
check 'the verdict on a function fails where it is named' exits 1 \
	git perf check --functions --fail-on=Degradation HEAD~1 HEAD
# f10 alone costs more, and all that were named before cost the same
check 'what fails is said in the last line' is "$(tail -n 1 "$out")" \
	'1 metric: 1 unchanged; 1 function fails: 1 Degradation'
check 'another one does not' exits 0 \
	git perf check --functions --fail-on=SevereDegradation HEAD~1 HEAD
check 'without --functions nor does it' exits 0 git perf check --fail-on=Degradation HEAD~1 HEAD

# A run each: of samples nothing can be said, of counts of a call graph all.
must git init -q -b main ../one
cd ../one || exit 1
commit base
printf 'main;a 1000\nmain;b 2000\n' >../p.folded
must git perf add -n p ../p.folded
commit next
printf 'main;a 1500\nmain;b 2000\nmain;c 70\n' >../p.folded
must git perf add -n p ../p.folded
exits 0 git perf check --functions --allow-unknown --json HEAD~1 HEAD
check 'of one run of samples each nothing is known' is "$(verdict_of a)" Unknown
check 'what is new is new' is "$(verdict_of c)" NotInBaseline
check 'functions of one run as text' exits 0 git perf check --functions --allow-unknown HEAD~1 HEAD
check 'what is to be done about one run is said' mentions out \
	'1 of 3 functions changed, 2 cannot be told from noise: both need more runs'
graph()
{
	printf '# callgrind format\nversion: 1\ncmd: ./p\nevents: Ir\n\n'
	printf 'fl=p.c\nfn=main\n1 50000\nfn=parse\n3 %s\nfn=eval\n9 100000\n' "$1"
}
commit graph
graph 50000 >../p.callgrind
must git perf add -n p ../p.callgrind
commit 'graph, one more in a hundred'
graph 50500 >../p.callgrind
must git perf add -n p ../p.callgrind
exits 1 git perf check --functions --json HEAD~1 HEAD
check 'of counts 1 % is a change' is "$(verdict_of parse)" Degradation
check 'a count of 1 % more is 1.01, exactly' json '.verdicts[] | select(.uid == "parse") |
	[.ratio, .before, .after, .delta, .method, .file]' '[1.01,50000,50500,500,"exact","p.c"]'
check 'the others are the same' json \
	'[.verdicts[] | select(.uid and .uid != "parse") | [.uid, .verdict, .ratio]] | sort' \
	'[["eval","NoChange",1],["main","NoChange",1]]'
check 'a least effect is that of counts, too' exits 0 \
	git perf check --functions --json --min-effect=2% --fail-on=Degradation HEAD~1 HEAD
check '1 % of a count is no change then' is "$(verdict_of parse)" NoChange
check 'a lesser least effect lets 1 % fail' exits 1 \
	git perf check --functions --json --min-effect=.5% --fail-on=Degradation HEAD~1 HEAD
check '1 % of a count is a change then' is "$(verdict_of parse)" Degradation

# Of more functions than are listed the smallest change fails, too.
many()
{
	printf '# callgrind format\nversion: 1\ncmd: ./p\nevents: Ir\n\nfl=p.c\n'
	awk -v cost="$1" 'BEGIN { for (i = 0; i < 1100; i++) printf "fn=f%d\n1 %d\n", i, cost }'
	printf 'fn=slow\n1 %s\n' "$2"
}
commit 'many functions'
many 100000 100000 >../p.callgrind
must git perf add -n many ../p.callgrind
commit 'one is slower, all others are faster'
many 50000 120000 >../p.callgrind
must git perf add -n many ../p.callgrind
check 'a slower function that is not listed fails where it is named' exits 1 \
	git perf check --functions --fail-on=Degradation HEAD~1 HEAD
check 'one that is not listed is said to fail' mentions out '; 1 function fails: 1 Degradation$'
check 'many functions got no worse but one' exits 0 \
	git perf check --functions --fail-on=NotInBaseline HEAD~1 HEAD

commit 'figures only'
echo '[{"name": "speed", "unit": "s", "value": 1}]' >../f.json
must git perf add --format=customSmallerIsBetter ../f.json
commit 'figures again'
must git perf add --format=customSmallerIsBetter ../f.json
git perf check --functions --allow-unknown HEAD~1 HEAD >"$out" 2>"$err"
check 'without profiles that is said' says out \
	'no series has profiles with functions of both sides'

for option in --run --selfcheck --detector=fast_check --format=junit --format=markdown; do
	check "$option and --functions" exits 129 git perf check --functions $option HEAD~1 HEAD
done
