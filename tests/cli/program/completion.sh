#!/bin/sh
# Completion in bash, zsh and fish, of `git perf` and of `git-perf`.
. "$(dirname "$0")/../lib.sh"
need jq

completions=$root/contrib/completion
commands=$(git-perf --list-commands | cut -f 1)

check 'the program lists its commands' mentions where .
check 'help is one of the commands' \
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
printf '[job "sort"]\n\tcmd = true\n[job "a b"]\n\tcmd = true\n' >.gitperf
pending=$(git-perf status | sed -n 's/.* \(time-true-[^ ]*\).*/\1/p')

if command -v bash >/dev/null; then
	check 'bash completes commands of git-perf' bash_offers git-perf ''
	check 'bash offers all commands' \
		is "$(sort "$out")" "$(echo "$commands" | sort)"
	check 'bash completes the beginning of a command' \
		bash_offers git-perf hel
	check 'bash offers nothing but the command that fits' \
		is "$(cat "$out")" help
	check 'bash completes a command after -C and its folder' \
		bash_offers git-perf -C . hel
	check 'bash offers the command that fits after -C' \
		is "$(cat "$out")" help
	check 'bash completes arguments of help' bash_offers git-perf help hel
	check 'bash offers commands as arguments of help' \
		is "$(cat "$out")" help
	if [ -n "$option" ]; then
		check "bash completes options of $command" \
			bash_offers git-perf "$command" --
		check "bash offers the options of the table of $command" \
			is "$(sort "$out")" "$(git-perf \
			"$command" --list-options | cut -f 1 |
			grep -e -- | sort)"
	fi
	check 'bash completes ranges' bash_offers git-perf impact v1
	check 'bash offers revisions for a range' is "$(cat "$out")" v1.0
	must git remote add upstream ../upstream
	check 'bash completes remotes' bash_offers git-perf fetch ''
	check 'bash offers the remotes' is "$(cat "$out")" upstream
	check 'bash completes what bundle does' bash_offers git-perf bundle ap
	check 'bash offers what bundle does' is "$(cat "$out")" apply
	check 'bash completes what hooks takes' bash_offers git-perf hooks in
	check 'bash offers what hooks takes' is "$(cat "$out")" install
	check 'bash completes values of --view' \
		bash_offers git-perf show --view = t
	check 'bash offers the values that --view knows' \
		is "$(sort "$out" | tr '\n' ' ')" "$(
		git-perf show --list-options |
			awk -F '\t' '$1 == "--view=" { print $3 }' |
			tr ' ' '\n' | grep ^t | sort | tr '\n' ' ')"
	check 'the values of --view have top among them' mentions out '^top$'
	check 'bash completes profiles' bash_offers git-perf show ''
	check 'bash offers tags, names, series and revisions as profiles' \
		is "$(tr '\n' ' ' <"$out")" \
		"0@i a.folded 0@p $pending HEAD:a.folded main v1.0 HEAD "
	check 'bash completes series of a revision' \
		bash_offers git-perf export v1.0:a
	check 'bash offers only what stands behind the colon' \
		is "$(cat "$out")" a.folded
	check 'bash completes what merge takes' bash_offers git-perf merge HEAD
	check 'bash offers series of HEAD to merge' mentions out '^HEAD:a.folded$'
	check 'bash completes jobs' bash_offers git-perf run --job = so
	check 'bash offers jobs of the job file' is "$(cat "$out")" sort
	check 'bash completes keys of collectors' \
		bash_offers git-perf collect -O freq
	check 'bash offers keys of collectors with their sign' \
		is "$(cat "$out")" frequency=
	check 'bash completes the keys of one collector' \
		bash_offers git-perf collect -c memory -O ''
	check 'bash offers the keys of the collector memory alone' \
		is "$(tr '\n' ' ' <"$out")" \
		"$(git-perf collect --list-collectors -c memory --json |
			jq -r '.collectors[0].options[] |
				if .argument then .key + "=" else .key end' |
			tr '\n' ' ')"
	check 'bash completes keys of a collector named with two dashes' \
		bash_offers git-perf collect --collector = sample -O fr
	check 'bash offers a key of the collector sample' \
		is "$(cat "$out")" frequency=
	must git-perf collect --add -q -r 1 --machine=ci-1 true
	check 'bash completes machines' bash_offers git-perf log --machine = ''
	check 'bash offers machines that measured' mentions out '^ci-1$'
	check 'bash completes collectors that have measured' \
		bash_offers git-perf log --collector = ''
	check 'bash offers collectors that have measured' is "$(cat "$out")" time
	must git-perf rm 0@i
	check 'bash completes keys of postprocessors' \
		bash_offers git-perf model -O steps
	check 'bash offers keys of postprocessors' is "$(cat "$out")" steps=
	must git branch 'x$(>owned)'
	check 'bash completes a branch of any name' bash_offers git-perf show x
	check 'bash runs nothing of the name of a branch' \
		is "$(cat "$out")" 'x$(>owned)'
	check 'bash ran nothing' not test -e owned
	must git branch -D 'x$(>owned)'
	check 'bash completes names for rm' bash_offers git-perf rm time-
	check 'bash offers pending names for rm' is "$(cat "$out")" "$pending"
	check 'bash completes what can be added' bash_offers git-perf add 0
	check 'bash offers pending tags for add' is "$(cat "$out")" 0@p
	check 'bash completes revisions' bash_offers git-perf add -m v
	check 'bash offers revisions of git' is "$(cat "$out")" v1.0
