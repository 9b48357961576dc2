/*
 * Launchers. We and the launcher share a socket, on which go requests with the
 * files of the command, and answers, one when a command has ended; and a pipe
 * that tells the process id when it begins, which nobody reads but to send a
 * signal: who waits for the answer sleeps while the command runs.
 *
 * The launcher may be forked from a program with threads: it calls only what
 * base/process/child.c says.
 */
#define _GNU_SOURCE /* pipe2 (POSIX.1-2024), MAP_ANONYMOUS, vfork, waitid */
#include "base/process/launcher.h"

#include "base/alloc.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif
#include <sys/wait.h>
#include <unistd.h>

#define NICE 10 /* of who is polite */

extern char **environ;

struct pn_process_launcher {
	pid_t pid;  /* 0: not there */
	int socket; /* ours */
	int begun;  /* read end */
	bool busy, has_begun;
	pid_t command; /* when has_begun */
};

/* Behind it are `size` bytes: the folder, arguments and environment, each with
 * its NUL, and with the first byte come as many files as `fds` has above 0. */
struct request {
	size_t size, arg_count, env_count;
	bool has_dir, own_group, polite;
	int fds[3];
	sigset_t mask;
};

union rights {
	struct cmsghdr align;
	char room[CMSG_SPACE(3 * sizeof(int))];
};

/* The launcher's own. */
struct server {
	int socket, begun;
	pid_t parent; /* who asks */
	char *text;   /* of the request, mapped */
	size_t cap;
	char **list; /* behind the text: argv and environment */
	pid_t last;  /* to be reaped; 0: none */
	struct request request;
	struct pn_launcher_answer answer;
};

static bool send_all(int fd, const void *data, size_t size)
{
	const char *at = data;
	ssize_t n;

	while (size) {
		n = send(fd, at, size, MSG_NOSIGNAL);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += n;
		size -= (size_t)n;
	}
	return true;
}

static bool receive_all(int fd, void *out, size_t size)
{
	char *at = out;
	ssize_t n;

	while (size) {
		n = recv(fd, at, size, 0);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += n;
		size -= (size_t)n;
	}
	return true;
}

/* Nobody could continue a group that the terminal stopped. */
static void enter_group(void)
{
	setpgid(0, 0);
	signal(SIGTTIN, SIG_IGN);
	signal(SIGTTOU, SIG_IGN);
}

/* As it was where that is forbidden. */
static void give_way(void)
{
	int now = nice(NICE);

	(void)now;
}

/* False and errno when there is nobody to be told. */
static bool tell_pid(const struct server *s)
{
	pid_t pid = getpid();

	return write(s->begun, &pid, sizeof(pid)) == (ssize_t)sizeof(pid);
}

/* In the child, which has the launcher's memory: it returns when it fails. */
static void become_command(struct server *s, char **argv, const char *dir)
{
	struct pn_launcher_answer *a = &s->answer;
	char room[4096];
	const char *program;

	if (s->request.own_group)
		enter_group();
	if (s->request.polite)
		give_way();
	a->failure.stage = PN_CHILD_FDS;
	if (!tell_pid(s) || pn_child_place_fds(s->request.fds))
		goto fail;
	a->failure.stage = PN_CHILD_DIR;
	if (dir && chdir(dir))
		goto fail;
	a->failure.stage = PN_CHILD_EXEC;
	program = pn_child_find(argv[0], X_OK, room, sizeof(room));
	sigprocmask(SIG_SETMASK, &s->request.mask, NULL);
	getrusage(RUSAGE_SELF, &a->begin.used);
	a->begin.time_ns = pn_time_monotonic_ns();
	execvp(program, argv);
fail:
	a->failure.error = errno;
}

/*
 * vfork, because what a fork copies, its child would have to throw away
 * inside of the time that is measured.
 */
static pid_t start_command(struct server *s, char **argv, const char *dir)
{
	pid_t pid = vfork();

	if (pid)
		return pid;
	become_command(s, argv, dir);
	_exit(127);
}

#ifdef __linux__
#define PARENT_DIED SIGUSR1

/* Who asks us may be killed, by kill -9, too: then we are told (prctl(2)), and
 * nothing may go on in a folder that somebody else puts in order, nor beside
 * the next measurement. */
