#!/bin/sh
# impact and run --affected: which functions lines are in, and what these cost,
# by profiles whose costs are written here and by a real one.
. "$(dirname "$0")/../lib.sh"
need jq

cat >a.c <<'SOURCE'
static int f(int n)
{
	int i = n;

	return i * 2;
}

static int g(int n)
{
	return n + 1;
}

int main(void)
{
	return f(1) + g(2);
}
SOURCE
echo 'all: a' >Makefile
must git add .
commit first
# f costs 60 + 40 of 200, g 90, main 10 itself and all with what it calls.
cat >../callgrind.out <<'COSTS'
events: Ir
fl=a.c
fn=f
1 60
5 40
fn=g
10 90
fn=main
15 10
cfn=f
calls=1 1
15 100
cfn=g
calls=3 8
15 90
COSTS
must git perf add --name=job --format=callgrind ../callgrind.out 2>"$err"

check 'impact of nothing' exits 0 git perf impact
check 'impact of nothing says that nothing is changed' says err 'nothing is changed'
check 'impact of nothing says no more' is "$(cat "$out")" ''
for command in impact blame; do
	git perf $command --job=nope >"$out" 2>"$err"
	check "$command of an unknown job names the job" mentions err "no series of these commits has job 'nope' with functions$"
done
must sed -i '5s/2/3/' a.c
check 'impact of a line' exits 0 git perf impact --json
check 'the function of the line is told with its costs' json \
	'.rows[] | [.function, .file, .first_line, .last_line, .self, .total,
		.self_share, .total_share, .calls, .guess]' \
	'["f","a.c",5,5,100,100,0.5,0.5,1,false]'
check 'a series has the share of all that is touched' json \
	'.series[] | [.series, .type, .self_share, .total_share]' \
	'["job","Ir",0.5,0.5]'
check 'impact as text' exits 0 git perf impact
check 'the sentence has share, series and type' mentions out \
	'^touches 50\.0% of job \(Ir at [0-9a-f]{10}\)$'
check 'a function is a line with shares and place' mentions out \
	'^ 50\.0%   50\.0%  f  a\.c:5$'
check 'no empty line is at its end' not is "$(tail -n 1 "$out")" ''
check 'impact of what is not staged' exits 0 git perf impact --cached --json
check 'the index has no change' json .rows '[]'
must git add a.c
check 'impact of what is staged' exits 0 git perf impact --cached --json
check 'the index has the change' json '[.rows[].function]' '["f"]'
must git commit -qm second
check 'impact of a commit is that of its own change' \
	exits 0 git perf impact --json HEAD
check 'a commit touches what it changed' json '[.rows[].function]' '["f"]'
check 'impact of a range' exits 0 git perf impact --json HEAD~1..HEAD
check 'a range touches what it changed' json '[.rows[].function]' '["f"]'

must sed -i '4s/.*/	i += 1;/' a.c
check 'impact of a line without costs' exits 0 git perf impact --json
check 'a line between costs of a function is in that' json \
	'[.rows[] | .function, .guess]' '["f",false]'
must git checkout -q a.c
must sed -i '3a\	i = i + 0;' a.c
check 'impact of a line that is new' exits 0 git perf impact --json
check 'a new line between costs of a function is in that' json \
	'[.rows[].function]' '["f"]'
must git checkout -q a.c
must sed -i '7a\
static int h(void)\
{\
	return 0;\
}\
' a.c
check 'impact of a new function' exits 0 git perf impact --json
check 'a new function touches none' json '[.rows[].function]' '[]'
must git checkout -q a.c

# Lines that moved since the profile.
must sed -i '1i\
/* This file has\
 * a comment now.\
 */' a.c
must git commit -qam third
must sed -i 's/n + 1/n + 2/' a.c
check 'impact behind lines that moved' exits 0 git perf impact --json
check 'lines are those of the profile' json \
	'.rows[] | [.function, .first_line, .self]' '["g",10,90]'
