#!/bin/sh
# git perf collect beside hyperfine -N, in turns: what each says a command
# takes (the same, so that less is less of its own), and what each takes for a
# run besides the command. BENCH_ROUNDS sets the number of turns (5).
. "$(dirname "$0")/lib.sh"

git init -q "$scratch/r"
cd "$scratch/r"

now()
{
	date +%s%N
}

# Both append: median wall, user + sys, the tool's own time a run; in us.
ours()
{
	begin=$(now)
	git-perf collect -w 5 -r "$1" --json -o r.json -- $2 2>/dev/null
	end=$(now)
	jq -r --argjson t $((end - begin)) '.profiles[0].metrics |
		map({(.name): .}) | add |
		[.wall.median, .user.mean + .sys.mean,
			($t - .wall.mean * (.wall.n + 5)) / (.wall.n + 5)] |
		map(. / 1000) | @tsv' r.json >>ours
}

theirs()
{
	begin=$(now)
	hyperfine -N -w 5 -r "$1" --style none --export-json r.json "$2" \
		>/dev/null 2>&1
	end=$(now)
	jq -r --argjson t $((end - begin)) '.results[0] |
		(.times | length) as $n |
		[.median * 1e9, (.user + .system) * 1e9,
			($t - .mean * 1e9 * ($n + 5)) / ($n + 5)] |
		map(. / 1000) | @tsv' r.json >>theirs
}

# The median of column $2 of file $1.
middle()
{
	cut -f "$2" "$1" | sort -g | awk '{ v[NR] = $1 }
		END { m = int((NR + 1) / 2)
			printf "%.1f", (v[m] + v[NR + 1 - m]) / 2 }'
}

measure()
{
	rm -f ours theirs
	for round in $(seq "${BENCH_ROUNDS:-5}"); do
		if [ $((round % 2)) -eq 0 ]; then
			ours "$1" "$2"
			theirs "$1" "$2"
		else
			theirs "$1" "$2"
			ours "$1" "$2"
		fi
	done
	n=0
	for what in 'wall, median' 'user + sys' 'of the tool, a run'; do
		n=$((n + 1))
		a=$(middle ours $n)
		b=$(middle theirs $n)
		goal='<= 1.0x'
		[ $n -lt 3 ] || goal=-
		row "$2: $what" "$a us" "$b us" \
			"$(awk "BEGIN { printf \"%.2f\", $a / $b }")" "$goal"
	done
}

head_row
measure 300 true
measure 50 'sleep 0.01'
