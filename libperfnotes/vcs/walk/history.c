/*
 * A walk over commits: by direct.h what needs no git, else `git log` is run and
 * read as it writes. In both cases the first commit is there at once however
 * long the history is: sorting makes a walk by libgit2 read all of it first
 * (1,000,000 commits: 4.5 s, 590 MB).
 *
 * A record of git log's ends in NUL. Its first line has only what a commit
 * cannot forge: ids and a number; then name, mail and subject, a line each,
 * which cannot hold a line feed.
 */
#define _GNU_SOURCE /* F_SETPIPE_SZ */
#include "vcs/walk/history.h"

#include "base/alloc.h"
#include "base/number.h"
#include "base/process/process.h"
#include "base/trace2.h"
#include "vcs/child.h"
#include "vcs/git.h"
#include "vcs/walk/beside.h"
#include "vcs/walk/direct.h"
#include "vcs/walk/log_options.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FORMAT "--format=tformat:%H %T %at %P%n%aN%n%aE%n%s"
/* The same and nothing, in PN_BESIDE_LINES lines with PN_BESIDE_MARK. */
#define DRAWN                                                                  \
	"--format=tformat:%x01%H %T %at %P%n%x01%aN%n%x01%aE%n%x01%s"          \
	"%n%x01%n%x01%n%x01%n%x01%n%x01%n%x01%n%x01%n%x01%n%x01%n%x01%n%x01"   \
	"%n%x01"
#define CHUNK 65536
#define PIPE_BYTES (1 << 20) /* Linux gives no more to users */
#define RECORD_MAX (64u << 20)
#define SAID_MAX 1024
#define FIXED_ARGS 9

struct pn_history {
	struct pn_repo *repo;
	struct pn_direct *direct; /* NULL: git walks, or walks the rest */
	struct pn_process process;
	struct pn_trace2_region region;
	FILE *said; /* git's standard error */
	struct pn_buf buf;
	size_t at; /* of the next record in buf */
	bool running, ended, any;
	bool is_drawn;
	struct pn_beside drawn;
	struct pn_oid *parents;
	size_t parent_cap;
};

static const char **make_argv(const char *const *args, bool drawn)
{
	const char *const fixed[FIXED_ARGS] = {"git",
					       "log",
					       drawn ? "--graph" : "-z",
					       drawn ? DRAWN : FORMAT,
					       "--no-patch",
					       "--no-color",
					       "--no-notes",
					       "--encoding=UTF-8",
					       "--no-show-signature"};
	size_t n = 0;
	const char **argv;

	while (args[n])
		n++;
	argv = pn_calloc(FIXED_ARGS + n + 1, sizeof(*argv));
	memcpy(argv, fixed, sizeof(fixed));
	memcpy(argv + FIXED_ARGS, args, n * sizeof(*argv));
	return argv;
}

/* "HEAD:fib.c", of which git log shows nothing. Ranges and searches are none
 * of that. */
static int check_revisions(struct pn_repo *repo, const char *const *args,
			   struct pn_error *err)
{
	for (; *args && strcmp(*args, "--"); args++) {
		const char *arg = *args, *colon = strchr(arg, ':');
		struct pn_oid ignored;
		int code;

		if (*arg == '-' || !colon || colon == arg ||
		    strpbrk(arg, "{*?[") || strstr(arg, ".."))
			continue;
		code = pn_repo_resolve(&ignored, repo, arg, err);
		if (code == PN_EINVAL)
			return code;
		if (code)
			return pn_error_set(err, PN_ENOTFOUND,
					    "no such commit or path '%s': log "
					    "takes series by --job and "
					    "--collector",
					    arg);
	}
	return 0;
}

/* Whether commits come as fast as they are read: nothing is searched for. */
static bool comes_at_once(const char *const *args)
{
	for (; *args; args++)
		if (**args == '-' && strncmp(*args, "-n", 2) != 0 &&
		    strncmp(*args, "--skip=", 7) != 0)
			return false;
	return true;
}

