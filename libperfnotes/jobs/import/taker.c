/* Results as records. */
#include "jobs/import/taker.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/number.h"
#include "model/twice.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS PN_IMPORT_DIGITS
#define DOUBTS_MAX 100

void pn_import_doubt(struct pn_import_taker *t, const char *format, ...)
{
	char line[1024], *at;
	va_list args;

	if (++t->doubt_count > DOUBTS_MAX)
		return;
	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	for (at = line; (at = strchr(at, '\n'));)
		*at = ' ';
	pn_buf_add_text(t->doubts, line);
	pn_buf_add_byte(t->doubts, '\n');
}

static void add_number(struct pn_buf *out, double value)
{
	char text[PN_NUMBER_TEXT];

	pn_number_write(text, value, false);
	pn_buf_add_text(out, text);
	pn_buf_add_byte(out, ' ');
}

static void digest(char out[DIGITS + 1], const struct pn_buf *text)
{
	unsigned char sum[32];
	size_t i;

	pn_hash_sha256(sum, pn_buf_text(text), text->len);
	for (i = 0; i < DIGITS / 2; i++)
		snprintf(out + 2 * i, 3, "%02x", sum[i]);
}

/* Whether a text is new; it is there from then on. */
static bool learn(struct pn_strtab *tab, const struct pn_buf *text)
{
	size_t had;

	pn_strtab_add_text(tab, "");
	had = tab->count;
	pn_strtab_add(tab, pn_buf_text(text), text->len);
	return tab->count > had;
}

/* Of how many it is the last one, in place. */
static size_t *times_of(struct pn_import_taker *t, const struct pn_buf *text)
{
	size_t had = t->times_cap;
	uint32_t id = 0;

	pn_strtab_find(&id, &t->met, pn_buf_text(text), text->len);
	t->times = pn_grow(t->times, &t->times_cap, (size_t)id + 1,
			   sizeof(*t->times));
	memset(t->times + had, 0, (t->times_cap - had) * sizeof(*t->times));
	return &t->times[id];
}

/* Of two that nothing else tells apart the second one is "#2". */
static void name_source(char out[DIGITS + 1], struct pn_import_taker *t,
			const struct pn_past_result *result)
{
	struct pn_buf text = {0};
	size_t len, n, *times;

	pn_buf_printf(&text, "%s\n%s\n%s", t->format, result->commit,
		      result->source);
	len = text.len;
	if (!learn(&t->met, &text)) {
		times = times_of(t, &text);
		n = *times ? *times : 1;
		do {
			text.len = len;
			pn_buf_printf(&text, "#%zu", ++n);
		} while (!learn(&t->met, &text));
		*times = n;
	}
	digest(out, &text);
	pn_buf_release(&text);
}

/* Its figures and its time. */
static void name_content(char out[DIGITS + 1], const struct pn_profile *p)
{
	struct pn_buf text = {0};
	size_t i, k;

	pn_buf_printf(&text, "%lld\n", (long long)p->time_ns);
	for (i = 0; i < p->metric_count; i++) {
		const struct pn_metric *m = &p->metrics[i];

		pn_buf_printf(&text, "%s\n%s\n", pn_profile_text(p, m->name),
			      pn_profile_text(p, m->unit));
		for (k = 0; k < m->value_count; k++)
			add_number(&text, m->values[k]);
		pn_buf_add_byte(&text, '\n');
	}
	digest(out, &text);
	pn_buf_release(&text);
}

/* Commits that are not here are asked for once. */
static bool find_commit(struct pn_oid *out, struct pn_commit_facts *facts,
			struct pn_import_taker *t, const char *commit)
{
	struct pn_buf text = {0};
	struct pn_error err;
	uint32_t id;
	bool found;

	if (pn_strtab_find(&id, &t->none, commit, strlen(commit)))
		return false;
	found = strlen(commit) == PN_OID_HEX && !pn_oid_parse(out, commit) &&
		!pn_repo_commit_facts(facts, t->request->repo, out, &err);
	pn_buf_add_text(&text, *commit ? commit : "(no commit)");
	if (!found)
		learn(&t->none, &text);
	pn_buf_release(&text);
	return found;
}

/* What was imported of this source before, unless it is the same: whether it
 * is. */
static int look_back(bool *already, struct pn_import_taker *t,
		     const struct pn_oid *commit, const char *label,
		     struct pn_error *err)
{
	const struct pn_entry *entries;
	struct pn_arena arena = {0};
	size_t i, count = 0;
	int code = pn_store_entries(&entries, &count, NULL, &arena, t->notes,
				    commit, err);

