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
check 'impact of nothing says so' says err 'no line is changed'
check 'impact of nothing says no more' is "$(cat "$out")" ''
for command in impact blame; do
	git perf $command --job=nope >"$out" 2>"$err"
	check "$command of an unknown job names it, and those that there are" mentions err \
		"no series of these commits has job 'nope' with functions; there are: job\$"
done
git perf log --function=f --job=nope >"$out" 2>"$err"
check 'log of a function of an unknown job names those that there are' mentions err \
	"has job 'nope' with functions; there are: job\$"
git perf blame --job=jop >"$out" 2>"$err"
check 'blame suggests the job that is meant' mentions err "; did you mean 'job'\?\$"
must sed -i '5s/2/3/' a.c
# f is half of it: 100 of 200.
check 'impact of what costs too little to be shown' exits 0 \
	git perf impact --min-share=0.6
check 'what it touches is told all the same' mentions out '^touches 50\.0% of job '
check 'what is left out is counted' says out \
	'  1 function that costs less left out (--min-share)'
check 'JSON of what is left out' exits 0 git perf impact --min-share=0.6 --json
check 'JSON counts what is left out, too' json '[(.rows | length), .series[0].hidden]' \
	'[0,1]'
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
	'[.untold[] | .file, .series]' '["b.c","job"]'
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
check 'the job that sees it is measured' mentions out '^f/time +wall '
check 'the job without a profile is measured' mentions out '^new/time +wall '
check 'the job that does not see it is not measured' not mentions out '^g '
check 'what is left out is said' mentions err \
	"left out: job 'g', whose profiles see no file that 'HEAD~1..HEAD' touches"
check 'the list of affected jobs' \
	exits 0 git perf run --list --affected=HEAD~1..HEAD
check 'two jobs are affected' is "$(grep -c true "$out")" 2
check 'jobs by name and by what is affected are none' \
	exits 129 git perf run --job=f --affected=HEAD~1..HEAD

# What is not sure is measured: each change alone leaves no job out.
measures_all()
{
	commit_all unsure
	exits 0 git perf run --list --affected=HEAD~1..HEAD &&
		is "$(grep -c true "$out")" 3
}
must sed -i '3s/n + 1/n + 2/' f.c
check 'profiles that are older than the range tell as well' \
	exits 0 git perf run --list --affected=HEAD~1..HEAD
echo 'int x;' >x.h
check 'a new header has all jobs measured' measures_all
must sed -i '1s/int n/long n/' f.c
check 'lines that no function could be told of' measures_all
must git reset -q --hard HEAD~2
echo 'all: f' >Makefile
check 'a file that no profile has' measures_all
must git reset -q --hard HEAD~1
must git mv f.c h.c
check 'a file that has another name' measures_all
must git reset -q --hard HEAD~1
must chmod +x g.c
commit_all mode
check 'what differs in its mode alone' \
	exits 0 git perf run --list --affected=HEAD~1..HEAD
check 'a mode is a change of a file' is "$(grep -c true "$out")" 3
must git reset -q --hard HEAD~1
printf 'main;g 7\n' >../g.folded
must git perf add --name=g -l job=g ../g.folded 2>"$err"
must sed -i '3s/n/2 * n/' f.c
check 'a profile without files' measures_all

# Two functions of one name; what stands between functions; what is binary.
must git init -q -b main ../same
cd ../same || exit 1
for file in a b; do
	printf 'int init(int x)\n{\n\tint y = x;\n\ty += 1;\n\treturn y;\n}\n' \
		>$file.c
done
printf '\n/* Says more. */\nint more(int x)\n{\n\treturn x;\n}\n' >>a.c
printf 'a\0b' >binary
must git add .
commit first
# init of a.c costs 50 + 50 of 1000, that of b.c 800, more 100.
printf '%s\n' 'events: Ir' fl=a.c fn=init '3 50' '5 50' fn=more '11 100' \
	fl=b.c fn=init '3 600' '5 200' >../same.out
must git perf add --name=same --format=callgrind ../same.out 2>"$err"
must sed -i '4s/1/2/' a.c
check 'impact on one of two functions of a name' \
	exits 0 git perf impact --json
check 'each has the costs of its own file' json \
	'[.rows[] | .function, .file, .self]' '["init","a.c",100]'
must git checkout -q a.c
must sed -i '8s/more/less/' a.c
check 'impact of a comment in front of a function' \
	exits 0 git perf impact --json
check 'a comment in front of a function is in neither' json \
	'[.rows, [.untold[] | .file, .first_line, .last_line]]' \
	'[[],["a.c",8,8]]'
check 'impact of it as text' exits 0 git perf impact
check 'text says that nothing is certain' mentions out \
	'touches no function for certain of same'
check 'a line of no function is named' mentions out '^  a\.c:8: no function could be told$'
must git checkout -q a.c
printf 'a\0c' >binary
check 'impact of a binary file' exits 0 git perf impact
check 'a binary file is named' says out 'binary file binary: not looked into'
check 'a metric that is not there' exits 125 git perf impact --metric=xyz
check 'a metric that no profile has is named' says err "no profile has the metric 'xyz'"

# Names with classes and templates: the whole name counts, and nothing else of
# the line that git gives.
must git init -q -b main ../whole
cd ../whole || exit 1
for class in A B; do
	printf 'int %s::push(struct list *n)\n{\n\n\n\n\treturn 1;\n}\n' $class
done >a.cc
must git add .
commit first
printf 'main;%s\n' 'A::push(list*) 10' 'B::push(list*) 50' 'list 5' \
	'int std::push<int*>(int*) 35' >../whole.folded
must git perf add --name=whole ../whole.folded 2>"$err"
must sed -i '6s/1/2/' a.cc
check 'impact on a method' exits 0 git perf impact --json
check 'only the method of that class is meant' json \
	'[.rows[] | .function, .self, .guess]' '["A::push(list*)",10,true]'
must git checkout -q a.cc
must sed -i 's/A::push/C::push/' a.cc
commit_all other
must sed -i '6s/1/2/' a.cc
check 'impact on a method that no profile sees' exits 0 git perf impact
check 'a method may be in no function of a profile' mentions out '^  a\.cc:6: may be in no function here$'