/*
 * git writes each commit to a pipe as it comes, which is a tenth of the time of
 * a log: GIT_FLUSH=0 (git(1)) lets it fill a buffer first.
 */
static void buffer_output(const char *env[PN_GIT_ENV_MAX + 1],
			  struct pn_process_options *options)
{
	size_t n = 0;

	while (options->env_set[n] && n + 1 < PN_GIT_ENV_MAX) {
		env[n] = options->env_set[n];
		n++;
	}
	env[n++] = "GIT_FLUSH=0";
	env[n] = NULL;
	options->env_set = env;
}

/* git need not wait for us so often. */
static void widen(int pipe)
{
#ifdef F_SETPIPE_SZ
	fcntl(pipe, F_SETPIPE_SZ, PIPE_BYTES);
#else
	(void)pipe;
#endif
}

static int start_git(struct pn_history *history, const char *const *args,
		     struct pn_error *err)
{
	struct pn_process_options options = pn_child_options(history->repo);
	const char *env[PN_GIT_ENV_MAX + 1];
	const char **argv = make_argv(args, history->is_drawn);
	int code;

	if (comes_at_once(args) && !getenv("GIT_FLUSH"))
		buffer_output(env, &options);
	history->said = tmpfile();
	options.err = history->said ? fileno(history->said) : -1;
	options.pipe_out = true;
	code = pn_process_start(&history->process, argv, &options, err);
	free(argv);
	if (code)
		return code;
	widen(history->process.out);
	history->running = true;
	pn_buf_add(&history->buf, "", 0);
	return 0;
}

static int start(struct pn_history **out, struct pn_repo *repo,
		 const char *const *args, bool drawn, struct pn_error *err)
{
	struct pn_history *history;
	int code = pn_log_options_check(args, err);

	if (!code)
		code = check_revisions(repo, args, err);
	if (code)
		return code;
	history = pn_calloc(1, sizeof(*history));
	history->repo = repo;
	history->is_drawn = drawn;
	history->region = pn_trace2_enter(PN_TRACE2_HERE, "history", "walk");
	history->direct = drawn ? NULL : pn_direct_open(repo, args);
	if (!history->direct)
		code = start_git(history, args, err);
	if (code) {
		pn_history_free(history);
		return code;
	}
	*out = history;
	return 0;
}

int pn_history_open(struct pn_history **out, struct pn_repo *repo,
		    const char *const *args, struct pn_error *err)
{
	return start(out, repo, args, false, err);
}

int pn_history_open_drawn(struct pn_history **out, struct pn_repo *repo,
			  const char *const *args, struct pn_error *err)
{
	return start(out, repo, args, true, err);
}

/* git log fails on a HEAD without commits; for us that is no commit. */
static bool is_unborn(struct pn_history *history, const char *said)
{
	return !history->any && strstr(said, "does not have any commits yet");
}

/* "what 'x': why": x, in a text that is git's own; 0: it says something else.
 */
static int quoted(const char **at, const char *said, const char *what)
{
	size_t len = strlen(what);
	const char *end;

	if (strncmp(said, what, len) != 0)
		return 0;
	end = strstr(said + len, "': unknown revision");
	if (!end)
		end = strrchr(said + len, '\'');
	*at = said + len;
	return end ? (int)(end - *at) : 0;
}

/* What names nothing, in the words of all other commands. */
static int refuse(struct pn_repo *repo, const char *said, struct pn_error *err)
{
	const char *at;
	struct pn_head head;
	int len = quoted(&at, said, "bad revision '"), word = 0;

	if (!len) /* git takes it for a path that is not there */
		word = quoted(&at, said, "ambiguous argument '");
	if ((len || (word && (*at == '@' || !strncmp(at, "HEAD", 4)))) &&
	    !pn_repo_head(&head, repo, NULL) && head.unborn)
		return pn_error_set(err, PN_ENOTFOUND,
				    "no such commit '%.*s': there is no commit "
				    "yet",
				    len ? len : word, at);
	if (len)
		return pn_error_set(err, PN_ENOTFOUND, "no such commit '%.*s'",
				    len, at);
	if (word)
		return pn_error_set(err, PN_ENOTFOUND,
				    "no such commit or path '%.*s'", word, at);
	return pn_error_set(err, PN_EINVAL, "%s", said);
}

