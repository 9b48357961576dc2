/* Functions over commits as JSON. */
#include "base/json/json.h"
#include "render/functions/course.h"
#include "render/functions/words.h"

#include <math.h>
#include <string.h>

struct writing {
	struct pn_json_writer w;
	const struct pn_blame *blame;
	bool points;
};

static void put_commit(struct writing *p, const char *key, size_t number)
{
	char hex[PN_OID_HEX + 1];

	pn_oid_hex(hex, &p->blame->commits[number].id);
	pn_json_member(&p->w, key, hex);
}

static void put_who(struct writing *p, size_t number)
{
	const struct pn_function_commit *c = &p->blame->commits[number];

	pn_json_member(&p->w, "author", c->author);
	pn_json_member_time_s(&p->w, "date", c->author_time_s);
	pn_json_member(&p->w, "subject", c->subject);
}

static void put_change(struct writing *p, const struct pn_blame_row *row,
		       const struct pn_function_change *c)
{
	static const char *const kinds[] = {"changed", "new", "gone"};

	size_t commit = row->series->points[c->point].commit;

	pn_json_open(&p->w, '{');
	put_commit(p, "commit", commit);
	pn_json_member(&p->w, "kind", kinds[c->kind]);
	pn_json_member(&p->w, "change",
		       pn_function_change_direction(row->series, c) > 0
			       ? "worse"
			       : "better");
	pn_json_member_double(&p->w, "before", c->before);
	pn_json_member_double(&p->w, "after", c->after);
	pn_json_member_double(&p->w, "effect", c->ratio - 1);
	pn_json_member_double(&p->w, "low", c->low - 1);
	pn_json_member_double(&p->w, "high", c->high - 1);
	pn_json_member_double(&p->w, "confidence", c->confidence);
	pn_json_member_int(&p->w, "commits", (int64_t)pn_functions_span(c));
	put_commit(p, "oldest", c->to);
	put_commit(p, "newest", c->from);
	put_who(p, commit);
	pn_json_close(&p->w, '}');
}

static void put_point(struct writing *p, const struct pn_blame_row *row,
		      size_t point)
{
	const struct pn_function_value *v = &row->function->values[point];

	pn_json_open(&p->w, '{');
	put_commit(p, "commit", row->series->points[point].commit);
	pn_json_member_double(&p->w, "self", v->self);
	pn_json_member_double(&p->w, "total", v->total);
	pn_json_member_double(
		&p->w, "self_share",
		pn_function_share(row->series, row->function, point, false));
	pn_json_member_double(
		&p->w, "total_share",
		pn_function_share(row->series, row->function, point, true));
	pn_json_member_double(&p->w, "calls", v->calls);
	pn_json_close(&p->w, '}');
}

static void put_earlier(struct writing *p, const struct pn_blame_row *row)
{
	const struct pn_function_row *f = row->function;
	size_t i;

	if (!f->earlier_count)
		return;
	pn_json_key(&p->w, "earlier");
	pn_json_open(&p->w, '[');
	for (i = 0; i < f->earlier_count; i++) {
		const struct pn_function_name *name = &f->earlier[i];

		pn_json_open(&p->w, '{');
		pn_json_member(&p->w, "function", name->name);
		pn_json_member(&p->w, "file", name->file);
		put_commit(p, "until", row->series->points[name->point].commit);
		pn_json_close(&p->w, '}');
	}
	pn_json_close(&p->w, ']');
}

static void put_apart(struct writing *p, const struct pn_function_changes *c)
{
	if (!c->apart)
		return;
	pn_json_member_int(&p->w, "apart", (int64_t)c->apart);
	if (isfinite(c->apart_ratio))
		pn_json_member_double(&p->w, "apart_ratio", c->apart_ratio);
}

static void put_function(struct writing *p, const struct pn_blame_row *row)
{
	static const char *const doubts[] = {NULL,     "few",	 "rarely",
					     "steady", "newest", "oldest"};
	const struct pn_function_row *f = row->function;
	size_t i;

	pn_json_open(&p->w, '{');
	pn_json_member(&p->w, "function", f->name);
	pn_json_member(&p->w, "file", f->file);
	put_earlier(p, row);
	pn_json_member_double(&p->w, "self", f->values[0].self);
	pn_json_member_double(&p->w, "total", f->values[0].total);
	pn_json_member_double(&p->w, "self_share",
			      pn_function_share(row->series, f, 0, false));
	pn_json_member_double(&p->w, "total_share",
			      pn_function_share(row->series, f, 0, true));
	pn_json_member(&p->w, "doubt", doubts[row->changes.doubt]);
	if (row->changes.doubt == PN_FUNCTION_STEADY)
		pn_json_member_double(&p->w, "drift", row->changes.drift);
	put_apart(p, &row->changes);
	pn_json_key(&p->w, "changes");
	pn_json_open(&p->w, '[');
	for (i = 0; i < row->changes.count && (p->points || !i); i++)
		put_change(p, row, &row->changes.items[i]);
	pn_json_close(&p->w, ']');
	if (p->points) {
		pn_json_key(&p->w, "points");
		pn_json_open(&p->w, '[');
		for (i = 0; i < row->series->point_count; i++)
			put_point(p, row, i);
		pn_json_close(&p->w, ']');
	}
	pn_json_close(&p->w, '}');
}

static void put_series(struct writing *p, size_t from, size_t end)
{
	const struct pn_function_history *h = p->blame->rows[from].series;
	struct pn_buf text = {0};

	pn_series_text(&text, &h->series, &h->parts);
	pn_json_open(&p->w, '{');
	pn_json_member(&p->w, "series", pn_buf_text(&text));
	pn_json_member(&p->w, "type", h->type);
	pn_json_member(&p->w, "unit", h->unit);
	pn_json_key(&p->w, "exact");
	pn_json_bool(&p->w, h->exact);
	pn_json_member_int(&p->w, "measured", (int64_t)h->point_count);
	pn_json_member_int(&p->w, "left_out", (int64_t)h->left_out);
	pn_json_key(&p->w, "functions");
	pn_json_open(&p->w, '[');
	for (; from < end; from++)
		put_function(p, &p->blame->rows[from]);
	pn_json_close(&p->w, ']');
	pn_json_close(&p->w, '}');
	pn_buf_release(&text);
}

void pn_function_course_json(struct pn_buf *out, const struct pn_blame *blame,
			     bool is_log)
{
	struct writing p = {.blame = blame, .points = is_log};
	size_t i, end;

	pn_json_writer_init(&p.w, out, 0);
	pn_json_open(&p.w, '{');
	pn_json_member_int(&p.w, "version", 1);
	pn_json_member(&p.w, "command", is_log ? "log" : "blame");
	pn_json_member(&p.w, "function", blame->pattern);
	pn_json_member_int(&p.w, "commits", (int64_t)blame->commit_count);
	pn_json_key(&p.w, "series");
	pn_json_open(&p.w, '[');
	for (i = 0; i < blame->count; i = end) {
		for (end = i + 1; end < blame->count; end++)
			if (blame->rows[end].series != blame->rows[i].series)
				break;
		put_series(&p, i, end);
	}
	pn_json_close(&p.w, ']');
	pn_json_close(&p.w, '}');
	pn_buf_add_byte(out, '\n');
}
