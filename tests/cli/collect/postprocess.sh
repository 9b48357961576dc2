#!/bin/sh
# Postprocessors of a job file: applied in order to what was measured, named in
# lists, and wrong ones named with file, line and key.
. "$(dirname "$0")/../lib.sh"
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

check 'run --list works with postprocessors' exits 0 git perf run --list
check 'run --list has the postprocessors of a job' mentions out \
	'^[0-9a-f]{12}  sort  cp .*  \[command, clusterizer, regression-analysis, regressogram\]$'
check 'run --list has nothing behind a job without postprocessors' \
	mentions out '^[0-9a-f]{12}  plain  cp .*  \[command\]$'
check 'run --list prints JSON' exits 0 git perf run --list --json
check 'the JSON list has options of postprocessors' \
	json '.jobs[0].postprocess | [length, .[1:][]]' \
	'[3,"regression-analysis --method=bisection depending-on=structure-unit-size","regressogram bins=5"]'
check 'the JSON list leaves out postprocessors where there are none' \
	json '.jobs[1] | has("postprocess")' false
check 'trust prints the job file' exits 0 git perf trust
check 'trust prints collectors' mentions out '^    collector = '
check 'trust prints postprocessors with their options' \
	mentions out '^    postprocess = .*regressogram.*5'

# They are part of what was trusted.
must cp .gitperf kept
must sed -i s/bins=5/bins=6/ .gitperf
check 'changed options make the job file untrusted' exits 128 git perf run
check 'the refusal says that the job file has changed' \
	mentions err 'has changed since it was trusted'
must mv kept .gitperf

check 'run measures and postprocesses' exits 0 git perf run --json
check 'run postprocesses each job that asks for it' \
	json '[.profiles[] | [.labels.job, .postprocessors]]' \
	'[["sort",["clusterizer","regression_analysis","regressogram"]],["plain",null],["stacks",null]]'
check 'a job that cannot be modelled is kept with a warning' mentions err \
	"^warning: job 'stacks' is measured, but not postprocessed: regression-analysis: the profile has no key"
check 'show has the models of a postprocessed job' \
	exits 0 git perf show --json --view=models \
	sort-command
check 'the models of each postprocessor are there' \
	json '[.models[].model] | unique | index("regressogram") !=
	null and length > 1' true
check 'every function is modelled' json '[.models[].uid] | unique' \
	'["big","gap","line","steps"]'
check 'a postprocessed job is exported to Perun' \
	exits 0 git perf export --to=perun \
	sort-command
check 'exported postprocessors have their parameters' \
	json '[.postprocessors[] | [.name,
	.params.strategy // .params.method // .params.bucket_number]]' \
	'[["clusterizer","sliding_window"],["regression_analysis","bisection"],["regressogram",5]]'
check 'resources have what the first postprocessor did' \
	json '[.resource_type_map[].cluster] |
	max > 1' true
check 'run of a postprocessed job again is accepted' exits 0 git perf run
check 'a postprocessed job counts as measured' \
	mentions err '^nothing to do: all is measured'

# Errors of the file: its name, the line, the key.
wrong()
{
	printf '%b' "$2" >../bad
	check "a job file with $1 is refused" exits 128 git perf run --list --config=../bad
	check "the refusal of $1 says what is wrong" mentions err \
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
