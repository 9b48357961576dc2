/*
 * The file that github-action-benchmark keeps beside its charts:
 *
 *	window.BENCHMARK_DATA = {"lastUpdate": ..., "repoUrl": "...",
 *	  "entries": {"<suite>": [{"commit": {"id": "<40 hex>", ...},
 *	    "date": <ms since 1970>, "tool": "cargo",
 *	    "benches": [{"name", "value", "unit", "range", "extra"}, ...]}]}}
 *
 * src/write.ts and src/extract.ts there (types DataJson, Benchmark and
 * BenchmarkResult). A range is a text of each tool's own meaning: not kept.
 */
#include "codec/past/past.h"

#include "base/json/json.h"
#include "codec/bench/bench.h"

#include <math.h>
#include <string.h>

#define PREFIX "window.BENCHMARK_DATA"
#define TEXT_MAX 4096 /* bytes of a name that is kept */

struct reading {
	struct pn_json *json;
	const struct pn_past_taker *taker;
	struct pn_buf suite, commit, tool, name, unit;
	double date_ms;
	size_t odd; /* figures that are none */
	/* of one entry, whose tool may stand behind its figures */
	struct pn_buf names, units; /* each with a NUL */
	struct pn_buf values;	    /* doubles */
};

/* How much a figure weighs is told by the tool, or by the unit. */
static enum pn_better better_of(const char *tool, const char *unit)
{
	if (!strcmp(tool, "customBiggerIsBetter"))
		return PN_BETTER_MORE;
	if (!strcmp(tool, "customSmallerIsBetter"))
		return PN_BETTER_LESS;
	return pn_bench_better(unit);
}

/* The members of an object, one by one, to whom they belong; others are passed
 * over. */
struct member {
	const char *name;
	int (*read)(struct reading *r, enum pn_json_event first,
		    struct pn_error *err);
};

static int wrong(struct reading *r, const char *wanted, enum pn_json_event have,
		 struct pn_error *err)
{
	struct pn_buf path = {0};

	pn_json_path(&path, r->json);
	pn_error_set(err, PN_EINVAL, "%s: expected %s, have %s",
		     pn_buf_text(&path), wanted, pn_json_event_name(have));
	pn_buf_release(&path);
	return PN_EINVAL;
}

static int read_object(struct reading *r, enum pn_json_event first,
		       const struct member *members, struct pn_error *err)
{
	enum pn_json_event event;
	const struct member *m;
	int code =
		first == PN_JSON_OBJECT ? 0 : wrong(r, "an object", first, err);

	while (!code && !(code = pn_json_next(&event, r->json, err)) &&
	       event == PN_JSON_KEY) {
		for (m = members; m->name; m++)
			if (!strcmp(m->name, pn_json_text(r->json)))
				break;
		code = pn_json_next(&event, r->json, err);
		if (!code)
			code = m->name ? m->read(r, event, err)
				       : pn_json_skip(r->json, event, err);
	}
	return code;
}

static int read_list(struct reading *r, enum pn_json_event first,
		     int (*read)(struct reading *r, enum pn_json_event first,
				 struct pn_error *err),
		     struct pn_error *err)
{
	enum pn_json_event event;
	int code =
		first == PN_JSON_ARRAY ? 0 : wrong(r, "an array", first, err);

	while (!code && !(code = pn_json_next(&event, r->json, err)) &&
	       event != PN_JSON_ARRAY_END)
		code = read(r, event, err);
	return code;
}

/* Up to a NUL: nobody's name has one. What is no text is "". */
static int read_text(struct pn_buf *out, struct reading *r,
		     enum pn_json_event first, struct pn_error *err)
{
	size_t len;

	pn_buf_clear(out);
	if (first != PN_JSON_STRING)
		return pn_json_skip(r->json, first, err);
	len = strlen(pn_json_text(r->json));
	if (len > TEXT_MAX)
		return pn_error_set(err, PN_ELIMIT,
				    "a text of %zu bytes, at most %d are read",
				    len, TEXT_MAX);
	pn_buf_add(out, pn_json_text(r->json), len);
	return 0;
}

