/* The resources of a profile as a data frame. */
#include "analysis/resources/frame.h"

#include "base/alloc.h"
#include "base/number.h"
#include "model/graph/totals.h"
#include "model/json_label.h"
#include "model/runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FLAT_BUDGET (64u << 20) /* bytes of all values that are objects */

struct condition {
	size_t key;
	const char *value;
};

size_t pn_frame_find(const struct pn_frame *frame, const char *name)
{
	const struct pn_query *q = &frame->query;
	size_t len = strlen(name), i, at = pn_query_find(q, name);

	for (i = 0; at == SIZE_MAX && i < q->key_count; i++)
		if (!strncmp(q->keys[i].name, name, len) &&
		    q->keys[i].name[len] == '/')
			at = i;
	if (at != SIZE_MAX)
		return at;
	if (!strcmp(name, "snapshots"))
		return pn_query_find(q, "snapshot");
	if (strcmp(name, "uid") != 0)
		return SIZE_MAX;
	at = pn_query_find(q, "function");
	return at == SIZE_MAX ? pn_query_find(q, "metric") : at;
}

int pn_frame_need(size_t *out, const struct pn_frame *frame, const char *name,
		  bool numbers, struct pn_error *err)
{
	const struct pn_query *q = &frame->query;
	size_t at = pn_frame_find(frame, name), i;
	struct pn_buf names = {0};

	if (at != SIZE_MAX) {
		*out = at;
		return 0;
	}
	for (i = 0; i < q->key_count; i++)
		if (!numbers || q->keys[i].numeric)
			pn_buf_printf(&names, "%s%s", names.len ? ", " : "",
				      q->keys[i].name);
	pn_error_set(err, PN_ENOTFOUND, "the profile has no key '%s'; %s: %s",
		     name, numbers ? "those that are numbers" : "there are",
		     names.len ? pn_buf_text(&names) : "none");
	pn_buf_release(&names);
	return PN_ENOTFOUND;
}

int pn_frame_default_of(size_t *out, const struct pn_frame *frame,
			struct pn_error *err)
{
	const struct pn_profile *p = frame->query.profile;
	size_t type = pn_profile_default_type(p);
	struct pn_buf name = {0};
	int code;

	*out = pn_frame_find(frame, "amount");
	if (*out != SIZE_MAX)
		return 0;
	if (!p->sample_count && !p->graph.node_count)
		return pn_frame_need(out, frame, "value", true, err);
	pn_buf_printf(&name, "%s%s", p->sample_count ? "" : "self:",
		      type == SIZE_MAX
			      ? "amount"
			      : pn_profile_text(p, p->types[type].type));
	code = pn_frame_need(out, frame, pn_buf_text(&name), true, err);
	pn_buf_release(&name);
	return code;
}

/* Whether a key has values that are in their metric's unit. */
static bool is_measured(const struct pn_frame *f, size_t key)
{
	static const char *const plain[] = {"metric", "unit", "better", "index",
					    "n"};
	size_t i;

	for (i = 0; f->query.metric_of && i < sizeof(plain) / sizeof(*plain);
	     i++)
		if (!strcmp(f->query.keys[key].name, plain[i]))
			return false;
	return f->query.metric_of != NULL;
}

static uint32_t unit_of(const struct pn_frame *f, size_t resource)
{
	return f->query.profile->metrics[f->query.metric_of[resource]].unit;
}

size_t pn_frame_settle_unit(struct pn_frame *f, size_t key)
{
	size_t i, n = 0, had = f->count;
	uint32_t unit;

	if (!had || !is_measured(f, key))
		return 0;
	unit = unit_of(f, f->rows[0]);
	for (i = 0; i < had; i++)
		if (unit_of(f, f->rows[i]) == unit)
			f->rows[n++] = f->rows[i];
	f->count = n;
	return had - n;
}

const char *pn_frame_unit(const struct pn_frame *frame, size_t key)
{
	const struct pn_profile *p = frame->query.profile;
	const char *unit = strrchr(frame->query.keys[key].name, '/');
	size_t i;

	if (frame->count && is_measured(frame, key))
		return pn_profile_text(p, unit_of(frame, frame->rows[0]));
	for (i = 0; unit && i < p->type_count; i++)
		if (!strcmp(pn_profile_text(p, p->types[i].unit), unit + 1))
			return unit + 1;
	return "";
}

