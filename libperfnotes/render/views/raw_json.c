/* The view `raw` as JSON. */
#include "render/views/raw_json.h"

static void open_list(struct pn_sink *out, const char *key)
{
	pn_json_key(&out->json, key);
	pn_json_open(&out->json, '[');
}

static void text_member(struct pn_sink *out, const struct pn_profile *p,
			const char *key, uint32_t id)
{
	if (id)
		pn_json_member(&out->json, key, pn_profile_text(p, id));
}

static void types(struct pn_sink *out, const struct pn_profile *p)
{
	size_t i;

	open_list(out, "sample_types");
	for (i = 0; i < p->type_count; i++) {
		pn_json_open(&out->json, '{');
		text_member(out, p, "type", p->types[i].type);
		text_member(out, p, "unit", p->types[i].unit);
		pn_json_close(&out->json, '}');
	}
	pn_json_close(&out->json, ']');
}

static void label(struct pn_sink *out, const struct pn_profile *p,
		  const struct pn_label *label)
{
	pn_json_open(&out->json, '{');
	text_member(out, p, "key", label->key);
	if (label->kind == PN_LABEL_INT)
		pn_json_member_int(&out->json, "value", label->value.i);
	else if (label->kind == PN_LABEL_DOUBLE)
		pn_json_member_double(&out->json, "value", label->value.d);
	else
		pn_json_member(&out->json, "value",
			       pn_profile_text(p, label->value.s));
	text_member(out, p, "unit", label->unit);
	pn_json_close(&out->json, '}');
}

static void sample(struct pn_sink *out, const struct pn_profile *p, size_t at)
{
	const struct pn_sample *s = &p->samples[at];
	uint32_t i;

	pn_json_open(&out->json, '{');
	open_list(out, "values");
	for (i = 0; i < p->type_count; i++) {
		const union pn_value *value =
			&p->values[at * p->type_count + i];

		if (p->types[i].number == PN_NUMBER_INT)
			pn_json_int(&out->json, value->i);
		else
			pn_json_double(&out->json, value->d);
	}
	pn_json_close(&out->json, ']');
	open_list(out, "locations");
	for (i = p->stack_start[s->stack]; i < p->stack_start[s->stack + 1];
	     i++)
		pn_json_int(&out->json, (int64_t)p->frames[i] + 1);
	pn_json_close(&out->json, ']');
	if (s->labels < p->label_set_count &&
	    p->label_set_start[s->labels] < p->label_set_start[s->labels + 1]) {
		open_list(out, "labels");
		for (i = p->label_set_start[s->labels];
		     i < p->label_set_start[s->labels + 1]; i++)
			label(out, p, &p->labels[i]);
		pn_json_close(&out->json, ']');
	}
	pn_json_close(&out->json, '}');
	pn_sink_drain(out);
}

static void line(struct pn_sink *out, const struct pn_profile *p,
		 const struct pn_line *line)
{
	pn_json_open(&out->json, '{');
	if (line->function < p->function_count) {
		const struct pn_function *f = &p->functions[line->function];

		text_member(out, p, "name", f->name);
		if (f->system_name != f->name)
			text_member(out, p, "system_name", f->system_name);
		text_member(out, p, "file", f->file);
		if (f->start_line)
			pn_json_member_int(&out->json, "start_line",
					   f->start_line);
	}
	if (line->line)
		pn_json_member_int(&out->json, "line", line->line);
	if (line->column)
		pn_json_member_int(&out->json, "column", line->column);
	pn_json_close(&out->json, '}');
}

static void location(struct pn_sink *out, const struct pn_profile *p, size_t at)
{
	const struct pn_location *l = &p->locations[at];
	uint32_t i;

	pn_json_open(&out->json, '{');
	pn_json_key(&out->json, "address");
	pn_json_uint(&out->json, l->address);
	if (l->mapping < p->mapping_count)
		pn_json_member_int(&out->json, "mapping",
				   (int64_t)l->mapping + 1);
	open_list(out, "lines");
	for (i = 0; i < l->line_count; i++)
		line(out, p, &p->lines[l->line_first + i]);
	pn_json_close(&out->json, ']');
	pn_json_close(&out->json, '}');
	pn_sink_drain(out);
}

static void mapping(struct pn_sink *out, const struct pn_profile *p, size_t at)
{
	const struct pn_mapping *m = &p->mappings[at];

	pn_json_open(&out->json, '{');
	pn_json_key(&out->json, "start");
	pn_json_uint(&out->json, m->start);
	pn_json_key(&out->json, "limit");
	pn_json_uint(&out->json, m->limit);
	pn_json_key(&out->json, "offset");
	pn_json_uint(&out->json, m->offset);
	text_member(out, p, "file", m->file);
	text_member(out, p, "build_id", m->build_id);
	pn_json_close(&out->json, '}');
}

int pn_raw_json(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	const struct pn_profile *p = in->profile;
	size_t i;

	(void)err;
	if (pn_profile_runs(p) > 1)
		pn_json_member_int(&out->json, "runs", pn_profile_runs(p));
	types(out, p);
	open_list(out, "samples");
	for (i = 0; i < p->sample_count; i++)
		sample(out, p, i);
	pn_json_close(&out->json, ']');
	open_list(out, "locations");
	for (i = 0; i < p->location_count; i++)
		location(out, p, i);
	pn_json_close(&out->json, ']');
	open_list(out, "mappings");
	for (i = 0; i < p->mapping_count; i++)
		mapping(out, p, i);
	pn_json_close(&out->json, ']');
	return 0;
}
