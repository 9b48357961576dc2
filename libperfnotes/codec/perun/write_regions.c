/*
 * What a Perun profile says of itself, written: origin, header, collector,
 * postprocessors and what else stood at the top, in the order of the file
 * that it came from, else in Perun's.
 */
#include "codec/perun/build.h"
#include "codec/perun/perun.h"
#include "codec/perun/write.h"

#include <string.h>

static bool is_time_unit(const char *unit)
{
	static const char *const units[] = {
		"ns",
		"us",
		"ms",
		"s",
		"nanoseconds",
		"microseconds",
		"milliseconds",
		"seconds",
		"nanosecond",
		"microsecond",
		"millisecond",
		"second",
		"min",
		"minutes",
		"h",
		"hours",
	};
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (!strcmp(units[i], unit))
			return true;
	return false;
}

static bool is_memory_unit(const char *unit)
{
	static const char *const units[] = {"bytes", "byte", "B",   "kB",
					    "KB",    "MB",   "GB",  "KiB",
					    "MiB",   "GiB",  "kib", "mib"};
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (!strcmp(units[i], unit))
			return true;
	return false;
}

bool pn_perun_is_own(const struct pn_profile *p)
{
	size_t i;

	for (i = 0; i < p->type_count; i++) {
		const char *name = pn_profile_text(p, p->types[i].type);

		if (pn_perun_is_collectable(name, strlen(name)))
			return true;
	}
	/* that of a header which was read */
	for (i = 0; i < p->header.extra_count; i++)
		if (!strcmp(pn_profile_text(p, p->header.extras[i].key),
			    "header"))
			return true;
	return false;
}

void pn_perun_writing_begin(struct pn_perun_writing *w)
{
	const struct pn_profile *p = w->profile;
	const char *unit;
	size_t i;

	w->main = SIZE_MAX;
	w->kind = NULL;
	w->subtype = NULL;
	w->native = pn_perun_is_own(p);
	for (i = 0; i < p->type_count; i++)
		w->has_amount |=
			!strcmp(pn_profile_text(p, p->types[i].type), "amount");
	if (w->native || !p->type_count)
		return;
	w->main = pn_profile_default_type(p);
	unit = pn_profile_text(p, p->types[w->main].unit);
	w->kind = p->header.kind	 ? pn_profile_text(p, p->header.kind)
		  : is_time_unit(unit)	 ? "time"
		  : is_memory_unit(unit) ? "memory"
					 : "mixed";
	w->subtype = pn_profile_text(p, p->types[w->main].type);
	if (!strcmp(w->subtype, w->kind) || !*w->subtype)
		w->subtype = NULL;
}

static void write_key(struct pn_buf *out, const char *key)
{
	const unsigned char last = out->data[out->len - 1];

	if (last != '{' && last != '[')
		pn_buf_add_text(out, ", ");
	pn_perun_write_text(out, key);
	pn_buf_add_text(out, ": ");
}

static void write_string(struct pn_buf *out, const struct pn_perun_writing *w,
			 uint32_t id)
{
	pn_json_write_string(out, pn_profile_text(w->profile, id),
			     pn_strtab_len(&w->profile->strings, id),
			     PN_JSON_PYTHON);
}

/* Members of the header that the model holds, in Perun's order. */
enum member {
	TYPE,
	UNITS,
	CMD,
	ARGS,
	WORKLOAD,
	EXITCODE,
	LABEL,
	LABELS,
	OTHER
};

static const char *const member_names[] = {
	[TYPE] = "type",   [UNITS] = "units",	    [CMD] = "cmd",
	[ARGS] = "args",   [WORKLOAD] = "workload", [EXITCODE] = "exitcode",
	[LABEL] = "label", [LABELS] = "labels",
};

static uint32_t string_of(const struct pn_header *header, enum member member)
{
	switch (member) {
	case TYPE:
		return header->kind;
	case CMD:
		return header->cmd;
	case ARGS:
		return header->args;
	default:
		return header->workload;
	}
}

