/*
 * The postprocessor clusterizer: a label "cluster" for each sample, the amounts
 * of one uid that are alike having one number. A size to model by where the
 * program says none (git perf model --depending-on=cluster).
 */
#include "analysis/post/postprocess.h"
#include "base/alloc.h"
#include "model/query.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum strategy { SORT_ORDER, SLIDING_WINDOW };
enum measure { RELATIVE, ABSOLUTE };

struct settings {
	enum strategy strategy;
	double width, height;
	enum measure width_is, height_is;
};

static const char *const strategies[] = {"sort_order", "sliding_window", NULL};
static const char *const measures[] = {"relative", "absolute", NULL};

static const struct pn_option options[] = {
	{"strategy", "sort-order|sliding-window",
	 "number of the rank, or of a window of amounts (sort-order)"},
	{"of", "<key>", "value type (amount, else the default one)"},
	{"window-width", "<number>", "samples of a window (0.01)"},
	{"width-measure", "relative|absolute", "to all of the uid (relative)"},
	{"window-height", "<number>", "amounts of a window (0.01)"},
	{"height-measure", "relative|absolute",
	 "to its least amount (relative)"},
	{0},
};

static int read_settings(struct settings *out, const struct pn_post *post,
			 struct pn_error *err)
{
	size_t strategy = 0, width_is = 0, height_is = 0;
	int code;

	out->width = out->height = 0.01;
	code = pn_post_choice(&strategy, post, "strategy", strategies, 0, err);
	if (!code)
		code = pn_post_choice(&width_is, post, "width-measure",
				      measures, 0, err);
	if (!code)
		code = pn_post_choice(&height_is, post, "height-measure",
				      measures, 0, err);
	if (!code)
		code = pn_post_number(&out->width, post, "window-width", 0,
				      true, err);
	if (!code)
		code = pn_post_number(&out->height, post, "window-height", 0,
				      true, err);
	out->strategy = (enum strategy)strategy;
	out->width_is = (enum measure)width_is;
	out->height_is = (enum measure)height_is;
	return code;
}

static int check(const struct pn_post *post, struct pn_error *err)
{
	struct settings settings;

	return read_settings(&settings, post, err);
}

/* A sample: its group, amount, and then its cluster. */
struct member {
	uint32_t group;
	double amount;
	size_t sample;
	int64_t cluster;
};

static int by_amount(const void *a, const void *b)
{
	const struct member *l = a, *r = b;

	if (l->group != r->group)
		return l->group < r->group ? -1 : 1;
	if (l->amount != r->amount)
		return l->amount < r->amount ? -1 : 1;
	return l->sample < r->sample ? -1 : l->sample > r->sample;
}

static int by_sample(const void *a, const void *b)
{
	const struct member *l = a, *r = b;

	return l->sample < r->sample ? -1 : l->sample > r->sample;
}

static double top_of(const struct settings *s, double amount)
{
	return s->height_is == ABSOLUTE ? amount + s->height
					: amount * (1 + s->height);
}

/* Members of one group, in the order of their amounts. */
static void number(struct member *m, size_t n, const struct settings *s)
{
	double room = s->width_is == ABSOLUTE ? s->width : s->width * (double)n;
	double top = top_of(s, m[0].amount);
	int64_t cluster = 1;
	size_t i, within = 0;

	for (i = 0; i < n; i++) {
		if (s->strategy == SORT_ORDER) {
			m[i].cluster = (int64_t)i + 1;
			continue;
		}
		if ((double)within >= room || m[i].amount > top) {
			top = top_of(s, m[i].amount);
			cluster += i > 0;
			within = 0;
		}
		m[i].cluster = cluster;
		within++;
	}
}

/* The labels of type, subtype and uid, and the place of the leaf: numbers of
 * strings, since equal texts have one. */
struct group {
	uint32_t type, subtype, uid, kind, leaf;
};

static struct group group_of(const struct pn_profile *p, size_t sample,
			     const uint32_t keys[3])
{
	const struct pn_sample *s = &p->samples[sample];
	const uint32_t *labels = p->label_set_start + s->labels;
	const uint32_t *frames = p->stack_start + s->stack;
	struct group g = {0, 0, 0, 0, 0};
	const struct pn_location *leaf;
	uint32_t i;

	for (i = labels[0]; i < labels[1]; i++) {
		const struct pn_label *l = &p->labels[i];

		if (l->kind != PN_LABEL_STRING && l->kind != PN_LABEL_JSON)
			continue;
		if (keys[0] && l->key == keys[0])
			g.type = l->value.s;
		else if (keys[1] && l->key == keys[1])
			g.subtype = l->value.s;
		else if (keys[2] && l->key == keys[2]) {
			g.uid = l->value.s;
			g.kind = l->kind;
		}
	}
	if (g.uid || frames[0] == frames[1])
		return g;
	leaf = &p->locations[p->frames[frames[0]]];
	if (leaf->line_count)
		g.leaf = p->functions[p->lines[leaf->line_first].function].name;
	return g;
}

