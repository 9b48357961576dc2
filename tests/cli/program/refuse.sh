#!/bin/sh
# Bad input and bad repositories: one clear line, the exit code that
# git-perf(1) gives, and the repository as it was.
. "$(dirname "$0")/../lib.sh"
must git init -q -b main ../unborn
check 'an add without any commit is refused' \
	exits 128 git -C ../unborn perf add x
check 'the refusal without any commit says so' \
	mentions err '^fatal: there is no commit yet'
commit one
printf 'main;work 3\n' >good.folded
must git perf add good.folded
tip=$(git rev-parse refs/notes/perf)

refused()
{
	objects=$(git count-objects)
	check "$1 is refused" exits "$2" git perf add "$4"
	check "$1: the message says what is wrong" mentions err "$3"
	check "$1: the error is one line" is "$(wc -l <"$err")" 1
	check "$1: no ref or object changed" is \
		"$(git rev-parse refs/notes/perf) $(git count-objects)" \
		"$tip $objects"
}
refused 'a name that is nothing' 128 "^fatal: no profile 'nope'" nope
: >empty
refused 'an empty file' 128 "^fatal: cannot read 'empty': .*empty" empty
mkdir folder
refused 'a folder' 128 "^fatal: .*'folder'.*(folder|directory)" folder
printf 'no format at all\n\001\002' >odd
refused 'an unknown format' 128 "^fatal: .*'odd'" odd
printf 'PERFILE2\150\0\0\0\0' >perf.data
refused 'the file of perf record' 128 \
	"^fatal: cannot read 'perf.data', which needs perf: " \
	perf.data
printf '\3757zXZ\0' >a.xz
refused 'what xz has compressed' 128 "give the output of 'xzcat'$" a.xz
head -c 40 /dev/zero >zeros
refused 'zeros' 128 "^fatal: .*'zeros'" zeros
gzip -c good.folded | head -c 20 >cut.gz
refused 'a cut gzip' 128 "^fatal: cannot read 'cut.gz'" cut.gz
must git perf export --to=pprof -o good.pb.gz good.folded
head -c 60 good.pb.gz >cut.pb.gz
refused 'a cut pprof' 128 "^fatal: cannot read 'cut.pb.gz': gzip" cut.pb.gz
gzip -dc good.pb.gz >good.pb
head -c 50 good.pb >cut.pb
refused 'a cut one that is not packed' 128 \
	"^fatal: cannot read 'cut.pb': byte [0-9]+: " cut.pb
{
	head -c 40 good.pb.gz
	printf 'XXXXXXXX'
	tail -c +49 good.pb.gz
} >bad.pb.gz
refused 'a corrupt pprof' 128 "^fatal: cannot read 'bad.pb.gz': corrupt compressed data" bad.pb.gz
awk 'BEGIN { for (i = 0; i < 1100000; i++) printf "a;"; print "b 1" }' >tall
refused 'a stack of a million frames' 128 \
	"^fatal: cannot read 'tall': line 1: more than 1048576 frames\$" tall
refused 'a device without an end' 128 "^fatal: cannot read '/dev/zero'" /dev/zero
refused 'a tag beyond the end' 128 "^fatal: no profile '0@p': none is pending" 0@p
awk 'BEGIN { for (i = 0; i < 5000; i++) printf "{\"header\":"; }' >deep
refused 'deep nesting' 128 "^fatal: .*'deep'" deep
cat >alien.perf <<EOF
{"origin": "$(printf %040d 7)",
"header": {"type": "time", "units": {"time": "s"}, "cmd": "x", "args": "",
"workload": ""}, "collector_info": {"name": "time", "params": {}},
"postprocessors": [], "resources": {"x#0": {"amount": [1.5]}},
"resource_type_map": {"x#0": {"type": "time", "uid": "x"}}, "models": []}
EOF
refused 'another origin' 128 \
	"^fatal: 'alien.perf' was measured at commit 0000000000, not at" \
	alien.perf
check '-f adds what was measured elsewhere' exits 0 git perf add -f alien.perf
tip=$(git rev-parse refs/notes/perf)
git config perf.maxBodySize 4
refused 'more than perf.maxBodySize' 128 "^fatal: .*'good.folded'" good.folded
must git -c perf.maxBodySize=1m perf collect -r 40 true # more than a line
git config perf.maxBodySize 100
refused 'a pending one of more' 128 \
	"^fatal: cannot read '.*': a body of [0-9]+ bytes, at most 100 are kept" 0@p
check 'collect refuses a body above perf.maxBodySize' \
	exits 128 git perf collect -r 40 true
check 'the refusal of collect names the limit' mentions err \
	'^fatal: a body of [0-9]+ bytes, at most 100 are kept \(perf.maxBodySize\)$'
check 'collect --add of a body above the limit is refused' exits 128 git perf collect --add -r 40 true
check 'the refusal of import names the limit' \
	mentions err 'at most 100 are kept'
