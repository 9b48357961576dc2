#!/bin/sh
# The sampler, on programs that are odd in one way each.
. "$(dirname "$0")/../lib.sh"

need jq "${CC:-cc}"
[ "$(uname -m)" = x86_64 ] || skip "the sampler knows x86-64 only"
flags='-g -O1 -pthread'
# Whoever samples at the same time has folders of its own.
mkdir "$scratch/tmp"
TMPDIR=$scratch/tmp
export TMPDIR

# Build FILE.c from standard input as ./FILE; more arguments are options. Every
# program may use up the processor: burn(ms) in functions hot and cold.
program()
{
	name=$1
	shift
	cat >"$name.c"
	# shellcheck disable=SC2086
	must "${CC:-cc}" $flags "$@" -include burn.h -o "$name" "$name.c"
}

cat >burn.h <<'END'
#define _GNU_SOURCE
#include <time.h>
/* So much processor time of this thread. */
static inline __attribute__((always_inline)) void burn(int ms)
{
	struct timespec t;
	long end, n;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	end = t.tv_sec * 1000L + t.tv_nsec / 1000000 + ms;
	do {
		for (n = 0; n < 20000; n++)
			__asm__ volatile("" : "+r"(n));
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	} while (t.tv_sec * 1000L + t.tv_nsec / 1000000 < end);
}
static __attribute__((noinline)) void hot(int ms) { burn(ms); }
static __attribute__((noinline)) void cold(int ms) { burn(ms); }
END

# sample [OPTION...] -- COMMAND: the profile is pending then, as ./p.perf.
sample()
{
	git perf collect --json -c sample "$@"
}

total='(.rows[] | select(.name == $f) | .total) // 0'
# Total of function $1 in ms.
ms_of()
{
	git perf show --json --nodecount=0 --nodefraction=0 0@p |
		jq --arg f "$1" "($total) / 1e6 | round"
}

total_ms()
{
	git perf show --json 0@p | jq '.total / 1e6 | round'
}

# What the runs took by the clocks $1..., in ms, the last profile that was
# printed, and a tick: the sampler sees no more than that of a thread. How much
# more than a program burns depends on who else is at work.
took()
{
	jq --args '[.profiles[0].metrics[] | select(.name | IN($ARGS.positional[])) |
		.values[]] | add / 1e6 + 20 | ceil' "$@" <"$out"
}

# Whether $1 <= $2 <= $3.
between()
{
	[ "$1" -le "$2" ] && [ "$2" -le "$3" ] || {
		echo "$2 is not within $1 .. $3" >&2
		return 1
	}
}

commit
program plain <<'END'
int main(void) { for (int i = 0; i < 4; i++) { hot(75); cold(25); } return 0; }
END
# The kernel looks at the timers with its own ticks, and on a busy machine few
# of them meet the program: the sums may be too small, never too large.
check 'a program is sampled' exits 0 sample -- ./plain
check 'functions of a sampled program have names' \
	between 10 "$(ms_of hot)" "$(took user sys)"
must git perf export --to=collapsed -o plain.folded 0@p
check 'main is below all hot and cold stacks' is \
	"$(grep -E 'hot|cold' plain.folded | grep -Ev '(^|;)main;')" ''
check 'sampling faster than the ticks of the kernel works' \
	exits 0 sample -O frequency=10000 -- ./plain
check 'missed ticks are weighed' between 40 "$(total_ms)" "$(took user sys)"
check 'what was seen and missed is shown' sh -c 'git perf show 0@p |
	grep -E "^Profiler: samples [0-9]+, seen [0-9.]+m?s, missed ticks [1-9]"'
check 'inlined functions are seen' sh -c \
	"git perf show --view=traces 0@p | grep -q 'burn (inline)'"
check 'a sampled line has a file' sh -c \
	"git perf show --json --granularity=lines 0@p | grep -q 'burn.h'"

# A wall clock does not wait for the kernel's ticks.
for unwind in fp dwarf; do
	program plain_fp -fno-omit-frame-pointer <plain.c
	must exits 0 sample -O "unwind=$unwind" -O clock=wall -- ./plain_fp
	check "unwind=$unwind finds main" between 100 "$(ms_of main)" "$(took wall)"
done

check 'runs are repeated into one profile' \
	exits 0 sample --runs=2 -O clock=wall -- ./plain
check 'each of the repeated runs has a figure' json \
	'.profiles[0].metrics[] | select(.name == "real") | .n' 2
check 'the profile has the weight of both runs' \
	between 360 "$(ms_of main)" "$(took wall)"

program short <<'END'
int main(void) { return 0; }
END
check 'a program that ends before the first tick is fatal' \
	exits 128 sample -O delay=1000 -- ./short
