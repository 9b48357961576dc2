/* Points of a profile, by uid. */
#include "analysis/post/points.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "model/json_label.h"
#include "model/query.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NO_UID "[unknown]"	/* as Perun profiles of ours say it */
#define FLAT_BUDGET (64u << 20) /* bytes of all uids that are objects */

/* One resource on its way into a group. */
struct point {
	double x, y;
	uint32_t uid;
};

struct gathering {
	const struct pn_profile *profile;
	struct pn_query query;
	size_t of, per, place; /* keys; place: function or metric */
	struct pn_strtab uids;
	uint32_t *flat;	    /* uid of a JSON text, by string; PN_NONE */
	uint32_t label_key; /* string "uid", or PN_NONE */
	uint64_t budget;
	struct pn_buf scratch;
	struct point *points;
	size_t count, left_out;
};

/* By its whole name, else by that in front of its unit. */
static size_t find_key(const struct pn_query *q, const char *name)
{
	size_t len = strlen(name), i, at = pn_query_find(q, name);

	for (i = 0; at == SIZE_MAX && i < q->key_count; i++)
		if (!strncmp(q->keys[i].name, name, len) &&
		    q->keys[i].name[len] == '/')
			at = i;
	return at;
}

static int no_key(const struct pn_query *q, const char *name,
		  struct pn_error *err)
{
	struct pn_buf names = {0};
	size_t i;

	for (i = 0; i < q->key_count; i++)
		if (q->keys[i].numeric)
			pn_buf_printf(&names, "%s%s", names.len ? ", " : "",
				      q->keys[i].name);
	pn_error_set(err, PN_ENOTFOUND,
		     "the profile has no key '%s'; those that are numbers: %s",
		     name, names.len ? pn_buf_text(&names) : "none");
	pn_buf_release(&names);
	return PN_ENOTFOUND;
}

static int need_key(size_t *out, const struct pn_query *q, const char *name,
		    struct pn_error *err)
{
	size_t at = find_key(q, name);

	if (at == SIZE_MAX)
		return no_key(q, name, err);
	if (!q->keys[at].numeric)
		return pn_error_set(err, PN_EINVAL,
				    "the key '%s' is not a number everywhere",
				    name);
	*out = at;
	return 0;
}

/* What is modelled when nobody says. */
static int default_of(size_t *out, const struct gathering *g,
		      struct pn_error *err)
{
	const struct pn_profile *p = g->profile;
	size_t type = pn_profile_default_type(p);
	const char *prefix = p->sample_count ? "" : "self:";
	struct pn_buf name = {0};
	int code = 0;

	*out = find_key(&g->query, "amount");
	if (*out != SIZE_MAX)
		return 0;
	if (!p->sample_count && !p->graph.node_count)
		return need_key(out, &g->query, "value", err);
	pn_buf_printf(&name, "%s%s", prefix,
		      type == SIZE_MAX
			      ? "amount"
			      : pn_profile_text(p, p->types[type].type));
	code = need_key(out, &g->query, pn_buf_text(&name), err);
	pn_buf_release(&name);
	return code;
}

static int find_keys(struct gathering *g, const char *of, const char *per,
		     struct pn_error *err)
{
	const struct pn_profile *p = g->profile;
	uint32_t id;
	int code = of ? need_key(&g->of, &g->query, of, err)
		      : default_of(&g->of, g, err);

	if (!code)
		code = need_key(&g->per, &g->query,
				per ? per : "structure-unit-size", err);
	g->place = pn_query_find(
		&g->query,
		p->sample_count || p->graph.node_count ? "function" : "metric");
	g->label_key = PN_NONE;
	if (pn_strtab_find(&id, &p->strings, "uid", 3))
		g->label_key = id;
	return code;
}

static const struct pn_label *uid_label(const struct gathering *g,
					size_t resource)
{
	const struct pn_profile *p = g->profile;
	const uint32_t *start;
	uint32_t i;

	if (!p->sample_count || g->label_key == PN_NONE)
		return NULL;
	start = p->label_set_start + p->samples[resource].labels;
	for (i = start[0]; i < start[1]; i++)
		if (p->labels[i].key == g->label_key)
			return &p->labels[i];
	return NULL;
}

/* The flat form of a uid that is an object; once for each text. */
static int flat_uid(uint32_t *out, struct gathering *g, uint32_t json,
		    struct pn_error *err)
{
	const struct pn_strtab *strings = &g->profile->strings;
	struct pn_json_tree value = {0};
	int code = 0;

	if (g->flat[json] == PN_NONE) {
		pn_buf_clear(&g->scratch);
		code = pn_json_tree_parse(&value, pn_strtab_text(strings, json),
					  pn_strtab_len(strings, json), err);
		if (!code)
			code = pn_json_label_flatten(&g->scratch, &value, 0,
						     &g->budget, err);
		if (!code)
			g->flat[json] = pn_strtab_add(&g->uids,
						      pn_buf_text(&g->scratch),
						      g->scratch.len);
		pn_json_tree_release(&value);
	}
	*out = g->flat[json];
	return code;
}

static int uid_of(uint32_t *out, struct gathering *g, size_t resource,
		  struct pn_error *err)
{
	const struct pn_label *label = uid_label(g, resource);
	const struct pn_strtab *strings = &g->profile->strings;
	struct pn_datum datum;

	if (label && label->kind == PN_LABEL_JSON)
		return flat_uid(out, g, label->value.s, err);
	if (label && label->kind == PN_LABEL_STRING) {
		*out = pn_strtab_add_from(&g->uids, strings, label->value.s);
		return 0;
	}
	datum = pn_query_get(&g->query, resource, g->place, &g->scratch);
	if (datum.kind == PN_DATUM_TEXT)
		*out = pn_strtab_add(&g->uids, datum.text.data, datum.text.len);
	else
		*out = pn_strtab_add_text(&g->uids, NO_UID);
	return 0;
}

