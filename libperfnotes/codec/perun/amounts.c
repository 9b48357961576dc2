/* What the amounts of a Perun profile are amounts of. */
#include "codec/perun/amounts.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

struct search {
	struct pn_perun_amounts *out;
	struct pn_perun_build *build;
	const struct pn_perun_units *units;
	uint32_t amount, type, subtype; /* strings: keys */
	bool by_time; /* the time collector: what it calls "real" and so on */
};

static const char *text_of(const struct search *s, uint32_t id)
{
	return pn_profile_text(s->build->profile, id);
}

/* The text of a label of a set; 0 when it has none. */
static uint32_t label_of(const struct search *s, uint32_t set, uint32_t key)
{
	struct pn_label label;
	size_t i;

	for (i = 0; pn_perun_build_label(&label, s->build, set, i); i++)
		if (label.key == key && label.kind == PN_LABEL_STRING)
			return label.value.s;
	return 0;
}

static const struct pn_pair *unit_named(const struct search *s,
					const char *name)
{
	size_t i;

	for (i = 0; i < s->units->count; i++)
		if (!strcmp(text_of(s, s->units->items[i].key), name))
			return &s->units->items[i];
	return NULL;
}

static int no_unit(const struct search *s, const char *name,
		   struct pn_error *err)
{
	struct pn_buf have = {0};
	size_t i;

	for (i = 0; i < s->units->count; i++)
		pn_buf_printf(&have, "%s'%s'", i ? ", " : "",
			      text_of(s, s->units->items[i].key));
	pn_error_set(err, PN_EINVAL,
		     "header.units has no unit for '%.200s', it has %.200s",
		     name, have.len ? pn_buf_text(&have) : "none");
	pn_buf_release(&have);
	return PN_EINVAL;
}

/* The leaf's function: the uid of a resource without a trace. */
static uint32_t uid_of(const struct search *s, const struct pn_sample *row)
{
	const struct pn_profile *p = s->build->profile;
	uint32_t at = p->stack_start[row->stack];
	const struct pn_location *leaf = &p->locations[p->frames[at]];

	return p->functions[p->lines[leaf->line_first].function].name;
}

/* The time collector's "real", "user" and "sys": its subtypes, and in older
 * layouts its uids. */
static const char *time_of(const struct search *s, const struct pn_sample *row,
			   const char *subtype)
{
	static const char *const times[] = {"real", "user", "sys"};
	const char *uid = text_of(s, uid_of(s, row));
	size_t i;

	for (i = 0; i < sizeof(times) / sizeof(*times); i++)
		if (!strcmp(subtype, times[i]))
			return subtype;
	for (i = 0; i < sizeof(times) / sizeof(*times); i++)
		if (!strcmp(uid, times[i]))
			return times[i];
	return subtype;
}

/* The name of what a row measures, and its unit. */
static int name_row(struct pn_buf *name, uint32_t *unit, const struct search *s,
		    const struct pn_sample *row, struct pn_error *err)
{
	const char *type = text_of(s, label_of(s, row->labels, s->type));
	const char *subtype = text_of(s, label_of(s, row->labels, s->subtype));
	const struct pn_pair *of_subtype, *of_type;
	const char *time;

	if (!*type)
		type = text_of(s, s->build->profile->header.kind);
	pn_buf_clear(name);
	pn_buf_add_text(name, type);
	if (*subtype)
		pn_buf_printf(name, "(%s)", subtype);
	of_subtype = *subtype ? unit_named(s, pn_buf_text(name)) : NULL;
	of_type = unit_named(s, type);
	*unit = 0;
	if (of_subtype || of_type)
		*unit = of_subtype ? of_subtype->value : of_type->value;
	else
		return no_unit(s, pn_buf_text(name), err);
	if (!of_subtype && !strcmp(type, "memory")) {
		pn_buf_clear(name);
		pn_buf_add_text(name, type);
	}
	time = s->by_time ? time_of(s, row, subtype) : "";
	if (*time) {
		pn_buf_clear(name);
		pn_buf_add_text(name, time);
	}
	return 0;
}

static int find_row(struct search *s, size_t at, struct pn_buf *name,
		    struct pn_error *err)
{
	struct pn_perun_amounts *out = s->out;
	struct pn_perun_amount found;
	size_t i;
	int code = name_row(name, &found.unit, s, &s->build->rows[at], err);

	if (code)
		return code;
	found.name = pn_strtab_add(&s->build->profile->strings,
				   pn_buf_text(name), name->len);
	for (i = 0; i < out->count; i++)
		if (out->items[i].name == found.name)
			break;
	/* with the other columns there may be still more */
	if (i == PN_MAX_VALUE_TYPES)
		return pn_error_set(err, PN_ELIMIT,
				    "resources of more than %u types",
				    PN_MAX_VALUE_TYPES);
	if (i == out->count)
		out->items[out->count++] = found;
	out->of_row[at] = (uint8_t)i;
	return 0;
}

/* One kind of thing is the amount. */
static void unite(struct search *s)
{
	struct pn_perun_amounts *out = s->out;
	size_t i;

	for (i = 0; i < out->count; i++)
		if (s->by_time &&
		    !strcmp(text_of(s, out->items[i].name), "real"))
			out->main = i;
	if (out->count != 1)
		return;
	out->items[0].name = s->amount;
}

int pn_perun_amounts_find(struct pn_perun_amounts *out,
			  struct pn_perun_build *build,
			  const struct pn_perun_units *units,
			  struct pn_error *err)
{
	struct pn_profile *p = build->profile;
	struct search s = {.out = out, .build = build, .units = units};
	struct pn_buf name = {0};
	size_t i, at = 0, next;
	int code = 0;

	memset(out, 0, sizeof(*out));
	out->of_row = pn_calloc(build->row_count + 1, 1);
	s.amount = pn_strtab_add_text(&p->strings, "amount");
	s.type = pn_strtab_add_text(&p->strings, "type");
	s.subtype = pn_strtab_add_text(&p->strings, "subtype");
	s.by_time =
		!strcmp(pn_profile_text(p, p->header.collector.name), "time") &&
		!strcmp(pn_profile_text(p, p->header.kind), "time");
	for (i = 0; i < build->row_count && !code; i++, at = next)
		if (pn_perun_build_has(build, &next, at, s.amount))
			code = find_row(&s, i, &name, err);
	pn_buf_release(&name);
	if (code)
		pn_perun_amounts_release(out);
	else
		unite(&s);
	return code;
}

void pn_perun_amounts_release(struct pn_perun_amounts *amounts)
{
	free(amounts->of_row);
	amounts->of_row = NULL;
}
