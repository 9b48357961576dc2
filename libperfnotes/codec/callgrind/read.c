/*
 * callgrind: reading line by line. Costs belong to the function of the last
 * "fn=", also those of lines that were inlined from other files ("fi=",
 * "fe="). Positions are relative to the last line of costs.
 */
#include "codec/callgrind/callgrind.h"

#include "base/number.h"

#include <inttypes.h>
#include <string.h>

struct decoder {
	struct pn_profile *p;
	struct pn_lines lines;
	struct pn_callgrind_header header;
	struct pn_callgrind_names objects, files, functions;
	struct pn_callgrind_graph graph;
	bool flat; /* cachegrind */
	uint32_t object, file;
	uint32_t node; /* of the last "fn=", or PN_NONE */
	uint32_t function_file;
	/* of the call that comes next; 0: as the caller */
	uint32_t called_object, called_file, called;
	bool has_called, has_called_object, has_called_file;
	/* what the next line of costs is about */
	bool is_call, is_jump;
	int64_t calls;
	uint64_t address, line; /* positions of the last line of costs */
	int64_t sums[PN_MAX_VALUE_TYPES]; /* of this part */
	bool has_costs, has_totals, has_summary;
	uint64_t summary_line; /* when it came before the costs, else 0 */
	int64_t summary[PN_MAX_VALUE_TYPES];   /* of this part */
	int64_t summaries[PN_MAX_VALUE_TYPES]; /* of all of them */
	bool summaries_known;
};

static int bad_line(const struct decoder *d, struct pn_error *err,
		    const char *what)
{
	return pn_error_set(err, PN_EINVAL, "line %" PRIu64 ": %s",
			    d->lines.number, what);
}