must git commit -qam fourth
must git mv a.c b.c
must git commit -qam fifth
must sed -i 's/n + 2/n + 3/' b.c
check 'impact on a file that has another name' exits 0 git perf impact --json
check 'a file is followed to its old name' json \
	'[.rows[] | .function, .file]' '["g","b.c"]'
must git checkout -q b.c
must sed -i 's/all: a/all: b/' Makefile
check 'impact on a build' exits 0 git perf impact
check 'a file that no profile has is named' says out 'in no profile: Makefile'
check 'a share below which nothing is told' \
	exits 0 git perf impact --json --min-share=0.2 HEAD~1..HEAD
must git checkout -q Makefile

# Names alone: by what git takes for the function around a line.
must git init -q -b main ../names
cd ../names || exit 1
printf 'int f(int n)\n{\n\n\n\treturn n;\n}\n' >n.c
must git add .
commit first
printf 'main;f 30\nmain;ff 70\n' >../n.folded
must git perf add --name=n ../n.folded 2>"$err"
must sed -i 's/return n/return n + 1/' n.c
check 'impact by names' exits 0 git perf impact --json
check 'a function of that name is a guess' json \
	'[.rows[] | .function, .self_share, .guess]' '["f",0.3,true]'
check 'what is a guess is said' exits 0 git perf impact
check 'the line says that it is a guess' mentions out 'f  n\.c:5 \(a guess\)$'
check 'a range of nothing is an error' exits 128 git perf impact nowhere..HEAD
check 'a range and the index are none' \
	exits 129 git perf impact --cached HEAD~1..HEAD
must git checkout -q n.c

# A real profile: commit 24 changed next_token and what main calls.
must git clone -q -b main "$measured/series/wordfreq.bundle" ../words
cd ../words || exit 1
before=$(awk -F '\t' '$1 == 23 { print $2 }' "$measured/series/series.tsv")
change=$(awk -F '\t' '$1 == 24 { print $2 }' "$measured/series/series.tsv")
must git perf add -m "$before" "$measured"/series/callgrind/23-*.callgrind \
	2>"$err"
check 'impact of a commit of a real series' \
	exits 0 git perf impact --json "$change"
check 'the functions that it changed are touched' json \
	'[.rows[].function]' '["next_token","main"]'

# Jobs.
must git init -q -b main ../jobs
cd ../jobs || exit 1
printf 'int f(int n)\n{\n\treturn n;\n}\n' >f.c
printf 'int g(int n)\n{\n\treturn n;\n}\n' >g.c
for job in f g new; do
	printf '[job "%s"]\n\tcmd = true\n\tcollector = time\n\truns = 1\n' $job
done >.gitperf
must git add .
commit first
for job in f g; do
	printf 'events: Ir\nfl=%s.c\nfn=%s\n1 5\n3 7\n' $job $job >../$job.out
	must git perf add --name=$job -l job=$job --format=callgrind ../$job.out \
		2>"$err"
done
must sed -i '3s/n/n + 1/' f.c
commit_all()
{
	must git add .
	commit "$1"
}
commit_all second
must git perf trust >"$out" 2>&1
check 'run of the jobs that a change affects' \
	exits 0 git perf run --affected=HEAD~1..HEAD
check 'the job that sees it is measured' mentions out '^f  true '
check 'the job without a profile is measured' mentions out '^new  true '
check 'the other job is not' not mentions out '^g '
check 'what is left out is said' mentions err \
	"left out: job 'g', whose profiles see no function that 'HEAD~1..HEAD' touches"
check 'the list of affected jobs' \
	exits 0 git perf run --list --affected=HEAD~1..HEAD
check 'two jobs are affected' is "$(grep -c true "$out")" 2
check 'jobs by name and by what is affected are none' \
	exits 129 git perf run --job=f --affected=HEAD~1..HEAD
