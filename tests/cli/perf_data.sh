#!/bin/sh
# perf.data goes through perf script: a perf of our own says what it was asked.
. "$(dirname "$0")/lib.sh"

mkdir tools
cat >tools/perf <<'END'
#!/bin/sh
printf '%s\n' "$*" >>"$PERF_ASKED"
case $4 in
*broken*)
	echo "incompatible file format" >&2
	echo "broken.data: no data" >&2
	exit 234
	;;
esac
printf '# cmdline : perf record ./a\n'
printf 'a  7  1.5:    3 cycles: \n\t1f f+0x1 (/b)\n\n'
END
chmod +x tools/perf
PERF_ASKED=$PWD/asked
export PERF_ASKED
printf 'PERFILE2rest' >x.perf.data
printf 'PERFILE2rest' >-o.data
printf 'PERFILE2rest' >broken.data
with=$PWD/tools:$PATH

git init -q repo
cd repo
commit one
mv ../*.data .

check 'show reads it' exits 0 env PATH="$with" git perf show ./x.perf.data
check 'and has its stacks' mentions out ' f$'
check 'a name with a dash is no option' exits 0 env PATH="$with" git perf show -- -o.data
printf 'script --header -i ./x.perf.data\nscript --header -i ./-o.data\n' >wanted
check 'perf was asked for these files' same "$PERF_ASKED" wanted
check 'export reads it' exits 0 env PATH="$with" git perf export --to=collapsed -o x.folded ./x.perf.data
check 'as stacks' is "$(cat x.folded)" 'a;f 3'
check 'add stores what perf said' exits 0 env PATH="$with" git perf add x.perf.data
check 'under the name of the file' exits 0 git perf show --view=raw x.perf.data
check 'where perf is not needed any more' mentions out 'cmdline: perf record'
check 'what perf complains of is said' exits 128 env PATH="$with" git perf show ./broken.data
check 'in one line' says err \
	"fatal: cannot read './broken.data', which needs perf: perf script ends with status 234: broken.data: no data"

# a perf whose recording is what the test says
cat >../tools/perf <<'END'
#!/bin/sh
if [ "$1" = record ]; then
	while [ "$1" != -o ]; do shift; done
	: >"$2"
else
	printf 'a  7  1.5:    3 cycles: \n\t1f f+0x1 (/b)\n\n'
	printf 'a  7  2.0:    3 cycles: \n\t1f f+0x1 (/b)\n\n'
fi
END
check 'collect records' exits 0 env PATH="$with" git perf collect -c perf true
check 'and shows' exits 0 git perf show 0@p
check 'what the samples span, not what perf took' says out \
	'Duration: 500ms, Total samples = 6 '

mkdir none
for tool in git git-perf; do
	ln -s "$(command -v $tool)" none/$tool
done
check 'without perf' exits 128 env PATH="$PWD/none" git-perf show ./x.perf.data
check 'it is missed' says err \
	"fatal: cannot read './x.perf.data', which needs perf: cannot run 'perf': command not found"
check 'a pipe is refused' exits 128 git perf show - <x.perf.data
check 'with a way out' mentions err "read the text of 'perf script -i <file>'"
