/*
 * GHC's heap profile (.hp): what was on the heap at each sample, by stacks of
 * cost centres (-hc) or whatever else it was asked for. The sample at which
 * most was there has become the profile, what there was at each is a curve.
 * GHC User's Guide, "Profiling memory usage".
 */
#include "base/alloc.h"
#include "base/number.h"
#include "base/reader/lines.h"
#include "codec/codec.h"
#include "codec/frames.h"
#include "codec/scan.h"
#include "model/timeline/curves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct band {
	uint32_t name; /* string */
	int64_t value;
};

struct bands {
	struct band *items;
	size_t count, cap;
	int64_t sum;
};

struct decoder {
	struct pn_profile *p;
	struct pn_frames frames;
	struct bands now, peak;
	bool in_sample, has_unit;
	uint32_t *stack;
	size_t stack_cap;
	size_t samples;
	double time;	/* of the sample that has begun */
	uint32_t along; /* string */
};

/* JOB "hprof +RTS -hc" */
static bool take_quoted(struct pn_scan *out, struct pn_scan line,
			const char *key)
{
	return pn_scan_text(&line, key) && pn_scan_text(&line, " \"") &&
	       pn_scan_until(out, &line, "\"");
}

static void take_head(struct decoder *d, struct pn_scan line)
{
	struct pn_scan text;
	struct pn_profile *p = d->p;
	struct pn_buf unit = {0};

	if (take_quoted(&text, line, "JOB")) {
		p->header.cmd = pn_strtab_add(&p->strings, text.at,
					      pn_scan_left(&text));
	} else if (!d->has_unit && take_quoted(&text, line, "VALUE_UNIT")) {
		pn_profile_add_type(p, "heap", pn_scan_copy(&unit, &text));
		p->types[0].better = PN_BETTER_LESS;
		p->types[0].role = PN_ROLE_PEAK;
		d->has_unit = true;
	} else if (take_quoted(&text, line, "SAMPLE_UNIT")) {
		d->along = pn_strtab_add(&p->strings, text.at,
					 pn_scan_left(&text));
	} else if (pn_scan_text(&line, "BEGIN_SAMPLE")) {
		pn_scan_text(&line, " ");
		if (!pn_number_double(&d->time, line.at, pn_scan_left(&line)))
			d->time = NAN;
		d->in_sample = true;
		d->now.count = 0;
		d->now.sum = 0;
	}
	pn_buf_release(&unit);
}

static void end_sample(struct decoder *d)
{
	struct bands was = d->peak;

	d->in_sample = false;
	/* GHC begins one without bands for each mark in its event log, and at
	 * both ends */
	if (d->now.count && d->has_unit && isfinite(d->time)) {
		if (!d->p->curves.count)
			pn_curves_add(d->p, d->p->types[0].type,
				      d->p->types[0].unit, d->along);
		pn_curves_add_point(d->p, d->time, (double)d->now.sum);
	}
	if (!d->samples++ || d->now.sum > d->peak.sum) {
		d->peak = d->now;
		d->now = was;
	}
}

/* name TAB value */
static int take_band(struct decoder *d, struct pn_scan line,
		     struct pn_error *err)
{
	struct bands *now = &d->now;
	struct pn_scan name;
	struct band band;

	if (!pn_scan_until_last(&name, &line, '\t') || !pn_scan_left(&name) ||
	    !pn_number_int(&band.value, line.at, pn_scan_left(&line)) ||
	    band.value < 0 ||
	    __builtin_add_overflow(now->sum, band.value, &now->sum))
		return pn_error_set(err, PN_EINVAL,
				    "expected a name, a tab and a number");
	band.name = pn_strtab_add(&d->p->strings, name.at, pn_scan_left(&name));
	now->items = pn_grow(now->items, &now->cap, now->count + 1,
			     sizeof(*now->items));
	now->items[now->count++] = band;
	return 0;
}

