/* A profile as a data frame. */
#include "model/query.h"

#include "base/alloc.h"
#include "base/json/json.h"
#include "base/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum source {
	VALUE,
	SELF,
	TOTAL,
	CALLS,
	PRIMITIVE,
	FUNCTION,
	FILE_NAME,
	LINE,
	ADDRESS,
	BINARY,
	STACK,
	LABEL,
	METRIC,
	UNIT,
	BETTER,
	INDEX,
	METRIC_VALUE,
	SUMMARY_N,
	SUMMARY /* and those behind it: `which` */
};

static void add_key(struct pn_query *q, char *name, enum source source,
		    uint32_t which, bool numeric)
{
	struct pn_query_key *key;

	q->keys = pn_grow(q->keys, &q->key_cap, q->key_count + 1,
			  sizeof(*q->keys));
	key = &q->keys[q->key_count++];
	key->name = name;
	key->source = source;
	key->which = which;
	key->numeric = numeric;
}

/* "self:" and the like, then type/unit. */
static void add_types(struct pn_query *q, const char *prefix,
		      enum source source)
{
	const struct pn_profile *p = q->profile;
	uint32_t i;

	for (i = 0; i < p->type_count; i++) {
		const char *unit = pn_profile_text(p, p->types[i].unit);
		struct pn_buf name = {0};

		pn_buf_printf(&name, "%s%s%s%s", prefix,
			      pn_profile_text(p, p->types[i].type),
			      *unit ? "/" : "", unit);
		add_key(q, pn_buf_detach(&name), source, i, true);
	}
}

static void add_place(struct pn_query *q)
{
	add_key(q, pn_strdup("function"), FUNCTION, 0, false);
	add_key(q, pn_strdup("file"), FILE_NAME, 0, false);
	add_key(q, pn_strdup("line"), LINE, 0, true);
	add_key(q, pn_strdup("address"), ADDRESS, 0, true);
	add_key(q, pn_strdup("binary"), BINARY, 0, false);
}

static bool is_number(const struct pn_label *label)
{
	return label->kind == PN_LABEL_INT || label->kind == PN_LABEL_DOUBLE;
}

/* A name that no key has: its own or, where that is taken, label:<name>. */
static char *label_name(struct pn_strtab *taken, const char *name)
{
	struct pn_buf text = {0};
	uint32_t at;

	pn_buf_add_text(&text, name);
	while (!text.len ||
	       pn_strtab_find(&at, taken, pn_buf_text(&text), text.len)) {
		struct pn_buf longer = {0};

		pn_buf_printf(&longer, "label:%s", pn_buf_text(&text));
		pn_buf_release(&text);
		text = longer;
	}
	pn_strtab_add(taken, text.data, text.len);
	return pn_buf_detach(&text);
}

static void add_label_key(struct pn_query *q, size_t *at,
			  struct pn_strtab *taken, uint32_t key)
{
	if (*at)
		return;
	add_key(q, label_name(taken, pn_profile_text(q->profile, key)), LABEL,
		key, true);
	*at = q->key_count;
}

/* Keys in the order of their first label; one that is given twice in a set
 * makes a text. */
static void add_labels(struct pn_query *q)
{
	const struct pn_profile *p = q->profile;
	size_t *key_of = pn_calloc(p->strings.count + 1, sizeof(*key_of));
	size_t *set_of = pn_calloc(p->strings.count + 1, sizeof(*set_of));
	struct pn_strtab taken = {0};
	size_t set, i;

	for (i = 0; i < q->key_count; i++)
		pn_strtab_add_text(&taken, q->keys[i].name);
	for (set = 0; set < p->label_set_count; set++)
		for (i = p->label_set_start[set];
		     i < p->label_set_start[set + 1]; i++) {
			const struct pn_label *label = &p->labels[i];
			size_t *at = &key_of[label->key];

			add_label_key(q, at, &taken, label->key);
			if (!is_number(label) || set_of[label->key] == set + 1)
				q->keys[*at - 1].numeric = false;
			set_of[label->key] = set + 1;
		}
	pn_strtab_release(&taken);
	free(key_of);
	free(set_of);
}

