/* The commits that a bisection looks at. */
#include "jobs/bisect/line.h"

#include "base/alloc.h"
#include "detect/bisect/prior.h"
#include "vcs/walk/history.h"
#include "vcs/walk/touched.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_commit(struct pn_bisect_line *line,
		       const struct pn_commit *commit)
{
	size_t at = line->count, cap = line->cap;

	line->commits = pn_grow(line->commits, &line->cap, at + 1,
				sizeof(*line->commits));
	if (line->cap != cap) {
		line->trees = pn_realloc_array(line->trees, line->cap,
					       sizeof(*line->trees));
		line->second_parents =
			pn_realloc_array(line->second_parents, line->cap,
					 sizeof(*line->second_parents));
	}
	line->commits[at] = (struct pn_bisected_commit){
		commit->id,
		pn_arena_copy(&line->arena, commit->subject,
			      strlen(commit->subject)),
		commit->parent_count > 1};
	line->trees[at] = commit->tree;
	line->second_parents[at] = commit->parent_count > 1
					   ? commit->parents[1]
					   : (struct pn_oid){0};
	line->count++;
}

/* Newest first, as git walks. *joins: whether the last one's first parent is
 * `good`, which comes behind it. */
static int walk(struct pn_bisect_line *line, bool *joins, struct pn_repo *repo,
		const struct pn_oid *good, const struct pn_oid *bad,
		struct pn_error *err)
{
	char from[PN_OID_HEX + 1], to[PN_OID_HEX + 1];
	char range[2 * PN_OID_HEX + 3];
	const char *args[] = {"--first-parent", range, "--", NULL};
	const char *end[] = {"-n1", from, "--", NULL};
	struct pn_history *history = NULL;
	struct pn_commit commit;
	int code, more = 0, part;

	pn_oid_hex(from, good);
	pn_oid_hex(to, bad);
	snprintf(range, sizeof(range), "%s..%s", from, to);
	*joins = false;
	for (part = 0; part < 2; part++) {
		code = pn_history_open(&history, repo, part ? end : args, err);
		while (!code &&
		       (more = pn_history_next(&commit, history, err)) > 0) {
			add_commit(line, &commit);
			if (!part)
				*joins = commit.parent_count &&
					 pn_oid_equal(&commit.parents[0], good);
			if (line->count > PN_BISECT_MAX)
				code = pn_error_set(
					err, PN_ELIMIT,
					"more than %d commits between the ends",
					PN_BISECT_MAX);
		}
		pn_history_free(history);
		history = NULL;
		if (code || more < 0)
			return code ? code : more;
	}
	return 0;
}

static int refuse(struct pn_repo *repo, const struct pn_oid *good,
		  const struct pn_oid *bad, struct pn_error *err)
{
	char a[PN_OID_HEX + 1], b[PN_OID_HEX + 1], c[PN_OID_HEX + 1];
	struct pn_oid base;
	int code = pn_touched_base(&base, repo, good, bad, err);

	if (code)
		return code;
	pn_oid_hex(a, good);
	pn_oid_hex(b, bad);
	pn_oid_hex(c, &base);
	if (pn_oid_equal(good, bad))
		return pn_error_set(err, PN_EINVAL,
				    "both ends are %.10s: need two commits", a);
	if (pn_oid_equal(&base, bad))
		return pn_error_set(err, PN_EINVAL,
				    "%.10s comes after %.10s: the good commit "
				    "stands first",
				    a, b);
	if (pn_oid_is_zero(&base))
		return pn_error_set(err, PN_EINVAL,
				    "%.10s and %.10s have no ancestor in "
				    "common",
				    a, b);
	return pn_error_set(err, PN_EINVAL,
			    "%.10s is not among the first parents of %.10s: "
			    "they part at %.10s",
			    a, b, c);
}

static void reverse(void *items, size_t size, size_t count)
{
	unsigned char *bytes = items, swap[128];
	size_t i;

	for (i = 0; i < count / 2; i++) {
		memcpy(swap, bytes + i * size, size);
		memcpy(bytes + i * size, bytes + (count - 1 - i) * size, size);
		memcpy(bytes + (count - 1 - i) * size, swap, size);
	}
}

