#!/bin/sh
# Commits that git replace has others stand for: what is compared with what
# follows the history that git shows.
. "$(dirname "$0")/../lib.sh"

must git init -q -b main ../replaced
cd ../replaced || exit 1
for value in 100 200 400 800; do
	[ $value != 800 ] || echo $value >g
	echo $value >f
	must git add .
	commit v$value
	must git tag v$value
	printf 'BenchmarkA 1 %s ns/op\n' $value >../bench.txt
	must git perf add --name=bench ../bench.txt 2>"$err"
done
# fills the cache, too: what it has of v400 is not said again below
check 'as it was' exits 0 git perf log --graph --oneline
check '400 is twice 200' mentions out ' v400 .*\+100%'
must git replace --graft v400 v100

check 'a history' exits 0 git perf log --oneline
check '400 is 300% more than 100' mentions out ' v400 .*\+300%'
check '200 is in no history' not mentions out ' v200 '
check 'a graph' exits 0 git perf log --graph --oneline
check 'the graph has 300% for v400' mentions out ' v400 .*\+300%'
check 'v400~1 is what git says' is "$(git rev-parse v400~1)" "$(git rev-parse v100)"
check 'a profile of v400~1' exits 0 git perf show v400~1:bench
check 'v400~1:bench is of v100' says out "Commit: $(git rev-parse v100)"

# what is not shown, as the path is not changed there
must git perf rm v400:bench
check 'a history of a path' exits 0 git perf log --oneline -- g
check '800 is 700% more than 100' mentions out ' v800 .*\+700%'
check 'a graph of a path' exits 0 git perf log --graph --oneline -- g
check 'the graph of a path has 700% for v800' mentions out ' v800 .*\+700%'

# A commit with another file in its place: lines are those that git show has.
printf 'int main(void)\n{\n\treturn work();\n}\n' >a.c
must git add a.c
commit lines
printf 'one\ntwo\nthree\nfour\n' >a.c
must git add a.c
must git replace HEAD "$(git commit-tree -p HEAD~1 -m other "$(git write-tree)")"
printf 'events: Ir\nfl=a.c\nfn=main\n3 100\n' >../lines.out
must git perf add --name=lines ../lines.out 2>"$err"
check 'lines of a replaced commit' exits 0 git perf annotate --profile=lines a.c
check 'the third line is the one that git shows' mentions out \
	"100.* $(git show HEAD:a.c | sed -n 3p)\$"
must git replace -d HEAD
must git reset -q --hard HEAD~1
of=refs/replace/$(git rev-parse v400)
must git tag other "$(git rev-parse "$of")"
must git update-ref -d "$of"
must git symbolic-ref "$of" refs/tags/other
check 'a graft that a tag names' exits 0 git perf log --graph --oneline -- g
check 'the graft of a tag is one' mentions out ' v800 .*\+700%'
must git symbolic-ref -d "$of"
must git update-ref "$of" other
must git pack-refs --all
check 'refs that are packed' exits 0 git perf log --graph --oneline -- g
check 'a packed graft is one, too' mentions out ' v800 .*\+700%'
check 'replaced is nothing where git is told so' exits 0 \
	git -c core.useReplaceRefs=false perf log --graph --oneline -- g
check '800 is 300% more than 200' mentions out ' v800 .*\+300%'
check 'replaced is nothing by the environment' exits 0 \
	env GIT_NO_REPLACE_OBJECTS=1 git perf log --graph --oneline -- g
check '800 is 300% more than 200, too' mentions out ' v800 .*\+300%'
must git replace -d "$(git rev-parse v400)"
check 'a graft that went' exits 0 git perf log --graph --oneline -- g
check '800 is again 300% more than 200' mentions out ' v800 .*\+300%'