static void add_metrics(struct pn_query *q)
{
	static const char *const names[] = {"min", "q1",   "median", "q3",
					    "max", "mean", "sd"};
	const struct pn_profile *p = q->profile;
	size_t i, j, n = 0;

	add_key(q, pn_strdup("metric"), METRIC, 0, false);
	add_key(q, pn_strdup("unit"), UNIT, 0, false);
	add_key(q, pn_strdup("better"), BETTER, 0, false);
	add_key(q, pn_strdup("index"), INDEX, 0, true);
	add_key(q, pn_strdup("value"), METRIC_VALUE, 0, true);
	add_key(q, pn_strdup("n"), SUMMARY_N, 0, true);
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		add_key(q, pn_strdup(names[i]), SUMMARY, (uint32_t)i, true);
	for (i = 0; i < p->metric_count; i++)
		n += p->metrics[i].value_count + 1;
	q->metric_of = pn_realloc_array(NULL, n + 1, sizeof(*q->metric_of));
	q->value_of = pn_realloc_array(NULL, n + 1, sizeof(*q->value_of));
	for (i = 0, n = 0; i < p->metric_count; i++)
		for (j = 0; j < p->metrics[i].value_count || !j; j++) {
			q->metric_of[n] = (uint32_t)i;
			q->value_of[n++] =
				p->metrics[i].value_count ? j : SIZE_MAX;
		}
	q->resource_count = n;
}

void pn_query_init(struct pn_query *out, const struct pn_profile *p)
{
	struct pn_query q = {.profile = p};

	if (p->sample_count) {
		q.resource_count = p->sample_count;
		add_types(&q, "", VALUE);
		add_place(&q);
		add_key(&q, pn_strdup("stack"), STACK, 0, false);
		add_labels(&q);
	} else if (p->graph.node_count) {
		q.resource_count = p->graph.node_count;
		add_types(&q, "self:", SELF);
		add_types(&q, "total:", TOTAL);
		add_key(&q, pn_strdup("calls"), CALLS, 0, true);
		add_key(&q, pn_strdup("primitive"), PRIMITIVE, 0, true);
		add_place(&q);
	} else {
		add_metrics(&q);
	}
	*out = q;
}

void pn_query_release(struct pn_query *q)
{
	size_t i;

	if (!q)
		return;
	for (i = 0; i < q->key_count; i++)
		free(q->keys[i].name);
	free(q->keys);
	free(q->metric_of);
	free(q->value_of);
	memset(q, 0, sizeof(*q));
}

size_t pn_query_find(const struct pn_query *q, const char *name)
{
	size_t i;

	for (i = 0; i < q->key_count; i++)
		if (!strcmp(q->keys[i].name, name))
			return i;
	return SIZE_MAX;
}

static struct pn_datum nothing(void)
{
	return (struct pn_datum){.kind = PN_DATUM_NONE};
}

static struct pn_datum integer(int64_t value)
{
	return (struct pn_datum){.kind = PN_DATUM_INT, .i = value};
}

static struct pn_datum number(double value)
{
	if (!isfinite(value))
		return nothing();
	return (struct pn_datum){.kind = PN_DATUM_NUMBER, .d = value};
}

static struct pn_datum text(const char *data, size_t len)
{
	return (struct pn_datum){.kind = PN_DATUM_TEXT, .text = {data, len}};
}

/* Texts of places: "" is none. */
static struct pn_datum string(const struct pn_profile *p, uint32_t id)
{
	if (!id)
		return nothing();
	return text(pn_profile_text(p, id), pn_strtab_len(&p->strings, id));
}

static struct pn_datum value_of(const struct pn_profile *p,
				const union pn_value *rows, size_t row,
				uint32_t type)
{
	union pn_value value = rows[row * p->type_count + type];

	return p->types[type].number == PN_NUMBER_INT ? integer(value.i)
						      : number(value.d);
}

/* The location that the resource is about, or PN_NONE. */
static uint32_t place_of(const struct pn_query *q, size_t resource)
{
	const struct pn_profile *p = q->profile;
	const uint32_t *start;

	if (!p->sample_count)
		return p->graph.nodes[resource].location;
	start = p->stack_start + p->samples[resource].stack;
	return start[0] == start[1] ? PN_NONE : p->frames[start[0]];
}

