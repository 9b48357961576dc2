#!/bin/sh
# git perf model: postprocessors against numpy, scipy, pandas and arithmetic,
# where their results go, and what cannot be modelled.
. "$(dirname "$0")/../lib.sh"
need jq

expected=$root/tests/data/models/expected.json
commit first
first=$(git rev-parse HEAD)

# 1. What each of them finds: tests/peer/models.py says how it is computed.
must jq .profile "$expected" >points.perf
near='def near($a; $b): (($a - $b) | fabs) <=
		1e-9 * ([($a | fabs), ($b | fabs), 1e-9] | max);
	def all_near($a; $b): ($a | length) == ($b | length) and
		all(range(0; $a | length); near($a[.]; $b[.]));'
agree="$near"'
	.models as $have | $all[0].cases[] | select(.post == $post) |
	.models | to_entries | all(
		.key as $uid |
		[$have[] | select(.uid == $uid)] as $mine |
		($mine | length) == (.value | length) and
		all(.value[]; . as $w |
			[$mine[] | select($w.model == null or
				.model == $w.model)][0] |
			near(.r_square; $w.r_square) and
			($w.bandwidth == null or
				near(.bandwidth; $w.bandwidth)) and
			($w.coeffs == null or
				all_near([.coeffs[].value]; $w.coeffs)) and
			($w.bucket_stats == null or
				all_near(.bucket_stats; $w.bucket_stats))))'
jq -r '.cases[].post' "$expected" >posts
while read -r post; do
	must git perf model --json -p "$post" -o got.json points.perf 2>/dev/null
	last=$post
	check "$post finds the models that its reference finds" exits 0 jq -e --arg post "$post" --slurpfile all \
		"$expected" "$agree" got.json
done <posts
check 'all configurations of postprocessors are compared' \
	is "$(wc -l <posts | tr -d ' ')" 27
jq '.cases[].models.line[0].r_square += 1e-6' "$expected" >other.json
check 'a changed expectation fails the comparison' \
	exits 1 jq -e --arg post "$last" --slurpfile all \
	other.json "$agree" got.json
for python in python3 /usr/bin/python3; do
	if "$python" -c 'import numpy, pandas, scipy' 2>/dev/null; then
		must "$python" "$root/tests/peer/models.py" >again.json
		check 'the libraries say so today' exits 0 jq -en \
			--slurpfile a "$expected" --slurpfile b again.json \
			"$near"' [$a[0] | .. | numbers] as $x |
			[$b[0] | .. | numbers] as $y | all_near($x; $y)'
		break
	fi