/* NaN where there is none: JSON.stringify writes it as null. */
static int read_number(double *out, struct reading *r, enum pn_json_event first,
		       struct pn_error *err)
{
	*out = NAN;
	if (first != PN_JSON_NUMBER)
		return pn_json_skip(r->json, first, err);
	if (!pn_json_number(out, r->json))
		*out = INFINITY;
	return 0;
}

static int read_id(struct reading *r, enum pn_json_event first,
		   struct pn_error *err)
{
	return read_text(&r->commit, r, first, err);
}

static int read_commit(struct reading *r, enum pn_json_event first,
		       struct pn_error *err)
{
	static const struct member members[] = {{"id", read_id}, {0}};

	return read_object(r, first, members, err);
}

static int read_date(struct reading *r, enum pn_json_event first,
		     struct pn_error *err)
{
	int code = read_number(&r->date_ms, r, first, err);

	if (isnan(r->date_ms))
		r->date_ms = 0;
	return code;
}

static int read_tool(struct reading *r, enum pn_json_event first,
		     struct pn_error *err)
{
	return read_text(&r->tool, r, first, err);
}

static int read_name(struct reading *r, enum pn_json_event first,
		     struct pn_error *err)
{
	return read_text(&r->name, r, first, err);
}

static int read_unit(struct reading *r, enum pn_json_event first,
		     struct pn_error *err)
{
	return read_text(&r->unit, r, first, err);
}

/* A value is put in front when it comes first, and so has its own place. */
static int read_value(struct reading *r, enum pn_json_event first,
		      struct pn_error *err)
{
	double value = NAN;
	int code = read_number(&value, r, first, err);

	if (!code)
		memcpy(r->values.data + r->values.len - sizeof(value), &value,
		       sizeof(value));
	return code;
}

static void add_with_nul(struct pn_buf *out, const struct pn_buf *text)
{
	pn_buf_add(out, pn_buf_text(text), text->len);
	pn_buf_add_byte(out, '\0');
}

static int read_bench(struct reading *r, enum pn_json_event first,
		      struct pn_error *err)
{
	static const struct member members[] = {{"name", read_name},
						{"unit", read_unit},
						{"value", read_value},
						{0}};
	const double none = NAN;
	int code;

	pn_buf_clear(&r->name);
	pn_buf_clear(&r->unit);
	pn_buf_add(&r->values, &none, sizeof(none));
	code = read_object(r, first, members, err);
	add_with_nul(&r->names, &r->name);
	add_with_nul(&r->units, &r->unit);
	return code;
}

static int read_benches(struct reading *r, enum pn_json_event first,
			struct pn_error *err)
{
	return read_list(r, first, read_bench, err);
}

/* What has no name or no finite value is none. */
static int add_figures(struct pn_bench *bench, struct reading *r,
		       struct pn_error *err)
{
	const char *name = pn_buf_text(&r->names);
	const char *unit = pn_buf_text(&r->units);
	size_t i, n = r->values.len / sizeof(double);
	double value;
	int code = 0;

	for (i = 0; !code && i < n; i++) {
		memcpy(&value, r->values.data + i * sizeof(value),
		       sizeof(value));
		if (*name && isfinite(value))
			code = pn_bench_add(
				bench, name, unit,
				better_of(pn_buf_text(&r->tool), unit), value,
				err);
		else
			r->odd++;
		name += strlen(name) + 1;
		unit += strlen(unit) + 1;
	}
	return code;
}

