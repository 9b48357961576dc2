#!/bin/sh
# Each view of a real-sized pprof profile (1.2 MB, 33,000 samples of 40 frames),
# beside go tool pprof where that has it.
. "$(dirname "$0")/lib.sh"
profile=$measured/synthetic/1m.pb.gz
goal='<= 60 ms'
head_row
cd "$scratch"
views=$(git-perf show --list-options |
	awk -F '\t' '$1 == "--view=" { print $3 }')
for view in $views; do
	ours="git-perf show --view=$view --function=main $profile"
	peer=
	case $view in
	top | tree | traces | tags | raw | dot | comments) peer=-$view ;;
	peek | list) peer=-$view=main ;;
	models) continue ;; # none in it
	esac
	if [ -n "$peer" ] && command -v go >/dev/null; then
		compare "$view | go tool pprof" "$goal" "$ours" \
			"go tool pprof -symbolize=none $peer $profile"
	else
		alone "$view" "$goal" "$ours"
	fi
done
if command -v go >/dev/null; then
	compare 'dot, call tree | go tool pprof' "$goal" \
		"git-perf show --view=dot --call-tree $profile" \
		"go tool pprof -symbolize=none -dot -call_tree $profile"
	compare 'the table as a profile | -topproto' "$goal" \
		"git-perf export --top --to=pprof -o top.pb.gz $profile" \
		"go tool pprof -symbolize=none -topproto -output=go.pb.gz $profile"
else
	alone 'dot, call tree' "$goal" "git-perf show --view=dot --call-tree $profile"
	alone 'the table as a profile' "$goal" \
		"git-perf export --top --to=pprof -o top.pb.gz $profile"
fi
for file in flame.svg flame.html; do
	alone "$file" "$goal" "git-perf show -o $file $profile"
done