	*already = false;
	for (i = 0; !code && i < count; i++) {
		struct pn_import_replaced old = {.commit = *commit};
		const char *had =
			pn_entry_field(&entries[i], "l." PN_IMPORT_LABEL);

		if (strncmp(had, label, DIGITS + 1) != 0)
			continue;
		if (!*already && !strcmp(had, label)) {
			*already = true;
			continue;
		}
		memcpy(old.id, entries[i].id, sizeof(old.id));
		pn_buf_add(&t->replaced, &old, sizeof(old));
	}
	pn_arena_release(&arena);
	return code;
}

static int store(struct pn_import_taker *t, const struct pn_past_result *result,
		 const struct pn_oid *commit, const struct pn_oid *tree,
		 const char *label, struct pn_error *err)
{
	const struct pn_text_pair pair = {PN_IMPORT_LABEL, label};
	const struct pn_record_options options = {
		.labels = &pair,
		.label_count = 1,
		.max_bytes = t->request->max_bytes};
	struct pn_buf where = {0};
	struct pn_record record = {0};
	int code =
		pn_record_from_profile(&record, result->profile, &options, err);

	record.commit = *commit;
	record.tree = *tree;
	if (!code && !t->request->dry_run)
		code = pn_batch_add(t->batch, &record, err);
	pn_record_release(&record);
	if (!code) {
		t->counts->stored++;
		pn_buf_add_text(&where, result->commit);
		t->counts->commits += learn(&t->known, &where);
	}
	pn_buf_release(&where);
	if (code != PN_EINVAL && code != PN_ELIMIT)
		return code;
	pn_import_doubt(t, "a result of commit %.10s: %s", result->commit,
			err->message);
	t->counts->broken++;
	return 0;
}

int pn_import_take(void *to, const struct pn_past_result *result,
		   struct pn_error *err)
{
	char label[2 * DIGITS + 2];
	struct pn_import_taker *t = to;
	struct pn_commit_facts facts;
	struct pn_oid commit;
	bool already;
	int code;

	if (!find_commit(&commit, &facts, t, result->commit)) {
		t->counts->skipped++;
		return 0;
	}
	name_source(label, t, result);
	label[DIGITS] = '.';
	name_content(label + DIGITS + 1, result->profile);
	code = look_back(&already, t, &commit, label, err);
	if (code)
		return code;
	if (already) {
		t->counts->already++;
		return 0;
	}
	return store(t, result, &commit, &facts.tree, label, err);
}

static int by_commit(const void *a, const void *b)
{
	const struct pn_import_replaced *x = a, *y = b;

	return pn_oid_cmp(&x->commit, &y->commit);
}

/* One that somebody else took out meanwhile is no loss. */
static int remove_one(struct pn_repo *repo,
		      const struct pn_import_replaced *old, size_t count,
		      struct pn_error *err)
{
	const char **ids = calloc(count, sizeof(*ids));
	size_t i;
	int code;

	if (!ids)
		return pn_error_set(err, PN_ELIMIT, "out of memory");
	for (i = 0; i < count; i++)
		ids[i] = old[i].id;
	code = pn_store_remove(repo, &old->commit, ids, count, err);
	free(ids);
	return code == PN_ENOTFOUND ? 0 : code;
}

int pn_import_finish(struct pn_import_taker *t, struct pn_error *err)
{
	struct pn_import_replaced *old = (void *)t->replaced.data;
	size_t i, n, count = t->replaced.len / sizeof(*old);
	int code = 0;

	t->doubt_count = 0; /* the last one is said in any case */
	if (t->none.count > 1)
		pn_import_doubt(t,
				"commits that are not in this repository are "
				"left out: %zu, the first is %.40s",
				t->none.count - 1, pn_strtab_text(&t->none, 1));
	if (t->request->dry_run)
		return 0;
	code = pn_batch_commit(t->batch, err);
	if (count)
		qsort(old, count, sizeof(*old), by_commit);
	for (i = 0; !code && i < count; i += n) {
		for (n = 1; i + n < count; n++)
			if (by_commit(&old[i], &old[i + n]))
				break;
		code = remove_one(t->request->repo, old + i, n, err);
	}
	return code;
}

void pn_import_taker_release(struct pn_import_taker *t)
{
	pn_batch_free(t->batch);
	pn_notes_free(t->notes);
	pn_strtab_release(&t->met);
	free(t->times);
	pn_strtab_release(&t->known);
	pn_strtab_release(&t->none);
	pn_buf_release(&t->replaced);
}
