/*
 * git-perf without its start: each call that sharing.py asks for is a fork of
 * this process that runs the program's own main, and what the program would
 * ask git for is done by near.h. A call is a process still, so that it can be
 * killed, and several can run at once.
 *
 * A request is a length (4 bytes) and words that end in a NUL:
 *   start <folder> <file for output> <date> <killpoint file, or ""> <argv...>
 *         answered by the process id
 *   wait <process id>             the exit status, -n for signal n
 *   lines <folder> <commit...>    of refs/notes/perf, by libgit2
 *   tip <folder>                  refs/notes/perf, or nothing
 * An answer is a length and a text.
 */
#define _GNU_SOURCE
#include "near.h"

#include "base/process/process.h"
#include "vcs/transport/transport.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORDS_MAX 64
#define TIMEOUT_S 120

int __real_main(int argc, char **argv);
int __wrap_main(int argc, char **argv);
int __real_pn_process_capture(struct pn_buf *out, char err_text[1024],
			      int *status, const char *const *argv,
			      const struct pn_process_options *options,
			      size_t limit, struct pn_error *err);
int __wrap_pn_process_capture(struct pn_buf *out, char err_text[1024],
			      int *status, const char *const *argv,
			      const struct pn_process_options *options,
			      size_t limit, struct pn_error *err);
int __real_pn_transport_run(struct pn_buf *out, struct pn_buf *said,
			    int *status, const struct pn_transport *t,
			    const char *const *argv, struct pn_error *err);
int __wrap_pn_transport_run(struct pn_buf *out, struct pn_buf *said,
			    int *status, const struct pn_transport *t,
			    const char *const *argv, struct pn_error *err);

/* That of our folder; the program opens its own. */
static git_repository *near_repo(void)
{
	static git_repository *repo;

	if (!repo && git_repository_open(&repo, "."))
		repo = NULL;
	return repo;
}

int __wrap_pn_process_capture(struct pn_buf *out, char err_text[1024],
			      int *status, const char *const *argv,
			      const struct pn_process_options *options,
			      size_t limit, struct pn_error *err)
{
	int code = LEFT_TO_GIT;

	if (!strcmp(argv[0], "git") && near_repo() &&
	    (!options || options->in <= 0))
		code = near_git(out, near_repo(), argv);
	if (code == LEFT_TO_GIT)
		return __real_pn_process_capture(out, err_text, status, argv,
						 options, limit, err);
	*status = code;
	if (err_text)
		*err_text = '\0';
	return 0;
}

int __wrap_pn_transport_run(struct pn_buf *out, struct pn_buf *said,
			    int *status, const struct pn_transport *t,
			    const char *const *argv, struct pn_error *err)
{
	const char *const *at = argv;
	int code = LEFT_TO_GIT;

	while (*at && strcmp(*at, "fetch") != 0 && strcmp(*at, "push") != 0)
		at++;
	if (*at && near_repo())
		code = **at == 'f' ? near_fetch(near_repo(), argv)
				   : near_push(out, near_repo(), argv);
	if (code == LEFT_TO_GIT)
		return __real_pn_transport_run(out, said, status, t, argv, err);
	*status = code;
	return 0;
}

static void reply(const void *bytes, size_t len)
{
	uint32_t n = (uint32_t)len;

	if (write(3, &n, sizeof(n)) != sizeof(n) ||
	    (len && write(3, bytes, len) != (ssize_t)len))
		_exit(2);
}

static void reply_number(long number)
{
	char text[32];

	reply(text, (size_t)snprintf(text, sizeof(text), "%ld", number));
}

/* killpoint.so is preloaded here, and begins when it is told to. */
static void arm(const char *file)
{
	void (*begin)(void);

	setenv("KILLPOINT", file, 1);
	setenv("LD_PRELOAD", getenv("KILLPOINT_SO"), 1);
	*(void **)&begin = dlsym(RTLD_DEFAULT, "killpoint_begin");
	if (begin)
		begin();
}

static _Noreturn void run(char **words, int count)
{
	int fd;

	setsid();
	alarm(TIMEOUT_S);
	if (chdir(words[1]))
		_exit(3);
	fd = open(words[2], O_WRONLY | O_CREAT | O_APPEND, 0666);
	dup2(fd, STDOUT_FILENO);
	dup2(fd, STDERR_FILENO);
	close(fd);
	close(STDIN_FILENO);
	open("/dev/null", O_RDONLY);
	close(3);
	setenv("GIT_COMMITTER_DATE", words[3], 1);
	if (*words[4])
		arm(words[4]);
	if (!strcmp(words[5], "git-perf"))
		exit(__real_main(count - 5, words + 5));
	execvp(words[5], words + 5);
	_exit(127);
}

static void start(char **words, int count)
{
	pid_t pid = fork();

	if (!pid)
		run(words, count);
	reply_number(pid);
}

static void wait_for(const char *pid)
{
	int raw = 0;

	waitpid((pid_t)strtol(pid, NULL, 10), &raw, 0);
	reply_number(WIFSIGNALED(raw) ? -WTERMSIG(raw) : WEXITSTATUS(raw));
}

static void lines(char **words, int count)
{
	git_repository *repo = NULL;
	struct pn_buf text = {0};
	git_note *note;
	git_oid id;
	int i;

	if (git_repository_open(&repo, words[1]))
		_exit(4);
	for (i = 2; i < count; i++)
		if (!git_oid_fromstr(&id, words[i]) &&
		    !git_note_read(&note, repo, "refs/notes/perf", &id)) {
			pn_buf_add_text(&text, git_note_message(note));
			git_note_free(note);
		}
	reply(text.data, text.len);
	pn_buf_release(&text);
	git_repository_free(repo);
}

static void tip(const char *folder)
{
	char hex[GIT_OID_HEXSZ + 1] = "";
	git_repository *repo = NULL;
	git_oid id;

	if (git_repository_open(&repo, folder))
		_exit(4);
	if (!git_reference_name_to_id(&id, repo, "refs/notes/perf"))
		git_oid_fmt(hex, &id);
	reply(hex, strlen(hex));
	git_repository_free(repo);
}

static bool read_all(void *to, size_t len)
{
	char *at = to;
	ssize_t n;

	for (; len; at += n, len -= (size_t)n) {
		n = read(STDIN_FILENO, at, len);
		if (n <= 0)
			return false;
	}
	return true;
}

int __wrap_main(int argc, char **argv)
{
	static char bytes[65536];
	char *words[WORDS_MAX + 1], *at;
	uint32_t len;
	int count;

	(void)argc;
	(void)argv;
	unsetenv("LD_PRELOAD");
	git_libgit2_init();
	/* lib.sh says so to git, in words that libgit2 does not know */
	git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, GIT_CONFIG_LEVEL_SYSTEM, "");
	git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, GIT_CONFIG_LEVEL_XDG, "");
	dup2(STDOUT_FILENO, 3); /* a fork's standard output is its own */
	while (read_all(&len, sizeof(len)) && len < sizeof(bytes) &&
	       read_all(bytes, len)) {
		count = 0;
		for (at = bytes; at < bytes + len && count < WORDS_MAX;
		     at += strlen(at) + 1)
			words[count++] = at;
		words[count] = NULL;
		if (!strcmp(words[0], "start"))
			start(words, count);
		else if (!strcmp(words[0], "wait"))
			wait_for(words[1]);
		else if (!strcmp(words[0], "lines"))
			lines(words, count);
		else
			tip(words[1]);
	}
	return 0;
}