static double number_at(struct gathering *g, size_t resource, size_t key)
{
	struct pn_datum datum =
		pn_query_get(&g->query, resource, key, &g->scratch);
	double value = datum.kind == PN_DATUM_INT      ? (double)datum.i
		       : datum.kind == PN_DATUM_NUMBER ? datum.d
						       : (double)NAN;

	return fabs(value) <= PN_POINTS_MAX_VALUE ? value : (double)NAN;
}

static int read_points(struct gathering *g, struct pn_error *err)
{
	size_t i, n = g->query.resource_count;
	int code = 0;

	pn_strtab_add(&g->uids, "", 0);
	g->points = pn_realloc_array(NULL, n + 1, sizeof(*g->points));
	for (i = 0; i < n && !code; i++) {
		struct point *point = &g->points[g->count];

		point->x = number_at(g, i, g->per);
		point->y = number_at(g, i, g->of);
		if (isnan(point->x) || isnan(point->y)) {
			g->left_out++;
			continue;
		}
		code = uid_of(&point->uid, g, i, err);
		g->count++;
	}
	if (!code && !g->count)
		return pn_error_set(err, PN_ERANGE,
				    "nothing has a '%s' and a '%s' that "
				    "is a number",
				    g->query.keys[g->of].name,
				    g->query.keys[g->per].name);
	return code;
}

static int by_uid(const void *a, const void *b)
{
	const struct pn_points *l = a, *r = b;

	return pn_bytes_order(l->uid, l->uid_len, r->uid, r->uid_len);
}

/* Counting sort by uid; what has no point drops out. */
static void group(struct pn_points_list *out, struct gathering *g)
{
	size_t uids = g->uids.count, i, at = 0;
	struct pn_points *groups = pn_calloc(uids, sizeof(*groups));

	out->uids = g->uids;
	memset(&g->uids, 0, sizeof(g->uids));
	out->x = pn_realloc_array(NULL, g->count, sizeof(*out->x));
	out->y = pn_realloc_array(NULL, g->count, sizeof(*out->y));
	for (i = 0; i < g->count; i++)
		groups[g->points[i].uid].count++;
	for (i = 0; i < uids; i++) {
		groups[i].uid = pn_strtab_text(&out->uids, (uint32_t)i);
		groups[i].uid_len = pn_strtab_len(&out->uids, (uint32_t)i);
		groups[i].x = out->x + at;
		groups[i].y = out->y + at;
		at += groups[i].count;
		groups[i].count = 0;
	}
	for (i = 0; i < g->count; i++) {
		struct pn_points *to = &groups[g->points[i].uid];

		to->x[to->count] = g->points[i].x;
		to->y[to->count++] = g->points[i].y;
	}
	for (i = 0; i < uids; i++)
		if (groups[i].count)
			groups[out->count++] = groups[i];
	qsort(groups, out->count, sizeof(*groups), by_uid);
	out->items = groups;
}

int pn_points_gather(struct pn_points_list *out,
		     const struct pn_profile *profile, const char *of,
		     const char *per, struct pn_error *err)
{
	struct gathering g = {.profile = profile, .budget = FLAT_BUDGET};
	struct pn_points_list list = {0};
	size_t i;
	int code;

	g.flat = pn_realloc_array(NULL, profile->strings.count + 1,
				  sizeof(*g.flat));
	for (i = 0; i < profile->strings.count; i++)
		g.flat[i] = PN_NONE;
	pn_query_init(&g.query, profile);
	code = find_keys(&g, of, per, err);
	if (!code)
		code = read_points(&g, err);
	if (!code) {
		group(&list, &g);
		list.of = pn_strdup(g.query.keys[g.of].name);
		list.per = pn_strdup(g.query.keys[g.per].name);
		list.left_out = g.left_out;
		*out = list;
	}
	pn_query_release(&g.query);
	pn_strtab_release(&g.uids);
	pn_buf_release(&g.scratch);
	free(g.points);
	free(g.flat);
	return code;
}

void pn_points_release(struct pn_points_list *list)
{
	if (!list)
		return;
	free(list->items);
	free(list->of);
	free(list->per);
	free(list->x);
	free(list->y);
	pn_strtab_release(&list->uids);
	memset(list, 0, sizeof(*list));
}

struct sorted {
	double x, y;
	size_t at;
};

static int by_x(const void *a, const void *b)
{
	const struct sorted *l = a, *r = b;

	if (l->x != r->x)
		return l->x < r->x ? -1 : 1;
	return l->at < r->at ? -1 : l->at > r->at;
}

void pn_points_sort(struct pn_points *points)
{
	struct sorted *all =
		pn_realloc_array(NULL, points->count + 1, sizeof(*all));
	size_t i;

	for (i = 0; i < points->count; i++)
		all[i] = (struct sorted){points->x[i], points->y[i], i};
	qsort(all, points->count, sizeof(*all), by_x);
	for (i = 0; i < points->count; i++) {
		points->x[i] = all[i].x;
		points->y[i] = all[i].y;
	}
	free(all);
}

/* From the first value on: offsets that are large beside the spread cost no
 * digits. */
static double mean_of(const double *values, size_t n)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < n; i++)
		sum += values[i] - values[0];
	return values[0] + sum / (double)n;
}

double pn_points_r_square(const double *y, const double *fitted, size_t n)
{
	double mean = mean_of(y, n), residual = 0, total = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		residual += (y[i] - fitted[i]) * (y[i] - fitted[i]);
		total += (y[i] - mean) * (y[i] - mean);
	}
	if (total == 0)
		return residual == 0 ? 1 : 0;
	return 1 - residual / total;
}