static bool is_named_label(const struct pn_perun_writing *w, size_t i)
{
	return !strcmp(
		pn_profile_text(w->profile, w->profile->header.labels[i].key),
		"label");
}

/* The label "label" alone, or all others; false when there is none. */
static bool write_labels(struct pn_buf *out, const struct pn_perun_writing *w,
			 enum member member)
{
	const struct pn_header *header = &w->profile->header;
	bool one = member == LABEL, any = false;
	size_t i;

	for (i = 0; i < header->label_count; i++) {
		if (is_named_label(w, i) != one)
			continue;
		if (!any) {
			write_key(out, member_names[member]);
			if (!one)
				pn_buf_add_byte(out, '{');
		}
		any = true;
		if (!one) {
			write_key(out, pn_profile_text(w->profile,
						       header->labels[i].key));
		}
		write_string(out, w, header->labels[i].value);
	}
	if (any && !one)
		pn_buf_add_byte(out, '}');
	return any;
}

/* What the model says of a member; false when it says nothing. */
static bool write_member(struct pn_buf *out, const struct pn_perun_writing *w,
			 enum member member)
{
	const struct pn_header *header = &w->profile->header;
	const struct pn_value_type *type;

	switch (member) {
	case UNITS:
		if (w->main == SIZE_MAX)
			return false;
		type = &w->profile->types[w->main];
		write_key(out, "units");
		pn_buf_add_byte(out, '{');
		write_key(out, w->kind);
		write_string(out, w, type->unit);
		pn_buf_add_byte(out, '}');
		return true;
	case EXITCODE:
		if (header->exit_status < 0)
			return false;
		write_key(out, "exitcode");
		pn_json_write_int(out, header->exit_status);
		return true;
	case LABEL:
	case LABELS:
		return write_labels(out, w, member);
	default:
		if (!string_of(header, member))
			return false;
		write_key(out, member_names[member]);
		write_string(out, w, string_of(header, member));
		return true;
	}
}

static enum member member_at(const struct pn_json_tree *v, size_t item)
{
	int i;

	for (i = 0; i < OTHER; i++)
		if (pn_json_tree_is(v, item, member_names[i]))
			break;
	return (enum member)i;
}

static void write_empty(struct pn_buf *out, enum member member)
{
	write_key(out, member_names[member]);
	pn_buf_add_text(out, member <= WORKLOAD ? "\"\"" : "null");
}

/* Along the header that was read: null stands for what the model says. */
static unsigned int follow_template(struct pn_buf *out,
				    struct pn_perun_writing *w)
{
	const struct pn_json_tree *v = &w->value;
	unsigned int written = 0;
	size_t at, end, len;

	for (at = 1; pn_json_tree_event(v, at) == PN_JSON_KEY; at = end) {
		enum member member = member_at(v, at);
		const char *key = pn_json_tree_text(v, at, &len);
		bool is_null = pn_json_tree_event(v, at + 1) == PN_JSON_NULL;

		end = pn_json_tree_end(v, at + 1);
		written |= 1u << member;
		if (member != OTHER && member != UNITS && is_null) {
			if (!write_member(out, w, member))
				write_empty(out, member);
			continue;
		}
		if (out->data[out->len - 1] != '{')
			pn_buf_add_text(out, ", ");
		pn_json_write_string(out, key, len, PN_JSON_PYTHON);
		pn_buf_add_text(out, ": ");
		pn_json_tree_write(out, v, at + 1, PN_JSON_PYTHON);
	}
	return written;
}

static int write_header(struct pn_buf *out, struct pn_perun_writing *w,
			uint32_t template, struct pn_error *err)
{
	const struct pn_strtab *strings = &w->profile->strings;
	unsigned int written = 0;
	int member, code;

	write_key(out, "header");
	pn_buf_add_byte(out, '{');
	if (template) {
		code = pn_json_tree_parse(
			&w->value, pn_strtab_text(strings, template),
			pn_strtab_len(strings, template), err);
		if (code)
			return code;
		written = follow_template(out, w);
	} else if (!w->profile->header.kind) {
		write_key(out, "type");
		pn_perun_write_text(out, w->kind ? w->kind : "mixed");
		written = 1u << TYPE;
	}
	for (member = 0; member < OTHER; member++) {
		if (written >> member & 1)
			continue;
		/* Perun takes for granted that these two are there */
		if (!write_member(out, w, (enum member)member) && !template &&
		    (member == CMD || member == WORKLOAD))
			write_empty(out, (enum member)member);
	}
	pn_buf_add_byte(out, '}');
	return 0;
}

