/*
 * Writing a Perun profile in the current layout, byte for byte as Perun
 * stores it: resources, resource_type_map, models, then the rest.
 *
 * Samples that share everything but their numbers, and have numbers in the
 * same columns, are one resource type, named "<flat uid>#<k>" with k counting
 * the types of that uid in the order in which they are met.
 */
#include "codec/perun/write.h"
#include "codec/perun/build.h"
#include "codec/perun/perun.h"

#include "base/alloc.h"
#include "model/unnamed.h"

#include <stdlib.h>
#include <string.h>

/* Nested uids of a profile that was read have been bounded there. */
#define FLAT_BUDGET (UINT64_C(1) << 34)

struct group {
	uint32_t uid, k; /* in uids */
	uint64_t mask;	 /* columns with values */
	size_t rows;
	uint64_t copies; /* more of it that are groups of their own */
};

struct groups {
	struct pn_strtab raw; /* stack, labels, mask */
	uint32_t *raw_group;  /* by id in raw */
	size_t raw_cap;
	struct pn_strtab texts; /* mask and what they share; group + 1 */
	struct group *items;
	size_t cap;
	struct pn_strtab uids;
	uint32_t *next_k; /* by id in uids */
	size_t k_cap;
	uint32_t *of_sample;
	size_t *first; /* place in `order` of a group's first row */
	size_t *order; /* samples by group */
};

struct key {
	uint32_t stack, labels;
	uint64_t mask;
	uint64_t copy;
};
#define TEXT_PREFIX 16 /* mask and copy */

static size_t group_count(const struct groups *g)
{
	return g->texts.count ? g->texts.count - 1 : 0;
}

static uint64_t mask_of(const struct pn_profile *p, size_t sample)
{
	uint64_t mask = 0;
	size_t i;

	for (i = 0; i < p->type_count; i++)
		if (pn_profile_is_present(p, sample, i))
			mask |= UINT64_C(1) << i;
	return mask;
}

static void name_group(struct groups *g, struct group *group,
		       const struct pn_buf *uid)
{
	size_t had = g->k_cap;

	group->uid = pn_strtab_add(&g->uids, pn_buf_text(uid), uid->len);
	g->next_k = pn_grow(g->next_k, &g->k_cap, (size_t)group->uid + 1,
			    sizeof(*g->next_k));
	for (; had < g->k_cap; had++)
		g->next_k[had] = 0;
	group->k = g->next_k[group->uid]++;
}

/* The group of a stack, label set and mask that are met the first time. */
static int find_group(uint32_t *out, struct groups *g,
		      struct pn_perun_writing *w, const struct key *key,
		      struct pn_error *err)
{
	struct pn_buf text = {0}, uid = {0};
	size_t known = group_count(g);
	int code;

	pn_buf_add(&text, &key->mask, sizeof(key->mask));
	pn_buf_add(&text, &key->copy, sizeof(key->copy));
	code = pn_perun_write_traits(&text, &uid, w, key->stack, key->labels,
				     err);
	if (!code) {
		*out = pn_strtab_add(&g->texts, pn_buf_text(&text), text.len) -
		       1;
		if (*out == known) {
			g->items = pn_grow(g->items, &g->cap, known + 1,
					   sizeof(*g->items));
			memset(&g->items[known], 0, sizeof(*g->items));
			g->items[known].mask = key->mask;
			name_group(g, &g->items[known], &uid);
		}
	}
	pn_buf_release(&text);
	pn_buf_release(&uid);
	return code;
}

static int group_of(uint32_t *out, struct groups *g, struct pn_perun_writing *w,
		    const struct key *key, struct pn_error *err)
{
	size_t known = g->raw.count;
	uint32_t raw = pn_strtab_add(&g->raw, key, sizeof(*key));
	int code = 0;

	g->raw_group = pn_grow(g->raw_group, &g->raw_cap, (size_t)raw + 1,
			       sizeof(*g->raw_group));
	if (g->raw.count > known)
		code = find_group(&g->raw_group[raw], g, w, key, err);
	if (!code)
		*out = g->raw_group[raw];
	return code;
}

