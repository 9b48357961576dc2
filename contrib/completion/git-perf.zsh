#compdef git-perf
#description performance profiles in the repository
# zsh completion for git-perf; zsh's own completion of git calls _git-perf for
# `git perf`. All it knows comes from the program's option tables.

_git-perf-commands() {
	local -a commands
	commands=(${(f)"$(git-perf --list-commands | sed 's/\t/:/')"})
	_describe -t commands 'git perf command' commands
}

_git-perf-refs() {
	local -a refs
	refs=(${(f)"$(git for-each-ref --format='%(refname:short)' \
		refs/heads refs/tags refs/remotes 2>/dev/null)"} HEAD)
	_wanted refs expl revision compadd -a refs
}

# Tags, names and series of HEAD, or of the revision before a colon, what is
# pending, and files; the command is $1, and add takes only what is pending.
_git-perf-profiles() {
	local -a found
	found=(${(f)"$(git-perf $1 --list-names $PREFIX 2>/dev/null |
		cut -f 1)"})
	_alternative 'profiles:profile:compadd -a found' 'files:file:_files'
}

_git-perf-sides() {
	_git-perf-profiles $1
	_git-perf-refs
}

# What an option $2 of command $1 may be by what is stored or typed before.
_git-perf-values() {
	local -a found
	found=(${(f)"$(git-perf $1 --list-values $2 $words 2>/dev/null |
		cut -f 1)"})
	_wanted values expl value compadd -S '' -a found
}

# The options of command $1 as words for _arguments.
_git-perf-specs() {
	local line
	local -a part
	for line in ${(f)"$(git-perf $1 --list-options 2>/dev/null)"}; do
		part=("${(@ps:\t:)line}")
		local help=${${part[4]//\[/\\[}//\]/\\]} action=_files
		[[ $part[2] == *rev* || $part[2] == *commit* ]] &&
			action=_git-perf-refs
		[[ -n $part[3] ]] && action="($part[3])"
		[[ $part[1] == (--(job|machine|option)=|-O) ||
			-z $part[3] && $part[1] == --collector= ]] &&
			action="{_git-perf-values $1 ${part[1]%=}}"
		if [[ $part[1] == *= ]]; then
			reply+=("*$part[1][${help//:/\\:}]:$part[2]:$action")
		elif [[ -n $part[2] ]]; then
			reply+=("*$part[1]+[${help//:/\\:}]:$part[2]:$action")
		else
			reply+=("*$part[1][${help//:/\\:}]")
		fi
	done
}

_git-perf() {
	local curcontext=$curcontext state line ret=1 expl
	local -a reply
	local -A opt_args

	_arguments -C \
		'*-C[work in this folder]:folder:_directories' \
		'--no-pager[do not start a pager]' \
		'--color=[when to colour]:when:(auto always never)' \
		'(- *)--version[print the version]' \
		'(- *)-h[list the commands]' \
		'(- *)--help[open the manual page]' \
		'1:command:->command' '*::argument:->argument' && ret=0
	case $state in
	command) _git-perf-commands && ret=0 ;;
	argument)
		if [[ $words[1] == help ]]; then
			_git-perf-commands && ret=0
			return ret
		fi
		local rest=_files
		[[ $words[1] == detect ]] && rest='(history pair functions duel)'
		[[ $words[1] == hooks ]] && rest='(install uninstall status)'
		case "$(git-perf $words[1] -h 2>/dev/null | head -n 1)" in
		*'<rev>]' | *'[<old>'*) rest="{_git-perf-sides $words[1]}" ;;
		*'<profile>'*) rest="{_git-perf-profiles $words[1]}" ;;
		*'<rev'* | *'<range>'* | *'<good>'*) rest=_git-perf-refs ;;
		*'<remote>]') rest="(${(f)$(git remote 2>/dev/null)})" ;;
		esac
		_git-perf-specs $words[1]
		_arguments -S $reply "*:argument:$rest" && ret=0
		;;
	esac
	return ret
}

_git-perf "$@"