check 'the error says that the program was too short' mentions err \
	"^fatal: no sample was taken of './short': it ran for less than one tick"

program crash <<'END'
#include <stdlib.h>
int main(void) { hot(100); abort(); }
END
check 'a program that crashes is sampled' \
	exits 0 sample -i -O clock=wall -- ./crash
check 'samples reach up to the crash' between 80 "$(ms_of hot)" "$(took wall)"

program forks <<'END'
#include <sys/wait.h>
#include <unistd.h>
static void run(const char *program) { execl(program, program, (char *)0); }
static __attribute__((noinline)) void in_child(void) { burn(60); }
int main(void)
{
	int status;

	if (!fork()) {
		in_child();
		run("./crash");
		_exit(1);
	}
	cold(60);
	wait(&status);
	return 0;
}
END
check 'a program that forks and executes is sampled' \
	exits 0 sample -O clock=wall -- ./forks
check 'the parent of a fork is sampled' \
	between 40 "$(ms_of cold)" "$(took wall)"
check 'the child of a fork is sampled' \
	between 40 "$(ms_of in_child)" "$(took wall)"
check 'the program that a child executes is sampled' \
	between 80 "$(ms_of hot)" "$(took wall)"

program threads <<'END'
#include <pthread.h>
static void *work(void *p) { pthread_setname_np(pthread_self(), "worker");
	hot(12); return p; }
int main(void)
{
	pthread_t t[64];
	int i;

	for (i = 0; i < 64; i++)
		if (pthread_create(&t[i], 0, work, 0))
			return 1;
	for (i = 0; i < 64; i++)
		pthread_join(t[i], 0);
	cold(40);
	return 0;
}
END
check 'a program with 64 threads is sampled' \
	exits 0 sample -O clock=wall -O by-thread -- ./threads
check 'all threads are sampled' \
	between 400 "$(ms_of hot)" "$((64 * $(took wall)))"
check 'samples are labelled with their threads' sh -c \
	"git perf show --view=tags 0@p | grep -q worker"
must exits 0 sample -O threads=main -O clock=wall -- ./threads
check 'threads=main leaves other threads out' is "$(ms_of hot)" 0
check 'threads=main keeps the time of the main thread' \
	between 25 "$(ms_of cold)" "$(took wall)"

program blocks <<'END'
#include <signal.h>
int main(void)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	sigset_t all;
	int i;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, 0);
	for (i = 1; i < 65; i++)
		sigaction(i, &ignore, 0);
	hot(100);
	return 0;
}
END
check 'a program that blocks all signals is sampled' \
	exits 0 sample -O clock=wall -- ./blocks
check 'samples of a program that blocks signals are complete' \
	between 80 "$(ms_of hot)" "$(took wall)"

program ticks <<'END'
#include <signal.h>
#include <sys/time.h>
static volatile int seen;
static void on_tick(int number) { (void)number; seen++; }
int main(void)
{
	struct itimerval every = {{0, 8000}, {0, 8000}};

	signal(SIGPROF, on_tick);
	setitimer(ITIMER_PROF, &every, 0);
	hot(100);
	while (!seen)
		cold(10);
	return 0;
}
END
check 'a program with a profiling timer of its own is sampled' \
	exits 0 sample -O clock=wall -- ./ticks
check 'samples beside another timer are complete' \
	between 80 "$(ms_of hot)" "$(took wall)"

program closes <<'END'
#include <stdlib.h>
#include <unistd.h>
static char pool[1 << 20];
static size_t used;
void *malloc(size_t n) { void *p = pool + used; used += (n + 15) & ~15ul;
	return p; }
void free(void *p) { (void)p; }
void *calloc(size_t n, size_t s) { return malloc(n * s); }
void *realloc(void *p, size_t n) { (void)p; return malloc(n); }
int main(void)
{
	int fd;

	for (fd = 0; fd < 256; fd++)
		close(fd);
	hot(100);
	return malloc(1) ? 0 : 1;
}
END
check 'a program that closes all files is sampled' \
	exits 0 sample -O clock=wall -- ./closes
check 'samples of a program that closes all files are complete' \
	between 80 "$(ms_of hot)" "$(took wall)"

program sleeps <<'END'
#include <poll.h>
#include <unistd.h>
static __attribute__((noinline)) void waits(void) { poll(0, 0, 150); }
int main(void) { waits(); return sleep(0) || usleep(50000); }
END
check 'a program that sleeps is sampled by wall-clock time' \
	exits 0 sample -O clock=wall -- ./sleeps
check 'waits are as long as the program slept' \
	between 120 "$(ms_of waits)" "$(took wall)"
check 'ticks cut no sleep short' between 170 "$(ms_of main)" "$(took wall)"

