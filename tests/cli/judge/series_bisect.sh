#!/bin/sh
# Each known change of the 40 commits of tests/data's series is looked for by
# bisection, built and run here: by counts all are found, by times each one that
# is said to be found is the right one. Takes minutes.
. "$(dirname "$0")/../lib.sh"
need jq valgrind cc make
series=$measured/series

cd "$scratch" || exit 1
must git clone -q "$series/wordfreq.bundle" -b main history 2>"$err"
cd history || exit 1
cat >.gitperf <<'END'
[job "wordfreq"]
	build = make -s
	cmd = ./wordfreq 400000 3
	collector = callgrind
	collector = time
END
must git config core.excludesFile "$scratch/ignored"
printf '%s\n' wordfreq .gitperf >"$scratch/ignored"
must git perf trust

# A merge brings what a commit of its branch did, which is what is found then.
# Changes of main, each with the commit behind the change before it and the one
# before the change that follows, three commits away at most.
git rev-list --reverse --first-parent main >"$scratch/main"
awk -F '\t' 'FILENAME == ARGV[1] { place[$1] = FNR; id[FNR] = $1; n = FNR; next }
	{
		match($4, /table_get|table_lookup|sort_entries|next_token|fold_case|checksum/)
		function_of = substr($4, RSTART, RLENGTH)
	}
	!($2 in place) && $4 ~ /^REGRESSION/ { inside[function_of] = $2 }
	$2 in place && $4 ~ /^(REGRESSION|DRIFT|IMPROVEMENT)/ {
		changes[++count] = place[$2]
		name[count] = function_of
		made[count] = $4 ~ /first parent/ ? inside[function_of] : $2
	}
	END {
		for (i = 1; i <= count; i++) {
			at = changes[i]
			good = at - 4 > changes[i - 1] ? at - 4 : changes[i - 1]
			good = good < 1 ? 1 : good
			bad = at + 3
			if (i < count && bad >= changes[i + 1])
				bad = changes[i + 1] - 1
			bad = bad > n ? n : bad
			print id[good], id[bad], made[i], name[i]
		}
	}' "$scratch/main" "$series/series.tsv" >"$scratch/changes"
check 'main has a dozen changes' test "$(wc -l <"$scratch/changes")" -ge 12

found=0
while read -r good bad change function; do
	short=$(git rev-parse --short "$change")
	check "counts tell $short" exits 0 git perf bisect --json "$good" "$bad" wordfreq/callgrind
	check "counts tell $short and why" json "[.commit, (.why.rows | map(.function) | index(\"$function\") != null)]" \
		"[\"$change\",true]"
	git perf bisect --json --max-runs=120 "$good" "$bad" wordfreq/time >"$out" 2>"$err"
	case $? in
	0)
		check "times tell $short" json .commit "\"$change\""
		found=$((found + 1))
		;;
	125) ;;
	*) check "times end well for $short" false ;;
	esac
done <"$scratch/changes"
echo "# times: $found of $(wc -l <"$scratch/changes") found"