/* The files of a commit, one after the other. */
struct touched {
	const char *at, *end;
};

/* The index of the commit whose id follows; SIZE_MAX for none. Texts run in
 * the order of the line turned round. */
static size_t next_commit(struct touched *t, const struct pn_bisect_line *line,
			  size_t before)
{
	struct pn_oid id;

	while (t->at < t->end && *t->at != '\1')
		t->at++;
	if (t->end - t->at <= PN_OID_HEX || pn_oid_parse(&id, t->at + 1))
		return SIZE_MAX;
	t->at += 1 + PN_OID_HEX;
	while (before-- > 1)
		if (pn_oid_equal(&line->commits[before].id, &id))
			return before;
	return SIZE_MAX;
}

/* A line that is not empty, up to the next commit; NUL is put behind it. */
static const char *next_file(struct touched *t, struct pn_buf *path)
{
	const char *from;

	while (t->at < t->end && *t->at == '\n')
		t->at++;
	if (t->at == t->end || *t->at == '\1')
		return NULL;
	for (from = t->at; t->at < t->end && *t->at != '\n';)
		t->at++;
	pn_buf_clear(path);
	pn_buf_add(path, from, (size_t)(t->at - from));
	return pn_buf_text(path);
}

static bool is_explaining(const struct pn_why *why, const char *path)
{
	size_t i;

	for (i = 0; i < why->row_count; i++)
		if (pn_prior_is_file(path, why->rows[i].file))
			return true;
	return false;
}

/* Without `why` by documentation alone. */
static int weigh(struct pn_bisect_line *line, struct pn_repo *repo,
		 const struct pn_why *why, struct pn_error *err)
{
	struct pn_buf text = {0}, path = {0};
	size_t commit = line->count;
	struct touched t;
	int code = pn_touched_read(&text, repo, &line->commits[0].id,
				   &line->commits[line->count - 1].id, err);

	t.at = pn_buf_text(&text);
	t.end = t.at + text.len;
	while (!code && (commit = next_commit(&t, line, commit)) != SIZE_MAX) {
		bool documents = true, explains = false;
		const char *file;

		while ((file = next_file(&t, &path))) {
			documents = documents && pn_prior_is_document(file);
			explains |= why && is_explaining(why, file);
		}
		line->weights[commit] = documents  ? PN_PRIOR_DOCUMENTS
					: explains ? PN_PRIOR_TOUCHES
						   : 1;
	}
	pn_buf_release(&text);
	pn_buf_release(&path);
	return code;
}

int pn_bisect_line_read(struct pn_bisect_line *out, struct pn_repo *repo,
			const struct pn_oid *good, const struct pn_oid *bad,
			struct pn_error *err)
{
	struct pn_bisect_line line = {.commits = NULL};
	bool joins = false;
	size_t i;
	int code = walk(&line, &joins, repo, good, bad, err);

	if (!code && !joins)
		code = refuse(repo, good, bad, err);
	if (code) {
		pn_bisect_line_release(&line);
		return code;
	}
	reverse(line.commits, sizeof(*line.commits), line.count);
	reverse(line.trees, sizeof(*line.trees), line.count);
	reverse(line.second_parents, sizeof(*line.second_parents), line.count);
	line.weights = pn_calloc(line.count, sizeof(*line.weights));
	for (i = 0; i < line.count; i++)
		line.weights[i] = 1;
	code = weigh(&line, repo, NULL, err);
	if (code)
		pn_bisect_line_release(&line);
	else
		*out = line;
	return code;
}

int pn_bisect_line_weigh(struct pn_bisect_line *line, struct pn_repo *repo,
			 const struct pn_why *why, struct pn_error *err)
{
	return weigh(line, repo, why, err);
}

void pn_bisect_line_release(struct pn_bisect_line *line)
{
	free(line->commits);
	free(line->trees);
	free(line->second_parents);
	free(line->weights);
	pn_arena_release(&line->arena);
	*line = (struct pn_bisect_line){.commits = NULL};
}
