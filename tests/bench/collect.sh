#!/bin/sh
# git perf collect beside hyperfine -N, in turns: what each says a command
# takes (the same, so that less is less of its own), and what all takes that
# each does for a run, to its own end. BENCH_ROUNDS sets the number of turns
# (11).
. "$(dirname "$0")/lib.sh"

git init -q "$scratch/r"
cd "$scratch/r"

# measured WHO LINE: the line's wall and processor time, in us a run, behind
# what it says itself: median wall, user + sys
measured()
{
	hyperfine -N -r 1 --style none --export-json t.json "$2" >/dev/null 2>&1
	jq -r --slurpfile tool t.json --argjson n "$count" "$3"' + (
		$tool[0].results[0] |
		[.mean, .user + .system] | map(. * 1e6 / $n)) | @tsv' \
		r.json >>"$1"
}

ours()
{
	measured ours "git-perf collect -r $count --json -o r.json -- $1" \
		'(.profiles[0].metrics | map({(.name): .}) | add |
		[.wall.median, .user.mean + .sys.mean] | map(. / 1000))'
}

theirs()
{
	measured theirs \
		"hyperfine -N -r $count --style none --export-json r.json '$1'" \
		'(.results[0] | [.median, .user + .system] | map(. * 1e6))'
}

# The median of column $2 of file $1.
middle()
{
	cut -f "$2" "$1" | sort -g | awk '{ v[NR] = $1 }
		END { m = int((NR + 1) / 2)
			x = (v[m] + v[NR + 1 - m]) / 2
			printf x < 100 ? "%.2f" : "%.0f", x }'
}

# The median of the turns' ratios of column $1.
ratio()
{
	paste ours theirs | awk -v k="$1" '{ print $k / $(k + 4) }' >ratios
	middle ratios 1
}

measure()
{
	count=$1
	rm -f ours theirs
	for round in $(seq "${BENCH_ROUNDS:-11}"); do
		if [ $((round % 2)) -eq 0 ]; then
			ours "$2"
			theirs "$2"
		else
			theirs "$2"
			ours "$2"
		fi
	done
	n=0
	for what in 'said wall' 'said user + sys' 'all wall' \
		'all user + sys'; do
		n=$((n + 1))
		row "$2, $1 runs: $what" "$(middle ours $n) us" \
			"$(middle theirs $n) us" "$(ratio $n)" '<= 1.0x'
	done
}

head_row
measure 500 true
measure 100 true
measure 50 'sleep 0.01'
