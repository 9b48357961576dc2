/* Commits and their figures as a report shows them: taking them in. */
#include "analysis/reported/reported.h"

#include "base/alloc.h"
#include "base/text/utf8.h"

#include <stdlib.h>
#include <string.h>

#define OTHERS_MAX 10000 /* lines that are counted only */

/* Bounded: a note may hold megabytes of a text. */
static const char *keep(struct pn_reported *out, const char *text)
{
	size_t len = strlen(text);

	if (len > PN_REPORTED_TEXT) {
		len = PN_REPORTED_TEXT;
		while (len && pn_utf8_is_tail((unsigned char)text[len]))
			len--;
	}
	return pn_arena_copy(&out->arena, text, len);
}

/* Of each job that failed there the reason, the first one in words. */
static const char *skip_of(struct pn_reported *out,
			   const struct pn_log_row *row)
{
	size_t i;

	for (i = 0; i < row->row_count; i++)
		if (row->rows[i].failed)
			return keep(out, pn_entry_field(row->rows[i].entry,
							"reason"));
	return row->unmeasured ? keep(out, row->unmeasured) : NULL;
}

static const char *told(struct pn_reported *out, const struct pn_accepted *a)
{
	struct pn_buf text = {0};
	const char *kept;

	pn_buf_printf(&text, "%s: %s", a->by, a->reason);
	kept = keep(out, pn_buf_text(&text));
	pn_buf_release(&text);
	return kept;
}

/* The row's memory ends with its commit. */
static void add_accepted(struct pn_reported *out,
			 const struct pn_accepted *given, size_t number)
{
	struct pn_accepted *a = pn_arena_alloc(&out->arena, sizeof(*a));

	*a = (struct pn_accepted){.by = keep(out, given->by),
				  .reason = keep(out, given->reason),
				  .series = keep(out, given->series),
				  .metric = keep(out, given->metric),
				  .since = keep(out, given->since)};
	out->accepted =
		pn_grow(out->accepted, &out->accepted_cap,
			out->accepted_count + 1, sizeof(*out->accepted));
	out->accepted[out->accepted_count++] =
		(struct pn_mark_accepted){a, number, number};
}

static struct pn_courses *courses_of(struct pn_reported *out,
				     const char *machine)
{
	size_t i;

	for (i = 0; i < out->machine_count; i++)
		if (!strcmp(out->machine_names[i], machine))
			return &out->machines[i];
	if (i == PN_REPORTED_MACHINES)
		return NULL;
	out->machine_names[i] =
		pn_arena_copy(&out->arena, machine, strlen(machine));
	return &out->machines[out->machine_count++];
}

/* Lines of machines that a report has no room for, each counted once. */
static void count_lines(struct pn_reported *out, const struct pn_figure *list,
			size_t count)
{
	struct pn_buf key = {0};
	size_t i;

	for (i = 0; i < count && out->others.count < OTHERS_MAX; i++) {
		const struct pn_series *s = &list[i].series;

		pn_buf_clear(&key);
		pn_buf_printf(&key, "%s\n%s\n%s\n%s\n%s\n%s\n%s", s->job,
			      s->cmd, s->args, s->workload, s->collector,
			      s->machine, list[i].metric);
		pn_strtab_add(&out->others, key.data, key.len);
	}
	pn_buf_release(&key);
}

/* Series of another machine are other lines: courses of a machine are by
 * themselves. Returns how many figures its lines have no room for. */
static size_t add_figures(struct pn_reported *out, const struct pn_figure *all,
			  size_t count, size_t number)
{
	struct pn_figure *own = pn_calloc(count + 1, sizeof(*own));
	bool *taken = pn_calloc(count + 1, sizeof(*taken));
	size_t i, k, n, beyond = 0;

	for (i = 0; i < count; i++) {
		const char *machine = all[i].series.machine;
		struct pn_courses *courses;
		size_t had;

		if (taken[i])
			continue;
		for (n = 0, k = i; k < count; k++)
			if (!taken[k] &&
			    !strcmp(all[k].series.machine, machine)) {
				own[n++] = all[k];
				taken[k] = true;
			}
		courses = courses_of(out, machine);
		if (!courses) {
			count_lines(out, own, n);
			continue;
		}
		had = courses->unknown;
		pn_courses_begin(courses, own, n, number);
		beyond += courses->unknown - had;
	}
	free(own);
	free(taken);
	return beyond;
}

/* Of a commit that was measured before it was rewritten it says that, too; upon
 * another tree that is no figure of it. */
static const char *subject_of(struct pn_reported *out,
			      const struct pn_log_row *row)
{
	const struct pn_entry *newest = row->entries;
	char hex[PN_OID_HEX + 1];
	struct pn_buf text = {0};
	const char *kept;
	bool alike;

	if (!row->entry_count || pn_oid_equal(&newest->commit, &row->commit))
		return keep(out, row->subject);
	alike = !pn_oid_equal(&newest->tree, &row->tree);
	if (alike && !out->alike++)
		out->alike_at = newest->commit;
	pn_oid_hex(hex, &newest->commit);
	pn_buf_printf(&text, "(measured at %.10s%s) %s", hex,
		      alike ? ", another tree" : "", row->subject);
	kept = keep(out, pn_buf_text(&text));
	pn_buf_release(&text);
	return kept;
}

void pn_reported_add(struct pn_reported *out, const struct pn_log_row *row)
{
	struct pn_arena arena = {0};
	struct pn_reported_commit *c;
	const struct pn_figure *figures;
	size_t i, count, beyond, number = out->count;

	out->commits = pn_grow(out->commits, &out->cap, out->count + 1,
			       sizeof(*out->commits));
	c = &out->commits[out->count++];
	figures = pn_log_row_headlines(&count, &arena, row, true);
	*c = (struct pn_reported_commit){.id = row->commit,
					 .author_time_s = row->author_time_s,
					 .author = keep(out, row->author),
					 .subject = subject_of(out, row),
					 .measured = count > 0,
					 .skip = skip_of(out, row)};
	for (i = 0; i < row->accepted_count; i++)
		add_accepted(out, &row->accepted[i], number);
	if (row->accepted_count)
		c->accepted = told(out, &row->accepted[0]);
	beyond = count ? add_figures(out, figures, count, number) : 0;
	if (beyond > out->beyond)
		out->beyond = beyond;
	pn_arena_release(&arena);
}

void pn_reported_release(struct pn_reported *r)
{
	size_t i;

	for (i = 0; i < r->machine_count; i++)
		pn_courses_release(&r->machines[i]);
	free(r->commits);
	free(r->accepted);
	free(r->lines);
	free(r->marks);
	pn_strtab_release(&r->others);
	pn_arena_release(&r->arena);
	memset(r, 0, sizeof(*r));
}
