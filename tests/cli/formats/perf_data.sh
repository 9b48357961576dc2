#!/bin/sh
# perf.data goes through perf script: a perf of our own says what it was asked.
. "$(dirname "$0")/../lib.sh"

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

check 'show reads a perf.data file' exits 0 env PATH="$with" git perf show ./x.perf.data
check 'show has the stacks of a perf.data file' mentions out ' f$'
check 'a name that begins with a dash is no option' \
	exits 0 env PATH="$with" git perf show -- -o.data
printf 'script --header -i ./x.perf.data\nscript --header -i ./-o.data\n' >wanted
check 'perf was asked for these files' same "$PERF_ASKED" wanted
check 'export reads a perf.data file' \
	exits 0 env PATH="$with" git perf export --to=collapsed -o x.folded ./x.perf.data
check 'the exported stacks are those of perf.data' is "$(cat x.folded)" 'a;f 3'
check 'add stores what perf says of perf.data' \
	exits 0 env PATH="$with" git perf add x.perf.data
check 'a stored perf.data has the name of the file' \
	exits 0 git perf show --view=raw x.perf.data
check 'a stored perf.data is shown without perf' \
	mentions out 'cmdline: perf record'
check 'add --verbatim of perf.data is refused' \
	exits 128 env PATH="$with" git perf add --verbatim x.perf.data
check 'what add stores of perf.data instead is said' mentions err \
	"^fatal: cannot keep the bytes of 'x.perf.data': .* leave out --verbatim$"
check 'a file that perf complains of is fatal' \
	exits 128 env PATH="$with" git perf show ./broken.data
check 'the complaint of perf is one line' says err \
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
check 'collect -c perf records' \
	exits 0 env PATH="$with" git perf collect -c perf true
check 'show reads what collect -c perf recorded' exits 0 git perf show 0@p
check 'the duration is what the samples span' says out \
	'Duration: 500ms, Total samples = 6 '

mkdir none
for tool in git git-perf; do
	ln -s "$(command -v $tool)" none/$tool
done
check 'perf.data without perf on PATH is fatal' \
	exits 128 env PATH="$PWD/none" git-perf show ./x.perf.data
check 'the missing perf is named' says err \
	"fatal: cannot read './x.perf.data', which needs perf: cannot run 'perf': command not found"
check 'perf.data from a pipe is refused' exits 128 git perf show - <x.perf.data
check 'the refusal of a pipe names a way out' \
	mentions err "read the text of 'perf script -i <file>'"
