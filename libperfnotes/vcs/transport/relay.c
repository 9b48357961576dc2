/* git at work for a transport: its results are read, its progress is handed
 * on, its words are kept for when it fails. */
#define _GNU_SOURCE /* pipe2 (POSIX.1-2024): pipe and fcntl would race */
#include "base/escape.h"
#include "vcs/child.h"
#include "vcs/git.h"
#include "vcs/transport/transport.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#define SAID_MAX 8192
#define LINE_MAX_BYTES 4096 /* of what is not ended yet */
#define LOOK_MS 200    /* between two looks whether somebody wants an end */
#define CLEAR "\033[K" /* git's own, at the end of a remote's line */

struct relay {
	FILE *progress;
	struct pn_buf *out, *said, line;
	bool returned; /* a carriage return came last */
	const volatile sig_atomic_t *stop;
};

/* What git says when it ends, not what it does meanwhile. */
static bool is_word(const char *line, size_t len, char end)
{
	static const char *const work[] = {
		"remote: Enumerating ",	 "remote: Counting ",
		"remote: Compressing ",	 "remote: Total ",
		"remote: Resolving ",	 "Enumerating objects: ",
		"Counting objects: ",	 "Compressing objects: ",
		"Writing objects: ",	 "Receiving objects: ",
		"Resolving deltas: ",	 "Unpacking objects: ",
		"Delta compression ",	 "Total ",
		"Checking connectivity", "Checking objects: "};
	size_t i;

	if (end == '\r' || !len)
		return false;
	for (i = 0; i < sizeof(work) / sizeof(*work); i++)
		if (len >= strlen(work[i]) &&
		    !memcmp(line, work[i], strlen(work[i])))
			return false;
	return true;
}

/* A line or a state of the progress. The other side may have written it. */
static void take_line(struct relay *r, char end)
{
	struct pn_buf safe = {0};
	const char *line = pn_buf_text(&r->line);
	size_t len = r->line.len;

	if (len >= strlen(CLEAR) &&
	    !memcmp(line + len - strlen(CLEAR), CLEAR, strlen(CLEAR)))
		len -= strlen(CLEAR);
	while (len && (line[len - 1] == ' ' || line[len - 1] == '\r'))
		len--;
	for (; len && *line == '\t'; len--) /* a command to copy */
		line++;
	pn_escape_terminal(&safe, line, len);
	if (is_word(line, len, end)) {
		if (r->said->len + safe.len < SAID_MAX) {
			pn_buf_add(r->said, safe.data, safe.len);
			pn_buf_add_byte(r->said, '\n');
		}
	} else if (r->progress && safe.len) {
		fprintf(r->progress, "%s" CLEAR "%c", pn_buf_text(&safe), end);
		fflush(r->progress);
	}
	pn_buf_clear(&r->line);
	pn_buf_release(&safe);
}

/* ssh ends its lines with both. */
static void take_said(struct relay *r, const char *bytes, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++) {
		if (r->returned && bytes[i] != '\n')
			take_line(r, '\r');
		r->returned = bytes[i] == '\r';
		if (bytes[i] == '\n')
			take_line(r, '\n');
		else if (!r->returned && r->line.len < LINE_MAX_BYTES)
			pn_buf_add_byte(&r->line, (unsigned char)bytes[i]);
	}
}

/* Both pipes to their ends. */
static int drain(struct relay *r, int out_fd, int said_fd)
{
	struct pollfd fds[2] = {{out_fd, POLLIN, 0}, {said_fd, POLLIN, 0}};
	char bytes[4096];
	ssize_t n;
	int i;

	while (fds[0].fd >= 0 || fds[1].fd >= 0) {
		if (r->stop && *r->stop) {
			errno = EINTR;
			return -1;
		}
		n = poll(fds, 2, r->stop ? LOOK_MS : -1);
		if (n < 0 && errno != EINTR)
			return -1;
		if (n <= 0)
			continue;
		for (i = 0; i < 2; i++) {
			if (fds[i].fd < 0 || !fds[i].revents)
				continue;
			n = read(fds[i].fd, bytes, sizeof(bytes));
			if (n < 0 && errno != EINTR)
				return -1;
			if (!n)
				fds[i].fd = -1;
			if (n > 0 && i)
				take_said(r, bytes, (size_t)n);
			else if (n > 0 && r->out &&
				 r->out->len < PN_CHILD_TEXT_MAX)
				pn_buf_add(r->out, bytes, (size_t)n);
		}
	}
	if (r->line.len)
		take_line(r, '\n');
	return 0;
}

