/*
 * round_trip FILE...: each profile in every format that is written and read,
 * and back: value types, totals, own and total costs of all functions have to
 * be what they were, but for what is said to be lost. A line on standard
 * output for each thing that is not, "same" or "refused" for the rest. Exit
 * status 1 when something is not, 2 when a file cannot be read.
 */
#include "analysis/report.h"
#include "base/alloc.h"
#include "base/reader/reader.h"
#include "codec/losses.h"
#include "model/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of all costs: what rounding to whole ns, or to seconds and back, moves. */
#define TOLERANCE 1e-6

struct row {
	char *name;
	double self, total;
};

struct table {
	double total;
	struct row *rows;
	size_t count;
};

static int by_name(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	if (order)
		return order;
	if (x->total != y->total)
		return x->total < y->total ? -1 : 1;
	return x->self < y->self ? -1 : x->self > y->self;
}

static void release_table(struct table *t)
{
	size_t i;

	for (i = 0; i < t->count; i++)
		free(t->rows[i].name);
	free(t->rows);
	memset(t, 0, sizeof(*t));
}

/* How two sides are compared. */
struct terms {
	bool no_files;	/* one of them has none */
	bool no_units;	/* or none of these: numbers are compared */
	bool no_totals; /* or makes totals out of those of calls */
};

/* In the base unit of the column's family, sums over all runs. */
static double in_base(const struct pn_report *r, int64_t weight, bool bare)
{
	const char *unit;
	double number = (double)weight / r->weight.scale;

	return bare ? number
		    : pn_unit_scale(&unit, number, r->unit,
				    pn_unit_base(r->unit));
}

/* "[binary] path": what has no name is called after its binary on the way; it
 * is told by the path, which may be that of the binary. */
static char *without_binary(const char *name)
{
	const char *end = strchr(name, ']'), *base;

	if (*name != '[' || !end || end[1] != ' ')
		return pn_strdup(name);
	base = strrchr(end, '/');
	base = base ? base + 1 : end + 2;
	if (!strncmp(base, name + 1, (size_t)(end - name) - 1))
		return pn_strndup(name, (size_t)(end - name) + 1);
	return pn_strdup(end + 2);
}

/* Callgrind's frames without a name are "??? path", and Perun has to name what
 * stands on no stack. Those that cost nothing are left out, formats do as they
 * like there. */
static char *name_of(const struct pn_report_node *n)
{
	if ((!n->flat_sum && !n->cum_sum) || !strcmp(n->name, "(root)") ||
	    !strncmp(n->name, "[unknown]", 9))
		return NULL;
	if (!strncmp(n->name, "??? ", 4))
		return pn_strdup(n->name + 4);
	return without_binary(n->name);
}

static void unite_rows(struct table *t)
{
	size_t i, n = 0;

	for (i = 0; i < t->count; i++) {
		struct row *r = &t->rows[i];
		struct row *last = n ? &t->rows[n - 1] : NULL;

		if (!last || strcmp(last->name, r->name) != 0) {
			t->rows[n++] = *r;
			continue;
		}
		last->self += r->self;
		last->total = fmax(last->total, r->total);
		free(r->name);
	}
	t->count = n;
}

static void take_rows(struct table *out, const struct pn_report *r, bool bare)
{
	size_t i;

	out->rows = pn_calloc(r->row_count + 1, sizeof(*out->rows));
	out->total = in_base(r, r->total, bare);
	for (i = 0; i < r->row_count; i++) {
		const struct pn_report_node *n = &r->rows[i];
		char *name = name_of(n);

		if (!name)
			continue;
		out->rows[out->count].name = name;
		out->rows[out->count].self = in_base(r, n->flat_sum, bare);
		out->rows[out->count++].total = in_base(r, n->cum_sum, bare);
	}
	qsort(out->rows, out->count, sizeof(*out->rows), by_name);
	unite_rows(out);
}

static int tabulate(struct table *out, const struct pn_profile *p, size_t type,
		    const struct terms *terms)
{
	struct pn_report_options options = {
		.granularity = terms->no_files ? PN_BY_FUNCTIONS
					       : PN_BY_FILEFUNCTIONS};
	struct pn_report report;
	struct pn_error err;
	char index[24];

	snprintf(index, sizeof(index), "%zu", type);
	options.sample_index = index;
	memset(out, 0, sizeof(*out));
	/* no filter is given, so nothing is written to it */
	if (pn_report_init(&report, (struct pn_profile *)p, &options, &err)) {
		printf("%s\n", err.message);
		return 1;
	}
	take_rows(out, &report, terms->no_units);
	pn_report_release(&report);
	return 0;
}

static bool is_near(double a, double b, double of)
{
	return fabs(a - b) <= TOLERANCE * fabs(of);
}

static bool is_same(const struct row *x, const struct row *y, double all,
		    bool no_totals)
{
	if (!x || !y) /* a total that is not known is none */
		return no_totals && is_near(x ? x->self : y->self, 0, all);
	return is_near(x->self, y->self, all) &&
	       (no_totals || is_near(x->total, y->total, all));
}

