/*
 * What SBCL's statistical profiler prints, sb-sprof:report :graph or :flat:
 * samples of each function, itself and in all, and of the graph which callers
 * they came through. SBCL's manual, "Statistical Profiler".
 */
#include "base/alloc.h"
#include "base/number.h"
#include "base/reader/lines.h"
#include "codec/codec.h"
#include "codec/scan.h"
#include "codec/tables/named.h"

#include <stdlib.h>
#include <string.h>

enum part { BEFORE, GRAPH, FLAT };

struct decoder {
	struct pn_named named;
	enum part part;
	bool has_graph, has_primary;
	struct caller {
		uint32_t node;
		int64_t count;
	} * callers; /* of the block that is read */
	size_t count, cap;
};

/* "24  45.3 ": samples and their share. */
static bool take_count(int64_t *out, struct pn_scan *s)
{
	struct pn_scan rest = *s, word;
	double share;

	if (!pn_scan_word(&word, &rest) ||
	    !pn_number_int(out, word.at, pn_scan_left(&word)) || *out < 0 ||
	    !pn_scan_number(&share, &rest))
		return false;
	*s = rest;
	return true;
}

/* "NAME [7]": the node. */
static bool take_name(uint32_t *node, struct decoder *d, struct pn_scan *s)
{
	struct pn_scan name, number;
	struct pn_scan rest = *s;

	pn_scan_trim(&rest);
	number = rest;
	if (!pn_scan_until_last(&name, &number, '[') ||
	    !pn_scan_left(&number) || number.end[-1] != ']')
		return false;
	pn_scan_trim(&name);
	*node = pn_named_node(&d->named, number.at, pn_scan_left(&number),
			      name.at, pn_scan_left(&name));
	return true;
}

/* The samples of callers are known before the function is. */
static int take_primary(struct decoder *d, uint32_t node, int64_t self,
			int64_t total, struct pn_error *err)
{
	struct pn_graph *g = &d->named.p->graph;
	int code = 0;
	size_t i, edge;

	g->self[node].i = self;
	g->total[node].i = total;
	d->has_primary = true;
	for (i = 0; !code && i < d->count; i++) {
		edge = pn_named_edge(&d->named, d->callers[i].node, node);
		code = pn_named_add(&g->edge_total[edge].i, d->callers[i].count,
				    err);
	}
	d->count = 0;
	return code;
}

/* Two numbers before a caller or a callee, four before the function. */
static int take_graph_line(struct decoder *d, struct pn_scan line,
			   struct pn_error *err)
{
	int64_t first, second;
	uint32_t node;

	if (!take_count(&first, &line))
		return 0;
	if (take_count(&second, &line)) {
		if (!take_name(&node, d, &line))
			return 0;
		return take_primary(d, node, first, second, err);
	}
	if (d->has_primary || !take_name(&node, d, &line))
		return 0;
	d->callers =
		pn_grow(d->callers, &d->cap, d->count + 1, sizeof(*d->callers));
	d->callers[d->count++] = (struct caller){node, first};
	return 0;
}

/* Samples in what has no name stand below the table. */
static void take_elsewhere(struct decoder *d, struct pn_scan line)
{
	static const char name[] = "elsewhere";
	struct pn_graph *g = &d->named.p->graph;
	int64_t count;
	uint32_t node;

	if (!take_count(&count, &line))
		return;
	pn_scan_trim(&line);
	if (!pn_scan_is(&line, name))
		return;
	node = pn_named_node(&d->named, name, strlen(name), name, strlen(name));
	g->self[node].i = g->total[node].i = count;
}

/* Nr, three times samples and share, calls or "-", name */
static void take_flat_line(struct decoder *d, struct pn_scan line)
{
	struct pn_graph *g = &d->named.p->graph;
	int64_t self, total, all;
	struct pn_scan number, word;
	uint32_t node;

	take_elsewhere(d, line);
	if (d->has_graph || !pn_scan_word(&number, &line) ||
	    !take_count(&self, &line) || !take_count(&total, &line) ||
	    !take_count(&all, &line) || !pn_scan_word(&word, &line))
		return;
	pn_scan_trim(&line);
	if (!pn_scan_left(&line))
		return;
	node = pn_named_node(&d->named, number.at, pn_scan_left(&number),
			     line.at, pn_scan_left(&line));
	g->self[node].i = self;
	g->total[node].i = total;
}

/* "Sample interval:     0.01 seconds" */
static void take_interval(struct pn_profile *p, struct pn_scan line)
{
	double seconds;

	if (!pn_scan_number(&seconds, &line) || !(seconds > 0) || seconds > 1e6)
		return;
	p->period_type.type = pn_strtab_add_text(&p->strings, "time");
	p->period_type.unit = pn_strtab_add_text(&p->strings, "nanoseconds");
	p->period = (int64_t)(seconds * 1e9 + .5);
}

static bool is_flat_head(struct pn_scan line)
{
	struct pn_scan word;

	return pn_scan_word(&word, &line) && pn_scan_is(&word, "Nr") &&
	       pn_scan_has(&line, "Function");
}

static int take_line(void *to, const char *text, size_t len,
		     struct pn_error *err)
{
	struct decoder *d = to;
	struct pn_scan line = pn_scan_of(text, len);

	if (pn_scan_text(&line, "Sample interval:")) {
		take_interval(d->named.p, line);
	} else if (d->part == BEFORE && pn_scan_has(&line, "Callees")) {
		d->part = GRAPH;
		d->has_graph = true;
	} else if (is_flat_head(line)) {
		d->part = FLAT;
	} else if (pn_scan_begins(&line, "-----")) {
		d->count = 0;
		d->has_primary = false;
	} else if (d->part == GRAPH) {
		return take_graph_line(d, line, err);
	} else if (d->part == FLAT) {
		take_flat_line(d, line);
	}
	return 0;
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	struct decoder d = {.named = {.p = out}};
	int code;

	pn_profile_add_type(out, "samples", "count");
	out->types[0].better = PN_BETTER_LESS;
	code = pn_lines_read(in, &d, take_line, err);
	if (!code && !out->graph.node_count)
		code = pn_error_set(err, PN_EINVAL,
				    "expected a table of sb-sprof:report with "
				    "functions");
	out->complete = false; /* threads, shares */
	pn_named_release(&d.named);
	free(d.callers);
	return code;
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	struct pn_scan rest = pn_scan_of((const char *)bytes, len);

	return pn_scan_has(&rest, "Number of samples:") &&
			       pn_scan_has(&rest, "Sample interval:") &&
			       pn_scan_has(&rest, "Function")
		       ? PN_SNIFF_SURE
		       : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_sb_sprof = {
	.name = "sb-sprof",
	.summary = "what SBCL's sb-sprof prints: graph or flat",
	.languages = "lisp common-lisp",
	.made_by = "(sb-sprof:with-profiling (:report :graph) ...)",
	.sniffed_by = "'Number of samples:' and 'Sample interval:'",
	.suffix = ".txt",
	.sniff = sniff,
	.read = read_profile,
};
