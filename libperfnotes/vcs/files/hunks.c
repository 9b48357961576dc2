/* Lines that a change touches. */
#include "vcs/files/hunks.h"

#include "base/alloc.h"
#include "vcs/child.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Where the parser is. */
struct reading {
	struct pn_hunks *out;
	const char *path; /* of the old side; NULL: there is none */
	bool in_head;	  /* of a file, in front of its hunks */
	bool begins;	  /* the next line is a hunk's first */
};

static void add_file(struct pn_hunks *out, const char *path)
{
	out->files = pn_grow(out->files, &out->file_cap, out->file_count + 1,
			     sizeof(const char *));
	out->files[out->file_count++] = path;
}

/* A path behind "--- a/" or "+++ b/"; NULL: /dev/null, or one in quotes, which
 * no profile has. */
static const char *path_of(struct pn_hunks *out, const char *line, size_t len,
			   const char *prefix)
{
	size_t skip = strlen(prefix);

	if (len <= skip || memcmp(line, prefix, skip) != 0)
		return NULL;
	len -= line[len - 1] == '\t'; /* behind a name with blanks */
	return pn_arena_copy(&out->arena, line + skip, len - skip);
}

static uint32_t number(const char **at, uint32_t none)
{
	char *end;
	unsigned long value = strtoul(*at, &end, 10);

	if (end == *at)
		return none;
	*at = end;
	return value < UINT32_MAX / 2 ? (uint32_t)value : 0;
}

/* "@@ -10,2 +12,3 @@ static int f(void)" */
static int read_head(struct reading *r, const char *line, size_t len,
		     struct pn_error *err)
{
	struct pn_hunks *out = r->out;
	struct pn_hunk hunk = {.path = r->path, .count = 1, .context = ""};
	const char *at, *copy = pn_arena_copy(&out->arena, line, len);

	if (!r->path)
		return 0;
	if (out->count >= PN_HUNKS_MAX)
		return pn_error_set(err, PN_ELIMIT,
				    "a change of more than %d places",
				    PN_HUNKS_MAX);
	at = copy + strlen("@@ -");
	hunk.line = number(&at, 0);
	if (*at == ',') {
		at++;
		hunk.count = number(&at, 1);
	}
	at = strstr(at, " @@ ");
	if (at)
		hunk.context = at + strlen(" @@ ");
	out->items = pn_grow(out->items, &out->cap, out->count + 1,
			     sizeof(*out->items));
	out->items[out->count++] = hunk;
	r->begins = true;
	return 0;
}

/* The first line of a hunk that is not blank tells where it stands. */
static void read_change(struct reading *r, const char *line, size_t len)
{
	size_t i = 1;

	if (!r->begins)
		return;
	while (i < len && isspace((unsigned char)line[i]))
		i++;
	if (i == len)
		return;
	r->begins = false;
	r->out->items[r->out->count - 1].at_top =
		i == 1 && (isalpha((unsigned char)line[1]) || line[1] == '_');
}

/* "Binary files a/x and b/x differ" */
static void read_binary(struct pn_hunks *out, const char *line, size_t len)
{
	static const char prefix[] = "Binary files ", suffix[] = " differ";
	size_t name, around = strlen(prefix) + strlen(suffix), at;

	if (len <= around + strlen("a/ and b/") ||
	    memcmp(line, prefix, strlen(prefix)) != 0)
		return;
	len -= strlen(suffix);
	/* the longest end that is a path: of equal names the second half */
	name = (len - strlen(prefix) - strlen("a/ and b/")) / 2;
	at = len - name;
	if (at < 3 || memcmp(line + at - 3, " b/", 3) != 0)
		for (at = strlen(prefix); at < len; at++)
			if (line[at] == '/' && at > 2 &&
			    (!memcmp(line + at - 2, " b", 2) ||
			     !memcmp(line + at - 2, " a", 2))) {
				at++;
				break;
			}
	name = len - at;
	if (name > strlen(" and /dev/null") &&
	    !memcmp(line + len - strlen(" and /dev/null"), " and /dev/null",
		    strlen(" and /dev/null")))
		name -= strlen(" and /dev/null");
	out->binaries = pn_grow(out->binaries, &out->binary_cap,
				out->binary_count + 1, sizeof(const char *));
	out->binaries[out->binary_count++] =
		pn_arena_copy(&out->arena, line + at, name);
}

