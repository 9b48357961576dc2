#!/bin/sh
# run --affected where programs have code that no file is known of: what
# compilers and linkers add leaves the files of a program known, anything else
# without a file does not.
. "$(dirname "$0")/../lib.sh"

printf 'int f(int n)\n{\n\treturn n;\n}\n' >f.c
printf 'int g(int n)\n{\n\treturn n;\n}\n' >g.c
for job in f g; do
	printf '[job "%s"]\n\tcmd = true\n\tcollector = time\n\truns = 1\n' $job
done >.gitperf
must git add .
commit first
must git perf trust >"$out" 2>&1

# profile JOB: the lines on standard input, behind those of a function of JOB.c
# that costs 10,000
profile()
{
	{
		printf '%s\n' 'events: Ir' "ob=$1" "fl=$1.c" "fn=$1" \
			'1 4000' '3 6000'
		cat
	} >"../$1.out"
	must git perf add --name="$1" -l job="$1" --format=callgrind \
		"../$1.out" 2>"$err"
}
profile f </dev/null
must sed -i '3s/n/n + 1/' f.c
must git commit -qam second

# leaves_out COUNT: of the jobs, besides what f sees; g has the lines of
# standard input
leaves_out()
{
	must git checkout -q HEAD~1
	profile g
	must git checkout -q main
	must git perf run --list --affected=HEAD~1..HEAD >"$out" 2>"$err"
	is "$(grep -c true "$out")" $((2 - $1))
}
check 'a program whose functions have files is left out' leaves_out 1 <<'END2'
END2
check 'start-up code by its name is of no file of ours' leaves_out 1 <<'END2'
fl=???
fn=(below main)
0 11
fn=_init
0 6
fn=memcpy@plt
0 900
END2
# a loader calls it, and it another one
began='ob=libc
fl=start.c
fn=call_init
1 5
cob=g
cfi=???
cfn=0x00000000000010e0
calls=1 0
1 18'
check 'start-up code by its address ran once, for little' leaves_out 1 <<END2
$began
ob=g
fl=???
fn=0x00000000000010e0
0 13
cfn=0x0000000000001070
calls=1 0
0 5
fn=0x0000000000001070
0 5
END2
check 'the same in no object that is known' leaves_out 1 <<END2
$(echo "$began" | sed 's/^cob=g$/cob=???/')
ob=???
fl=???
fn=0x00000000000010e0
0 18
END2
check 'a function without a file may be ours' leaves_out 0 <<'END2'
fl=???
fn=helper
0 11
END2
check 'the reason why job g is measured is said' mentions err \
	"job 'g' may be: a profile of it does not know the files of all functions"
check 'an address that costs more than a hundredth may be ours' \
	leaves_out 0 <<END2
$(echo "$began" | sed 's/^1 18$/1 130/')
ob=g
fl=???
fn=0x00000000000010e0
0 130
END2
check 'an address that ran twice may be ours' leaves_out 0 <<END2
$(echo "$began" | sed 's/^calls=1/calls=2/')
ob=g
fl=???
fn=0x00000000000010e0
0 18
END2
check 'an address that ours call may be ours' leaves_out 0 <<'END2'
fl=g.c
fn=g
5 7
cfi=???
cfn=0x00000000000010e0
calls=1 0
5 13
fl=???
fn=0x00000000000010e0
0 13
END2

# A program that runs scripts knows its own files, and nothing of theirs.
profile g </dev/null
printf 'def f(n):\n    return n\n' >f.py
must git add .
must git commit -qm script
printf 'events: Ir\nfl=f.py\nfn=f\n1 5\n2 7\n' >../f.out
must git perf add --name=f -l job=f --format=callgrind ../f.out 2>"$err"
profile g </dev/null
must sed -i '2s/n/n + 1/' f.py
must git commit -qam other
check 'run --list after a change of a script' \
	exits 0 git perf run --list --affected=HEAD~1..HEAD
check 'a script that only one job sees has all jobs measured' is "$(grep -c true "$out")" 2
check 'the kind of the script is said to be the reason' mentions err \
	"job 'g' may be: a profile of it has no file of the kind of 'f.py'"

# Two real programs, with all that a compiler, a linker and a loader add.
need valgrind "${CC:-cc}"
must git init -q -b main ../real
cd ../real || exit 1
for job in f g; do
	printf '%s\n' '#include <stdio.h>' "static int $job(int n)" '{' \
		'	int s = 0;' '	for (int i = 0; i < n; i++)' \
		'		s += i ^ n;' '	return s;' '}' 'int main(void)' '{' \
		"	printf(\"%d\\n\", $job(10000));" '	return 0;' '}' >$job.c
	printf '[job "%s"]\n\tbuild = %s -g -O1 -fno-inline -o %s %s.c\n' \
		$job "${CC:-cc}" $job $job
	printf '\tcmd = ./%s\n\tcollector = callgrind\n' $job
done >.gitperf
printf '%s\n' f g >.gitignore
must git add .
commit first
must git perf trust >"$out" 2>&1
check 'programs are measured by callgrind' exits 0 git perf run
must sed -i '6s/i/3 * i/' f.c
must git commit -qam second
check 'run of real programs that a change affects' \
	exits 0 git perf run --affected=HEAD~1..HEAD
check 'the program that the change is in is measured' mentions out '^f/callgrind +Ir '
check 'the program that it is not in is left out' not mentions out '^g/'
check 'the program that is left out is named' mentions err \
	"left out: job 'g', whose profiles see no file that 'HEAD~1..HEAD' touches"
