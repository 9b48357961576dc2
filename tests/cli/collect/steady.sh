#!/bin/sh
# Instruction counts repeat: the same program counts the same from any shell,
# hook, worktree and folder, whatever their environments and names are.
. "$(dirname "$0")/../lib.sh"

need jq valgrind "${CC:-cc}"
cat >prog.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The loader, getenv, and string functions of a place on the stack. */
int main(void)
{
	char from[500], to[500];
	volatile size_t sum = 0;
	size_t i;

	memset(from, 'x', sizeof(from) - 1);
	from[sizeof(from) - 1] = '\0';
	for (i = 0; i < 400; i++) {
		memcpy(to, from + i, sizeof(to) - i);
		sum += strlen(to) + (size_t)strcmp(to, from);
	}
	sum += getenv("NOT_THERE") != NULL;
	printf("%p\n", (void *)from);
	return 0;
}
END
must ${CC:-cc} -O1 -o prog prog.c
printf '/prog\n' >.gitignore
must git add prog.c .gitignore
commit first


# count <command>...: its instructions
count()
{
	git perf collect -q --json -c callgrind "$@" |
		jq -r '.profiles[0].metrics[] | select(.name == "Ir").median'
}

# Such as are there pass on purpose; here they would be missing at times, and
# the loader and the allocator look for some of them.
for name in $(env | sed -n 's/^\([A-Z][A-Z0-9_]*\)=.*/\1/p'); do
	case $name in
	LC_ALL | LD_LIBRARY_PATH) ;;
	LC_* | LANGUAGE | LD_* | MALLOC_* | *OMP_* | PYTHON* | VIRTUAL_ENV | J* | \
		GO* | RUBY* | GEM_* | PERL5* | NODE_* | RUST_* | PLT* | GUILE_* | \
		DEBUGINFOD_*) unset "$name" ;;
	esac
done
want=$(count ./prog)
check 'the program is counted' test "${want:-0}" -gt 10000

# Shells.
counts_with()
{
	(
		export "$1"
		count ./prog
	)
}
for len in 1 2 9 100 9000; do
	check "counts are the same with a variable of $len bytes" \
		is "$(counts_with "SOME=$(printf "%0${len}d" 1)")" "$want"
done
for len in 1 9 100; do
	check "counts are the same with $len bytes more in HOME" \
		is "$(counts_with "HOME=$HOME/$(printf "%0${len}d" 1)")" "$want"
done
check 'counts are the same with many variables' \
	is "$(for i in 1 2 3 4 5 6 7 8 9; do export "LONG_$i=$i"; done
	count ./prog)" "$want"
check 'counts are the same with an empty environment' \
	is "$(env -i PATH="$PATH" git perf collect -q --json -c callgrind ./prog |
		jq -r '.profiles[0].metrics[0].median')" "$want"
check 'counts are the same when the environment has another order' \
	is "$(env -i TZ=UTC LC_ALL=C PATH="$PATH" HOME="$HOME" \
		git perf collect -q --json -c callgrind ./prog |
		jq -r '.profiles[0].metrics[0].median')" "$want"
# But for names that begin as those that the C library looks for: G, L and M.
check 'counts are the same with variables of runtimes of languages' \
	is "$(PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=/a/b RUST_BACKTRACE=1 \
		JAVA_HOME=/c git perf collect -q --json -c callgrind ./prog |
		jq -r '.profiles[0].metrics[0].median')" "$want"
check 'counts are the same with many of them' \
	is "$(for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do
		export "PYTHON_$i=$i"
	done
	count ./prog)" "$want"
check 'a name of 20000 bytes passes' exits 0 env \
	"$(printf 'PYTHON%020000d=1' 0)" git perf collect -q -c callgrind true
check 'a variable that is named passes' exits 0 env A_FLAG=1 \
	git perf collect -c callgrind -O env=B,A_FLAG --stdout=inherit \
	-- sh -c 'test "$A_FLAG" = 1'
check 'a variable that is not named does not pass' exits 0 env A_FLAG=1 \
	git perf collect -c callgrind -O env=A_FLA,A_FLAGS \
	-- sh -c 'test -z "$A_FLAG"'
check 'variables of runtimes of languages pass' exits 0 env PYTHONPATH=x \
	git perf collect -c callgrind -- sh -c 'test "$PYTHONPATH" = x'

# Names and folders.
# The stack begins at one place. The C library looks for the last slash of the
# name, and the loader at the library that valgrind preloads, which lies before
# it: that takes some instructions more or less for another name.
must git perf collect -q -c callgrind --stdout=../place ./prog
near()
{
	test "$1" -gt $(($2 - ${3:-100})) && test "$1" -lt $(($2 + ${3:-100}))
}
as()
{
	got=$(count --stdout=../here "$2")
	check "the stack is at the same place for $1" \
		is "$(cat ../here)" "$(cat ../place)"
	check "counts are the same but for the name for $1" near "$got" "$want"
}
for name in a ab program_of_a_longer_name; do
	must cp prog "../$name"
	as "a program called $name" "../$name"
	as "the absolute path of $name" "$scratch/$name"
done
PATH=$PATH:$scratch
as 'a program that is found by PATH' ab
for len in 1 7 60 200; do
	folder=$(printf "%0${len}d" 1)
	must mkdir "$folder"
	must cp prog "$folder"
	check "counts are the same in a folder of $len bytes" \
		is "$(cd "$folder" && count ./prog)" "$want"
	check "counts are the same with a temporary folder of $len bytes" \
		is "$(TMPDIR=$PWD/$folder; export TMPDIR; count ./prog)" "$want"
done

# A line of a shell: the program is a child, and the shell adds variables. It
# reads PWD to its end: an instruction or less for each of the 200 bytes more.
# Some shells write the number of their parent process into PPID, about 20
# instructions for each digit; numbers have one to five or seven of these.
line=$(count --shell ': && ./prog')
check 'counts are the same but for its name in another folder for a shell line' \
	near "$(cd "$folder" && count --shell ': && ./prog')" "$line" 321
check 'counts are the same but for digits of PPID with more variables' \
	near "$(OTHER=1; export OTHER; count --shell ': && ./prog')" "$line" 121

# A hook, and a worktree of a run over the history.
cat >.git/hooks/post-commit <<'END'
#!/bin/sh
git perf collect -q --json -c callgrind ./prog >../hook.json
END
must chmod +x .git/hooks/post-commit
commit second
check 'counts are the same in a hook' \
	is "$(jq -r '.profiles[0].metrics[0].median' ../hook.json)" "$want"
must rm .git/hooks/post-commit
cat >../jobs <<END
[job "a"]
	build = cp $PWD/prog prog
	cmd = ./prog
	collector = callgrind
END
check 'a run over the history counts the program' \
	exits 0 git perf run --config=../jobs HEAD~1..HEAD
check 'counts are the same in a worktree of a run' is "$(git perf log \
	-n 1 --json | jq -r '.commits[0].profiles[0].metrics[0].median')" "$want"
finish
