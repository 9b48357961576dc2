#!/bin/sh
# GIT_TRACE2 and its two siblings tell what a command did, in git's own forms.
. "$(dirname "$0")/../lib.sh"
need jq

commit one
printf 'main;f 3\n' >p.folded

GIT_TRACE2_EVENT=$scratch/events git perf add p.folded 2>"$err"
check 'every event is a JSON object with a session, a time and a place' \
	exits 0 jq -e '.event and .sid and .time and .file and .line' \
	"$scratch/events"
own=$(jq -r 'select(.event == "start" and .argv[1] == "add" and
	(.argv[0] | endswith("git-perf"))) | .sid' "$scratch/events" | tail -n 1)
of_own()
{
	jq -r "select(.sid == \"$own\") | $1" "$scratch/events"
}
check 'the first event of a process is its version' \
	is "$(of_own .event | head -n 1)" version
check 'the version is that of the program' \
	is "git-perf version $(of_own .exe | head -n 1)" "$(git perf --version)"
check 'the last event of a process is atexit with its exit code' \
	is "$(of_own 'select(.event == "atexit") | .code')" 0
check 'the command is named' \
	is "$(of_own 'select(.event == "cmd_name") | .name')" add
check 'opening, decoding and writing are regions' \
	is "$(of_own 'select(.event == "region_leave") |
		.category + "/" + .label' | sort -u | tr '\n' ' ')" \
	'decode/collapsed notes/read notes/write repository/open '
check 'as many regions are left as are entered' \
	is "$(of_own 'select(.event == "region_enter") | .label' | sort)" \
	"$(of_own 'select(.event == "region_leave") | .label' | sort)"

rm "$scratch/events"
GIT_TRACE2_EVENT=$scratch/events git perf log --no-merges >"$out"
own=$(jq -r 'select(.event == "cmd_name" and .name == "log" and
	(.sid | test("/"))) | .sid' "$scratch/events" | head -n 1)
check 'a child of git is started with its arguments' \
	is "$(of_own 'select(.event == "child_start") | .argv[0:2] |
		join(" ")' | grep -c '^git log$')" 1
check 'the end of each child has its exit status' \
	is "$(of_own 'select(.event == "child_exit" and .code == 0) | .pid' |
		sort)" "$(of_own 'select(.event == "child_start") | .child_id' |
		sort)"
check 'events of a child continue the session of its parent' \
	is "$(jq -r 'select(.event == "cmd_name" and .name == "log") | .sid' \
		"$scratch/events" | grep -c "^$own/")" 1
check 'the walk over the history is a region' \
	is "$(of_own 'select(.event == "region_leave" and .label == "walk") |
		.category')" history

GIT_TRACE2_EVENT=$scratch/failed git perf show nothing 2>"$err"
check 'an error is told with its message and the exit code' \
	is "$(jq -r 'select(.event == "error" and (.msg | test("nothing"))) |
		.event' "$scratch/failed") $(jq -r 'select(.event == "exit" and
		.code == 128) | .code' "$scratch/failed" | sort -u)" 'error 128'

mkdir "$scratch/each"
GIT_TRACE2_PERF=$scratch/each git perf status >"$out"
columns='^[0-9:.]{15} [^ ]+:[0-9]+ +[|] d[0-9]+ [|] main {20} [|] [a-z_]+ +[|]'
check 'a folder gets a file for each process, named by its session' \
	is "$(ls "$scratch/each" | grep -vc '^2[0-9]*T[0-9.]*Z-H[0-9a-f]*-P')" 0
check 'columns of GIT_TRACE2_PERF begin where those of git do' \
	is "$(cat "$scratch"/each/* | grep -Evc "$columns")" 0
GIT_TRACE2=2 exits 0 git perf status
check 'a digit names a descriptor, and the words of a command are quoted' \
	mentions err ' start .*git-perf status$'
check 'regions are not told for people' not mentions err region_

GIT_TRACE2=0 GIT_TRACE2_EVENT= check 'zero and nothing turn it off' \
	exits 0 git perf status
check 'standard error stays empty without a listener' silent err
GIT_TRACE2_EVENT=$scratch/none/at/all exits 0 git perf status
check 'a target that cannot be opened stops nothing' mentions out '^on branch'