/* All samples that have a value, in the order of their groups. */
static struct member *sort_members(size_t *count, const struct pn_profile *p,
				   size_t column)
{
	static const char *const names[] = {"type", "subtype", "uid"};
	struct member *all =
		pn_realloc_array(NULL, p->sample_count + 1, sizeof(*all));
	struct pn_strtab groups = {0};
	uint32_t keys[3] = {0, 0, 0};
	size_t i, n = 0;

	for (i = 0; i < 3; i++)
		pn_strtab_find(&keys[i], &p->strings, names[i],
			       strlen(names[i]));
	for (i = 0; i < p->sample_count; i++) {
		struct group g = group_of(p, i, keys);

		all[n].amount = pn_profile_number(p, p->values, i, column);
		if (!pn_profile_is_present(p, i, column) ||
		    isnan(all[n].amount))
			continue;
		all[n].group = pn_strtab_add(&groups, &g, sizeof(g));
		all[n++].sample = i;
	}
	pn_strtab_release(&groups);
	if (n)
		qsort(all, n, sizeof(*all), by_amount);
	*count = n;
	return all;
}

/* The sample's labels and the new one; equal sets are one. */
static uint32_t labelled(struct pn_profile *p, struct pn_strtab *made,
			 uint32_t *ids, uint32_t key, uint32_t labels,
			 int64_t cluster)
{
	uint32_t first = p->label_set_start[labels], n = 0, i, id;
	uint32_t end = p->label_set_start[labels + 1];
	struct {
		int64_t cluster;
		uint64_t labels;
	} what = {cluster, labels};
	struct pn_label *set;

	id = pn_strtab_add(made, &what, sizeof(what));
	if (ids[id] != PN_NONE)
		return ids[id];
	set = pn_realloc_array(NULL, end - first + 1, sizeof(*set));
	for (i = first; i < end; i++)
		if (p->labels[i].key != key)
			set[n++] = p->labels[i];
	set[n] = (struct pn_label){.key = key, .kind = PN_LABEL_INT};
	set[n++].value.i = cluster;
	ids[id] = pn_profile_add_label_set(p, set, n);
	free(set);
	return ids[id];
}

static void put_labels(struct pn_profile *p, struct member *all, size_t n)
{
	uint32_t key = pn_strtab_add_text(&p->strings, "cluster");
	uint32_t *ids = pn_realloc_array(NULL, n + 2, sizeof(*ids));
	struct pn_strtab made = {0};
	size_t i;

	for (i = 0; i < n + 2; i++)
		ids[i] = PN_NONE;
	qsort(all, n, sizeof(*all), by_sample);
	for (i = 0; i < n; i++) {
		struct pn_sample *s = &p->samples[all[i].sample];

		s->labels =
			labelled(p, &made, ids, key, s->labels, all[i].cluster);
	}
	pn_strtab_release(&made);
	free(ids);
}

static void write_params(struct pn_json_writer *w, const struct settings *s,
			 const char *of)
{
	pn_json_member(w, "strategy", strategies[s->strategy]);
	pn_json_member(w, "of_key", of);
	if (s->strategy == SORT_ORDER)
		return;
	pn_json_member_double(w, "window_width", s->width);
	pn_json_member(w, "width_measure", measures[s->width_is]);
	pn_json_member_double(w, "window_height", s->height);
	pn_json_member(w, "height_measure", measures[s->height_is]);
}

static int apply(struct pn_profile *p, const struct pn_post *post,
		 struct pn_json_writer *params, struct pn_post_notes *notes,
		 struct pn_error *err)
{
	size_t column = 0, n = 0, i, k;
	struct member *all;
	struct settings s;
	int code = read_settings(&s, post, err);

	if (!code)
		code = pn_post_column(&column, p, post, err);
	if (code)
		return code;
	all = sort_members(&n, p, column);
	for (i = 0; i < n; i = k) {
		for (k = i + 1; k < n && all[k].group == all[i].group; k++)
			;
		number(all + i, k - i, &s);
	}
	if (n)
		put_labels(p, all, n);
	if (n < p->sample_count)
		pn_post_note(notes,
			     "%zu samples have no amount, and no cluster",
			     p->sample_count - n);
	write_params(params, &s, pn_profile_text(p, p->types[column].type));
	free(all);
	return 0;
}

const struct pn_postprocessor pn_post_clusterizer = {
	.name = "clusterizer",
	.key = "clusterizer",
	.summary = "a label for amounts that are alike",
	.options = options,
	.check = check,
	.apply = apply,
};
