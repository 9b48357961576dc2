/* Index entries as programs see them. */
#include "base/file.h"
#include "model/machine/quiet.h"
#include "render/log/entry.h"
#include "render/remark.h"

#include <string.h>

void pn_entry_metric_json(struct pn_json_writer *w,
			  const struct pn_entry_metric *m)
{
	static const char *const better[] = {NULL, "less", "more"};
	const struct pn_summary *s = &m->summary;
	size_t i;

	pn_json_open(w, '{');
	pn_json_member(w, "name", m->name);
	if (*m->unit)
		pn_json_member(w, "unit", m->unit);
	if (better[m->better])
		pn_json_member(w, "better", better[m->better]);
	pn_json_key(w, "n");
	pn_json_uint(w, s->n);
	pn_json_member_double(w, "median", s->median);
	pn_json_member_double(w, "min", s->min);
	pn_json_member_double(w, "max", s->max);
	pn_json_member_double(w, "mean", s->mean);
	pn_json_member_double(w, "sd", s->sd);
	if (m->values) {
		pn_json_key(w, "values");
		pn_json_open(w, '[');
		for (i = 0; i < m->value_count; i++)
			pn_json_double(w, m->values[i]);
		pn_json_close(w, ']');
	}
	pn_json_close(w, '}');
}

static void field_member(struct pn_json_writer *w, const char *key,
			 const struct pn_entry *e, const char *field)
{
	const char *value = pn_entry_field(e, field);

	if (*value)
		pn_json_member(w, key, value);
}

static void labels_member(struct pn_json_writer *w, const struct pn_entry *e)
{
	size_t i;

	pn_json_key(w, "labels");
	pn_json_open(w, '{');
	for (i = 0; i < e->field_count; i++)
		if (!strncmp(e->fields[i].key, "l.", 2))
			pn_json_member(w, e->fields[i].key + 2,
				       e->fields[i].value);
	pn_json_close(w, '}');
}

static void metrics_member(struct pn_json_writer *w, const struct pn_entry *e)
{
	size_t i;

	pn_json_key(w, "metrics");
	pn_json_open(w, '[');
	for (i = 0; i < e->metric_count; i++)
		pn_entry_metric_json(w, &e->metrics[i]);
	pn_json_close(w, ']');
}

/* Names, which have no blanks, separated by one. */
static void posts_member(struct pn_json_writer *w, const struct pn_entry *e)
{
	const char *names = pn_entry_field(e, "posts");
	size_t len;

	if (!*names)
		return;
	pn_json_key(w, "postprocessors");
	pn_json_open(w, '[');
	for (; *names; names += len + (names[len] == ' ')) {
		len = strcspn(names, " ");
		pn_json_string_n(w, names, len);
	}
	pn_json_close(w, ']');
}

void pn_entry_json(struct pn_json_writer *w, const struct pn_entry *e)
{
	const char *own = pn_entry_field(e, "t");
	char hex[PN_OID_HEX + 1];
	int64_t time_ns = e->time_ns;

	if (*own)
		pn_time_parse(&time_ns, own, strlen(own));
	if (*e->id)
		pn_json_member(w, "id", e->id);
	field_member(w, "name", e, "name");
	pn_json_member_time(w, "time", time_ns);
	pn_json_member_time(w, "added", e->time_ns);
	field_member(w, "type", e, "kind");
	field_member(w, "collector", e, "collector");
	field_member(w, "cmd", e, "cmd");
	field_member(w, "args", e, "args");
	field_member(w, "workload", e, "workload");
	posts_member(w, e);
	field_member(w, "format", e, "format");
	if (e->has_body) {
		pn_oid_hex(hex, &e->body);
		pn_json_member(w, "body", hex);
		pn_json_key(w, "size");
		pn_json_uint(w, e->size);
	}
	field_member(w, "environment", e, "env");
	if (*pn_entry_field(e, "dirty")) {
		pn_json_key(w, "dirty");
		pn_json_bool(w, true);
	}
	pn_quiet_json(w, pn_entry_field(e, PN_QUIET_FIELD));
	labels_member(w, e);
	metrics_member(w, e);
}
