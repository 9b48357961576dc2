#!/bin/sh
# git perf help <command> and --help open the manual page.
. "$(dirname "$0")/../lib.sh"

# A man program that shows how it was called.
mkdir "$scratch/bin"
cat >"$scratch/bin/man" <<'END'
#!/bin/sh
echo "man $*"
case $MANPATH in
/*/share/man:*) echo 'own pages first' ;;
esac
END
chmod +x "$scratch/bin/man"
PATH=$scratch/bin:$PATH

check 'help of a command' exits 0 git-perf help help
check 'help of a command opens its page' says out 'man git-perf-help'
check 'the page is looked for where the program is installed' \
	says out 'own pages first'
check 'help of the job file' exits 0 git-perf help gitperf
check 'help of the job file opens its page' says out 'man gitperf'
check '--help of a command' exits 0 git perf help --help
check '--help of a command opens its page' says out 'man git-perf-help'
check '--help of the program' exits 0 git-perf --help
check '--help of the program opens the overview' says out 'man git-perf'

# What two hyphens between letters become where they are not escaped.
pages=$(dirname "$(command -v git-perf)")/../share/man
check 'there are more than 30 pages' test "$(find "$pages" -type f | wc -l)" -gt 30
check 'no page has a dash where an option has two hyphens' \
	is "$(find "$pages" -type f -exec grep -l '\\(em' {} +)" ''

printf '#!/bin/sh\nexit 16\n' >"$scratch/bin/man"
check 'help works without manual pages' exits 0 git-perf help help
check 'help without manual pages prints the usage line' \
	says out 'usage: git perf help [<command> | gitperf]'
