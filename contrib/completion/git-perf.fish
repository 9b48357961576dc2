# fish completion for git-perf; fish's own completion of git hands the words of
# `git perf` over to it. All it knows comes from the program's option tables.

# The command on the line, if there is one yet.
function __git_perf_command
    set -l words (commandline -opc)
    set -e words[1]
    while set -q words[1]
        switch $words[1]
            case -C
                set -e words[1]
            case '-*'
            case '*'
                echo $words[1]
                return 0
        end
        set -e words[1]
    end
    return 1
end

function __git_perf_refs
    git for-each-ref --format='%(refname:short)' refs/heads refs/tags \
        refs/remotes 2>/dev/null
    echo HEAD
end

# Options of the command, and the values of the one being typed.
function __git_perf_options
    set -l command (__git_perf_command)
    set -l current (commandline -ct)
    set -l last (commandline -opc)[-1]
    git-perf $command --list-options 2>/dev/null |
    while read -l -d \t name arg choices help
        set -l values (string split -n ' ' -- $choices)
        if string match -q '*rev*' -- $arg
            set values (__git_perf_refs)
        else if contains -- $name -O --option= ||
                test -z "$choices"
            set values (git-perf $command --list-values \
                (string trim -r -c = -- $name) (commandline -opc) \
                2>/dev/null | cut -f 1)
        end
        if string match -q -- '--*=' $name
            printf '%s\t%s\n' $name $help
            if string match -q -- "$name*" $current
                printf "$name%s\n" $values
            end
        else if string match -q -- '-*' $current
            printf '%s\t%s\n' $name $help
        end
        # an option of test's own may be the word
        if test -n "$arg"; and test "x$last" = x(string trim -r -c = -- $name)
            printf '%s\n' $values
        end
    end
end

# What the command's arguments are: "profile" or "rev".
function __git_perf_wants
    git-perf (__git_perf_command) -h 2>/dev/null | head -n 1 |
    string match -q "*<$argv[1]*"
end

# Whether the word being typed is no file: the value of an option that takes
# none, a series behind its revision, an argument of a command without files.
function __git_perf_no_files
    set -l command (__git_perf_command)
    set -l current (commandline -ct)
    set -l last (commandline -opc)[-1]
    if string match -q -- '--*=*' $current
        set last (string replace -r '=.*' '=' -- $current)
    end
    set -l fields (git-perf $command --list-options 2>/dev/null |
        while read -l -d \t name arg choices help
            if contains -- $last $name (string trim -r -c = -- $name)
                echo "x$arg"
            end
        end)
    if test (count $fields) -gt 0; and test "$fields[1]" != x
        not string match -qr '<(file|folder|path|profile|line)>' -- $fields[1]
        return
    end
    string match -q '?*:*' -- $current; and return 0
    not git-perf $command -h 2>/dev/null | head -n 1 |
    string match -qr '<(file|dir|path|profile|old|command)>'
end

# Tags, names and series of HEAD, or of the revision before a colon, and what is
# pending; add takes nothing else.
function __git_perf_profiles
    git-perf (__git_perf_command) --list-names (commandline -ct) 2>/dev/null
end

complete -c git-perf -n 'not __git_perf_command' -f \
    -a '(git-perf --list-commands)'
complete -c git-perf -n 'not __git_perf_command' -s C -r \
    -d 'work in this folder'
complete -c git-perf -n 'not __git_perf_command' -l no-pager -d 'no pager'
complete -c git-perf -n 'not __git_perf_command' -l color -x \
    -a 'auto always never' -d 'when to colour'
complete -c git-perf -n 'not __git_perf_command' -l version -d 'the version'
complete -c git-perf -n '__git_perf_command; and __git_perf_no_files' -f
complete -c git-perf -n __git_perf_command -a '(__git_perf_options)'
complete -c git-perf -n '__git_perf_command; and __git_perf_wants profile' \
    -a '(__git_perf_profiles)'
complete -c git-perf -n '__git_perf_command; and __git_perf_wants old' \
    -a '(__git_perf_profiles; __git_perf_refs)'
complete -c git-perf -n '__git_perf_command; and __git_perf_wants rev' \
    -a '(__git_perf_refs)'
complete -c git-perf -n '__git_perf_command; and __git_perf_wants range' \
    -a '(__git_perf_refs)'
complete -c git-perf -n '__git_perf_command; and __git_perf_wants "remote>]"' \
    -a '(git remote 2>/dev/null)'
complete -c git-perf -n 'test "$(__git_perf_command)" = help' -f \
    -a '(git-perf --list-commands)'
complete -c git-perf -n 'test "$(__git_perf_command)" = detect' -f \
    -a 'history pair functions duel'
complete -c git-perf -n 'test "$(__git_perf_command)" = hooks' -f \
    -a 'install uninstall status'
