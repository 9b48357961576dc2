/* The functions of a report of pstats, those of equal names united. */
#include "analysis/pstats/steps.h"

#include "base/alloc.h"
#include "base/strtab.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct work {
	struct pn_pstats *out;
	const struct pn_profile *p;
	const struct pn_calltable *table;
	bool strip_dirs;
	struct pn_strtab keys; /* file, line and name, as bytes */
	uint32_t *of_row;      /* functions */
};

/* A call of `of` by call.function, while they are gathered. */
struct gathered {
	uint32_t of;
	struct pn_pstats_call call;
};

/* ("jprofile", 0, "profiler") calls what the module profile was to run. */
static bool is_profiler(const struct pn_pstats_function *f)
{
	return !f->line && !strcmp(f->file, "jprofile") &&
	       !strcmp(f->name, "profiler");
}

static void name_function(struct work *w, struct pn_pstats_function *f)
{
	struct pn_buf text = {0};
	bool built_in = f->file_len == 1 && *f->file == '~' && !f->line;

	if (!built_in) {
		pn_buf_add(&text, f->file, f->file_len);
		pn_buf_printf(&text, ":%" PRId64 "(", f->line);
		pn_buf_add(&text, f->name, f->name_len);
		pn_buf_add_byte(&text, ')');
	} else if (f->name_len > 1 && *f->name == '<' &&
		   f->name[f->name_len - 1] == '>') {
		pn_buf_add_byte(&text, '{');
		pn_buf_add(&text, f->name + 1, f->name_len - 2);
		pn_buf_add_byte(&text, '}');
	} else {
		pn_buf_add(&text, f->name, f->name_len);
	}
	f->text_len = text.len;
	f->text = pn_arena_copy(&w->out->arena, pn_buf_text(&text), text.len);
	pn_buf_release(&text);
}

static void new_function(struct work *w, const struct pn_buf *key,
			 size_t file_len, int64_t line)
{
	struct pn_pstats *out = w->out;
	struct pn_pstats_function *f = &out->functions[out->count++];
	const char *bytes = pn_arena_copy(&out->arena, key->data, key->len);

	/* the key is file NUL name NUL line, its copy ends with the line */
	*f = (struct pn_pstats_function){.file = bytes, .line = line};
	f->file_len = file_len;
	f->name = bytes + file_len + 1;
	f->name_len = key->len - sizeof(line) - 1 - (file_len + 1);
	name_function(w, f);
}

static uint32_t find_function(struct work *w, struct pn_buf *key,
			      const struct pn_calltable_row *row)
{
	const char *file = pn_profile_text(w->p, row->file);
	size_t len = pn_strtab_len(&w->p->strings, row->file), had;
	size_t from = len;
	uint32_t id;

	while (w->strip_dirs && from && file[from - 1] != '/')
		from--;
	if (!w->strip_dirs)
		from = 0;
	pn_buf_clear(key);
	pn_buf_add(key, file + from, len - from);
	pn_buf_add_byte(key, '\0');
	pn_calltable_name(key, w->p, row);
	pn_buf_add_byte(key, '\0');
	pn_buf_add(key, &row->line, sizeof(row->line));
	had = w->keys.count;
	id = pn_strtab_add(&w->keys, key->data, key->len) - 1; /* 0 is "" */
	if (w->keys.count != had)
		new_function(w, key, len - from, row->line);
	return id;
}

static int64_t sum(int64_t a, int64_t b)
{
	int64_t total;

	return __builtin_add_overflow(a, b, &total) ? INT64_MAX : total;
}

static void add_row(struct work *w, const struct pn_calltable_row *row,
		    struct pn_pstats_function *f)
{
	f->listed = true;
	f->calls = sum(row->calls, f->calls);
	f->primitive = sum(row->primitive, f->primitive);
	f->self_s += row->self_s;
	f->total_s += row->total_s;
	w->out->calls = sum(w->out->calls, row->calls);
	w->out->primitive = sum(w->out->primitive, row->primitive);
	w->out->self_s += row->self_s;
}

/* Those that are listed first: the others may be one with one of them. */
static void add_functions(struct work *w)
{
	struct pn_buf key = {0};
	size_t i;
	int listed;

	for (listed = 1; listed >= 0; listed--) {
		for (i = 0; i < w->table->row_count; i++)
			if (w->table->rows[i].listed == listed)
				w->of_row[i] = find_function(
					w, &key, &w->table->rows[i]);
		if (listed)
			w->out->listed_count = w->out->count;
	}
	for (i = 0; i < w->table->row_count; i++)
		if (w->table->rows[i].listed)
			add_row(w, &w->table->rows[i],
				&w->out->functions[w->of_row[i]]);
	pn_buf_release(&key);
}