/* How many functions differ, and the first of them. */
static size_t compare_rows(const struct table *a, const struct table *b,
			   bool no_totals)
{
	size_t i = 0, k = 0, wrong = 0;

	while (i < a->count || k < b->count) {
		const struct row *x = i < a->count ? &a->rows[i] : NULL;
		const struct row *y = k < b->count ? &b->rows[k] : NULL;
		int order = !x ? 1 : !y ? -1 : strcmp(x->name, y->name);

		i += order <= 0;
		k += order >= 0;
		x = order <= 0 ? x : NULL;
		y = order >= 0 ? y : NULL;
		if (!is_same(x, y, a->total, no_totals) && !wrong++)
			printf("'%s' %.9g %.9g, is %.9g %.9g; ",
			       x ? x->name : y->name, x ? x->self : NAN,
			       x ? x->total : NAN, y ? y->self : NAN,
			       y ? y->total : NAN);
	}
	if (wrong)
		printf("%zu of %zu functions differ\n", wrong, a->count);
	return wrong;
}

static size_t compare_type(const struct pn_profile *a, size_t i,
			   const struct pn_profile *b, size_t k,
			   const struct terms *terms)
{
	struct table x, y;
	size_t wrong = 0;

	if (tabulate(&x, a, i, terms))
		return 1;
	if (tabulate(&y, b, k, terms)) {
		release_table(&x);
		return 1;
	}
	if (!is_near(x.total, y.total, x.total)) {
		printf("total was %.12g, is %.12g\n", x.total, y.total);
		wrong++;
	}
	wrong += compare_rows(&x, &y, terms->no_totals);
	release_table(&x);
	release_table(&y);
	return wrong;
}

static const char *type_text(const struct pn_profile *p, size_t i)
{
	return pn_profile_text(p, p->types[i].type);
}

static const char *unit_text(const struct pn_profile *p, size_t i)
{
	return pn_profile_text(p, p->types[i].unit);
}

/* What views take for no unit. */
static bool same_unit(const char *a, const char *b)
{
	return pn_unit_comparable(strcmp(a, "count") ? a : "",
				  strcmp(b, "count") ? b : "");
}

/* The column of `b` that is column i of `a`; SIZE_MAX: there is none. */
static size_t find_type(const struct pn_profile *a, size_t i,
			const struct pn_profile *b,
			const struct pn_codec *codec, unsigned int lost)
{
	bool kept = i == pn_losses_kept_type(codec, a);
	const char *name = type_text(a, i);
	size_t k;

	if ((lost & PN_LOSS_TYPES) && !kept)
		return SIZE_MAX;
	if ((lost & PN_LOSS_TYPE_NAME) && kept)
		name = codec->type_name;
	for (k = 0; k < b->type_count; k++)
		if (!strcmp(name, type_text(b, k)) &&
		    (((lost & PN_LOSS_UNIT) && kept) ||
		     ((lost & PN_LOSS_TYPE_UNITS) && !kept) ||
		     same_unit(unit_text(a, i), unit_text(b, k))))
			return k;
	return SIZE_MAX;
}

static size_t compare(const struct pn_profile *a, const struct pn_profile *b,
		      const struct pn_codec *codec, unsigned int lost)
{
	const struct terms terms = {.no_files =
					    codec->types == PN_CODEC_TYPES_BARE,
				    .no_units = lost & PN_LOSS_UNIT,
				    .no_totals = lost & PN_LOSS_TOTALS};
	size_t i, k, wrong = 0;

	for (i = 0; i < a->type_count; i++) {
		k = find_type(a, i, b, codec, lost);
		/* what calls cost alone, as Racket has it besides */
		if (!strcmp(type_text(a, i), "edge-time"))
			continue;
		if (k != SIZE_MAX) {
			wrong += compare_type(a, i, b, k, &terms);
		} else if (!(lost & PN_LOSS_TYPES) ||
			   i == pn_losses_kept_type(codec, a)) {
			printf("no type %s/%s\n", type_text(a, i),
			       unit_text(a, i));
			wrong++;
		}
	}
	if (pn_profile_runs(a) != pn_profile_runs(b) &&
	    !(lost & PN_LOSS_RUNS)) {
		printf("%u runs were %u\n", pn_profile_runs(b),
		       pn_profile_runs(a));
		wrong++;
	}
	return wrong;
}

static size_t through(const struct pn_profile *p, const struct pn_codec *codec,
		      const char *path)
{
	struct pn_profile back;
	struct pn_error err;
	struct pn_buf bytes = {0};
	size_t wrong = 0;

	printf("%s %s: ", path, codec->name);
	if (codec->write(&bytes, p, &err)) {
		printf("refused: %s\n", err.message);
	} else if (pn_codec_read_memory(&back, NULL, bytes.data, bytes.len,
					"back", &err)) {
		printf("%s\n", err.message);
		wrong = 1;
	} else {
		wrong = compare(p, &back, codec, pn_losses_of(codec, p));
		pn_profile_release(&back);
		if (!wrong)
			printf("same\n");
	}
	pn_buf_release(&bytes);
	return wrong;
}

int main(int argc, char **argv)
{
	struct pn_reader *in;
	struct pn_profile p;
	struct pn_error err;
	size_t wrong = 0, i;
	int n;

	for (n = 1; n < argc; n++) {
		in = NULL;
		if (pn_reader_open(&in, argv[n], 0, &err) ||
		    pn_codec_read(&p, NULL, NULL, in, &err)) {
			fprintf(stderr, "%s\n", err.message);
			pn_reader_free(in);
			return 2;
		}
		pn_reader_free(in);
		for (i = 0; pn_codecs[i]; i++)
			if (pn_codecs[i]->write && pn_codecs[i]->read != NULL &&
			    strcmp(pn_codecs[i]->name, "csv") != 0)
				wrong += through(&p, pn_codecs[i], argv[n]);
		pn_profile_release(&p);
	}
	return wrong != 0;
}