check 'a refused body moves no ref' is "$(git rev-parse refs/notes/perf)" "$tip"
must git perf rm 0@p
check 'a refused body leaves nothing pending' exits 128 git perf rm 0@p
git config perf.maxBodySize much
refused 'a bad perf.maxBodySize' 128 "^fatal: bad perf.maxBodySize 'much'" good.folded
git config --unset perf.maxBodySize

check 'add to an unknown commit is refused' exits 128 git perf add -m nosuch good.folded
check 'an unknown revision is named' says err "fatal: no such commit 'nosuch'"
check 'add with an option for a revision is refused' exits 128 git perf add -m --all good.folded
check 'add without a profile is a usage error' exits 129 git perf add
check 'add with an unknown option is refused' exits 129 git perf add --frobnicate x
check 'add with a bad label is refused' exits 129 git perf add -l nolabel good.folded
check 'a bad label is named' \
	says err "error: bad label 'nolabel', need key=value"
check 'add with an unknown format is refused' exits 129 git perf add --format=nope good.folded
check 'show of an unknown profile is refused' exits 128 git perf show 7@i
check 'a tag beyond the list is told the last one' \
	mentions err "no profile '7@i'.*up to 1@i"
check 'rm of a name that is nothing is refused' exits 128 git perf rm nosuch
check 'no refusal has moved the ref' \
	is "$(git rev-parse refs/notes/perf)" "$tip"

mkdir ../nowhere
cd ../nowhere || exit 1
for command in add rm status log fsck init; do
	case $command in
	add | rm) argument=x ;;
	*) argument= ;;
	esac
	check "$command outside of a repository" exits 128 \
		git-perf $command $argument
	check "$command says so" mentions err '^fatal: not a git repository'
done
check 'a name outside of a repository is refused' exits 128 git-perf show x
check 'the refusal names file and repository' says err \
	"fatal: no profile 'x': there is no such file, and this is no git \
repository"
cd ../repo || exit 1
check 'a path is looked for as a file only' exits 128 \
	git perf show ./x
check 'a path that does not exist is named' \
	says err "fatal: no profile './x': there is no such file"

must git init -q ../sha256 --object-format=sha256
check 'a repository of SHA-256 objects is refused' exits 128 git -C ../sha256 perf status
check 'a repository with SHA-256 is refused by its name' \
	mentions err '^fatal: .*SHA-256'

git notes --ref=perf append -m 'hand written' HEAD
check 'a note written by hand does no harm' exits 0 git perf log
check 'fsck names the line' exits 1 git perf fsck
check 'fsck names the ignored line with its reason' \
	mentions out 'line [0-9]+ is ignored'

objects=$(git count-objects)
touch .git/refs/notes/perf.lock
check 'add to a locked ref is refused' exits 128 git -c core.filesRefLockTimeout=200 perf add good.folded
check 'the lock file is named' mentions err "perf.lock"
check 'a refused add writes no object' is "$(git count-objects)" "$objects"
rm .git/refs/notes/perf.lock
check 'an add after the refusal works' exits 0 git perf add good.folded

# The suffix of -o's file promises what is in it.
for command in log 'log --chart' 'log --function=work' status size; do
	for suffix in svg html csv dot; do
		check "$command as .$suffix is refused" \
			exits 128 git perf $command -o "x.$suffix"
		check "no file of $command is left as .$suffix" \
			not test -e "x.$suffix"
	done
done
check 'log as a picture is refused' exits 128 git perf log -o x.svg
check 'the refusal says what is written so' says err \
	"fatal: 'x.svg': this is not written as .svg, but pages of 'git perf \
report' are as .html, views of 'git perf show' and 'diff' as .svg, .html, .csv \
and .dot"
check 'log as another picture is refused' exits 128 git perf log -o x.png
check 'the refusal does not name what log is not written as' says err \
	"fatal: 'x.png': this is not written as .png, but pages of 'git perf \
report' are as .html, views of 'git perf show' and 'diff' as .svg, .html, .csv \
and .dot"
check 'a report as a picture is refused' exits 128 git perf report -o x.svg
check 'a view that is no graph is refused as one' exits 128 \
	git perf show --view=top -o x.dot ./good.folded
check 'the views that are graphs are named' says err \
	"fatal: the view 'top' is no DOT: there are graph, dot"
check 'nothing is left of refused pictures' not test -e x.svg -o -e x.dot
check 'a profile as .dot is written' exits 0 git perf show -o x.dot ./good.folded
check 'what is written as .dot is a graph' is "$(sed 's/ .*//; q' x.dot)" digraph
check 'a file that ends in .json is JSON' exits 0 git perf log -o x.json
check 'log as a file that ends in .json is what --json prints' \
	is "$(cat x.json)" "$(git perf log --json)"
check 'what is packed by its name alone is refused' exits 128 \
	git perf log -o x.txt.gz
check 'nothing is written where it is refused' not exits 0 test -e x.txt.gz

if [ "$(id -u)" -ne 0 ]; then
	chmod -R a-w .git
	check 'an add without write access is refused' \
		exits 128 git perf add good.folded
	check 'the refusal names missing access' \
		mentions err '^fatal: .*[Pp]ermission denied'
	chmod -R u+w .git
fi