static int give(struct reading *r, struct pn_error *err)
{
	struct pn_past_result result = {.commit = pn_buf_text(&r->commit)};
	struct pn_profile p;
	struct pn_bench bench = {.profile = &p};
	struct pn_buf source = {0};
	int code;

	pn_profile_init(&p);
	code = add_figures(&bench, r, err);
	if (!code && bench.count) {
		code = pn_bench_finish(&p, &bench, "", err);
		p.header.cmd =
			pn_strtab_add_text(&p.strings, pn_buf_text(&r->suite));
		p.header.name = p.header.cmd;
		p.header.collector.name =
			pn_strtab_add_text(&p.strings, pn_buf_text(&r->tool));
		if (r->date_ms > 0 && r->date_ms < PN_PAST_TIME_MAX_S * 1e3)
			p.time_ns = (int64_t)r->date_ms * 1000000;
		pn_buf_printf(&source, "%s\n%s\n%.0f", pn_buf_text(&r->tool),
			      pn_buf_text(&r->suite), r->date_ms);
		result.source = pn_buf_text(&source);
		result.profile = &p;
	}
	if (!code && result.profile)
		code = r->taker->take(r->taker->to, &result, err);
	pn_buf_release(&source);
	pn_bench_release(&bench);
	pn_profile_release(&p);
	return code;
}

static int read_entry(struct reading *r, enum pn_json_event first,
		      struct pn_error *err)
{
	static const struct member members[] = {{"commit", read_commit},
						{"date", read_date},
						{"tool", read_tool},
						{"benches", read_benches},
						{0}};
	int code;

	pn_buf_clear(&r->commit);
	pn_buf_clear(&r->tool);
	pn_buf_clear(&r->names);
	pn_buf_clear(&r->units);
	pn_buf_clear(&r->values);
	r->date_ms = 0;
	code = read_object(r, first, members, err);
	return code ? code : give(r, err);
}

/* {"<suite>": [...], ...} */
static int read_entries(struct reading *r, enum pn_json_event first,
			struct pn_error *err)
{
	enum pn_json_event event;
	int code =
		first == PN_JSON_OBJECT ? 0 : wrong(r, "an object", first, err);

	while (!code && !(code = pn_json_next(&event, r->json, err)) &&
	       event == PN_JSON_KEY) {
		code = read_text(&r->suite, r, PN_JSON_STRING, err);
		if (!code)
			code = pn_json_next(&event, r->json, err);
		if (!code)
			code = read_list(r, event, read_entry, err);
	}
	return code;
}

static int read_all(struct reading *r, struct pn_error *err)
{
	static const struct member members[] = {{"entries", read_entries}, {0}};
	enum pn_json_event event;
	int code = pn_json_next(&event, r->json, err);

	if (!code)
		code = read_object(r, event, members, err);
	return code ? code : pn_json_expect(r->json, PN_JSON_END, err);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* What stands between the prefix and a semicolon. */
static bool cut(const char **text, size_t *len)
{
	const char *at = *text, *end = at + *len;

	while (at < end && is_blank(*at))
		at++;
	if ((size_t)(end - at) < sizeof(PREFIX) ||
	    memcmp(at, PREFIX, sizeof(PREFIX) - 1) != 0)
		return false;
	for (at += sizeof(PREFIX) - 1; at < end && is_blank(*at);)
		at++;
	if (at == end || *at++ != '=')
		return false;
	while (end > at && (is_blank(end[-1]) || end[-1] == ';'))
		end--;
	*text = at;
	*len = (size_t)(end - at);
	return true;
}

int pn_past_data_js(size_t *odd, const struct pn_past_taker *taker,
		    const void *bytes, size_t len, const char *name,
		    struct pn_error *err)
{
	struct reading r = {.taker = taker};
	struct pn_reader *in = NULL;
	const char *text = bytes;
	int code;

	*odd = 0;
	if (!cut(&text, &len))
		return pn_error_set(err, PN_EINVAL,
				    "'%s' does not begin with '" PREFIX " = ', "
				    "as data.js of github-action-benchmark "
				    "does",
				    name);
	code = pn_reader_memory(&in, text, len, name, 0, err);
	if (code)
		return code;
	r.json = pn_json_new(in);
	code = read_all(&r, err);
	*odd = r.odd;
	if (code)
		pn_error_context(err, "cannot read '%s'", name);
	pn_json_free(r.json);
	pn_reader_free(in);
	pn_buf_release(&r.suite);
	pn_buf_release(&r.commit);
	pn_buf_release(&r.tool);
	pn_buf_release(&r.name);
	pn_buf_release(&r.unit);
	pn_buf_release(&r.names);
	pn_buf_release(&r.units);
	pn_buf_release(&r.values);
	return code;
}