static void watch_parent(const struct server *s)
{
	prctl(PR_SET_PDEATHSIG, PARENT_DIED);
	if (getppid() != s->parent)
		_exit(0);
}

static void end_with_parent(const struct server *s, pid_t pid)
{
	if (getppid() == s->parent)
		return;
	pn_child_end(pid, s->request.own_group);
	_exit(0);
}

/* The zombie stays and keeps the number, so that a signal to what the command
 * left in its group meets nobody else. waitid(2) can tell what was used; the
 * library's has no argument for that. */
static void wait_command(struct server *s, pid_t pid)
{
	struct pn_launcher_answer *a = &s->answer;
	siginfo_t info = {0};
	sigset_t news;
	int number;

	sigemptyset(&news);
	sigaddset(&news, SIGCHLD);
	sigaddset(&news, PARENT_DIED);
	do {
		if (!sigwait(&news, &number) && number == PARENT_DIED)
			end_with_parent(s, pid);
		a->end.time_ns = pn_time_monotonic_ns();
		syscall(SYS_waitid, P_PID, pid, &info,
			WEXITED | WNOWAIT | WNOHANG, &a->end.used);
	} while (!info.si_pid);
	a->status = info.si_code == CLD_EXITED ? info.si_status
					       : 128 + info.si_status;
	s->last = pid;
}
#else
static void watch_parent(const struct server *s)
{
	(void)s;
}

static void wait_command(struct server *s, pid_t pid)
{
	int raw = 0;

	wait4(pid, &raw, 0, &s->answer.end.used);
	s->answer.end.time_ns = pn_time_monotonic_ns();
	s->answer.status = pn_child_status(raw);
}
#endif

static void reap(struct server *s)
{
	int raw;

	if (s->last)
		pn_child_wait(&raw, s->last);
	s->last = 0;
}

static void run(struct server *s)
{
	char *at = s->text, **argv = s->list, **env;
	const char *dir = NULL;
	size_t i;
	pid_t pid;

	if (s->request.has_dir) {
		dir = at;
		at += strlen(at) + 1;
	}
	env = argv + s->request.arg_count + 1;
	for (i = 0; i < s->request.arg_count; i++, at += strlen(at) + 1)
		argv[i] = at;
	argv[i] = NULL;
	for (i = 0; i < s->request.env_count; i++, at += strlen(at) + 1)
		env[i] = at;
	env[i] = NULL;
	environ = env;
	memset(&s->answer, 0, sizeof(s->answer));
	pid = start_command(s, argv, dir);
	if (pid < 0) {
		s->answer.failure.stage = PN_CHILD_EXEC;
		s->answer.failure.error = errno;
	} else {
		wait_command(s, pid);
	}
}