/* The value type that a key is of; of calls, which add up as values do, NONE
 * and true. */
static bool adds_up(uint32_t *column, const struct pn_frame *f, size_t key)
{
	const struct pn_profile *p = f->query.profile;

	*column = PN_NONE;
	if (!p->sample_count && !p->graph.node_count)
		return false;
	if (key < p->type_count * (p->sample_count ? 1u : 2u))
		*column = (uint32_t)(key % p->type_count);
	return *column != PN_NONE ||
	       (!p->sample_count && key < 2u * p->type_count + 2);
}

uint32_t pn_frame_pooled(const struct pn_frame *f, size_t key)
{
	uint32_t column;

	if (f->runs == 1 || f->run_of || f->of_one ||
	    !adds_up(&column, f, key) ||
	    (column != PN_NONE && !pn_totals_is_cost(f->query.profile, column)))
		return 1;
	return column == PN_NONE || f->query.profile->types[column].role ==
					    PN_ROLE_SUM
		       ? f->runs
		       : 1;
}

uint32_t pn_frame_settle_runs(struct pn_frame *f, size_t key)
{
	const struct pn_profile *p = f->query.profile;
	uint32_t column, run;
	size_t i, n = 0;

	if ((!f->run_of && !f->of_one) || f->run_is_asked)
		return 1;
	if (!adds_up(&column, f, key) || column == PN_NONE ||
	    p->types[column].role != PN_ROLE_PEAK)
		return f->runs;
	if (!f->run_of)
		return 1;
	pn_runs_peak(&run, p, column, f->run_of);
	for (i = 0; i < f->count; i++)
		if (f->run_of[p->samples[f->rows[i]].labels] == run)
			f->rows[n++] = f->rows[i];
	f->count = n;
	return 1;
}

struct pn_datum pn_frame_get(struct pn_frame *f, size_t resource, size_t key)
{
	struct pn_datum d = pn_query_get(&f->query, resource, key, &f->scratch);
	uint32_t runs = pn_frame_pooled(f, key);

	if (runs == 1 || (d.kind != PN_DATUM_INT && d.kind != PN_DATUM_NUMBER))
		return d;
	if (d.kind == PN_DATUM_INT && d.i % runs == 0) {
		d.i /= runs;
		return d;
	}
	d.d = (d.kind == PN_DATUM_INT ? (double)d.i : d.d) / runs;
	d.kind = PN_DATUM_NUMBER;
	return d;
}

/* The flat form of an object, made once for each text; as it stands where it
 * cannot be made. */
static void flatten(const char **out, size_t *len, struct pn_frame *f)
{
	const struct pn_strtab *strings = &f->query.profile->strings;
	struct pn_json_tree value = {0};
	struct pn_buf text = {0};
	struct pn_error err;
	uint32_t id;

	if (!pn_strtab_find(&id, strings, *out, *len))
		return;
	if (f->flat[id] == PN_NONE) {
		if (pn_json_tree_parse(&value, *out, *len, &err) ||
		    pn_json_label_flatten(&text, &value, 0, &f->budget, &err)) {
			pn_buf_clear(&text);
			pn_buf_add(&text, *out, *len);
		}
		f->flat[id] =
			pn_strtab_add(&f->texts, pn_buf_text(&text), text.len);
		pn_json_tree_release(&value);
		pn_buf_release(&text);
	}
	*out = pn_strtab_text(&f->texts, f->flat[id]);
	*len = pn_strtab_len(&f->texts, f->flat[id]);
}

bool pn_frame_text_of(const char **out, size_t *len, struct pn_frame *f,
		      const struct pn_datum *d)
{
	*out = "";
	*len = 0;
	if (d->kind == PN_DATUM_NONE)
		return false;
	if (d->kind != PN_DATUM_TEXT) {
		pn_buf_clear(&f->scratch);
		pn_datum_text(&f->scratch, d);
		*out = pn_buf_text(&f->scratch);
		*len = f->scratch.len;
		return true;
	}
	*out = d->text.data;
	*len = d->text.len;
	if (d->json)
		flatten(out, len, f);
	return true;
}