static bool read_number(uint64_t *out, struct pn_span word)
{
	size_t i;

	if (word.len < 3 || word.len > 18 || memcmp(word.at, "0x", 2))
		return pn_number_uint(out, word.at, word.len);
	*out = 0;
	for (i = 2; i < word.len; i++) {
		char c = word.at[i];

		*out <<= 4;
		if (c >= '0' && c <= '9')
			*out |= (uint64_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			*out |= (uint64_t)(c - 'a' + 10);
		else if (c >= 'A' && c <= 'F')
			*out |= (uint64_t)(c - 'A' + 10);
		else
			return false;
	}
	return true;
}

/* "0x4f", "12", "+3", "-3" or "*", relative to *position. */
static bool move_position(uint64_t *position, struct pn_span word)
{
	char sign = *word.at;
	uint64_t by;

	if (word.len == 1 && sign == '*')
		return true;
	if (sign != '+' && sign != '-')
		return read_number(position, word);
	word.at++;
	word.len--;
	if (!read_number(&by, word))
		return false;
	*position = sign == '+' ? *position + by : *position - by;
	return true;
}

static int read_positions(struct decoder *d, struct pn_span *rest,
			  struct pn_error *err)
{
	const struct pn_callgrind_header *h = &d->header;
	uint64_t block = 0;
	struct pn_span word;
	bool good = true;

	if (h->has_instr)
		good = pn_span_word(&word, rest) &&
		       move_position(&d->address, word);
	if (good && h->has_bb)
		good = pn_span_word(&word, rest) && move_position(&block, word);
	if (good && h->has_line)
		good = pn_span_word(&word, rest) &&
		       move_position(&d->line, word) && d->line <= INT64_MAX;
	return good ? 0
		    : bad_line(d, err,
			       "expected a position: a number, +N, -N or *");
}

/* Missing costs are 0; "." is how cachegrind's tools write one. */
static int read_costs(int64_t *costs, const struct decoder *d,
		      struct pn_span rest, struct pn_error *err)
{
	struct pn_span word;
	uint64_t cost;
	size_t i;

	memset(costs, 0, PN_MAX_VALUE_TYPES * sizeof(*costs));
	for (i = 0; pn_span_word(&word, &rest); i++) {
		if (i == d->header.recorded)
			return bad_line(d, err, "more costs than events");
		if (pn_span_is(word, ".") ||
		    pn_number_int(&costs[i], word.at, word.len))
			continue;
		if (!read_number(&cost, word) || cost > INT64_MAX)
			return bad_line(d, err,
					"expected costs, numbers below "
					"2^63");
		costs[i] = (int64_t)cost;
	}
	return 0;
}

static int too_large(const struct decoder *d, struct pn_error *err)
{
	return pn_error_set(err, PN_ERANGE,
			    "line %" PRIu64
			    ": costs add up to more than 63 bits hold",
			    d->lines.number);
}

static int add_cost(struct decoder *d, const int64_t *costs,
		    const int64_t *values, struct pn_error *err)
{
	struct pn_cost cost = {
		.node = d->node,
		.file = d->file == d->function_file ? 0 : d->file,
		.line = (int64_t)d->line,
		.address = d->address,
	};
	size_t i;

	if (d->node == PN_NONE)
		return bad_line(d, err, "costs before the first 'fn='");
	for (i = 0; i < d->header.recorded; i++)
		if (__builtin_add_overflow(d->sums[i], costs[i], &d->sums[i]))
			return too_large(d, err);
	d->has_costs = true;
	return pn_callgrind_add_cost(&d->graph, &cost, values)
		       ? 0
		       : too_large(d, err);
}

static int add_call(struct decoder *d, const int64_t *values,
		    struct pn_error *err)
{
	struct pn_edge edge = {
		.caller = d->node,
		.callee = d->called,
		.line = (int64_t)d->line,
		.calls = d->calls,
		.file = d->file == d->function_file ? 0 : d->file,
		.address = d->address,
	};

	/* where exactly in the callee an edge does not say */
	d->p->complete = false;
	d->is_call = d->has_called = false;
	d->has_called_object = d->has_called_file = false;
	return pn_callgrind_add_call(&d->graph, &edge, values)
		       ? 0
		       : too_large(d, err);
}

static int read_cost_line(struct decoder *d, struct pn_span text,
			  struct pn_error *err)
{
	int64_t costs[PN_MAX_VALUE_TYPES], values[PN_MAX_VALUE_TYPES];
	int code;

	if (!d->header.has_events)
		return bad_line(d, err, "costs before 'events:'");
	code = read_positions(d, &text, err);
	if (d->is_jump) {
		d->is_jump = false;
		return code;
	}
	if (!code)
		code = read_costs(costs, d, text, err);
	if (code)
		return code;
	if (!pn_callgrind_values(values, &d->header, costs))
		return too_large(d, err);
	return d->is_call ? add_call(d, values, err)
			  : add_cost(d, costs, values, err);
}

static int read_sums(int64_t *out, struct decoder *d, struct pn_span value,
		     struct pn_error *err)
{
	if (!d->header.has_events)
		return bad_line(d, err, "a sum before 'events:'");
	return read_costs(out, d, value, err);
}

static int compare_sums(const struct decoder *d, const char *what,
			uint64_t line, const int64_t *sums,
			struct pn_error *err)
{
	size_t i;

	for (i = 0; i < d->header.recorded; i++)
		if (sums[i] != d->sums[i])
			return pn_error_set(
				err, PN_EINVAL,
				"line %" PRIu64 ": %s are %" PRId64
				" %s, but the costs add up to %" PRId64
				": is the file cut off?",
				line, what, sums[i],
				pn_profile_text(d->p, d->header.events[i].name),
				d->sums[i]);
	return 0;
}

static int read_totals(struct decoder *d, struct pn_span value,
		       struct pn_error *err)
{
	int64_t sums[PN_MAX_VALUE_TYPES];
	int code = read_sums(sums, d, value, err);

	d->has_totals = true;
	return code ? code
		    : compare_sums(d, "totals", d->lines.number, sums, err);
}

/* What the program cost in this part, with what no function is charged for. */
static int read_summary(struct decoder *d, struct pn_span value,
			struct pn_error *err)
{
	int code = read_sums(d->summary, d, value, err);

	d->has_summary = true;
	d->summary_line = d->has_costs ? 0 : d->lines.number;
	if (!code && d->flat)
		code = compare_sums(d, "the summary's costs", d->lines.number,
				    d->summary, err);
	return code;
}

/* A part of costs is over: do its sums agree? */
static int end_part(struct decoder *d, struct pn_error *err)
{
	size_t i;

	if (!d->has_totals && d->has_summary && d->summary_line &&
	    compare_sums(d, "the summary's costs", d->summary_line, d->summary,
			 err))
		return PN_EINVAL;
	if (d->flat && !d->has_summary)
		return bad_line(d, err,
				"no 'summary:' at the end: is the file cut "
				"off?");
	for (i = 0; i < d->header.recorded; i++)
		if (__builtin_add_overflow(d->summaries[i],
					   d->has_summary ? d->summary[i]
							  : d->sums[i],
					   &d->summaries[i]))
			return too_large(d, err);
	pn_callgrind_end_thread(&d->header, d->p, d->sums[0]);
	d->summaries_known |= d->has_summary;
	memset(d->sums, 0, sizeof(d->sums));
	d->has_costs = d->has_totals = d->has_summary = false;
	d->node = PN_NONE;
	d->object = d->file = 0;
	d->address = d->line = 0;
	d->header.is_later_part = true;
	return 0;
}

static int read_key(struct decoder *d, struct pn_span key, struct pn_span value,
		    struct pn_error *err)
{
	int code = 0;

	if (d->is_call || d->is_jump)
		return bad_line(d, err, "expected the line of the call");
	if (pn_span_is(key, "totals"))
		return read_totals(d, value, err);
	if (pn_span_is(key, "summary"))
		return read_summary(d, value, err);
	if (d->has_costs &&
	    (pn_span_is(key, "part") || pn_span_is(key, "thread") ||
	     pn_span_is(key, "events") || pn_span_is(key, "version")))
		code = end_part(d, err);
	return code ? code
		    : pn_callgrind_header_line(&d->header, d->p, key, value,
					       d->lines.number, err);
}

static int start_function(struct decoder *d, struct pn_span name,
			  struct pn_error *err)
{
	uint32_t string;
	int code;

	if (!d->header.has_events)
		return bad_line(d, err, "a function before 'events:'");
	code = pn_callgrind_name(&string, &d->functions, d->p, name,
				 d->lines.number, err);
	if (code)
		return code;
	d->node = pn_callgrind_node(&d->graph, d->object, d->file, string);
	d->function_file = d->file;
	return 0;
}

static int call_function(struct decoder *d, struct pn_span name,
			 struct pn_error *err)
{
	uint32_t string;
	int code;

	if (d->node == PN_NONE)
		return bad_line(d, err, "a call before the first 'fn='");
	code = pn_callgrind_name(&string, &d->functions, d->p, name,
				 d->lines.number, err);
	if (code)
		return code;
	d->called = pn_callgrind_node(
		&d->graph, d->has_called_object ? d->called_object : d->object,
		d->has_called_file ? d->called_file : d->file, string);
	d->has_called = true;
	return 0;
}

static int read_calls(struct decoder *d, struct pn_span value,
		      struct pn_error *err)
{
	struct pn_span word;
	uint64_t calls;

	if (!d->has_called)
		return bad_line(d, err, "'calls=' without 'cfn='");
	if (!pn_span_word(&word, &value) || !read_number(&calls, word) ||
	    calls > INT64_MAX)
		return bad_line(d, err, "expected a number of calls");
	d->calls = (int64_t)calls;
	d->is_call = true;
	return 0;
}

/* A name that is only of interest for the number it may be given. */
static int skip_name(struct decoder *d, struct pn_callgrind_names *names,
		     struct pn_span name, struct pn_error *err)
{
	uint32_t string;

	return pn_callgrind_name(&string, names, d->p, name, d->lines.number,
				 err);
}

static int read_name(uint32_t *out, bool *has, struct decoder *d,
		     struct pn_callgrind_names *names, struct pn_span name,
		     struct pn_error *err)
{
	int code =
		pn_callgrind_name(out, names, d->p, name, d->lines.number, err);

	if (has)
		*has = true;
	return code;
}

static int read_jump(struct decoder *d)
{
	d->p->complete = false;
	d->is_jump = true;
	return 0;
}

static int read_called(struct decoder *d, struct pn_span key,
		       struct pn_span name, struct pn_error *err)
{
	if (pn_span_is(key, "cfn"))
		return call_function(d, name, err);
	if (pn_span_is(key, "calls"))
		return read_calls(d, name, err);
	if (pn_span_is(key, "cfi") || pn_span_is(key, "cfl"))
		return read_name(&d->called_file, &d->has_called_file, d,
				 &d->files, name, err);
	if (pn_span_is(key, "cob"))
		return read_name(&d->called_object, &d->has_called_object, d,
				 &d->objects, name, err);
	if (pn_span_is(key, "jump") || pn_span_is(key, "jcnd"))
		return read_jump(d);
	if (pn_span_is(key, "jfi"))
		return skip_name(d, &d->files, name, err);
	if (pn_span_is(key, "jfn"))
		return skip_name(d, &d->functions, name, err);
	d->p->complete = false;
	return 0;
}

static int read_assignment(struct decoder *d, struct pn_span key,
			   struct pn_span name, struct pn_error *err)
{
	if (d->is_call || d->is_jump)
		return bad_line(d, err, "expected the line of the call");
	if (pn_span_is(key, "fn"))
		return start_function(d, name, err);
	if (pn_span_is(key, "fl") || pn_span_is(key, "fi") ||
	    pn_span_is(key, "fe"))
		return read_name(&d->file, NULL, d, &d->files, name, err);
	if (pn_span_is(key, "ob"))
		return read_name(&d->object, NULL, d, &d->objects, name, err);
	if (d->flat)
		return bad_line(d, err,
				"expected 'fl=', 'fn=', costs or "
				"'summary:'");
	return read_called(d, key, name, err);
}

static int read_line(struct decoder *d, struct pn_span text,
		     struct pn_error *err)
{
	struct pn_span key = {text.at, 0}, value;

	if (!text.len || *text.at == '#')
		return 0;
	if ((*text.at >= '0' && *text.at <= '9') || *text.at == '+' ||
	    *text.at == '-' || *text.at == '*')
		return read_cost_line(d, text, err);
	while (key.len < text.len && key.at[key.len] >= 'a' &&
	       key.at[key.len] <= 'z')
		key.len++;
	if (!key.len || key.len == text.len ||
	    (key.at[key.len] != '=' && key.at[key.len] != ':'))
		return bad_line(d, err,
				"expected 'key: value', 'fn=name' or "
				"a position and costs");
	value.at = text.at + key.len + 1;
	value.len = text.len - key.len - 1;
	if (key.at[key.len] == ':')
		return read_key(d, key, value, err);
	return read_assignment(d, key, pn_span_trim(value), err);
}

static int read_lines(struct decoder *d, struct pn_error *err)
{
	struct pn_span text;
	int code;

	for (;;) {
		code = pn_lines_next(&text.at, &text.len, &d->lines, err);
		if (code || !text.at)
			return code;
		code = read_line(d, pn_span_trim(text), err);
		if (code)
			return code;
	}
}

/* Where the program's own sums differ from those of its functions they are
 * the figures that stand for the profile. */
static int add_metrics(struct decoder *d, struct pn_error *err)
{
	const struct pn_graph *graph = &d->p->graph;
	int64_t values[PN_MAX_VALUE_TYPES], sums[PN_MAX_VALUE_TYPES] = {0};
	size_t i, k, count = d->p->type_count;
	bool differ = false;

	if (!pn_callgrind_values(values, &d->header, d->summaries))
		return too_large(d, err);
	for (i = 0; i < graph->node_count; i++)
		for (k = 0; k < count; k++)
			if (__builtin_add_overflow(sums[k],
						   graph->self[i * count + k].i,
						   &sums[k]))
				return too_large(d, err);
	for (k = 0; k < count; k++)
		differ |= sums[k] != values[k];
	for (k = 0; differ && k < count; k++) {
		double value = (double)values[k];

		pn_profile_add_metric(
			d->p, pn_profile_text(d->p, d->p->types[k].type),
			pn_profile_text(d->p, d->p->types[k].unit),
			PN_BETTER_LESS, &value, 1);
	}
	return 0;
}

static int read_all(struct decoder *d, struct pn_error *err)
{
	int code = read_lines(d, err);

	if (code)
		return code;
	if (d->is_call || d->is_jump)
		return bad_line(d, err,
				"the file ends before the line of the "
				"call");
	if (!d->header.has_events)
		return bad_line(d, err, "the file ends before 'events:'");
	code = end_part(d, err);
	if (!code && d->summaries_known)
		code = add_metrics(d, err);
	if (code)
		return code;
	pn_callgrind_total(d->p);
	pn_callgrind_program_first(d->p);
	return 0;
}

static int read_dialect(struct pn_profile *out, struct pn_reader *in, bool flat,
			struct pn_error *err)
{
	struct decoder d = {.p = out, .flat = flat, .node = PN_NONE};
	int code;

	d.lines.in = in;
	d.graph.p = out;
	d.graph.unknown =
		pn_strtab_add_text(&out->strings, PN_CALLGRIND_UNKNOWN);
	pn_callgrind_header_init(&d.header);
	code = read_all(&d, err);
	pn_callgrind_header_release(&d.header);
	pn_callgrind_names_release(&d.objects);
	pn_callgrind_names_release(&d.files);
	pn_callgrind_names_release(&d.functions);
	pn_callgrind_graph_release(&d.graph);
	if (code)
		pn_profile_release(out);
	return code;
}

int pn_callgrind_read(struct pn_profile *out, struct pn_reader *in,
		      struct pn_error *err)
{
	return read_dialect(out, in, false, err);
}

int pn_callgrind_read_flat(struct pn_profile *out, struct pn_reader *in,
			   struct pn_error *err)
{
	return read_dialect(out, in, true, err);
}