static int take_line(void *to, const char *text, size_t len,
		     struct pn_error *err)
{
	struct decoder *d = to;
	struct pn_scan line = pn_scan_of(text, len);

	if (!d->in_sample)
		take_head(d, line);
	else if (pn_scan_begins(&line, "END_SAMPLE"))
		end_sample(d);
	else if (pn_scan_left(&line))
		return take_band(d, line, err);
	return 0;
}

static void push(struct decoder *d, size_t *count, struct pn_scan name)
{
	struct pn_frame frame = {.mapping = PN_NONE};

	frame.name =
		pn_strtab_add(&d->p->strings, name.at, pn_scan_left(&name));
	d->stack =
		pn_grow(d->stack, &d->stack_cap, *count + 1, sizeof(*d->stack));
	d->stack[(*count)++] = pn_frames_location(&d->frames, d->p, &frame);
}

/* "259": names begin with parentheses, too, as "(,)_con_info". */
static bool is_stack_number(struct pn_scan part)
{
	const char *begin = part.at;

	while (part.at < part.end && *part.at >= '0' && *part.at <= '9')
		part.at++;
	return part.at == part.end && part.at > begin;
}

/* "(259)fib/main/Main.CAF" is a stack, its leaf first; the number is that
 * of the stack, and what is no stack has none. */
static int add_band(struct decoder *d, const struct band *band,
		    struct pn_error *err)
{
	struct pn_scan s, part;
	union pn_value row = {.i = band->value};
	struct pn_buf copy = {0};
	size_t count = 0;
	int code;

	/* names are added: what the table has may move */
	pn_buf_add_text(&copy, pn_profile_text(d->p, band->name));
	s = pn_scan_of(pn_buf_text(&copy), copy.len);
	if (pn_scan_text(&s, "(") && pn_scan_until(&part, &s, ")") &&
	    is_stack_number(part) && pn_scan_left(&s)) {
		while (pn_scan_until(&part, &s, "/"))
			push(d, &count, part);
		push(d, &count, s);
	} else {
		push(d, &count, pn_scan_of(pn_buf_text(&copy), copy.len));
	}
	pn_buf_release(&copy);
	code = pn_frames_add_sample(
		d->p, pn_frames_stack(&d->frames, d->p, d->stack, count), &row,
		err);
	return code;
}

static int build(struct decoder *d, struct pn_error *err)
{
	size_t i;
	int code = 0;

	if (!d->has_unit || !d->samples)
		return pn_error_set(err, PN_EINVAL,
				    "expected VALUE_UNIT and a sample that "
				    "ends");
	for (i = 0; !code && i < d->peak.count; i++)
		code = add_band(d, &d->peak.items[i], err);
	return code;
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	struct decoder d = {.p = out};
	int code = pn_lines_read(in, &d, take_line, err);

	if (!code)
		code = build(&d, err);
	out->complete = false; /* the other samples */
	pn_frames_release(&d.frames);
	free(d.now.items);
	free(d.peak.items);
	free(d.stack);
	return code;
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	struct pn_scan rest = pn_scan_of((const char *)bytes, len), line;
	bool job = false;

	if (!pn_scan_has(&rest, "JOB \""))
		return PN_SNIFF_NO;
	while (pn_scan_line(&line, &rest)) {
		job |= pn_scan_begins(&line, "JOB \"");
		if (job && pn_scan_begins(&line, "SAMPLE_UNIT \""))
			return PN_SNIFF_SURE;
	}
	return PN_SNIFF_NO;
}

const struct pn_codec pn_codec_hp = {
	.name = "ghc-heap",
	.summary = "GHC's heap profile at its peak",
	.languages = "haskell",
	.made_by = "<program built with ghc -prof> +RTS -hc",
	.sniffed_by = "'JOB' and 'SAMPLE_UNIT'",
	.suffix = ".hp",
	.sniff = sniff,
	.read = read_profile,
};
