/* Our block in the text of a hook. */
#include "jobs/hooks/file.h"

#include <string.h>

#define BEGIN "# git-perf hooks: begin\n"
#define END "# git-perf hooks: end\n"
/* What a client with a PATH of its own would not notice otherwise. */
#define ABSENT                                                                 \
	"else\n"                                                               \
	"\techo 'warning: git-perf is not on PATH, nothing is measured' >&2\n"
/* A line as of unmeasured.h, for the commit's entry in the log. A rewrite is of
 * several commits, which the worker finds by themselves. */
#define NOTE                                                                   \
	"\t(\n"                                                                \
	"\t\twhy=\"git-perf%20was%20not%20on%20the%20hook's%20PATH\"\n"        \
	"\t\tdir=$(git rev-parse --git-common-dir) &&\n"                       \
	"\t\t\tcommit=$(git rev-parse HEAD) &&\n"                              \
	"\t\t\t{ [ -d \"$dir/perf\" ] || mkdir -p \"$dir/perf\"; } &&\n"       \
	"\t\t\techo \"1 $(date +%s)000000000 $commit $why\" \\\n"              \
	"\t\t\t\t>>\"$dir/perf/unmeasured\"\n"                                 \
	"\t) 2>/dev/null || :\n"
#define OWN "#!/bin/sh\n# Written by 'git perf hooks install'.\n"

#define PUSH "pre-push"

const char *const pn_hook_names[] = {"post-commit", "post-merge",
				     "post-rewrite", NULL};

const char *const pn_hook_push_names[] = {PUSH, NULL};

/* git feeds the pairs of a rewrite, and the refs of a push, to standard input,
 * where the user's own lines want to find them, too: as they were, without a
 * line where there was none, or, on a full disk, not at all. */
static const char feed[] =
	"\tgit_perf_pairs=$(cat)\n"
	"\tgit-perf hooks run %s \"$@\" <<EOF || :\n"
	"$git_perf_pairs\n"
	"EOF\n"
	"\texec </dev/null\n"
	"\t[ -z \"$git_perf_pairs\" ] || exec <<EOF || exit 1\n"
	"$git_perf_pairs\n"
	"EOF\n"
	"\tunset git_perf_pairs\n";

static void add_block(struct pn_buf *out, const char *hook)
{
	bool pushes = !strcmp(hook, PUSH);
	bool feeds = pushes || !strcmp(hook, "post-rewrite");

	pn_buf_add_text(out, BEGIN "if command -v git-perf >/dev/null 2>&1; "
				   "then\n");
	if (feeds)
		pn_buf_printf(out, feed, hook);
	else
		pn_buf_printf(out, "\tgit-perf hooks run %s \"$@\" || :\n",
			      hook);
	if (!pushes)
		pn_buf_add_text(out, ABSENT);
	if (!feeds)
		pn_buf_add_text(out, NOTE);
	pn_buf_add_text(out, "fi\n" END);
}

void pn_hook_file_new(struct pn_buf *out, const char *hook)
{
	pn_buf_add_text(out, OWN);
	add_block(out, hook);
}

void pn_hook_file_line(struct pn_buf *out, const char *hook)
{
	pn_buf_printf(out,
		      "command -v git-perf >/dev/null && git-perf hooks run %s "
		      "\"$@\" || :",
		      hook);
}

/* The line `want` (with its LF) in the text, NULL when it is not there; at the
 * end its LF may be missing. */
static const char *find_line(const char *text, const char *end,
			     const char *want)
{
	size_t len = strlen(want);
	const char *stop;

	for (; text < end; text = stop + 1) {
		stop = memchr(text, '\n', (size_t)(end - text));
		if (!stop)
			stop = end;
		if ((size_t)(stop - text) == len - 1 &&
		    !memcmp(text, want, len - 1))
			return text;
		if (stop == end)
			break;
	}
	return NULL;
}

struct block {
	const char *from, *to; /* both NULL: none */
};

static int find_block(struct block *out, const char *text, size_t len,
		      struct pn_error *err)
{
	const char *end = text + len, *stop;

	out->to = NULL;
	out->from = find_line(text, end, BEGIN);
	if (!out->from)
		return 0;
	stop = find_line(out->from, end, END);
	if (!stop)
		return pn_error_set(err, PN_EINVAL,
				    "the line '# git-perf hooks: end' is gone: "
				    "take the rest of the block out by hand");
	stop += strlen(END);
	out->to = stop < end ? stop : end;
	return 0;
}