static int finish(struct pn_history *history, struct pn_error *err)
{
	char said[SAID_MAX] = "";
	int status, code;
	size_t n = 0;

	history->ended = true;
	history->running = false;
	code = pn_process_wait(&status, &history->process, err);
	if (code || !status)
		return code;
	if (history->said) {
		rewind(history->said);
		n = fread(said, 1, sizeof(said) - 1, history->said);
	}
	said[n] = '\0';
	if (is_unborn(history, said))
		return 0;
	return refuse(history->repo, pn_child_said(said), err);
}

/* With its NUL; 0: its end is not there. `seen` bytes have none. */
static size_t record_length(const struct pn_history *history,
			    const unsigned char *from, size_t have, size_t seen,
			    bool ended)
{
	const unsigned char *nul = NULL;

	if (history->is_drawn)
		return pn_beside_length((const char *)from, have, ended);
	if (have > seen)
		nul = memchr(from + seen, '\0', have - seen);
	return nul ? (size_t)(nul - from) + 1 : 0;
}

/* 1: a whole record lies at buf.data + at, and *len is its length. */
static int fill(size_t *len, struct pn_history *history, struct pn_error *err)
{
	struct pn_buf *buf = &history->buf;
	bool ended = false;
	size_t seen = 0;

	for (;;) {
		unsigned char *from = buf->data + history->at;
		size_t have = buf->len - history->at;
		ssize_t n;

		*len = record_length(history, from, have, seen, ended);
		if (*len || ended)
			return *len > 0;
		if (have > RECORD_MAX)
			return pn_error_set(err, PN_ELIMIT,
					    "a commit's subject has more than "
					    "%u bytes",
					    RECORD_MAX);
		if (history->at) {
			memmove(buf->data, from, have);
			buf->len = have;
			history->at = 0;
		}
		seen = have;
		do
			n = read(history->process.out,
				 pn_buf_reserve(buf, CHUNK), CHUNK);
		while (n < 0 && errno == EINTR);
		if (n < 0)
			return pn_error_system(err, "cannot read from git log");
		ended = !n;
		buf->len += (size_t)n;
	}
}

/* "<id> <tree> <seconds> <parents>" up to the line's NUL. */
static int parse_fixed(struct pn_commit *out, struct pn_history *history,
		       const char *line)
{
	size_t len = strlen(line);
	size_t digits, n = 0;
	const char *at;

	if (len < 83 || pn_oid_parse(&out->id, line) || line[40] != ' ' ||
	    pn_oid_parse(&out->tree, line + 41) || line[81] != ' ')
		return PN_EINVAL;
	at = line + 82;
	digits = strcspn(at, " ");
	/* A time that no integer holds is left 0. */
	if (!pn_number_int(&out->author_time_s, at, digits))
		out->author_time_s = 0;
	at += digits;
	while (*at == ' ' && at[1]) {
		history->parents =
			pn_grow(history->parents, &history->parent_cap, n + 1,
				sizeof(*history->parents));
		if (strlen(++at) < PN_OID_HEX ||
		    pn_oid_parse(&history->parents[n++], at))
			return PN_EINVAL;
		at += PN_OID_HEX;
	}
	out->parents = history->parents;
	out->parent_count = n;
	return 0;
}

static char *cut_line(char **at)
{
	char *line = *at;
	char *end = line ? strchr(line, '\n') : NULL;

	*at = end ? end + 1 : NULL;
	if (end)
		*end = '\0';
	return line;
}