/* Room for the text and, behind it, for the lists. */
static bool make_room(struct server *s)
{
	const struct request *q = &s->request;
	size_t text = (q->size + sizeof(*s->list) - 1) / sizeof(*s->list);
	size_t lists = q->arg_count + q->env_count + 2;
	size_t need = (text + lists) * sizeof(*s->list);
	void *room;

	if (need > s->cap) {
		if (s->cap)
			munmap(s->text, s->cap);
		s->cap = 0;
		room = mmap(NULL, need, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (room == MAP_FAILED)
			return false;
		s->text = room;
		s->cap = need;
	}
	s->list = (char **)(void *)s->text + text;
	return true;
}

/* The next request: false when there is none any more. */
static bool receive(struct server *s)
{
	struct request *q = &s->request;
	union rights rights;
	struct iovec part = {q, sizeof(*q)};
	struct msghdr message = {.msg_iov = &part,
				 .msg_iovlen = 1,
				 .msg_control = rights.room,
				 .msg_controllen = sizeof(rights.room)};
	struct cmsghdr *control;
	size_t i, n = 0;
	ssize_t got;

	do
		got = recvmsg(s->socket, &message, MSG_CMSG_CLOEXEC);
	while (got < 0 && errno == EINTR);
	if (got <= 0 ||
	    !receive_all(s->socket, (char *)q + got, sizeof(*q) - (size_t)got))
		return false;
	control = CMSG_FIRSTHDR(&message);
	for (i = 0; i < 3; i++) {
		if (q->fds[i] <= 0)
			continue;
		if (!control ||
		    control->cmsg_len < CMSG_LEN((n + 1) * sizeof(int)))
			return false;
		memcpy(&q->fds[i], CMSG_DATA(control) + n++ * sizeof(int),
		       sizeof(int));
	}
	return make_room(s) && receive_all(s->socket, s->text, q->size);
}

/*
 * Only what commands inherit stays open: others wait for the end of what we
 * share with them. The numbers 0 to 2 are taken, though not for commands, so
 * that no file comes to lie there.
 */
static bool keep_fds(struct server *s)
{
	int fd, flags;

	s->socket = fcntl(s->socket, F_DUPFD_CLOEXEC, 3);
	s->begun = fcntl(s->begun, F_DUPFD_CLOEXEC, 3);
	if (s->socket < 0 || s->begun < 0)
		return false;
	for (fd = 0; fd < PN_CHILD_FDS_MAX; fd++) {
		flags = fcntl(fd, F_GETFD);
		if (flags >= 0 && (flags & FD_CLOEXEC) && fd != s->socket &&
		    fd != s->begun)
			close(fd);
	}
	do
		fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	while (fd >= 0 && fd < 3);
	close(fd);
	return true;
}

/* All signals are blocked here: they are for the command, and we have to say
 * how that ended. Our end is that of who asks us. */
static _Noreturn void serve(int socket, int begun, pid_t parent)
{
	struct server s = {.socket = socket, .begun = begun, .parent = parent};
	sigset_t all;
	size_t i;

	sigfillset(&all);
	pn_child_reset_signals(&all);
	signal(SIGCHLD, SIG_DFL);
	watch_parent(&s);
	if (!keep_fds(&s))
		_exit(126);
	while (receive(&s)) {
		reap(&s);
		run(&s);
		if (!send_all(s.socket, &s.answer, sizeof(s.answer)))
			break;
		for (i = 0; i < 3; i++)
			if (s.request.fds[i] > 0)
				close(s.request.fds[i]);
	}
	reap(&s);
	_exit(0);
}

static void close_pair(int pair[2])
{
	if (pair[0] >= 0)
		close(pair[0]);
	if (pair[1] >= 0)
		close(pair[1]);
	pair[0] = pair[1] = -1;
}

static void stop(struct pn_process_launcher *l)
{
	int raw;

	if (!l->pid)
		return;
	close(l->socket);
	close(l->begun);
	pn_child_wait(&raw, l->pid);
	*l = (struct pn_process_launcher){0};
}

/* -1 and errno. */
static int fork_launcher(struct pn_process_launcher *l)
{
	int ends[2] = {-1, -1}, begun[2] = {-1, -1}, error;
	pid_t parent = getpid();
	sigset_t all, mask;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) ||
	    pipe2(begun, O_CLOEXEC) || fcntl(begun[0], F_SETFL, O_NONBLOCK))
		goto fail;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &mask);
	l->pid = fork();
	if (!l->pid) {
		close(ends[0]);
		close(begun[0]);
		serve(ends[1], begun[1], parent);
	}
	error = errno;
	sigprocmask(SIG_SETMASK, &mask, NULL);
	errno = error;
	if (l->pid < 0)
		goto fail;
	close(ends[1]);
	close(begun[1]);
	l->socket = ends[0];
	l->begun = begun[0];
	return 0;
fail:
	error = errno;
	l->pid = 0;
	close_pair(ends);
	close_pair(begun);
	errno = error;
	return -1;
}

struct pn_process_launcher *pn_process_launcher_new(void)
{
	return pn_calloc(1, sizeof(struct pn_process_launcher));
}

void pn_process_launcher_rest(struct pn_process_launcher *launcher)
{
	stop(launcher);
}

void pn_process_launcher_free(struct pn_process_launcher *launcher)
{
	if (!launcher)
		return;
	stop(launcher);
	free(launcher);
}

bool pn_launcher_is_busy(const struct pn_process_launcher *launcher)
{
	return launcher->busy;
}

static size_t list_size(size_t *count, char *const *list)
{
	size_t size = 0;

	for (*count = 0; list && list[*count]; ++*count)
		size += strlen(list[*count]) + 1;
	return size;
}

