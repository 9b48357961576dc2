#!/bin/sh
# Help, manual pages, completions and README say the same. PERF_BIN is the
# folder of git-perf.
. "$(dirname "$0")/lib.sh"

program=${PERF_BIN:-$root/build/bin}/git-perf
commands=$("$program" --list-commands | cut -f 1)
[ -n "$commands" ] || echo "$program" | broken 'lists no command'

# The lines of a page's SYNOPSIS, without markup.
page_synopsis()
{
	awk '/^(== )?SYNOPSIS$/ { on = 1; next }
		on && /^(== |[A-Z]+$)/ { exit }
		on' "$1" |
		sed -e "/^-*$/d" -e "/^\\[verse\\]$/d" \
			-e "s/['*\`_]//g"
}

# Of a command, or of the program when $1 is empty.
help_synopsis()
{
	"$program" ${1:+"$1"} -h |
		sed -n -e 's/^usage: //p' -e 's/^   or: //p' |
		sed "s/['*\`_]//g"
}

man=$(find cmd/man -name '*.adoc' | sort)
for command in '' $commands; do
	name=git-perf${command:+-$command}.adoc
	page=$(echo "$man" | grep "/$name\$")
	if [ ! -f "$page" ]; then
		echo "$name" | broken 'no manual page'
		continue
	fi
	[ "$(page_synopsis "$page")" = "$(help_synopsis "$command")" ] || {
		echo "$page:"
		page_synopsis "$page" | sed 's/^/page: /'
		help_synopsis "$command" | sed 's/^/-h:   /'
	} | broken 'SYNOPSIS and -h differ'
	[ -n "$command" ] || continue
	"$program" "$command" --list-options | cut -f 1 | sed 's/=$//' |
		while read -r option; do
			grep -Eq -e "(^|[^a-z-])$option([^a-z-]|\$)" "$page" ||
				echo "$page: $option"
		done | broken 'option is not in the manual page'
	# What an option can be set to: here or in the page that this one speaks
	# of; formats have one of their own.
	pages=$page
	! grep -q 'git perf show' "$page" ||
		pages="$page cmd/man/view/git-perf-show.adoc"
	grep -q 'git-perf-formats(1)' "$page" && formats=formats || formats=
	"$program" "$command" --list-options |
		awk -F '\t' -v formats="$formats" '
		formats && ($1 == "--format=" || $1 == "--to=" || $1 == "-t") {
			next
		}
		{
			n = split($3, name, " ")
			for (i = 1; i <= n; i++)
				print $1, name[i]
		}' | sed 's/=$//' | while read -r option name; do
		grep -Eqh -e "(^|[^a-z-])$name([^a-z-]|\$)" $pages ||
			echo "$page: $option=$name"
	done | broken 'choice is not in the manual page'
	grep -q "git-perf-$command(1)::" cmd/man/list/commands.adoc ||
		echo "$command" | broken 'not in git-perf(1)'
done
for page in $(echo "$man" | grep /git-perf); do
	grep -q "^	${page#cmd/man/}\$" cmd/man/CMakeLists.txt ||
		echo "$page" | broken 'is not in cmd/man/CMakeLists.txt'
	# a page of section 5 is of a file or a format
	! grep -q '^= .*(5)$' "$page" || continue
	command=$(basename "$page" .adoc | sed 's/^git-perf-*//')
	[ -z "$command" ] || echo "$commands" | grep -qx "$command" ||
		echo "$page" | broken 'page of no command'
done

# Between signs _x_ and *x* print their own signs: __x__ and **x** do not.
grep -nE '[^*]\*_<|^\*_<|>_\*([^*]|$)' $man |
	broken 'mark is printed as it stands: write __<x>__ and **x**'

# README's table of the formats that are read is that of the program.
if command -v jq >/dev/null 2>&1; then
	wanted=$(mktemp) && listed=$(mktemp) || exit 1
	trap 'rm -f "$faults" "$wanted" "$listed"' EXIT
	"$program" formats --json | jq -r '.formats[] | select(.read) |
		"| \(.name) | \(.languages) | \(.made_by) |"' >"$wanted"
	awk '/^\| format \| languages \| made by \|$/ { on = 1; getline; next }
		!/^\|/ { on = 0 }
		on' README.md >"$listed"
	diff "$listed" "$wanted" | broken 'README lists other formats'
fi

# README's table of folders has those of the library.
for folder in libperfnotes/*/; do
	grep -qF "| \`$folder\` |" README.md || echo "$folder"
done | broken 'README has no row of this folder'

# README names every command, and those that print JSON in their sentence.
sentence=$(awk '/^`git perf <command> --help`/ { on = 1 } on;
	/git-perf-json\(5\)/ { on = 0 }' README.md)
for command in $commands; do
	grep -Eq "\`(git perf )?$command\`|\*\*$command\*\*|git perf $command" \
		README.md || echo "$command" | broken 'README does not name'
	! "$program" "$command" --list-options | grep -q '^--json' ||
		echo "$sentence" | grep -qF "\`$command\`" ||
		echo "$command" | broken 'README does not say that it prints JSON'
done

# Code blocks of README and the commands that pages name.
{
	awk '/^```/ { on = !on; next } on' README.md
	grep -h '^[ 	]*\$ git perf ' $man
} | grep -Eo '(^|[^a-z-])git[ -]perf( -C [^ ]+| --?[a-z=-]+)* [a-z][a-z-]*' |
	awk '{ print $NF }' | sort -u |
	while read -r command; do
		echo "$commands" | grep -qx "$command" || echo "$command"
	done | broken 'README or a page uses a command that does not exist'

verdict