/* Where no author can be read git writes these two as they are. */
static const char *told(const char *text, const char *placeholder)
{
	return text && strcmp(text, placeholder) != 0 ? text : "";
}

static int parse(struct pn_commit *out, struct pn_history *history, char *text)
{
	struct pn_commit commit = {0};
	char *fixed = cut_line(&text);

	commit.author = told(cut_line(&text), "%aN");
	commit.email = told(cut_line(&text), "%aE");
	commit.subject = text;
	if (!text || strchr(text, '\n') || parse_fixed(&commit, history, fixed))
		return PN_EINVAL;
	*out = commit;
	return 0;
}

/* Whether a record is cut: below the last commit of a graph lines may go on. */
static bool is_cut(const struct pn_history *history)
{
	const char *from = pn_buf_text(&history->buf) + history->at;
	size_t have = history->buf.len - history->at;

	return history->is_drawn ? pn_beside_begins(from, have) : have > 0;
}

static int take(struct pn_commit *out, struct pn_history *history, size_t len)
{
	char *text = (char *)history->buf.data + history->at;
	struct pn_beside *d = &history->drawn;
	int code;

	history->at += len;
	if (!history->is_drawn)
		return parse(out, history, text);
	pn_beside_take(d, text, len);
	code = parse(out, history, (char *)d->text.data);
	out->above = pn_buf_text(&d->above);
	out->beside = pn_buf_text(&d->beside);
	return code;
}

/* From git's output. */
static int read_next(struct pn_commit *out, struct pn_history *history,
		     struct pn_error *err)
{
	size_t len = 0;
	int more;

	if (history->ended)
		return 0;
	more = fill(&len, history, err);
	if (!more && is_cut(history))
		return pn_error_set(err, PN_EINVAL,
				    "git log ended within a commit");
	if (!more)
		return finish(history, err);
	if (more < 0)
		return more;
	if (take(out, history, len))
		return pn_error_set(err, PN_EINVAL,
				    "cannot read git log's output: an option "
				    "among its arguments changes it");
	history->any = true;
	return 1;
}

static int go_on_with_git(struct pn_history *history, struct pn_error *err)
{
	const char *args[PN_DIRECT_ARGS];
	int code;

	pn_direct_args(args, history->direct);
	code = start_git(history, args, err);
	pn_direct_free(history->direct);
	history->direct = NULL;
	history->ended = code != 0;
	return code;
}

int pn_history_next(struct pn_commit *out, struct pn_history *history,
		    struct pn_error *err)
{
	if (history->direct) {
		int code, more = pn_direct_next(out, history->direct);

		if (more >= 0)
			return more;
		code = go_on_with_git(history, err);
		if (code)
			return code;
	}
	return read_next(out, history, err);
}

size_t pn_history_coming(struct pn_oid *out, size_t max,
			 const struct pn_history *history)
{
	const unsigned char *at, *end, *nul;
	size_t n = 0;

	if (history->direct)
		return pn_direct_coming(out, max, history->direct);
	at = history->buf.data + history->at;
	end = history->buf.data + history->buf.len;
	while (!history->is_drawn && n < max && end - at > PN_OID_HEX &&
	       (nul = memchr(at, '\0', (size_t)(end - at)))) {
		if (pn_oid_parse(&out[n], (const char *)at))
			break;
		n++;
		at = nul + 1;
	}
	return n;
}

void pn_history_free(struct pn_history *history)
{
	int status;

	if (!history)
		return;
	/* With its pipe closed git ends at its next write. */
	if (history->running)
		pn_process_wait(&status, &history->process, NULL);
	pn_direct_free(history->direct);
	pn_trace2_leave(PN_TRACE2_HERE, &history->region);
	if (history->said)
		fclose(history->said);
	pn_buf_release(&history->buf);
	pn_beside_release(&history->drawn);
	free(history->parents);
	free(history);
}