/* Missing parameters of what we collected ourselves are an empty object. */
static int write_unit(struct pn_buf *out, struct pn_perun_writing *w,
		      const struct pn_step *unit, bool ours,
		      struct pn_error *err)
{
	int code = 0;

	pn_buf_add_byte(out, '{');
	if (unit->name || ours) {
		write_key(out, "name");
		write_string(out, w, unit->name);
	}
	if (unit->params || ours) {
		write_key(out, "params");
		if (unit->params)
			code = pn_perun_write_json(out, w, unit->params, err);
		else
			pn_buf_add_text(out, "{}");
	}
	pn_buf_add_byte(out, '}');
	return code;
}

static int write_posts(struct pn_buf *out, struct pn_perun_writing *w,
		       bool ours, struct pn_error *err)
{
	const struct pn_header *header = &w->profile->header;
	size_t i;
	int code = 0;

	write_key(out, "postprocessors");
	pn_buf_add_byte(out, '[');
	for (i = 0; i < header->post_count && !code; i++) {
		if (i)
			pn_buf_add_text(out, ", ");
		code = write_unit(out, w, &header->posts[i], ours, err);
	}
	pn_buf_add_byte(out, ']');
	return code;
}

static const struct pn_pair *find_extra(const struct pn_perun_writing *w,
					const char *key)
{
	const struct pn_header *header = &w->profile->header;
	size_t i;

	for (i = 0; i < header->extra_count; i++)
		if (!strcmp(pn_profile_text(w->profile, header->extras[i].key),
			    key))
			return &header->extras[i];
	return NULL;
}

/* Regions that have no place of their own in the order of a file. */
static int write_unplaced(struct pn_buf *out, struct pn_perun_writing *w,
			  struct pn_error *err)
{
	const struct pn_header *header = &w->profile->header;
	bool ours = !find_extra(w, "header");
	int code = 0;

	if (ours)
		code = write_header(out, w, 0, err);
	if (!code && !find_extra(w, "collector_info") &&
	    (ours || header->collector.name)) {
		write_key(out, "collector_info");
		code = write_unit(out, w, &header->collector, ours, err);
	}
	if (!code && !find_extra(w, "postprocessors") &&
	    (ours || header->post_count))
		code = write_posts(out, w, ours, err);
	return code;
}

static int write_extra(struct pn_buf *out, struct pn_perun_writing *w,
		       const struct pn_pair *extra, struct pn_error *err)
{
	const struct pn_profile *p = w->profile;
	const char *key = pn_profile_text(p, extra->key);

	if (!strcmp(key, "header"))
		return write_header(out, w, extra->value, err);
	if (!strcmp(key, "postprocessors"))
		return write_posts(out, w, false, err);
	if (!strcmp(key, "collector_info")) {
		write_key(out, key);
		return write_unit(out, w, &p->header.collector, false, err);
	}
	pn_buf_add_text(out, ", ");
	write_string(out, w, extra->key);
	pn_buf_add_text(out, ": ");
	return pn_perun_write_json(out, w, extra->value, err);
}

int pn_perun_write_regions(struct pn_buf *out, struct pn_perun_writing *w,
			   struct pn_error *err)
{
	const struct pn_header *header = &w->profile->header;
	size_t i;
	int code;

	if (header->origin) {
		write_key(out, "origin");
		write_string(out, w, header->origin);
	}
	code = write_unplaced(out, w, err);
	for (i = 0; i < header->extra_count && !code; i++)
		code = write_extra(out, w, &header->extras[i], err);
	return code;
}