/* Standard output is read where `relay->out` is, else it is `to`. */
static int run(struct relay *relay, int to, int *status,
	       const struct pn_transport *t, const char *const *argv,
	       struct pn_error *err)
{
	struct pn_process_options options = pn_child_options(t->repo);
	struct pn_process process;
	int pipe_fds[2], code, failed;

	if (pipe2(pipe_fds, O_CLOEXEC))
		return pn_error_system(err, "cannot run git");
	/* a relative URL is seen from the top of the work tree */
	options.dir = t->repo->work_dir ? t->repo->work_dir : t->repo->git_dir;
	options.pipe_out = relay->out != NULL;
	options.out = to;
	options.err = pipe_fds[1];
	options.ends_with_us = true;
	code = pn_process_start(&process, argv, &options, err);
	close(pipe_fds[1]);
	if (!code) {
		if (drain(relay, process.out, pipe_fds[0])) {
			code = errno == EINTR
				       ? pn_error_set(err, PN_ESTOPPED,
						      "interrupted")
				       : pn_error_system(
						 err, "cannot read from git");
			kill(process.pid, SIGTERM);
		}
		failed = pn_process_wait(status, &process, code ? NULL : err);
		code = code ? code : failed;
	}
	close(pipe_fds[0]);
	pn_buf_release(&relay->line);
	return code;
}

int pn_transport_run(struct pn_buf *out, struct pn_buf *said, int *status,
		     const struct pn_transport *t, const char *const *argv,
		     struct pn_error *err)
{
	struct relay relay = {t->progress, out,	  said,
			      {0},	   false, t->repo->patience.stop};

	return run(&relay, -1, status, t, argv, err);
}

int pn_transport_write(int to, struct pn_buf *said, int *status,
		       const struct pn_transport *t, const char *const *argv,
		       struct pn_error *err)
{
	struct relay relay = {t->progress, NULL,  said,
			      {0},	   false, t->repo->patience.stop};

	return run(&relay, to, status, t, argv, err);
}

static bool begins(const char *line, const char *word)
{
	return !strncmp(line, word, strlen(word));
}

/* Advice, and what only says that something else was said. */
static bool is_noise(const char *line)
{
	static const char *const noise[] = {
		"To ",
		"From ",
		"hint: ",
		"Please make",
		"and the repository exists",
		"failed to push some refs",
		"hook declined to update ",
	};
	size_t i;

	for (i = 0; i < sizeof(noise) / sizeof(*noise); i++)
		if (begins(line, noise[i]))
			return true;
	return false;
}

/*
 * A program that git runs (ssh, a helper, the other side) says what is wrong
 * before git says that it got nothing.
 */
bool pn_transport_reason(struct pn_buf *out, const struct pn_buf *said)
{
	/* the other side's may have both */
	static const char *const heads[] = {
		"remote: ", "fatal: ", "error: ", "warning: "};
	const char *at = pn_buf_text(said), *line, *last = "";
	size_t i, len, last_len = 0, taken = 0;

	while (*at && taken < 3) {
		line = at;
		len = strcspn(at, "\n");
		at += len + (at[len] != '\0');
		for (i = 0; i < sizeof(heads) / sizeof(*heads); i++)
			if (begins(line, heads[i])) {
				line += strlen(heads[i]);
				len -= strlen(heads[i]);
			}
		/* "lacks these commits:", and the next line says which */
		while (len && (line[len - 1] == ':' || line[len - 1] == ' '))
			len--;
		if (!len || is_noise(line) ||
		    (len == last_len && !memcmp(line, last, len)))
			continue;
		pn_buf_printf(out, "%s%.*s", taken++ ? ": " : "", (int)len,
			      line);
		last = line;
		last_len = len;
	}
	if (!taken)
		pn_buf_add_text(out, "git gave no reason");
	return taken > 0;
}

bool pn_transport_failed_here(const struct pn_error *err)
{
	static const char *const words[] = {
		"No space left on device", "Disk quota exceeded",
		"Input/output error",	   "Permission denied",
		"Operation not permitted", "Read-only file system",
		"Too many open files",	   "Cannot allocate memory",
		"Out of memory",	   "File too large",
		"died of signal"};
	size_t i;

	if (strstr(err->message, "fsck error"))
		return false;
	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strstr(err->message, words[i]))
			return true;
	return false;
}
