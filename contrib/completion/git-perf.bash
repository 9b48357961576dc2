# bash completion for `git perf` (through git's own completion, which calls
# _git_perf) and for `git-perf`. All it knows comes from the program's option
# tables: git-perf --list-commands, git-perf <command> --list-options.

# Candidates for the word being completed; finished ones get a blank, names of
# options that take a value do not. Not by compgen -W, which would run what
# stands in the name of a branch.
__git_perf_reply()
{
	local word

	COMPREPLY=()
	while IFS= read -r word; do
		case $word in
		'') ;;
		"$2"*=) COMPREPLY+=("$word") ;;
		"$2"*) COMPREPLY+=("$word ") ;;
		esac
	done <<<"$1"
}

__git_perf_refs()
{
	git for-each-ref --format='%(refname:short)' \
		refs/heads refs/tags refs/remotes 2>/dev/null
	echo HEAD
}

# Tags, names and series of HEAD, of the revision before a colon, and what is
# pending; add takes nothing else. Where none of them fits, readline looks for a
# file. Names that a shell would expand are not listed. A colon parts words for
# readline: what is typed up to it must not come again.
__git_perf_profiles()
{
	local prefix=''

	case $2,$COMP_WORDBREAKS in
	*:*,*:*) prefix=${2%:*}: ;;
	esac
	{
		git-perf "$1" --list-names "$2" 2>/dev/null | cut -f 1
		[ -z "$3" ] || __git_perf_refs
	} | while IFS= read -r name; do
		case $name in
		"$2"*) printf '%s\n' "${name#"$prefix"}" ;;
		esac
	done
}

# The value of option $4: $1 its argument, $2 its choices, $3 what is typed. What
# is stored or typed before may have more to say. A file is left to readline.
__git_perf_value()
{
	local values=''

	case $2,$4 in
	,*) values=$(git-perf "$command" --list-values "$4" 2>/dev/null) ;;
	*,-O | *,--option) values=$(git-perf "$command" --list-values "$4" \
		"${words[@]:1:cword-1}" 2>/dev/null) ;;
	*) values=${2// /$'\n'} ;;
	esac
	case $values,$1 in
	?*,*) __git_perf_reply "$(cut -f 1 <<<"$values")" "$3" ;;
	,*rev* | ,*commit*) __git_perf_reply "$(__git_perf_refs)" "$3" ;;
	*) COMPREPLY=() ;;
	esac
}

# words[$1] is the first word after the program.
__git_perf_complete()
{
	local i=$1 command='' options name arg choices

	for (( ; i < cword; i++)); do
		case ${words[i]} in
		-C) i=$((i + 1)) ;;
		-*) ;;
		*)
			command=${words[i]}
			break
			;;
		esac
	done
	if [ -z "$command" ]; then
		case ${words[cword - 1]},$cur in
		-C,*) COMPREPLY=() ;;
		*,-*) __git_perf_reply \
			$'-C\n--no-pager\n--color=\n--version\n--help' "$cur" ;;
		*) __git_perf_reply \
			"$(git-perf --list-commands | cut -f 1)" "$cur" ;;
		esac
		return
	fi
	options=$(git-perf "$command" --list-options 2>/dev/null)
	while IFS='|' read -r name arg choices; do
		case $cur,${words[cword - 1]} in
		"$name"*,* | *,"${name%=}" | "=,${name%=}")
			[ -n "$arg" ] || continue
			case $cur,$name in
			"$name"*,--*=) __git_perf_value "$arg" "$choices" \
				"${cur#"$name"}" "${name%=}" ;;
			-*) continue ;;
			*) __git_perf_value "$arg" "$choices" "$cur" \
				"${name%=}" ;;
			esac
			return
			;;
		esac
	done <<-END
		$(printf '%s\n' "$options" | cut -f 1-3 | tr '\t' '|')
	END
	case $cur,$command in
	-*) __git_perf_reply \
		"$(printf '%s\n' "$options" | cut -f 1)" "$cur" ;;
	*,help) __git_perf_reply \
		"$(git-perf --list-commands | cut -f 1; echo gitperf)" "$cur" ;;
	*,detect) __git_perf_reply $'history\npair\nfunctions\nduel' "$cur" ;;
	*,bundle)
		COMPREPLY=()
		[ "${words[cword - 1]}" != bundle ] ||
			__git_perf_reply $'create\napply' "$cur"
		;;
	*,hooks) __git_perf_reply $'install\nuninstall\nstatus' "$cur" ;;
	*)
		COMPREPLY=()
		case $(git-perf "$command" -h 2>/dev/null | sed -n 1p) in
		*'<profile>'*'<rev>]' | *'[<old>'*)
			__git_perf_reply "$(__git_perf_profiles "$command" \
				"$cur" refs)" ''
			;;
		*'<profile>'*)
			__git_perf_reply "$(__git_perf_profiles "$command" \
				"$cur")" ''
			;;
		*'<rev'* | *'<range>'* | *'<good>'*)
			__git_perf_reply "$(__git_perf_refs)" "$cur"
			;;
		*'<remote>]') __git_perf_reply "$(git remote 2>/dev/null)" "$cur" ;;
		esac
		;;
	esac
}

# Called by git's completion: words, cword and cur are set.
_git_perf()
{
	local at=${__git_cmd_idx:-1}

	__git_perf_complete $((at + 1))
}

__git_perf_main()
{
	local cur words cword

	if declare -F _get_comp_words_by_ref >/dev/null; then
		_get_comp_words_by_ref -n =: cur words cword
	else
		words=("${COMP_WORDS[@]}")
		cword=$COMP_CWORD
		cur=${words[cword]}
	fi
	__git_perf_complete 1
}

complete -o bashdefault -o default -o nospace -F __git_perf_main git-perf