static int group_samples(struct groups *g, struct pn_perun_writing *w,
			 struct pn_error *err)
{
	const struct pn_profile *p = w->profile;
	size_t i;
	int code;

	g->of_sample = pn_realloc_array(NULL, p->sample_count + 1,
					sizeof(*g->of_sample));
	for (i = 0; i < p->sample_count; i++) {
		struct key key = {p->samples[i].stack, p->samples[i].labels,
				  mask_of(p, i), 0};
		uint32_t group = 0;

		code = group_of(&group, g, w, &key, err);
		/* without columns a type is one resource */
		if (!code && !key.mask && g->items[group].rows) {
			key.copy = ++g->items[group].copies;
			code = group_of(&group, g, w, &key, err);
		}
		if (code)
			return code;
		g->of_sample[i] = group;
		g->items[group].rows++;
	}
	return 0;
}

/* Samples in the order of their groups, stable. */
static void order_samples(struct groups *g, const struct pn_profile *p)
{
	size_t n = group_count(g), i, at = 0;

	g->first = pn_realloc_array(NULL, n + 1, sizeof(*g->first));
	g->order =
		pn_realloc_array(NULL, p->sample_count + 1, sizeof(*g->order));
	for (i = 0; i < n; i++) {
		g->first[i] = at;
		at += g->items[i].rows;
	}
	for (i = 0; i < p->sample_count; i++)
		g->order[g->first[g->of_sample[i]]++] = i;
	for (i = 0; i < n; i++)
		g->first[i] -= g->items[i].rows;
}

static void write_name(struct pn_buf *out, const struct groups *g,
		       const struct group *group)
{
	struct pn_buf name = {0};

	pn_buf_add(&name, pn_strtab_text(&g->uids, group->uid),
		   pn_strtab_len(&g->uids, group->uid));
	pn_buf_printf(&name, "#%u", (unsigned int)group->k);
	pn_json_write_string(out, pn_buf_text(&name), name.len, PN_JSON_PYTHON);
	pn_buf_add_text(out, ": ");
	pn_buf_release(&name);
}

static bool has_column_name(const struct pn_perun_writing *w, size_t type)
{
	const struct pn_profile *p = w->profile;
	size_t i;

	for (i = 0; i < p->type_count; i++)
		if (i != type && i != w->main &&
		    p->types[i].type == p->types[type].type)
			return false;
	return strcmp(pn_profile_text(p, p->types[type].type), "amount") != 0;
}

/* Whether a value type is a column of amounts: the main one, or one of those
 * that amounts of several types were made when they were read, which have
 * units. */
static bool is_amount(const struct pn_perun_writing *w, size_t type)
{
	const struct pn_profile *p = w->profile;
	const char *name = pn_profile_text(p, p->types[type].type);

	return type == w->main ||
	       (w->native && !w->has_amount && p->types[type].unit &&
		!pn_perun_is_collectable(name, strlen(name)));
}

void pn_perun_column_name(struct pn_buf *out, const struct pn_perun_writing *w,
			  size_t type)
{
	const struct pn_profile *p = w->profile;
	uint32_t name = p->types[type].type;
	struct pn_buf text = {0};

	if (is_amount(w, type)) {
		pn_perun_write_text(out, "amount");
		return;
	}
	pn_buf_add(&text, pn_profile_text(p, name),
		   pn_strtab_len(&p->strings, name));
	/* as Perun tells subtypes apart, "time(real)" */
	if (!w->native && !has_column_name(w, type))
		pn_buf_printf(&text, "(%s %zu)",
			      pn_profile_text(p, p->types[type].unit), type);
	pn_json_write_string(out, pn_buf_text(&text), text.len, PN_JSON_PYTHON);
	pn_buf_release(&text);
}

static void write_column(struct pn_buf *out, const struct groups *g,
			 const struct pn_profile *p, size_t group, size_t type)
{
	size_t i, first = g->first[group], n = g->items[group].rows;

	pn_buf_add_byte(out, '[');
	for (i = first; i < first + n; i++) {
		union pn_value value =
			p->values[g->order[i] * p->type_count + type];

		if (i > first)
			pn_buf_add(out, ", ", 2);
		if (p->types[type].number == PN_NUMBER_DOUBLE)
			pn_json_write_double(out, value.d);
		else
			pn_json_write_int(out, value.i);
	}
	pn_buf_add_byte(out, ']');
}