program tells -I"$root/libperfnotes/runtime" -ldl <<'END'
#include "git-perf.h"
static __attribute__((noinline)) void hidden(int ms) { burn(ms); }
int main(void)
{
	int failed = 0;

	failed |= pn_sampler_pause() | pn_sampler_pause();
	hidden(60);
	failed |= pn_sampler_resume();
	hidden(60);
	failed |= pn_sampler_resume();
	failed |= !pn_sampler_resume();
	failed |= pn_sampler_label("request", "GET /");
	hot(100);
	failed |= pn_sampler_label("request", (char *)0);
	cold(60);
	return failed;
}
END
check 'a program that controls the sampler is sampled' \
	exits 0 sample -O clock=wall -- ./tells
check 'what a program pauses is not sampled' is "$(ms_of hidden)" 0
check 'a pause within a pause ends with the outer one' between 80 "$(ms_of hot)" "$(took wall)"
must git perf show --json --nodecount=0 --unit=ms --tagfocus='GET /' 0@p >"$out"
check 'labels of a program select samples' \
	is "$(jq '.rows[] | select(.name == "cold")' "$out")" ''
check 'calls of the control do nothing without a sampler' exits 255 ./tells

cat >plugin.c <<'END'
#include "burn.h"
void plugin(void) { hot(100); }
END
# shellcheck disable=SC2086
must "${CC:-cc}" $flags -shared -fPIC -o plugin.so plugin.c
program opens -ldl <<'END'
#include <dlfcn.h>
int main(void)
{
	void *library = dlopen("./plugin.so", RTLD_NOW);
	void (*run)(void);

	if (!library)
		return 1;
	*(void **)&run = dlsym(library, "plugin");
	run();
	return 0;
}
END
check 'a program that loads code later is sampled' \
	exits 0 sample -O clock=wall -- ./opens
check 'functions of code loaded later have names' \
	between 80 "$(ms_of plugin)" "$(took wall)"

program vanishes -fno-omit-frame-pointer <<'END'
#include <unistd.h>
int main(int argc, char **argv) { hot(60); return unlink(argv[argc - 1]); }
END
cp vanishes vanished
check 'a program whose file goes away is sampled' \
	exits 0 sample -O clock=wall -O unwind=fp -- ./vanishes
must git perf export --to=collapsed -o plain.folded 0@p
check 'functions of a file that went away have no names' \
	not grep -q hot plain.folded
check 'export --symbolize is accepted while the file is away' exits 0 \
	git perf export --symbolize --to=collapsed -o still.folded 0@p
check 'the reason why addresses stay is the file' mentions err \
	'^warning: [0-9]+ address(es)? stays? without a name: the files are not here'
mv vanished vanishes
must git perf export --symbolize --to=collapsed -o named.folded 0@p
check 'functions get their names when the file is back' \
	grep -q 'main;hot' named.folded
check 'show --symbolize gives the same names' exits 0 git perf show --symbolize 0@p
check 'show --symbolize has the function as a row of its own' mentions out ' hot$'

if "${CC:-cc}" -static -include burn.h -o static plain.c 2>"$err"; then
	check 'a static program is refused' exits 128 sample -- ./static
	check 'the refusal says that the program is static' \
		mentions err 'linked statically'
fi

# Control from outside: it runs until ./end is there.
# Nor does one end a wait for a signal, which no SA_RESTART makes go on.
program suspends <<'END'
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <unistd.h>
static volatile int came, came2, taken, paused;
static void note(int n) { *(n == SIGUSR1 ? &came : &came2) += 1; }
static pthread_t self;
static int queue, group;
static void *wake(void *unused)
{
	struct { long type; char text[8]; } message = {1, ""};
	struct sembuf up = {0, 1, 0};
	int i;

	while (!paused) {
		usleep(60000);
		pthread_kill(self, SIGUSR1);
	}
	for (i = 0; i < 3; i++) {
		usleep(60000);
		pthread_kill(self, SIGUSR2);
		while (came2 + taken <= i)
			usleep(1000);
	}
	usleep(60000);
	msgsnd(queue, &message, 1, 0);
	usleep(60000);
	semop(group, &up, 1);
	return unused;
}
int main(void)
{
	struct { long type; char text[8]; } message;
	struct sembuf down = {0, -1, 0};
	struct timespec limit = {60, 0};
	sigset_t two, none;
	pthread_t thread;
	int bad;

	self = pthread_self();
	queue = msgget(IPC_PRIVATE, 0600);
	group = semget(IPC_PRIVATE, 1, 0600);
	if (queue < 0 || group < 0)
		return 9;
	signal(SIGUSR1, note);
	signal(SIGUSR2, note);
	sigemptyset(&none);
	sigemptyset(&two);
	sigaddset(&two, SIGUSR2);
	sigprocmask(SIG_BLOCK, &two, NULL);
	pthread_create(&thread, NULL, wake, NULL);
	pause();
	bad = came < 1;
	paused = 1;
	do { /* nothing else ends it; both may come at once */
		came = 0;
		sigsuspend(&none);
	} while (came && !came2);
	bad |= (came2 != 1) << 1;
	bad |= (sigwaitinfo(&two, NULL) != SIGUSR2) << 2;
	taken++;
	bad |= (sigtimedwait(&two, NULL, &limit) != SIGUSR2) << 3;
	taken++;
	bad |= (msgrcv(queue, &message, 8, 1, 0) != 1) << 4;
	bad |= (semop(group, &down, 1) != 0) << 5;
	msgctl(queue, IPC_RMID, NULL);
	semctl(group, 0, IPC_RMID);
	return bad;
}
END
check 'a program that waits for signals is sampled' exits 0 \
	sample -O clock=wall -O frequency=1000 -- ./suspends
