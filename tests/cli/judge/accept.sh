#!/bin/sh
# git perf accept: who, why, of what; that check counts from there, that lines
# unite, follow a rewritten commit, and are taken back.
. "$(dirname "$0")/../lib.sh"
need jq

# Two counts of two programs at HEAD.
count()
{
	for program in one two; do
		printf '[{"name": "allocs", "unit": "count", "value": %s}, {"name": "hits", "unit": "count", "value": %s}]' \
			"$1" "$2" >"$scratch/count.json"
		must git perf add --format=customSmallerIsBetter --name=$program "$scratch/count.json" 2>"$err"
	done
}
verdicts()
{
	git perf check --json "$@" | jq -c '[.result, (.verdicts[] |
		select(.verdict != "NoChange") | [.series, .metric, .accepted.reason])]'
}
for n in 1 2 3; do
	commit $n
	count 1000 500
done
commit four
count 1100 600

who='C O Mitter <committer@example.com>'
check 'accepting needs a reason' exits 129 git perf accept HEAD
check 'accepting needs a commit' exits 129 git perf accept -m why
commit unmeasured
check 'a commit without figures has nothing to accept' exits 128 git perf accept -m why HEAD
check 'a commit without figures is named in one line' says err \
	"fatal: nothing to accept: 'HEAD' has no figures (a range that ends there may be accepted before it has)"
must git reset -q --hard HEAD~1
check 'a commit that is none' exits 128 git perf accept -m why nowhere
check 'a reason that is too long' exits 128 git perf accept -m "$(printf '%03000d' 0)" HEAD
check 'a long reason is told how long it may be' says err \
	'fatal: the reason has 3000 bytes, may have 2048'
check 'what is not accepted fails' is "$(verdicts)" \
	'["fail",["one","allocs",null],["two","allocs",null],["one","hits",null],["two","hits",null]]'
check 'one metric of one series is accepted' exits 0 \
	git perf accept -m 'more is stored' --job=one --metric=allocs HEAD
check 'no other metric and no other series is accepted' is "$(verdicts)" \
	'["fail",["one","allocs","more is stored"],["two","allocs",null],["one","hits",null],["two","hits",null]]'
check 'an accept without a name takes all metrics that are left' exits 0 git perf accept -m 'as wanted %; 100' HEAD
check 'the newest word counts, and nothing fails' is "$(verdicts)" \
	"[\"pass\",$(for row in one,allocs two,allocs one,hits two,hits; do
		printf '["%s","%s","as wanted %%; 100"]\n' "${row%,*}" "${row#*,}"
	done | paste -s -d , -)]"
check 'people are told who and why' exits 0 git perf check
check 'the sentence has both' mentions out \
	'^one: allocs grew by 10\.0%: 1,100, was 1,000 \(accepted by C O Mitter <committer@example.com>: as wanted %; 100\)$'
check 'log shows it' exits 0 git perf log -n 1
check 'log tells of what' says out \
	'  accepted by C O Mitter <committer@example.com>, allocs of one: more is stored'
check 'log tells it as JSON' exits 0 git perf log --json -n 1
check 'JSON has all of it' json '.commits[0].accepted | map([.by, .reason, .series, .metric])' \
	"$(printf '[["%s","as wanted %%; 100",null,null],["%s","more is stored","one","allocs"]]' \
		"$who" "$who")"

# The next commits are judged by what came since; a further change is one.
commit five
count 1100 600
check 'the next commit is no regression' is "$(verdicts)" '["pass"]'
commit six
count 1200 600
check 'a further change is not accepted' is "$(verdicts)" \
	'["fail",["one","allocs",null],["two","allocs",null]]'
check 'the commit beside one before the accepted change' is \
	"$(verdicts HEAD~1 HEAD~3 | cut -c 1-7)" '["pass"'

# A range, on a branch: its tip is judged.
must git checkout -q -b topic HEAD~1
commit slow
commit tip
count 1500 600
check 'the tip of a branch fails' is "$(verdicts main~1..topic | cut -c 1-7)" '["fail"'
check 'a range is accepted at its end' exits 0 git perf accept -m planned --metric=allocs HEAD~2..HEAD~1
check 'what a branch accepts is accepted of its tip' is "$(verdicts main~1..topic)" \
	'["pass",["one","allocs","planned"],["two","allocs","planned"]]'
check 'the line says where the range begins' is \
	"$(git notes --ref=perf show HEAD~1 | grep -c " since=$(git rev-parse HEAD~2)")" 1

# bump_epoch_multiple: lines of two clones unite as all lines do, and follow an amended commit.
must git clone -q . "$scratch/other" 2>"$err"
must git -C "$scratch/other" fetch -q origin refs/notes/perf:refs/notes/perf
must git -C "$scratch/other" config user.name Other
must git -C "$scratch/other" config user.email other@example.com
(cd "$scratch/other" && must git perf accept -m there HEAD) 2>"$err"
must git perf accept -m here HEAD 2>"$err"
must git fetch -q "$scratch/other" refs/notes/perf:refs/notes/theirs
must git notes --ref=perf merge -q -s cat_sort_uniq refs/notes/theirs
check 'lines of two clones unite' is "$(git perf log --json -n 1 |
	jq -c '.commits[0].accepted | map(.reason) | sort')" '["here","there"]'
check 'fsck finds nothing wrong with them' exits 0 git perf fsck
check 'all that was accepted of a commit is revoked' exits 0 git perf accept --revoke HEAD
check 'the revocation counts both lines' says err "revoked 2 at $(git rev-parse --short=10 HEAD)"
check 'there is nothing more to take back' exits 128 git perf accept --revoke HEAD
check 'what is not there is said' says err "fatal: nothing is accepted at 'HEAD'"
must git checkout -q main
check 'one metric alone is revoked' exits 0 git perf accept --revoke --metric=allocs --job=one HEAD~2
check 'a revoked metric leaves the line of another one' is "$(git perf log --json -n 1 HEAD~2 |
	jq -c '.commits[0].accepted | map(.reason)')" '["as wanted %; 100"]'

# A note may be hostile.
must git perf accept -m "$(printf 'a\033[31m\nb')" HEAD 2>"$err"
check 'a reason with controls is shown as text' exits 0 git perf log -n 1
check 'no control reaches the terminal' not grep -q "$(printf '\033')" "$out"