bool pn_frame_text(const char **out, size_t *len, struct pn_frame *f,
		   size_t resource, size_t key)
{
	struct pn_datum d = pn_frame_get(f, resource, key);

	return pn_frame_text_of(out, len, f, &d);
}

double pn_frame_number(struct pn_frame *f, size_t resource, size_t key)
{
	struct pn_datum d = pn_frame_get(f, resource, key);
	double value;

	if (d.kind == PN_DATUM_INT)
		return (double)d.i;
	if (d.kind == PN_DATUM_NUMBER)
		return d.d;
	if (d.kind == PN_DATUM_TEXT &&
	    pn_number_double(&value, d.text.data, d.text.len))
		return value;
	return (double)NAN;
}

static bool has(struct pn_frame *f, size_t resource, const struct condition *c)
{
	const char *text;
	size_t len;

	pn_frame_text(&text, &len, f, resource, c->key);
	return len == strlen(c->value) && !memcmp(text, c->value, len);
}

/* Conditions of one key are one: it is looked at where the first one stands. */
static bool stays(struct pn_frame *f, size_t resource,
		  const struct condition *all, size_t count)
{
	size_t i, k;

	for (i = 0; i < count; i++) {
		bool first = true, met = false;

		for (k = 0; k < i; k++)
			first = first && all[k].key != all[i].key;
		for (k = i; first && k < count && !met; k++)
			met = all[k].key == all[i].key &&
			      has(f, resource, &all[k]);
		if (first && !met)
			return false;
	}
	return true;
}

static int read_filters(struct condition *out, struct pn_frame *f,
			const char *const *filters, size_t count,
			struct pn_error *err)
{
	struct pn_buf name = {0};
	size_t i;
	int code = 0;

	for (i = 0; i < count && !code; i++) {
		const char *value = strchr(filters[i], '=');

		pn_buf_clear(&name);
		pn_buf_add(&name, filters[i], (size_t)(value - filters[i]));
		out[i].value = value + 1;
		code = pn_frame_need(&out[i].key, f, pn_buf_text(&name), false,
				     err);
		if (!code && out[i].key == f->run_key)
			f->run_is_asked = true;
	}
	pn_buf_release(&name);
	return code;
}

static void read_runs(struct pn_frame *f, const struct pn_profile *p)
{
	size_t i;

	f->run_key = pn_query_find(&f->query, PN_RUN_LABEL);
	f->runs = pn_profile_runs(p);
	if (f->runs == 1 || !p->sample_count)
		return;
	f->run_of = pn_runs_of_sets(p);
	for (i = 0; i < p->type_count; i++)
		f->of_one = f->of_one || !pn_totals_is_cost(p, i);
}

int pn_frame_init(struct pn_frame *out, const struct pn_profile *profile,
		  const char *const *filters, size_t filter_count,
		  struct pn_error *err)
{
	struct condition *all = pn_calloc(filter_count + 1, sizeof(*all));
	size_t i;
	int code;

	memset(out, 0, sizeof(*out));
	profile = pn_unnamed_name(&out->named, profile);
	out->budget = FLAT_BUDGET;
	out->flat = pn_realloc_array(NULL, profile->strings.count + 1,
				     sizeof(*out->flat));
	for (i = 0; i < profile->strings.count; i++)
		out->flat[i] = PN_NONE;
	pn_strtab_add(&out->texts, "", 0);
	pn_query_init(&out->query, profile);
	read_runs(out, profile);
	out->rows = pn_realloc_array(NULL, out->query.resource_count + 1,
				     sizeof(*out->rows));
	code = read_filters(all, out, filters, filter_count, err);
	for (i = 0; i < out->query.resource_count && !code; i++)
		if (stays(out, i, all, filter_count))
			out->rows[out->count++] = i;
	free(all);
	return code;
}

void pn_frame_release(struct pn_frame *f)
{
	if (!f)
		return;
	pn_query_release(&f->query);
	pn_unnamed_release(&f->named);
	pn_strtab_release(&f->texts);
	pn_buf_release(&f->scratch);
	free(f->rows);
	free(f->flat);
	free(f->run_of);
	memset(f, 0, sizeof(*f));
}