check 'waiting for signals takes as long as without the sampler' \
	json '.profiles[0].metrics[] |
	select(.name == "wall") | .median >= 300e6' true

# A child of a fork that no library knows of leaves its parent's record alone.
program raw_fork <<'END'
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
	hot(60);
	if (!syscall(SYS_fork)) {
		cold(60);
		exit(0);
	}
	wait(NULL);
	hot(60);
	return 0;
}
END
check 'a program that forks by a system call is sampled' exits 0 \
	sample -O clock=wall -- ./raw_fork
check 'a child forked by a system call is not sampled' is "$(ms_of cold)" 0
check 'the parent of such a child is sampled' \
	between 90 "$(ms_of hot)" "$(took wall)"

program waits <<'END'
#include <stdio.h>
#include <unistd.h>
int main(void) { puts("on"); fflush(stdout); while (access("end", F_OK)) burn(5);
	return 0; }
END
newest=$(git perf status --json | jq -r '.pending[0].path')
mkfifo started
git perf collect -c sample --live=0.05 --stdout=started -- ./waits \
	>"$scratch/live.out" 2>"$scratch/live" &
collector=$!
read -r line <started
check 'the sampler runs while it is controlled' is "$line" on
tell()
{
	git perf collect --send="$@"
}
check 'the sampler is paused from outside' exits 0 tell pause "$collector"
check 'the sampler is paused once more' exits 0 tell pause
check 'the sampler is resumed from outside' exits 0 tell resume
check 'the sampler is resumed as often as it was paused' exits 0 tell resume
check 'the sampler is not resumed more often than paused' exits 128 tell resume
check 'the error says that the sampler is not paused' \
	says err 'fatal: the sampler is not paused'
check 'the delay is changed from outside' exits 0 tell delay=0.004
check 'the threads are changed from outside' exits 0 tell threads=main
check 'an unknown message to the sampler is refused' exits 128 tell faster
check 'the refusal lists the messages that there are' \
	mentions err 'there are pause, resume'
check 'a process without a sampler cannot be told anything' \
	exits 128 tell pause 1
# Until a sample was taken there is no snapshot, and the first sample may be of
# what comes before main.
has_main()
{
	[ "$(git perf status --json | jq -r '.pending[0].path')" != "$newest" ] &&
		git perf show --json 0@p |
		jq -e '.rows[] | select(.name == "main")' >"$scratch/rows"
}
tries=0
until has_main || [ $((tries += 1)) -gt 1000 ]; do
	must tell snapshot
done
check 'a snapshot is taken while the program runs' has_main
# All this may take less than what the first view waits for, and the snapshots
# are told there, too.
tries=0
until mentions live '(flat|no sample yet)' || [ $((tries += 1)) -gt 1000 ]; do
	sleep .01
done
check 'the sampler is stopped from outside' exits 0 tell stop
touch end
wait "$collector"
check 'the run ends well after the sampler was stopped' is $? 0
check 'the live view was shown during the run' mentions live '(flat|no sample yet)'
check 'nobody listens after the end of the run' exits 128 tell pause
check 'the error says that no sampler runs' \
	says err 'fatal: no sampler runs now'

check 'a bad frequency is refused' exits 128 sample -O frequency=0 -- ./plain
check 'the refusal says what a frequency may be' mentions err \
	"^fatal: bad frequency '0', need Hz up to"
check 'a bad clock is refused' exits 128 sample -O clock=sun -- ./plain
check 'the refusal lists the clocks' says err \
	"fatal: bad clock 'sun', need one of cpu, wall"
check 'no private folder is left behind' \
	is "$(find "${TMPDIR:-/tmp}" -maxdepth 1 \
	-name 'git-perf-??????' -user "$(id -u)" -newer burn.h \
	-exec test -e '{}/control' ';' -print)" ''
