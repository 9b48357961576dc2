#!/bin/sh
# Completion in bash, zsh and fish, of `git perf` and of `git-perf`.
. "$(dirname "$0")/lib.sh"

completions=$root/contrib/completion
commands=$(git-perf --list-commands | cut -f 1)

check 'the program lists its commands' mentions where .
check 'help is one of them' \
	is "$(echo "$commands" | grep -x help)" help

# A command with options stands in for all: the first that has one.
for command in $commands; do
	option=$(git-perf "$command" --list-options | sed -n '1s/	.*//p')
	[ -z "$option" ] || break
done

# What bash offers after the words given, one candidate a line.
bash_offers()
{
	cat >"$scratch/offers.bash" <<-'END'
		for file in /usr/share/bash-completion/bash_completion \
			/usr/share/bash-completion/completions/git; do
			[ ! -e "$file" ] || . "$file"
		done
		. "$1"
		shift
		COMP_WORDS=("$@")
		COMP_CWORD=$(($# - 1))
		COMP_LINE="$*"
		COMP_LINE=${COMP_LINE/ = /=} # readline parts words there
		COMP_POINT=${#COMP_LINE}
		COMP_TYPE=9
		COMP_KEY=9
		COMPREPLY=()
		case $1 in
		git) __git_wrap__git_main ;;
		*) __git_perf_main ;;
		esac
		printf '%s\n' "${COMPREPLY[@]}" | sed 's/ *$//'
	END
	bash --norc "$scratch/offers.bash" "$completions/git-perf.bash" "$@" \
		>"$out" 2>"$err"
}

commit first
must git tag v1.0
printf 'main;a 1\n' >a.folded
must git perf add a.folded
must git perf collect -r 1 true
pending=$(git-perf status | sed -n 's/.* \(time-true-[^ ]*\).*/\1/p')

if command -v bash >/dev/null; then
	check 'bash completes commands of git-perf' bash_offers git-perf ''
	check 'all of them' is "$(sort "$out")" "$(echo "$commands" | sort)"
	check 'and their beginnings' bash_offers git-perf hel
	check 'alone' is "$(cat "$out")" help
	check 'after -C and its folder, too' bash_offers git-perf -C . hel
	check 'the same' is "$(cat "$out")" help
	check 'arguments of help are commands' bash_offers git-perf help hel
	check 'as well' is "$(cat "$out")" help
	if [ -n "$option" ]; then
		check "options of $command" bash_offers git-perf "$command" --
		check "come from its table" is "$(sort "$out")" "$(git-perf \
			"$command" --list-options | cut -f 1 |
			grep -e -- | sort)"
	fi
	check 'what hooks takes' bash_offers git-perf hooks in
	check 'is known' is "$(cat "$out")" install
	check 'values of an option' bash_offers git-perf show --view = t
	check 'come from its table' is "$(sort "$out" | tr '\n' ' ')" "$(
		git-perf show --list-options |
			awk -F '\t' '$1 == "--view=" { print $3 }' |
			tr ' ' '\n' | grep ^t | sort | tr '\n' ' ')"
	check 'there are some' mentions out '^top$'
	check 'profiles' bash_offers git-perf show ''
	check 'are tags and pending names' \
		is "$(tr '\n' ' ' <"$out")" "0@i 0@p $pending "
	check 'names alone' bash_offers git-perf rm time-
	check 'are those of pending ones' is "$(cat "$out")" "$pending"
	check 'what can be added' bash_offers git-perf add 0
	check 'is pending' is "$(cat "$out")" 0@p
	check 'revisions' bash_offers git-perf add -m v
	check 'come from git' is "$(cat "$out")" v1.0
fi
if [ -e /usr/share/bash-completion/completions/git ]; then
	check "git's own completion knows git perf" bash_offers git perf hel
	check 'and its commands' is "$(cat "$out")" help
fi

if command -v fish >/dev/null; then
	fish_offers()
	{
		fish --no-config -c "source $completions/git-perf.fish
			complete -C '$*'" >"$out" 2>"$err"
	}
	check 'fish completes commands of git-perf' fish_offers 'git-perf hel'
	check 'with what they do' mentions out '^help	list the commands'
	check 'fish without a complaint' silent err
	for command_of in show rm export; do
		check "fish completes profiles of $command_of" \
			fish_offers "git-perf $command_of "
		check 'a stored one' mentions out '^0@i	'
		check 'a pending one' mentions out '^0@p	'
		check 'and its name' mentions out "^$pending	pending"
	done
	check 'what can be added' fish_offers 'git-perf add 0'
	check 'is pending' not mentions out '^0@i'
	check 'fish completes what hooks takes' fish_offers 'git-perf hooks unin'
	check 'too' mentions out '^uninstall'
	if [ -n "$option" ]; then
		check 'fish completes options' \
			fish_offers "git-perf $command --"
		check 'from the table' mentions out "^$option"
	fi
fi

# What zsh makes of a line and a tab, in a terminal of its own.
zsh_completes()
{
	mkdir -p "$scratch/zsh"
	cp "$completions/git-perf.zsh" "$scratch/zsh/_git-perf"
	cat >"$scratch/tab.zsh" <<-'END'
		zmodload zsh/zpty
		zpty shell zsh -f -i
		zpty -w shell "PS1= fpath=($1 \$fpath); autoload -U compinit
		compinit -u -D; echo rea''dy"
		zpty -r -m shell text '*ready*'
		zpty -w -n shell "$2"$'\t'
		zpty -r -m shell text "*$3*" && print found
		zpty -d shell
	END
	# a shell of zsh continues each of its children that seems to stop
	leaking timeout 300 zsh -f "$scratch/tab.zsh" "$scratch/zsh" "$1" "$2" \
		>"$out" 2>"$err"
}

if command -v zsh >/dev/null; then
	check 'zsh completes commands of git-perf' \
		zsh_completes 'git-perf hel' 'git-perf help '
	check 'as typed by hand' says out found
	check 'zsh completes what hooks takes' \
		zsh_completes 'git-perf hooks sta' 'git-perf hooks status '
	check 'too' says out found
	check 'zsh completes commands of git perf' \
		zsh_completes 'git perf hel' 'git perf help '
	check 'through its own completion of git' says out found
	check 'zsh completes profiles' \
		zsh_completes 'git-perf rm 0@i' 'git-perf rm 0@i '
	check 'by tag' says out found
	check 'and' zsh_completes 'git-perf export tim' "git-perf export $pending "
	check 'by name' says out found
fi
