#!/bin/sh
# Arguments that do not fit an index line are cut there and whole in the body.
. "$(dirname "$0")/../lib.sh"
need jq sha256sum
commit one
# 4,000 words of 4 bytes, a blank between two: 19,999 bytes, of which a line
# keeps 960, or 959 here: behind 190 words with blanks, a quote and 8 letters
# come 2 bytes of one letter.
words=$(awk 'BEGIN { for (i = 0; i < 4000; i++) printf "%s%s", i ? " " : "",
	i == 190 ? "abcdefgh\303\251" : "abcd" }')
text=$(echo "$words" | sed "s/abcdefgh[^ ]*/'&'/") # for a shell
bytes=$(printf %s "$text" | wc -c)
hash=$(printf %s "$text" | sha256sum | cut -c 1-16)
check 'long arguments are measured' exits 0 git perf collect --add -r 2 -- \
	true $words
args=$(git perf log --json | jq -r '.commits[0].profiles[0].args')
check 'the line says how long they are' is "${args#*...}" "($bytes bytes, $hash)"
check 'the line begins with whole letters of the arguments' \
	is "${args%...*}" "$(printf %s "$text" | head -c 959)"
whole()
{
	git perf export --raw "$1" | grep -aFc "$text"
}
check 'the profile has all long arguments' is "$(whole 0@i)" 1
check 'long arguments are measured as a pending profile' \
	exits 0 git perf collect -r 2 -- true $words
check 'a pending profile with long arguments is added' exits 0 git perf add 0@p
check 'pending and added long arguments are one job' is "$(git perf log --json |
	jq -r '.commits[0].profiles[].args' | sort -u | wc -l)" 1
check 'the added profile has all of the long arguments' is "$(whole 0@i)" 1
check 'long arguments that begin alike are measured' \
	exits 0 git perf collect --add -r 2 -- \
	true $words more
check 'long arguments that end differently are another job' \
	is "$(git perf log --json |
	jq -r '.commits[0].profiles[].args' | sort -u | wc -l)" 2
check 'a long command line is measured and added' \
	exits 0 git perf collect --add --shell -r 2 ": $words"
check 'a long workload is measured and added' \
	exits 0 git perf collect --add --workload "$words" -r 2 true
check 'the store has no fault' exits 0 git perf fsck
