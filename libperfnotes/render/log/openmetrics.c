/* OpenMetrics: names have letters, digits and '_' only, so that labels say what
 * a metric is called; samples of one name stand together. */
#include "render/log/openmetrics.h"

#include "base/alloc.h"
#include "base/escape.h"
#include "base/number.h"
#include "model/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PREFIX "git_perf_"

/* A figure with the name of its family. */
struct sample {
	const struct pn_figure *figure;
	struct pn_buf family;
	const char *unit; /* as OpenMetrics has it; NULL: none */
	double value;
};

static void add_name(struct pn_buf *out, const char *text)
{
	for (; *text; text++) {
		bool plain = (*text >= 'a' && *text <= 'z') ||
			     (*text >= 'A' && *text <= 'Z') ||
			     (*text >= '0' && *text <= '9');

		if (*text == '/')
			pn_buf_add_text(out, "_per_");
		else if (*text == '%')
			pn_buf_add_text(out, "percent");
		else
			pn_buf_add_byte(out,
					plain ? (unsigned char)*text : '_');
	}
}

static bool has_no_unit(const char *unit)
{
	return !*unit || !strcmp(unit, "count") || !strcmp(unit, "1");
}

static bool ends(const struct pn_buf *name, const char *with)
{
	size_t len = strlen(with);

	return name->len >= len &&
	       !memcmp(name->data + name->len - len, with, len);
}

/* "git_perf_foo_seconds" of foo in ms. What only ends like a unit is kept from
 * the families of that unit: "git_perf_foo_seconds_value". */
static void name(struct sample *s, const struct pn_figure *f)
{
	const char *base = pn_unit_base(f->unit), *unit;

	s->figure = f;
	s->value = f->median;
	pn_buf_add_text(&s->family, PREFIX);
	add_name(&s->family, f->metric);
	if (!strcmp(base, "ns")) {
		s->value = pn_unit_scale(&unit, f->median, f->unit, "s");
		s->unit = "seconds";
	} else if (!strcmp(base, "B")) {
		s->value = pn_unit_scale(&unit, f->median, f->unit, "B");
		s->unit = "bytes";
	}
	if (s->unit) {
		pn_buf_printf(&s->family, "_%s", s->unit);
		return;
	}
	if (!has_no_unit(f->unit)) {
		pn_buf_add_byte(&s->family, '_');
		add_name(&s->family, f->unit);
	}
	if (ends(&s->family, "_seconds") || ends(&s->family, "_bytes"))
		pn_buf_add_text(&s->family, "_value");
}

/* Whether a backslash begins what pn_escape_terminal writes. */
static bool is_like_escape(const char *at)
{
	return (at[1] == 'x' && at[2] && strchr("0123456789abcdef", at[2]) &&
		at[3] && strchr("0123456789abcdef", at[3])) ||
	       (at[1] == 'u' && at[2] == '{');
}

/* Two texts are never the same thereafter, or their samples would be. */
static void make_safe(struct pn_buf *out, const char *text, size_t len)
{
	size_t i, done = 0;

	for (i = 0; i < len; i++) {
		if (text[i] != '\\' || !is_like_escape(text + i))
			continue;
		pn_escape_terminal(out, text + done, i - done);
		pn_buf_add_text(out, "\\x5c");
		done = i + 1;
	}
	pn_escape_terminal(out, text + done, len - done);
}

/* Within quotes: a backslash and a quote have a backslash before them, the end
 * of a line is "\n". Bytes that are no UTF-8 and other controls are told apart
 * as on a terminal, and from what looks so already. */
static void add_text(struct pn_buf *out, const char *text)
{
	struct pn_buf safe = {0};
	size_t len = strcspn(text, "\n");
	const char *s;

	make_safe(&safe, text, len);
	for (s = pn_buf_text(&safe); *s; s++) {
		if (*s == '"' || *s == '\\')
			pn_buf_add_byte(out, '\\');
		pn_buf_add_byte(out, (unsigned char)*s);
	}
	pn_buf_release(&safe);
	if (!text[len])
		return;
	pn_buf_add_text(out, "\\n");
	add_text(out, text + len + 1);
}

static void add_label(struct pn_buf *out, const char *label, const char *text)
{
	if (!*text)
		return;
	pn_buf_printf(out, ",%s=\"", label);
	add_text(out, text);
	pn_buf_add_byte(out, '"');
}

static void add_sample(struct pn_buf *out, const struct sample *s)
{
	const struct pn_series *series = &s->figure->series;
	char number[PN_NUMBER_TEXT];

	pn_buf_printf(out, "%s{metric=\"", pn_buf_text(&s->family));
	add_text(out, s->figure->metric);
	pn_buf_add_byte(out, '"');
	add_label(out, "job", series->job);
	add_label(out, "command", series->cmd);
	add_label(out, "arguments", series->args);
	add_label(out, "workload", series->workload);
	add_label(out, "collector", series->collector);
	add_label(out, "machine", series->machine);
	add_label(out, "better",
		  s->figure->better == PN_BETTER_LESS	? "less"
		  : s->figure->better == PN_BETTER_MORE ? "more"
							: "");
	pn_number_write(number, s->value, false);
	pn_buf_printf(out, "} %s\n", number);
}

static void add_head(struct pn_buf *out, const struct sample *s)
{
	const char *family = pn_buf_text(&s->family);

	pn_buf_printf(out, "# TYPE %s gauge\n", family);
	if (s->unit)
		pn_buf_printf(out, "# UNIT %s %s\n", family, s->unit);
	pn_buf_printf(out, "# HELP %s Newest median by git-perf.\n", family);
}

/* What labels tell apart; which way is better goes with the metric. */
static int cmp(const struct sample *a, const struct sample *b)
{
	int order = strcmp(pn_buf_text(&a->family), pn_buf_text(&b->family));

	if (!order)
		order = strcmp(a->figure->metric, b->figure->metric);
	return order ? order : pn_figure_job_cmp(a->figure, b->figure);
}

static int by_labels(const void *a, const void *b)
{
	const struct sample *l = a, *r = b;
	int order = cmp(l, r);

	/* as they were: both are of one array */
	return order ? order
		     : (l->figure > r->figure) - (l->figure < r->figure);
}

void pn_openmetrics_text(struct pn_buf *out, const struct pn_figure *figures,
			 size_t count)
{
	struct sample *samples = pn_calloc(count + 1, sizeof(*samples));
	size_t i;

	for (i = 0; i < count; i++)
		name(&samples[i], &figures[i]);
	if (count)
		qsort(samples, count, sizeof(*samples), by_labels);
	for (i = 0; i < count; i++) {
		/* of another unit that is none, as "" and "count" are */
		if (i && !cmp(&samples[i - 1], &samples[i]))
			continue;
		if (!i || strcmp(pn_buf_text(&samples[i].family),
				 pn_buf_text(&samples[i - 1].family)) != 0)
			add_head(out, &samples[i]);
		add_sample(out, &samples[i]);
	}
	pn_buf_add_text(out, "# EOF\n");
	for (i = 0; i < count; i++)
		pn_buf_release(&samples[i].family);
	free(samples);
}
