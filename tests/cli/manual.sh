#!/bin/sh
# git perf help <command> and --help open the manual page.
. "$(dirname "$0")/lib.sh"

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
check 'opens its page' says out 'man git-perf-help'
check 'from where the program is installed' says out 'own pages first'
check 'help of the job file' exits 0 git-perf help gitperf
check 'opens its page, too' says out 'man gitperf'
check '--help of a command' exits 0 git perf help --help
check 'opens the same page' says out 'man git-perf-help'
check '--help of the program' exits 0 git-perf --help
check 'opens the overview' says out 'man git-perf'

printf '#!/bin/sh\nexit 16\n' >"$scratch/bin/man"
check 'without a page' exits 0 git-perf help help
check 'the options have to do' says out 'usage: git perf help [<command> | gitperf]'