fi
if [ -e /usr/share/bash-completion/completions/git ]; then
	check "git's own completion knows git perf" bash_offers git perf hel
	check 'bash completes commands of git perf through git' \
		is "$(cat "$out")" help
fi

if command -v fish >/dev/null; then
	fish_offers()
	{
		fish --no-config -c "source $completions/git-perf.fish
			complete -C '$*'" >"$out" 2>"$err"
	}
	check 'fish completes commands of git-perf' fish_offers 'git-perf hel'
	check 'fish offers commands with what they do' \
		mentions out '^help	list the commands'
	check 'fish completes without a complaint' silent err
	for command_of in show rm export; do
		check "fish completes profiles of $command_of" \
			fish_offers "git-perf $command_of "
		check "fish offers a stored profile to $command_of" \
			mentions out '^0@i	'
		check "fish offers a pending profile to $command_of" \
			mentions out '^0@p	'
		check "fish offers the name of a pending profile to $command_of" \
			mentions out "^$pending	pending"
	done
	check 'fish completes keys of one collector' \
		fish_offers 'git-perf collect -c sample -O '
	check 'fish offers no key of another collector' \
		is "$(cut -f 1 "$out" | grep -c '^frequency=$\|^period=$\|^env=$')" 1
	check 'fish completes jobs' fish_offers 'git-perf run --job='
	check 'fish offers jobs of the job file' mentions out '^--job=sort'
	check 'fish offers no file as a job' not mentions out '^--job=a.folded'
	check 'fish completes files of -o' fish_offers 'git-perf show --output='
	check 'fish offers files to -o' mentions out '^--output=a.folded'
	check 'fish completes views' fish_offers 'git-perf show --view=fl'
	check 'fish offers views that begin so' is \
		"$(cut -f 1 "$out" | tr '\n' ' ')" '--view=flamegraph --view=flow '
	check 'fish completes series' fish_offers 'git-perf diff v1.0:a'
	check 'fish offers series of the revision' mentions out '^v1.0:a.folded'
	check 'fish completes what can be added' fish_offers 'git-perf add 0'
	check 'fish offers no stored profile to add' not mentions out '^0@i'
	check 'fish completes what hooks takes' fish_offers 'git-perf hooks unin'
	check 'fish offers what hooks takes' mentions out '^uninstall'
	if [ -n "$option" ]; then
		check 'fish completes options' \
			fish_offers "git-perf $command --"
		check "fish offers $option of the table" mentions out "^$option"
	fi
fi

if [ -e /usr/share/fish/completions/git.fish ]; then
	through_git()
	{
		fish -c "source $completions/git-perf.conf.fish
			source $completions/git-perf.fish
			complete -C '$*'" >"$out" 2>"$err"
	}
	check 'fish completes commands of git perf' through_git 'git perf hel'
	check 'fish offers the command of git perf' mentions out '^help	'
	check 'fish completes series for git perf' \
		through_git 'git perf diff v1.0:a'
	check 'fish offers series to git perf' mentions out '^v1.0:a.folded'
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
	check 'zsh completes a command of git-perf as typed by hand' \
		says out found
	check 'zsh completes what hooks takes' \
		zsh_completes 'git-perf hooks sta' 'git-perf hooks status '
	check 'zsh completes hooks status as typed by hand' says out found
	check 'zsh completes commands of git perf' \
		zsh_completes 'git perf hel' 'git perf help '
	check 'zsh completes commands of git perf through its own completion of git' \
		says out found
	check 'zsh completes profiles' \
		zsh_completes 'git-perf rm 0@i' 'git-perf rm 0@i '
	check 'zsh completes a tag as typed by hand' says out found
	check 'zsh completes a pending name' \
		zsh_completes 'git-perf export tim' "git-perf export $pending "
	check 'zsh completes a pending name as typed by hand' says out found
	while read line whole; do
		check "zsh completes '$line'" \
			zsh_completes "git-perf $line" "$whole"
		check "zsh makes '$whole' of it" says out found
	done <<-'END'
		run\ --job=so --job=sort
		show\ --view=flam --view=flamegraph
		show\ v1.0:a v1.0:a.folded
		collect\ -O\ freq frequency=
	END
fi