static char *add_list(char *at, char *const *list)
{
	for (; list && *list; list++)
		at = stpcpy(at, *list) + 1;
	return at;
}

/* The text of a request, to be freed. */
static char *make_request(struct request *q, const struct pn_child_plan *plan)
{
	char *const *argv = (char *const *)plan->argv;
	char *const *env = plan->env ? plan->env : environ;
	char *dir[] = {(char *)plan->dir, NULL}, *text;
	size_t n;

	memset(q, 0, sizeof(*q));
	q->has_dir = plan->dir;
	q->own_group = plan->own_group;
	q->polite = plan->polite;
	memcpy(q->fds, plan->fds, sizeof(q->fds));
	q->mask = plan->mask;
	q->size = list_size(&n, dir);
	q->size += list_size(&q->arg_count, argv);
	q->size += list_size(&q->env_count, env);
	text = pn_malloc(q->size);
	add_list(add_list(add_list(text, dir), argv), env);
	return text;
}

/* In one piece, so that the launcher wakes up once. */
static bool send_request(int to, struct request *q, char *text)
{
	union rights rights = {.room = ""};
	struct iovec parts[] = {{q, sizeof(*q)}, {text, q->size}};
	struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
	struct cmsghdr *control = &rights.align;
	size_t i, n = 0, done;
	ssize_t sent;

	for (i = 0; i < 3; i++)
		if (q->fds[i] > 0)
			memcpy(CMSG_DATA(control) + n++ * sizeof(int),
			       &q->fds[i], sizeof(int));
	if (n) {
		control->cmsg_level = SOL_SOCKET;
		control->cmsg_type = SCM_RIGHTS;
		control->cmsg_len = CMSG_LEN(n * sizeof(int));
		message.msg_control = rights.room;
		message.msg_controllen = CMSG_SPACE(n * sizeof(int));
	}
	do
		sent = sendmsg(to, &message, MSG_NOSIGNAL);
	while (sent < 0 && errno == EINTR);
	if (sent <= 0)
		return false;
	done = (size_t)sent;
	if (done < sizeof(*q))
		return send_all(to, (char *)q + done, sizeof(*q) - done) &&
		       send_all(to, text, q->size);
	done -= sizeof(*q);
	return send_all(to, text + done, q->size - done);
}

/* A launcher that was killed is replaced. */
int pn_launcher_start(struct pn_process_launcher *launcher,
		      const struct pn_child_plan *plan, struct pn_error *err)
{
	struct request request;
	char *text = make_request(&request, plan);
	bool sent =
		launcher->pid && send_request(launcher->socket, &request, text);
	int code = 0;

	if (!sent) {
		stop(launcher);
		sent = !fork_launcher(launcher) &&
		       send_request(launcher->socket, &request, text);
	}
	if (!sent)
		code = pn_error_system(err, "cannot run '%s'", plan->argv[0]);
	free(text);
	if (code)
		return code;
	launcher->busy = true;
	launcher->has_begun = false;
	launcher->command = 0;
	return 0;
}

int pn_launcher_fd(const struct pn_process_launcher *launcher)
{
	return launcher->socket;
}

/* The child may have been killed before it told its number. */
pid_t pn_launcher_pid(struct pn_process_launcher *launcher)
{
	struct pollfd fds[2] = {{.fd = launcher->begun, .events = POLLIN},
				{.fd = launcher->socket, .events = POLLIN}};
	pid_t pid;
	int n;

	if (!launcher->has_begun) {
		do
			n = poll(fds, 2, -1);
		while (n < 0 && errno == EINTR);
		if (pn_child_read(launcher->begun, &pid, sizeof(pid)))
			launcher->command = pid;
		launcher->has_begun = true;
	}
	return launcher->command;
}

bool pn_launcher_finish(struct pn_launcher_answer *out,
			struct pn_process_launcher *launcher)
{
	bool told = receive_all(launcher->socket, out, sizeof(*out));
	pid_t pid;

	if (told && !launcher->has_begun)
		pn_child_read(launcher->begun, &pid, sizeof(pid));
	launcher->busy = false;
	if (!told) {
		out->left = pn_launcher_pid(launcher);
		stop(launcher);
	}
	return told;
}