static bool is_block(const struct block *block, const char *hook)
{
	struct pn_buf want = {0};
	size_t len = (size_t)(block->to - block->from);
	bool is;

	add_block(&want, hook);
	/* without its last LF it stands where there was none before */
	is = (len == want.len || len == want.len - 1) &&
	     !memcmp(block->from, want.data, len);
	pn_buf_release(&want);
	return is;
}

int pn_hook_file_state(enum pn_hook_state *out, const char *hook,
		       const char *text, size_t len, struct pn_error *err)
{
	struct block block;
	int code = find_block(&block, text, len, err);

	if (code)
		return code;
	if (!block.from)
		*out = PN_HOOK_ABSENT;
	else
		*out = is_block(&block, hook) ? PN_HOOK_PRESENT : PN_HOOK_OTHER;
	return 0;
}

/* The word at *at, which moves behind it; its length. */
static size_t word(const char **at, const char *end)
{
	const char *from;

	while (*at < end && (**at == ' ' || **at == '\t'))
		(*at)++;
	from = *at;
	while (*at < end && **at != ' ' && **at != '\t')
		(*at)++;
	return (size_t)(*at - from);
}

/* The program of "#!/bin/sh -e", "#! /usr/bin/env -S bash -e": borrowed. */
static const char *interpreter(size_t *len, const char *line, const char *end)
{
	const char *at = line + 2, *name;
	size_t n = word(&at, end);

	for (;;) {
		name = at - n;
		for (const char *p = name; p < at; p++)
			if (*p == '/')
				name = p + 1;
		*len = (size_t)(at - name);
		/* env runs the first word that is neither option nor
		 * assignment, busybox its first one */
		if (!(*len == 3 && !memcmp(name, "env", 3)) &&
		    !(*len == 7 && !memcmp(name, "busybox", 7)))
			return name;
		do
			n = word(&at, end);
		while (n && (*(at - n) == '-' || memchr(at - n, '=', n)));
		if (!n)
			return name;
	}
}

static bool is_shell(const char *name, size_t len)
{
	static const char *const shells[] = {"sh",  "bash", "dash", "ash",
					     "ksh", "mksh", "zsh",  NULL};
	size_t i;

	for (i = 0; shells[i]; i++)
		if (strlen(shells[i]) == len && !memcmp(shells[i], name, len))
			return true;
	return false;
}

/* Where the block goes: behind the first line when that is "#!". Without one
 * git has sh run it (execve(2) says ENOEXEC), if it is text. */
static int find_place(const char **out, const char *text, size_t len,
		      struct pn_error *err)
{
	const char *end = text + len, *stop, *name;
	size_t n;

	if (memchr(text, '\0', len))
		return pn_error_set(err, PN_EREFUSED, "it is a binary");
	*out = text;
	if (len < 2 || text[0] != '#' || text[1] != '!')
		return 0;
	stop = memchr(text, '\n', len);
	if (!stop)
		stop = end;
	name = interpreter(&n, text, stop);
	if (!is_shell(name, n))
		return pn_error_set(err, PN_EREFUSED,
				    "it is no shell script but one of '%.*s'",
				    n < 60 ? (int)n : 60, name);
	*out = stop < end ? stop + 1 : end;
	return 0;
}

int pn_hook_file_add(struct pn_buf *out, const char *hook, const char *text,
		     size_t len, struct pn_error *err)
{
	const char *end = text + len, *place = text, *rest;
	struct block block;
	int code = find_block(&block, text, len, err);
	bool open_line;

	if (!code && !block.from)
		code = find_place(&place, text, len, err);
	if (code)
		return code;
	rest = block.from ? block.to : place;
	if (block.from)
		place = block.from;
	pn_buf_add(out, text, (size_t)(place - text));
	/* a text of one line without its LF */
	open_line = place > text && place[-1] != '\n';
	if (open_line)
		pn_buf_add_byte(out, '\n');
	add_block(out, hook);
	if (open_line || (block.from && rest[-1] != '\n'))
		out->len--;
	pn_buf_add(out, rest, (size_t)(end - rest));
	return 0;
}

int pn_hook_file_remove(struct pn_buf *out, bool *alone, const char *text,
			size_t len, struct pn_error *err)
{
	const char *end = text + len, *from;
	struct block block;
	int code = find_block(&block, text, len, err);

	if (code)
		return code;
	from = block.from ? block.from : end;
	/* its LF was ours when the block has none */
	if (block.from && block.to[-1] != '\n' && from > text)
		from--;
	pn_buf_add(out, text, (size_t)(from - text));
	if (block.from)
		pn_buf_add(out, block.to, (size_t)(end - block.to));
	*alone = block.from && out->len == strlen(OWN) &&
		 !memcmp(out->data, OWN, out->len);
	return 0;
}
