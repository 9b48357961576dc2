#!/bin/sh
# What is said wrongly on the command line ends with 129 and a line that says
# what would have been right, and nothing else does: each option that has
# choices with a value that is none of them, and others by name.
. "$(dirname "$0")/../lib.sh"

printf 'main;f 1\n' >p.folded
commit one

# What a command needs besides its options, so that these are what is wrong.
words_of()
{
	case $1 in
	add | export | merge | model | show) echo p.folded ;;
	diff) echo p.folded p.folded ;;
	collect) echo -- true ;;
	export-perun) echo ../store ;;
	esac
}

git perf --list-commands | cut -f 1 >../commands
while read -r command; do
	git perf "$command" --list-options 2>"$err" </dev/null |
		awk -F '\t' -v command="$command" \
			'$1 ~ /^--.*=$/ && $3 != "" { print command, $1 }'
done <../commands >../options
check 'more than 30 options have choices' test "$(wc -l <../options)" -gt 30
while read -r command option; do
	# --stdout takes a file's name, too; a sampler is to run for --send
	case $command$option in
	collect--stdout= | collect--send=) continue ;;
	esac
	words=$(words_of "$command")
	check "$command ${option}no-such-thing is a usage error" \
		exits 129 git perf "$command" "${option}no-such-thing" $words
	check "$command ${option}no-such-thing says so and where to look" \
		is "$(grep -c -e '^error: ' -e "^see 'git perf $command -h'" \
			"$err")" 2
done <../options

# Options that are no names from a list, and those that git refuses for us.
while read -r words; do
	check "$words is a usage error" exits 129 git perf $words
	check "$words is told in a line" mentions err '^error: '
done <<'END'
log --no-such-thing
log -Z
log --graph --json
log --format=oneline
log --function=f --no-such-thing
add --label nothing p.folded
collect -O no-such-thing -- true
collect -c perf -O event -- true
collect -c perf -O no-such-thing=1 -- true
collect -l nothing -- true
run --shard=3/2
prune --keep=last:0
prune --keep=last:x
END

# What was said rightly and is not there is no usage error.
while read -r words; do
	check "$words is fatal" exits 128 git perf $words
	check "$words is told in a line that is fatal" mentions err '^fatal: '
done <<'END'
log no-such-revision
log -2 no-such-tag-2
log --function=f -1 v-1
show no-such-profile
export --to=pprof no-such-profile
export --format=pprof ./p.folded
END
check 'a collector of the configuration is no word of the caller' \
	exits 128 git -c perf.collector=no-such-thing perf collect -- true
check 'a path after -- is none of the options' exits 0 \
	git perf log -- --no-such-thing
