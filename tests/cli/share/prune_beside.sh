#!/bin/sh
# An acceptance that is written while prune makes its plan holds.
. "$(dirname "$0")/../lib.sh"

real=$(command -v git)
perf=$(command -v git-perf)
for n in 1 2 3; do
	commit "$n"
	printf 'main;c%s 5\nmain 3\n' "$n" >"$scratch/p.folded"
	must git perf add -n "c$n" "$scratch/p.folded" 2>"$scratch/said"
done
first=$(git rev-parse HEAD~2)
mkdir "$scratch/wrap"
cat >"$scratch/wrap/git" <<END
#!/bin/sh
case " \$* " in
*' rev-list '*)
	if mv "$scratch/beside" "$scratch/began" 2>"$scratch/told"; then
		sh "$scratch/began"
	fi ;;
esac
exec "$real" "\$@"
END
chmod +x "$scratch/wrap/git"
echo "\"$perf\" accept $first -m wanted && : >\"$scratch/accepted\"" \
	>"$scratch/beside"
check 'a prune beside an acceptance' exits 0 \
	env PATH="$scratch/wrap:$PATH" git-perf prune --keep=last:1 --offline
check 'the acceptance was beside it' test -e "$scratch/accepted"
check 'what was accepted stays' is "$(git notes --ref=perf show "$first" |
	grep -c ' del ')" 0
check 'what was not goes' is "$(git notes --ref=perf show HEAD~1 |
	grep -c ' del ')" 1
check 'nothing is wrong' exits 0 git perf fsck
