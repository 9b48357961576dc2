/*
 * OpenMetrics and Prometheus text: each series is a metric, its labels part of
 * its name; of histograms the buckets are left out. A unit stands in the file,
 * or is the end of the name. What is said twice are two values.
 * OpenMetrics 1.0 (github.com/OpenObservability/OpenMetrics),
 * prometheus.io/docs/instrumenting/exposition_formats.
 */
#include "base/number.h"
#include "codec/bench/bench.h"
#include "codec/codec.h"

#include <math.h>
#include <string.h>

struct state {
	struct pn_buf family; /* the one that the last TYPE or UNIT was about */
	struct pn_buf unit;
	bool ended; /* "# EOF" */
};

static bool ends_with(const struct pn_scan *s, const char *text)
{
	size_t len = strlen(text);

	return pn_scan_left(s) >= len && !memcmp(s->end - len, text, len);
}

static bool is_name(const struct pn_scan *s)
{
	const char *at;

	if (s->at == s->end || (*s->at >= '0' && *s->at <= '9'))
		return false;
	for (at = s->at; at < s->end; at++)
		if (!((*at >= 'a' && *at <= 'z') ||
		      (*at >= 'A' && *at <= 'Z') ||
		      (*at >= '0' && *at <= '9') || *at == '_' || *at == ':'))
			return false;
	return true;
}

/* What is behind the name, up to the brace that ends it: quotes hide braces. */
static bool take_labels(struct pn_scan *out, struct pn_scan *line)
{
	bool quoted = false;
	const char *at;

	out->at = line->at;
	if (!pn_scan_begins(line, "{")) {
		out->end = line->at;
		return true;
	}
	for (at = line->at; at < line->end; at++) {
		if (quoted && *at == '\\' && at + 1 < line->end)
			at++;
		else if (*at == '"')
			quoted = !quoted;
		else if (*at == '}' && !quoted) {
			out->end = line->at = at + 1;
			return true;
		}
	}
	return false;
}

/* A number, or what is none: NaN, +Inf, -Inf. */
static bool take_value(double *out, const struct pn_scan *word)
{
	*out = NAN;
	return pn_scan_is(word, "NaN") || pn_scan_is(word, "+Inf") ||
	       pn_scan_is(word, "-Inf") || pn_scan_is(word, "Inf") ||
	       pn_number_double(out, word->at, pn_scan_left(word));
}

/* name{labels} value [timestamp] [# exemplar] */
static bool is_sample(struct pn_scan *name, struct pn_scan *labels,
		      double *value, struct pn_scan line)
{
	struct pn_scan word;

	name->at = line.at;
	while (line.at < line.end && !strchr("{ \t", *line.at))
		line.at++;
	name->end = line.at;
	return is_name(name) && take_labels(labels, &line) &&
	       pn_scan_word(&word, &line) && take_value(value, &word);
}

static void take_comment(struct state *state, struct pn_scan line)
{
	struct pn_scan family;
	bool unit = pn_scan_text(&line, "# UNIT ");

	if (pn_scan_is(&line, "# EOF"))
		state->ended = true;
	if ((!unit && !pn_scan_text(&line, "# TYPE ")) ||
	    !pn_scan_word(&family, &line))
		return;
	if (pn_scan_left(&family) != state->family.len ||
	    memcmp(family.at, pn_buf_text(&state->family), state->family.len))
		pn_buf_clear(&state->unit);
	pn_scan_copy(&state->family, &family);
	pn_scan_trim(&line);
	if (unit)
		pn_scan_copy(&state->unit, &line);
}

/* By the family's own unit, else by the name: "_seconds", "_bytes_total". */
static const char *unit_of(const struct state *state, struct pn_scan name)
{
	static const char *const units[] = {"seconds", "bytes", "joules",
					    "ratio"};
	struct pn_scan family = name;
	size_t i;

	if (state->unit.len && state->family.len &&
	    pn_scan_text(&family, pn_buf_text(&state->family)))
		return pn_buf_text(&state->unit);
	if (ends_with(&name, "_total"))
		name.end -= 6;
	else if (ends_with(&name, "_sum"))
		name.end -= 4;
	for (i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (ends_with(&name, units[i]))
			return units[i];
	return "";
}

static int take_line(struct pn_bench *bench, void *user, struct pn_scan *line,
		     struct pn_error *err)
{
	struct state *state = user;
	struct pn_scan name, labels;
	struct pn_buf full = {0};
	const char *unit;
	double value;
	int code;

	if (state->ended || !pn_scan_left(line))
		return 0;
	if (*line->at == '#') {
		take_comment(state, *line);
		return 0;
	}
	if (!is_sample(&name, &labels, &value, *line))
		return pn_error_set(err, PN_EINVAL,
				    "expected '<name>{<labels>} <value>'");
	/* a quantile of nothing is NaN */
	if (ends_with(&name, "_bucket") || !isfinite(value))
		return 0;
	pn_scan_copy(&full, &name);
	pn_buf_add(&full, labels.at, pn_scan_left(&labels));
	unit = unit_of(state, name);
	code = pn_bench_add(bench, pn_buf_text(&full), unit,
			    pn_bench_better(unit), value, err);
	pn_buf_release(&full);
	return code;
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	struct state state = {0};
	int code =
		pn_bench_read_lines(out, in, &state, take_line,
				    "a line '<name>{<labels>} <value>'", err);

	pn_buf_release(&state.family);
	pn_buf_release(&state.unit);
	return code;
}

/* A comment as these formats have it, and then a sample. */
static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	struct pn_scan rest = pn_scan_of((const char *)bytes, len), line;
	struct pn_scan name, labels;
	bool typed = false;
	double value;

	while (pn_scan_line(&line, &rest)) {
		if (pn_scan_begins(&line, "# TYPE ") ||
		    pn_scan_begins(&line, "# HELP "))
			typed = true;
		else if (pn_scan_left(&line) && *line.at != '#')
			return typed && is_sample(&name, &labels, &value, line)
				       ? PN_SNIFF_SURE
				       : PN_SNIFF_NO;
	}
	return PN_SNIFF_NO;
}

const struct pn_codec pn_codec_open_metrics = {
	.name = "openmetrics",
	.summary = "OpenMetrics or Prometheus text",
	.languages = "any",
	.made_by = "curl <exporter>/metrics, promtool",
	.sniffed_by = "'# TYPE' or '# HELP' and a sample",
	.suffix = ".txt",
	.sniff = sniff,
	.read = read_profile,
};