static int read_line(struct reading *r, const char *line, size_t len,
		     struct pn_error *err)
{
	const char *path;

	if (len > 4 && !memcmp(line, "@@ -", 4)) {
		r->in_head = false;
		return read_head(r, line, len, err);
	}
	if (len > 4 && !memcmp(line, "diff ", 5)) {
		r->path = NULL;
		r->in_head = true;
		r->begins = false;
	} else if (len > 4 && !memcmp(line, "--- ", 4) && r->in_head) {
		r->path = path_of(r->out, line, len, "--- a/");
		if (r->path)
			add_file(r->out, r->path);
	} else if (len > 4 && !memcmp(line, "+++ ", 4) && r->in_head) {
		path = r->path ? NULL : path_of(r->out, line, len, "+++ b/");
		if (path)
			add_file(r->out, path);
	} else if (len && *line == 'B') {
		read_binary(r->out, line, len);
	} else if (len && (*line == '-' || *line == '+')) {
		read_change(r, line, len);
	}
	return 0;
}

int pn_hunks_parse(struct pn_hunks *out, const struct pn_buf *text,
		   struct pn_error *err)
{
	struct reading r = {.out = out, .in_head = true};
	const char *at = pn_buf_text(text), *end = at + text->len, *stop;
	int code = 0;

	for (; !code && at < end; at = stop + 1) {
		stop = memchr(at, '\n', (size_t)(end - at));
		if (!stop)
			stop = end;
		code = read_line(&r, at, (size_t)(stop - at), err);
	}
	return code;
}

int pn_hunks_read(struct pn_hunks *out, struct pn_repo *repo,
		  const struct pn_oid *from, const struct pn_oid *to,
		  bool cached, struct pn_error *err)
{
	char a[PN_OID_HEX + 1], b[PN_OID_HEX + 1], said[1024];
	const char *argv[] = {"git",
			      "-c",
			      "core.quotePath=false",
			      "-c",
			      "diff.suppressBlankEmpty=false",
			      "diff",
			      "--unified=0",
			      "--find-renames",
			      "--no-color",
			      "--no-ext-diff",
			      "--no-textconv",
			      "--src-prefix=a/",
			      "--dst-prefix=b/",
			      "--ignore-submodules",
			      "--inter-hunk-context=0",
			      cached ? "--cached" : "--patch",
			      a,
			      to ? b : "--",
			      to ? "--" : NULL,
			      NULL};
	struct pn_buf text = {0};
	int status = 0, code;

	pn_oid_hex(a, from);
	if (to)
		pn_oid_hex(b, to);
	code = pn_child_run(&text, said, &status, repo, argv, err);
	if (!code && status)
		code = pn_error_set(err, PN_EIO, "%s", pn_child_said(said));
	if (!code)
		code = pn_hunks_parse(out, &text, err);
	pn_buf_release(&text);
	return code;
}

void pn_hunks_release(struct pn_hunks *hunks)
{
	free(hunks->items);
	free(hunks->files);
	free(hunks->binaries);
	pn_arena_release(&hunks->arena);
	*hunks = (struct pn_hunks){.count = 0};
}

int pn_hunks_paths(struct pn_buf *out, struct pn_repo *repo,
		   const struct pn_oid *from, const struct pn_oid *to,
		   struct pn_error *err)
{
	char a[PN_OID_HEX + 1], b[PN_OID_HEX + 1], said[1024];
	const char *argv[] = {"git",
			      "diff",
			      "--name-only",
			      "-z",
			      "--no-renames",
			      "--ignore-submodules=none",
			      a,
			      b,
			      "--",
			      NULL};
	int status = 0, code;

	pn_oid_hex(a, from);
	pn_oid_hex(b, to);
	code = pn_child_run(out, said, &status, repo, argv, err);
	if (!code && status)
		code = pn_error_set(err, PN_EIO, "%s", pn_child_said(said));
	return code;
}
