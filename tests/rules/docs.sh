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

for command in '' $commands; do
	page=cmd/man/git-perf${command:+-$command}.adoc
	if [ ! -f "$page" ]; then
		echo "$page" | broken 'no manual page'
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
	grep -q "git-perf-$command(1)::" cmd/man/commands.adoc ||
		echo "$command" | broken 'not in git-perf(1)'
done
for page in cmd/man/git-perf*.adoc; do
	grep -q "$(basename "$page")" cmd/man/CMakeLists.txt ||
		echo "$page" | broken 'is not in cmd/man/CMakeLists.txt'
	command=$(basename "$page" .adoc | sed 's/^git-perf-*//')
	[ -z "$command" ] || echo "$commands" | grep -qx "$command" ||
		echo "$page" | broken 'page of no command'
done

# Code blocks of README and the commands that pages name.
{
	awk '/^```/ { on = !on; next } on' README.md
	grep -h '^[ 	]*\$ git perf ' cmd/man/*.adoc
} | grep -Eo '(^|[^a-z-])git[ -]perf( -C [^ ]+| --?[a-z=-]+)* [a-z][a-z-]*' |
	awk '{ print $NF }' | sort -u |
	while read -r command; do
		echo "$commands" | grep -qx "$command" || echo "$command"
	done | broken 'README or a page uses a command that does not exist'

verdict