static struct pn_datum of_place(const struct pn_query *q, size_t resource,
				int source)
{
	const struct pn_profile *p = q->profile;
	uint32_t at = place_of(q, resource);
	const struct pn_function *function;
	const struct pn_location *location;
	const struct pn_line *line;

	if (at == PN_NONE)
		return nothing();
	location = &p->locations[at];
	if (source == ADDRESS)
		return location->address && location->address <= INT64_MAX
			       ? integer((int64_t)location->address)
			       : nothing();
	if (source == BINARY)
		return location->mapping == PN_NONE
			       ? nothing()
			       : string(p, p->mappings[location->mapping].file);
	if (!location->line_count)
		return nothing();
	line = &p->lines[location->line_first];
	function = &p->functions[line->function];
	if (source == LINE)
		return line->line > 0 ? integer(line->line) : nothing();
	return string(p, source == FILE_NAME ? function->file : function->name);
}

static void add_frame(struct pn_buf *out, const struct pn_profile *p,
		      const struct pn_location *location)
{
	uint32_t i;

	if (!location->line_count)
		pn_buf_printf(out, "0x%llx;",
			      (unsigned long long)location->address);
	for (i = location->line_count; i > 0; i--) {
		const struct pn_line *line =
			&p->lines[location->line_first + i - 1];
		uint32_t name = p->functions[line->function].name;

		pn_buf_add(out, pn_profile_text(p, name),
			   pn_strtab_len(&p->strings, name));
		pn_buf_add_byte(out, ';');
	}
}

static struct pn_datum of_stack(const struct pn_profile *p, size_t sample,
				struct pn_buf *scratch)
{
	const uint32_t *start = p->stack_start + p->samples[sample].stack;
	uint32_t at;

	pn_buf_clear(scratch);
	for (at = start[1]; at > start[0]; at--)
		add_frame(scratch, p, &p->locations[p->frames[at - 1]]);
	if (!scratch->len)
		return nothing();
	return text(pn_buf_text(scratch), scratch->len - 1);
}

static struct pn_datum of_label(const struct pn_profile *p,
				const struct pn_label *label)
{
	struct pn_datum out;

	if (label->kind == PN_LABEL_INT)
		return integer(label->value.i);
	if (label->kind == PN_LABEL_DOUBLE)
		return number(label->value.d);
	out = text(pn_profile_text(p, label->value.s),
		   pn_strtab_len(&p->strings, label->value.s));
	out.json = label->kind == PN_LABEL_JSON;
	return out;
}

static struct pn_datum of_labels(const struct pn_profile *p, size_t sample,
				 uint32_t key, struct pn_buf *scratch)
{
	const uint32_t *start = p->label_set_start + p->samples[sample].labels;
	struct pn_datum out = nothing(), more;
	size_t n = 0;
	uint32_t i;

	for (i = start[0]; i < start[1]; i++) {
		if (p->labels[i].key != key)
			continue;
		more = of_label(p, &p->labels[i]);
		if (!n++) {
			out = more;
			continue;
		}
		if (n == 2) {
			pn_buf_clear(scratch);
			pn_datum_text(scratch, &out);
		}
		pn_buf_add_byte(scratch, ',');
		pn_datum_text(scratch, &more);
		out = text(pn_buf_text(scratch), scratch->len);
	}
	return out;
}

static struct pn_datum of_summary(const struct pn_metric *metric,
				  uint32_t which)
{
	const struct pn_summary *s = &metric->summary;
	const double figures[] = {s->min, s->q1,   s->median, s->q3,
				  s->max, s->mean, s->sd};

	return number(figures[which]);
}

static struct pn_datum of_metric(const struct pn_query *q, size_t resource,
				 const struct pn_query_key *key)
{
	const struct pn_profile *p = q->profile;
	const struct pn_metric *m = &p->metrics[q->metric_of[resource]];
	size_t at = q->value_of[resource];

	switch (key->source) {
	case METRIC:
		return string(p, m->name);
	case UNIT:
		return string(p, m->unit);
	case BETTER:
		if (m->better == PN_BETTER_UNKNOWN)
			return nothing();
		return text(m->better == PN_BETTER_LESS ? "less" : "more", 4);
	case INDEX:
		return at == SIZE_MAX ? nothing() : integer((int64_t)at);
	case METRIC_VALUE:
		return at == SIZE_MAX ? nothing() : number(m->values[at]);
	case SUMMARY_N:
		return at == SIZE_MAX ? integer((int64_t)m->summary.n)
				      : nothing();
	default:
		return at == SIZE_MAX ? of_summary(m, key->which) : nothing();
	}
}