done
must rm -f .git/perf/jobs/*

# 2. The result: a pending profile of the commit that the first one was
# measured at, with the postprocessor in its header.
check 'model prints a table' exits 0 git perf model -O models=linear,constant \
	points.perf
check 'the table of models has formulas' mentions out \
	'^line +linear +1 +30 +0\.99[0-9]* +[0-9.]+ \+ [0-9.]+ x$'
check 'model says where the pending result is' mentions err \
	'^pending: trace-sort-numbers-.*\.perf$'
check 'status works with a pending result' exits 0 git perf status
check 'status names the postprocessor of a pending result' \
	mentions out '0@p.*  after regression_analysis'
check 'show --view=models of a profile without models' exits 0 git perf show \
	--view=models points.perf
check 'a profile without models gets one line' is "$(cat "$out")" \
	'no models ("git perf model <profile>" makes them)'
check 'show --view=models of the result' exits 0 git perf show --view=models 0@p
check 'every model has a line in show' is "$(wc -l <"$out" | tr -d ' ')" 9
check 'show --view=models prints JSON' \
	exits 0 git perf show --view=models --json 0@p
check 'JSON has the models as they were printed' \
	json '[.command, .view, (.models | length),
	.models[0].method]' '["show","models",8,"full"]'
must git perf add points.perf
commit second
must rm -f .git/perf/jobs/*
check 'model takes a stored profile of another commit' \
	exits 0 git perf model --json \
	-m HEAD^ 0@i
check 'the result keeps the origin of the measured profile' \
	json .origin "\"$first\""
check 'add refuses the result at another commit' exits 128 git perf add 0@p
check 'model applies two postprocessors' exits 0 git perf model --json \
	-p 'clusterizer' -p 'regression-analysis depending-on=cluster' \
	-m HEAD^ 0@i
check 'postprocessors are listed in their order' \
	json '[.postprocessors[].name]' \
	'["clusterizer","regression_analysis"]'
check 'a postprocessor is listed with its parameters' \
	json '.postprocessors[1].params |
	[.of_key, .per_key, .method]' '["amount/us","cluster","full"]'
must git perf add -m HEAD^ 0@p
check 'log lists measured profile and result' \
	exits 0 git perf log --json -n1 HEAD^
check 'the result names the measurement it was made of' \
	json '[.commits[0].profiles | length,
	(map(.metrics[0].name) | unique | length)]' '[2,1]'
check 'log --oneline works with a result beside its measurement' \
	exits 0 git perf log --oneline -n1 HEAD^
check 'a result and its measurement count as one value' \
	mentions out ' amount  [0-9.]+ [a-z]+$'

# 3. As Perun reads it: an independent reader.
must git perf model --json -o got.json points.perf
check 'a modelled profile is exported to Perun' exits 0 git perf export --to=perun -o out.perf \
	"$(jq -r .path got.json)"
check 'models are exported to the format of Perun' \
	exits 0 jq -e '(.models | length) == 24 and
	(.postprocessors[0].name == "regression_analysis") and
	(.models[0] | has("uid") and has("r_square") and has("coeffs"))' out.perf
check 'an independent reader reads the exported models' exits 0 python3 \
	"$root/tests/peer/perun_convert.py" out.perf
check 'the independent reader writes the same bytes' same "$out" out.perf

# 4. Methods of regression analysis that depend on chance do not.
for method in iterative initial-guess; do
	must git perf model --json -O method=$method -O steps=5 -o a.json \
		points.perf
	must git perf model --json -O method=$method -O steps=5 -o b.json \
		points.perf
	check "$method gives one model each" exits 0 jq -e '
		[.models[].uid] == ["big", "gap", "line", "steps"]' a.json
	check "$method gives the same models each time" \
		is "$(jq -c .models a.json)" \
		"$(jq -c .models b.json)"
done
check 'bisection finds a line by its parts' exits 0 jq -e '.models[2] |
	.r_square > 0.99 and .x_start == 1 and .x_end == 30' a.json

# 5. Other profiles: measured values over their order; call graphs.
must git perf collect -r 6 true
check 'model takes the index as what values depend on' \
	exits 0 git perf model --json \
	--depending-on=index 0@p
check 'each metric is modelled over the index' \
	json '[.models[] | select(.model == "linear") |
	.uid] | index("wall") != null' true
printf 'main;a 3\nmain;b 4\n' >a.folded
check 'model of stacks without sizes is fatal' exits 128 git perf model a.folded
check 'the error lists keys that are numbers' mentions err \
	"no key 'structure-unit-size'; those that are numbers: "

# 6. What is odd is left out with a word, and never written as NaN.
# Lines of amounts and of sizes, each of a function of its own, as a profile.
odd()
{
	list= map= count=0
	while read -r amounts sizes; do
		count=$((count + 1))
		list="$list${list:+, }\"f$count#0\": {\"amount\": [$amounts],
			\"structure-unit-size\": [$sizes]}"
		map="$map${map:+, }\"f$count#0\": {\"uid\": \"f$count\",
			\"type\": \"mixed\", \"subtype\": \"t\"}"
	done
	cat >odd.perf <<-END
	{"header": {"type": "mixed", "cmd": "x", "workload": "",
	"units": {"mixed": "us"}}, "postprocessors": [], "models": [],
	"collector_info": {"name": "trace", "params": {}},
	"resources": {$list}, "resource_type_map": {$map}}
	END
}
odd <<'END'
1 1
1,2,3 5,5,5
0,0,0 0,0,0
4,4,4,4 1,2,3,4
1e308,-1e308,1e308 1,2,3
1,2,3 1e308,-1e308,1e307
1e149,-1e149,3,4 1e149,-1e149,1,2
1e-300,2e-300,9e-300 1,2,3
1,2,3 1e-300,2e-300,3e-300
-1,-2,-3,-4 -1,-2,-3,-4
NaN,1,2,3,4 1,2,3,4,5
Infinity,1,2,3,5 1,2,3,4,-Infinity
1e100,1e-100,5e99 1,2,3
0,1e-308,5e-324 1,2,3
END
for post in regression-analysis 'regression-analysis method=bisection' \
	'regression-analysis method=interval steps=1' moving-average \
	'moving-average method=smm' 'moving-average method=ema' regressogram \
	'kernel-regression method=local-linear' 'kernel-regression bandwidth=1' \
	normalizer 'clusterizer strategy=sliding-window'; do
	check "$post of odd values" exits 0 git perf model --json -p "$post" \
		odd.perf
	check "$post of odd values writes no NaN and no infinity" \
		not mentions out \
		'(nan|NaN|inf|Infinity|null)[],}]'
	check "$post of odd values writes numbers that JSON can say" \
		jq -e '[.models[] | .. | numbers | isnormal or . == 0 or
			fabs < 1e-300] | all' "$out"
done
odd <<'END'
NaN,Infinity 1,2
END
check 'model without any usable resource is fatal' \
	exits 128 git perf model odd.perf
check 'the error names what no resource has' \
	mentions err "nothing has a 'amount/us' and a 'structure"
odd <<'END'
1,2 1,2
END
check 'model of two points is accepted' exits 0 git perf model odd.perf
check 'two points get a warning that they are too few' \
	says err 'warning: f1: 2 points, a model needs 3'
odd <<'END'
NaN,1,2,3,4 1,2,3,4,5
END
check 'model of a value that is no number is accepted' \
	exits 0 git perf model odd.perf
check 'a value that is no number is left out with a warning' \
	mentions err "^warning: 1 of the profile's resources have"

# 7. Wrong options.
wrong()
{
	check "model refuses $1" exits 129 git perf model $2 points.perf
	check "the refusal of $1 says why" mentions err "$3"
}
wrong 'an unknown one' '-p magic' "no postprocessor 'magic'; there are: reg"
wrong 'an unknown option' '-O magic=1' \
	"regression-analysis has no option 'magic'; there are: method, models,"
wrong 'an option without a value' '-O method' 'needs a value: method=full'
wrong 'an unknown method' '-O method=x' "no method 'x'; there are: full,"
wrong 'an unknown model' '-O models=linear,x' "no model 'x'; there are: const"
wrong 'no steps' '-O steps=0' "bad steps '0', need a whole number from 1"
wrong 'two decays' '-p moving-average -O method=ema -O com=1 -O span=2' \
	'exclude each other'
wrong 'a bandwidth of 0' '-p kernel-regression -O bandwidth=0' \
	"bad bandwidth '0', need a number above 0"
wrong 'options of whom?' '-p normalizer -p clusterizer --of=x' \
	'each has its options behind its name'
check 'diff has no view models' exits 129 git perf diff --view=models \
	points.perf points.perf
must rm -f .git/perf/jobs/*
check 'an output file that cannot be made is fatal' \
	exits 128 git perf model -o no/such points.perf
check 'a failed output leaves no pending result' is "$(ls .git/perf/jobs)" ''
check 'model without a profile is a usage error' exits 129 git perf model
check '--list-postprocessors is accepted' \
	exits 0 git perf model --list-postprocessors
check '--list-postprocessors lists options with their values' \
	mentions out '^    bandwidth=<number>\|scott\|silverman$'
