/* Index entries as people and programs see them. */
#include "entry_view.h"

#include "base/escape.h"
#include "base/file.h"
#include "model/unit.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void metric_object(struct pn_json_writer *w, const struct pn_entry_metric *m)
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
		metric_object(w, &e->metrics[i]);
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

void entry_members(struct pn_json_writer *w, const struct pn_entry *e)
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
	labels_member(w, e);
	metrics_member(w, e);
}

void entry_job(struct pn_buf *out, const char *cmd, const char *args,
	       const char *workload)
{
	const char *const parts[] = {cmd, args, workload};
	size_t i;
	bool any = false;

	for (i = 0; i < 3; i++) {
		if (!*parts[i])
			continue;
		if (any)
			pn_buf_add_byte(out, ' ');
		pn_escape_terminal(out, parts[i], strlen(parts[i]));
		any = true;
	}
}

void job_tell_apart(struct job_tell *tell, const struct pn_figure *a,
		    const struct pn_figure *b)
{
	if (strcmp(a->cmd, b->cmd) != 0 || strcmp(a->args, b->args) != 0 ||
	    strcmp(a->workload, b->workload) != 0)
		return;
	if (strcmp(a->collector, b->collector) != 0)
		tell->collector = true;
	else if (strcmp(a->environment, b->environment) != 0)
		tell->environment = true;
}

void job_text(struct pn_buf *out, const struct pn_figure *figure,
	      const struct job_tell *tell)
{
	struct pn_buf job = {0};

	entry_job(&job, figure->cmd, figure->args, figure->workload);
	if (tell->collector && *figure->collector) {
		pn_buf_add_text(&job, job.len ? ": " : "");
		pn_escape_terminal(&job, figure->collector,
				   strlen(figure->collector));
	}
	if (tell->environment && *figure->environment) {
		pn_buf_add_text(&job, job.len ? " on " : "on ");
		pn_escape_terminal(&job, figure->environment,
				   strlen(figure->environment));
	}
	pn_buf_add_text(out, pn_buf_text(&job));
	pn_buf_release(&job);
}

void value_text(struct pn_buf *out, double value, const char *unit)
{
	struct pn_buf label = {0};

	pn_unit_label(&label, value, unit, PN_UNIT_AUTO);
	pn_escape_terminal(out, pn_buf_text(&label), label.len);
	pn_buf_release(&label);
}

void figure_text(struct pn_buf *out, const struct pn_figure *f)
{
	pn_escape_terminal(out, f->metric, strlen(f->metric));
	pn_buf_add_byte(out, ' ');
	value_text(out, f->median, f->unit);
	if (f->n < 2)
		return;
	if (isfinite(f->sd)) {
		pn_buf_add_text(out, " \xc2\xb1 ");
		value_text(out, f->sd, f->unit);
	}
	pn_buf_printf(out, " (n %" PRIu64 ")", f->n);
}

void time_text(struct pn_buf *out, int64_t time_ns)
{
	char text[PN_TIME_TEXT];

	pn_time_write(text, time_ns);
	text[10] = ' ';
	pn_buf_add(out, text, 19);
}