static struct pn_datum of_count(int64_t count)
{
	return count < 0 ? nothing() : integer(count);
}

struct pn_datum pn_query_get(const struct pn_query *q, size_t resource,
			     size_t at, struct pn_buf *scratch)
{
	const struct pn_profile *p = q->profile;
	const struct pn_query_key *key = &q->keys[at];

	switch (key->source) {
	case VALUE:
		if (!pn_profile_is_present(p, resource, key->which))
			return nothing();
		return value_of(p, p->values, resource, key->which);
	case SELF:
		return value_of(p, p->graph.self, resource, key->which);
	case TOTAL:
		return value_of(p, p->graph.total, resource, key->which);
	case CALLS:
		return of_count(p->graph.nodes[resource].calls);
	case PRIMITIVE:
		return of_count(p->graph.nodes[resource].primitive);
	case STACK:
		return of_stack(p, resource, scratch);
	case LABEL:
		return of_labels(p, resource, key->which, scratch);
	default:
		return key->source < STACK ? of_place(q, resource, key->source)
					   : of_metric(q, resource, key);
	}
}

void pn_datum_text(struct pn_buf *out, const struct pn_datum *datum)
{
	char digits[PN_NUMBER_TEXT];

	if (datum->kind == PN_DATUM_TEXT)
		pn_buf_add(out, datum->text.data, datum->text.len);
	else if (datum->kind == PN_DATUM_INT)
		pn_buf_add_int(out, datum->i);
	else if (datum->kind == PN_DATUM_NUMBER)
		pn_buf_add(out, digits,
			   pn_number_write(digits, datum->d, false));
}

void pn_query_unique(struct pn_strtab *out, const struct pn_query *q,
		     size_t key)
{
	struct pn_buf scratch = {0}, value = {0};
	size_t i;

	pn_strtab_add(out, "", 0);
	for (i = 0; i < q->resource_count; i++) {
		struct pn_datum datum = pn_query_get(q, i, key, &scratch);

		pn_buf_clear(&value);
		pn_datum_text(&value, &datum);
		pn_strtab_add(out, pn_buf_text(&value), value.len);
	}
	pn_buf_release(&scratch);
	pn_buf_release(&value);
}

/* The value whose first event was returned, or only past it. */
static int take_member(struct pn_strtab *out, struct pn_json *json, bool wanted,
		       struct pn_error *err)
{
	enum pn_json_event event;
	struct pn_buf value = {0};
	int code = pn_json_next(&event, json, err);

	if (!code && event == PN_JSON_STRING)
		pn_buf_add(&value, pn_json_text(json), pn_json_len(json));
	else if (!code)
		code = pn_json_copy(&value, json, event, err);
	if (!code && wanted)
		pn_strtab_add(out, pn_buf_text(&value), value.len);
	pn_buf_release(&value);
	return code;
}

static int read_model(struct pn_strtab *out, struct pn_json *json,
		      const char *member, struct pn_error *err)
{
	enum pn_json_event event;
	int code = pn_json_next(&event, json, err);
	bool wanted;

	if (!code && event != PN_JSON_OBJECT)
		return pn_error_set(err, PN_EINVAL,
				    "a model is %s, expected an object",
				    pn_json_event_name(event));
	while (!code) {
		code = pn_json_next(&event, json, err);
		if (code || event == PN_JSON_OBJECT_END)
			break;
		wanted = member && !strcmp(pn_json_text(json), member);
		if (!member)
			pn_strtab_add(out, pn_json_text(json),
				      pn_json_len(json));
		code = take_member(out, json, wanted, err);
	}
	return code;
}

int pn_query_models(struct pn_strtab *out, const struct pn_profile *p,
		    const char *member, struct pn_error *err)
{
	size_t i;
	int code = 0;

	pn_strtab_add(out, "", 0);
	for (i = 0; i < p->header.model_count && !code; i++) {
		uint32_t id = p->header.models[i];
		struct pn_reader *in = NULL;
		struct pn_json *json;

		code = pn_reader_memory(&in, pn_profile_text(p, id),
					pn_strtab_len(&p->strings, id), "model",
					0, err);
		if (code)
			break;
		json = pn_json_new(in);
		code = read_model(out, json, member, err);
		pn_json_free(json);
		pn_reader_free(in);
	}
	return code;
}