static void write_resources(struct pn_buf *out, struct pn_perun_writing *w,
			    const struct groups *g)
{
	const struct pn_profile *p = w->profile;
	size_t group, type, written;

	pn_buf_add_text(out, "{\"resources\": {");
	for (group = 0; group < group_count(g); group++) {
		if (group)
			pn_buf_add_text(out, ", ");
		write_name(out, g, &g->items[group]);
		pn_buf_add_byte(out, '{');
		for (type = written = 0; type < p->type_count; type++) {
			if (!(g->items[group].mask >> type & 1))
				continue;
			if (written++)
				pn_buf_add_text(out, ", ");
			pn_perun_column_name(out, w, type);
			pn_buf_add_text(out, ": ");
			write_column(out, g, p, group, type);
		}
		pn_buf_add_byte(out, '}');
	}
	pn_buf_add_text(out, "}, \"resource_type_map\": {");
	for (group = 0; group < group_count(g); group++) {
		uint32_t id = (uint32_t)group + 1;

		if (group)
			pn_buf_add_text(out, ", ");
		write_name(out, g, &g->items[group]);
		pn_buf_add(out, pn_strtab_text(&g->texts, id) + TEXT_PREFIX,
			   pn_strtab_len(&g->texts, id) - TEXT_PREFIX);
	}
	pn_buf_add_byte(out, '}');
}

static int write_models(struct pn_buf *out, struct pn_perun_writing *w,
			struct pn_error *err)
{
	const struct pn_header *header = &w->profile->header;
	size_t i;
	int code = 0;

	pn_buf_add_text(out, ", \"models\": [");
	for (i = 0; i < header->model_count && !code; i++) {
		if (i)
			pn_buf_add_text(out, ", ");
		code = pn_perun_write_json(out, w, header->models[i], err);
	}
	pn_buf_add_byte(out, ']');
	return code;
}

static void release(struct groups *g)
{
	pn_strtab_release(&g->raw);
	pn_strtab_release(&g->texts);
	pn_strtab_release(&g->uids);
	free(g->raw_group);
	free(g->items);
	free(g->next_k);
	free(g->of_sample);
	free(g->first);
	free(g->order);
}

static int refuse(const struct pn_profile *p, struct pn_error *err)
{
	if (p->type_count > PN_MAX_VALUE_TYPES)
		return pn_error_set(err, PN_ELIMIT, "more than %u value types",
				    PN_MAX_VALUE_TYPES);
	if (!p->sample_count && p->graph.node_count)
		return pn_error_set(err, PN_EINVAL,
				    "a call graph without samples has no place "
				    "in a Perun profile");
	if (!p->sample_count && p->metric_count)
		return pn_error_set(err, PN_EINVAL,
				    "measurements without samples have no "
				    "place in a Perun profile");
	return 0;
}

static int write_named(struct pn_buf *out, const struct pn_profile *profile,
		       struct pn_error *err)
{
	struct pn_perun_writing w = {.profile = profile,
				     .flat_budget = FLAT_BUDGET};
	struct groups g = {.raw_cap = 0};
	struct pn_buf text = {0};
	int code = refuse(profile, err);

	if (code)
		return code;
	pn_perun_writing_begin(&w);
	code = group_samples(&g, &w, err);
	if (!code) {
		order_samples(&g, profile);
		write_resources(&text, &w, &g);
		code = write_models(&text, &w, err);
	}
	if (!code)
		code = pn_perun_write_regions(&text, &w, err);
	if (!code) {
		pn_buf_add_byte(&text, '}');
		pn_buf_add(out, text.data, text.len);
	}
	pn_buf_release(&text);
	pn_json_tree_release(&w.value);
	free(w.entries);
	release(&g);
	return code;
}

int pn_perun_write(struct pn_buf *out, const struct pn_profile *profile,
		   struct pn_error *err)
{
	return pn_unnamed_write(out, profile, write_named, err);
}