static void add_call(struct pn_pstats_call *to,
		     const struct pn_calltable_caller *from)
{
	to->timed |= from->timed;
	to->calls = sum(to->calls, from->calls);
	to->primitive = sum(to->primitive, from->primitive);
	to->self_s += from->self_s;
	to->total_s += from->total_s;
}

static int compare_calls(const void *left, const void *right)
{
	const struct gathered *a = left, *b = right;

	if (a->of != b->of)
		return a->of < b->of ? -1 : 1;
	return a->call.function < b->call.function   ? -1
	       : a->call.function > b->call.function ? 1
						     : 0;
}

/* Lists for each function, sorted by the other's rank; `other_of` is the
 * function of each rank. */
static void deal(struct pn_pstats *out, struct gathered *all, size_t count,
		 const uint32_t *of_rank, bool callers)
{
	struct pn_pstats_call *calls =
		pn_arena_array(&out->arena, count + 1, sizeof(*calls));
	size_t i;

	if (count)
		qsort(all, count, sizeof(*all), compare_calls);
	for (i = 0; i < count; i++) {
		struct pn_pstats_function *f =
			&out->functions[of_rank[all[i].of]];
		size_t *n = callers ? &f->caller_count : &f->callee_count;

		calls[i] = all[i].call;
		calls[i].function = of_rank[all[i].call.function];
		if (!(*n)++ && callers)
			f->callers = &calls[i];
		else if (*n == 1)
			f->callees = &calls[i];
	}
}

struct ranked {
	const struct pn_pstats_function *function;
};

static int compare_ranked(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;

	return pn_pstats_compare(a->function, b->function);
}

/* The functions by file, line and name, and the place of each in that. */
static uint32_t *rank(const struct pn_pstats *out, uint32_t **of_rank)
{
	struct ranked *by = pn_calloc(out->count + 1, sizeof(*by));
	uint32_t *ranks = pn_calloc(out->count + 1, sizeof(*ranks));
	size_t i;

	*of_rank = pn_calloc(out->count + 1, sizeof(**of_rank));
	for (i = 0; i < out->count; i++)
		by[i].function = &out->functions[i];
	if (out->count)
		qsort(by, out->count, sizeof(*by), compare_ranked);
	for (i = 0; i < out->count; i++) {
		(*of_rank)[i] = (uint32_t)(by[i].function - out->functions);
		ranks[(*of_rank)[i]] = (uint32_t)i;
	}
	free(by);
	return ranks;
}

/* Turn calls of a callee by a caller into calls by a caller of a callee. */
static void turn(struct gathered *all, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		uint32_t of = all[i].of;

		all[i].of = all[i].call.function;
		all[i].call.function = of;
	}
}

/* Equal ones next to each other become one. */
static size_t unite(struct gathered *all, size_t count)
{
	size_t i, n = 0;

	if (count)
		qsort(all, count, sizeof(*all), compare_calls);
	for (i = 0; i < count; i++) {
		const struct pn_pstats_call *c = &all[i].call;
		const struct pn_calltable_caller same = {
			0,	   c->timed,  c->calls, c->primitive,
			c->self_s, c->total_s};

		if (n && !compare_calls(&all[n - 1], &all[i]))
			add_call(&all[n - 1].call, &same);
		else
			all[n++] = all[i];
	}
	return n;
}

static void add_calls(struct work *w)
{
	size_t i, k, count = 0;
	struct gathered *all =
		pn_calloc(w->table->caller_count + 1, sizeof(*all));
	uint32_t *of_rank, *ranks = rank(w->out, &of_rank);

	for (i = 0; i < w->table->row_count; i++)
		for (k = 0; k < w->table->rows[i].caller_count; k++) {
			const struct pn_calltable_caller *c =
				&w->table->callers
					 [w->table->rows[i].caller_first + k];
			struct pn_pstats_function *f =
				&w->out->functions[w->of_row[i]];
			uint32_t caller = w->of_row[c->row];

			if (!count)
				w->out->timed = c->timed;
			f->is_top |= is_profiler(&w->out->functions[caller]);
			all[count].of = ranks[w->of_row[i]];
			all[count].call.function = ranks[caller];
			add_call(&all[count++].call, c);
		}
	count = unite(all, count);
	deal(w->out, all, count, of_rank, true);
	turn(all, count);
	deal(w->out, all, count, of_rank, false);
	free(all);
	free(ranks);
	free(of_rank);
}

void pn_pstats_functions(struct pn_pstats *out, const struct pn_profile *p,
			 const struct pn_calltable *table, bool strip_dirs)
{
	struct work w = {out, p, table, strip_dirs};

	out->functions =
		pn_calloc(table->row_count + 1, sizeof(*out->functions));
	w.of_row = pn_calloc(table->row_count + 1, sizeof(*w.of_row));
	add_functions(&w);
	add_calls(&w);
	free(w.of_row);
	pn_strtab_release(&w.keys);
}
