#!/bin/sh
# Postprocessors of a job file: applied in order to what was measured, named in
# lists, and wrong ones named with file, line and key.
. "$(dirname "$0")/lib.sh"
need jq

must jq -c .profile "$root/tests/data/models/expected.json" >points.json
cat >.gitperf <<'END'
# sizes and what they cost
[job "sort"]
	cmd = cp points.json {output}
	collector = command
	option = format=perun
	postprocess = clusterizer strategy=sliding-window "window-height=0.5"
	postprocess = regression-analysis --method=bisection \
depending-on=structure-unit-size
	postprocess = regressogram bins=5
[job "plain"]
	cmd = cp points.json {output}
	collector = command
	option = format=perun
[job "stacks"]
	cmd = true
	runs = 2
	postprocess = regression-analysis
	postprocess = normalizer
END
git add .
commit first

check 'lists jobs' exits 0 git perf run --list
check 'with what is applied to them' mentions out \
	'^[0-9a-f]{12}  sort  cp .*  \[command, clusterizer, regression-analysis, regressogram\]$'
check 'and without' mentions out '^[0-9a-f]{12}  plain  cp .*  \[command\]$'
check 'lists them as JSON' exits 0 git perf run --list --json
check 'with options' json '.jobs[0].postprocess | [length, .[1:][]]' \
	'[3,"regression-analysis --method=bisection depending-on=structure-unit-size","regressogram bins=5"]'
check 'only where there are any' json '.jobs[1] | has("postprocess")' false
check 'shows them to who trusts' exits 0 git perf trust
check 'with the collector' mentions out '^    collector = '
check 'and the options' mentions out '^    postprocess = .*regressogram.*5'

# They are part of what was trusted.
must cp .gitperf kept
must sed -i s/bins=5/bins=6/ .gitperf
check 'another option is another file' exits 128 git perf run
check 'that nobody trusts' mentions err 'has changed since it was trusted'
must mv kept .gitperf

check 'measures and models' exits 0 git perf run --json
check 'all' json '[.profiles[] | [.labels.job, .postprocessors]]' \
	'[["sort",["clusterizer","regression_analysis","regressogram"]],["plain",null],["stacks",null]]'
check 'keeps what cannot be modelled' mentions err \
	"^warning: job 'stacks' is measured, but not postprocessed: regression-analysis: the profile has no key"
check 'shows the models' exits 0 git perf show --json --view=models \
	sort-command
check 'of both' json '[.models[].model] | unique | index("regressogram") !=
	null and length > 1' true
check 'of every function' json '[.models[].uid] | unique' \
	'["big","gap","line","steps"]'
check 'in the order of the file' exits 0 git perf export --to=perun \
	sort-command
check 'with what they were told' json '[.postprocessors[] | [.name,
	.params.strategy // .params.method // .params.bucket_number]]' \
	'[["clusterizer","sliding_window"],["regression_analysis","bisection"],["regressogram",5]]'
check 'and what the first did' json '[.resource_type_map[].cluster] |
	max > 1' true
check 'is done' exits 0 git perf run
check 'with all of it' mentions err '^nothing to do: all is measured'

# Errors of the file: its name, the line, the key.
wrong()
{
	printf '%b' "$2" >../bad
	check "refuses $1" exits 128 git perf run --list --config=../bad
	check "and says what is wrong with $1" mentions err \
		"^fatal: '../bad': $3"
}
wrong 'an unknown one' '[job "a"]\n\tcmd = x\n\tpostprocess = y\n' \
	"line 3: job.a.postprocess: no postprocessor 'y'; there are: regression"
wrong 'an unknown option' \
	'# a # [\n[job "a]\\"["] cmd = "x # [" ; [\n\tpostprocess = \\\n\t\tnormalizer x=1' \
	'line 3: job.a]"\[.postprocess: normalizer has no option .x.; there are: of'
wrong 'a bad value' \
	'[job "a"]\n\tcmd = "x\\\n # y"\n\n\tshell\n; b\n\tpostprocess = regressogram bins=0' \
	"line 7: job.a.postprocess: regressogram: bad bins '0', need"
wrong 'a quote without an end' \
	'[job "a"]\n\tcmd = x\n\tpostprocess = regressogram '"'"'bins' \
	"line 3: job.a.postprocess: bad command line 'regressogram 'bins': a quote"
wrong 'nothing' '[job "a"]\n\tcmd = x\n\tpostprocess =' \
	'line 3: job.a.postprocess: needs a value'
