/* Values by name and unit; one name may have several units. */
#include "codec/bench/bench.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/reader/lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void pn_bench_release(struct pn_bench *bench)
{
	size_t i;

	for (i = 0; i < bench->count; i++) {
		free(bench->measures[i].summary);
		free(bench->measures[i].values);
	}
	free(bench->measures);
	pn_strtab_release(&bench->names);
}

static int find(struct pn_bench_measure **out, struct pn_bench *bench,
		const char *name, const char *unit, enum pn_better better,
		struct pn_error *err)
{
	struct pn_buf key = {0};
	struct pn_bench_measure *m;
	size_t at;

	pn_buf_add(&key, name, strlen(name) + 1);
	pn_buf_add_text(&key, unit);
	at = pn_strtab_add(&bench->names, key.data, key.len) - 1; /* 0: "" */
	pn_buf_release(&key);
	if (at == bench->count) {
		if (at >= PN_BENCH_MAX)
			return pn_error_set(err, PN_ELIMIT,
					    "more than %u measures",
					    PN_BENCH_MAX);
		bench->measures = pn_grow(bench->measures, &bench->cap, at + 1,
					  sizeof(*m));
		m = &bench->measures[bench->count++];
		memset(m, 0, sizeof(*m));
		m->better = better;
	}
	*out = &bench->measures[at];
	return 0;
}

int pn_bench_add(struct pn_bench *bench, const char *name, const char *unit,
		 enum pn_better better, double value, struct pn_error *err)
{
	struct pn_bench_measure *m;

	if (!isfinite(value))
		return pn_error_set(err, PN_EINVAL,
				    "'%.200s' has no finite value", name);
	if (find(&m, bench, name, unit, better, err))
		return err->code;
	if (!m->cap) { /* most have one value, and there are many of them */
		m->values = pn_realloc_array(NULL, 1, sizeof(value));
		m->cap = 1;
	}
	m->values = pn_grow(m->values, &m->cap, m->count + 1, sizeof(value));
	m->values[m->count++] = value;
	return 0;
}

int pn_bench_add_scan(struct pn_bench *bench, const struct pn_scan *name,
		      const char *unit, enum pn_better better, double value,
		      struct pn_error *err)
{
	struct pn_buf text = {0};
	int code = pn_bench_add(bench, pn_scan_copy(&text, name), unit, better,
				value, err);

	pn_buf_release(&text);
	return code;
}

int pn_bench_add_summary(struct pn_bench *bench, const char *name,
			 const char *unit, enum pn_better better,
			 const struct pn_summary *summary, struct pn_error *err)
{
	struct pn_bench_measure *m;

	if (find(&m, bench, name, unit, better, err))
		return err->code;
	if (!m->summary)
		m->summary = pn_calloc(1, sizeof(*summary));
	*m->summary = *summary;
	return 0;
}

int pn_bench_add_figures(struct pn_bench *bench, const char *name,
			 const char *unit, enum pn_better better,
			 struct pn_summary figures, struct pn_error *err)
{
	if (isnan(figures.mean) && isnan(figures.median))
		return pn_error_set(err, PN_EINVAL,
				    "'%.200s' has no mean and no median", name);
	if (!figures.n)
		figures.n = 1;
	return pn_bench_add_summary(bench, name, unit, better, &figures, err);
}

enum pn_better pn_bench_better(const char *unit)
{
	static const char *const less[] = {
		"ns",	   "us",    "\302\265s", "ms",	"s",   "sec",
		"seconds", "bytes", "B",	 "KiB", "MiB", "GiB",
		"kB",	   "KB",    "MB",	 "GB",
	};
	size_t len = strlen(unit), i;
	const char *per = strrchr(unit, '/');

	if (per && (per[1] == 's' || per[1] == 'm') &&
	    (!strcmp(per, "/s") || !strcmp(per, "/sec") ||
	     !strcmp(per, "/second") || !strcmp(per, "/ms")))
		return PN_BETTER_MORE;
	if (per)
		len = (size_t)(per - unit);
	for (i = 0; i < sizeof(less) / sizeof(*less); i++)
		if (strlen(less[i]) == len && !memcmp(less[i], unit, len))
			return PN_BETTER_LESS;
	return PN_BETTER_UNKNOWN;
}

const struct pn_bench_figures pn_bench_usual = {
	.min = "min",
	.q1 = "q1",
	.median = "median",
	.q3 = "q3",
	.max = "max",
	.mean = "mean",
	.sd = "stddev",
};

int pn_bench_read_figures(struct pn_summary *out,
			  const struct pn_document *object,
			  const struct pn_bench_figures *names,
			  struct pn_error *err)
{
	struct pn_summary s = {0, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
	const struct {
		const char *name;
		double *to;
	} figures[] = {
		{names->min, &s.min},	    {names->q1, &s.q1},
		{names->median, &s.median}, {names->q3, &s.q3},
		{names->max, &s.max},	    {names->mean, &s.mean},
		{names->sd, &s.sd},
	};
	int64_t n = 0;
	size_t i;
	int code = 0;

	for (i = 0; !code && i < sizeof(figures) / sizeof(*figures); i++)
		if (figures[i].name)
			code = pn_document_number(figures[i].to, object,
						  figures[i].name, err);
	if (!code && names->n)
		code = pn_document_int(&n, object, names->n, err);
	s.n = n > 0 ? (uint64_t)n : 0;
	if (!code)
		*out = s;
	return code;
}

static int add_item(size_t *count, struct pn_bench *bench, const char *name,
		    const char *unit, enum pn_better better,
		    const struct pn_document *item, struct pn_error *err)
{
	double value = NAN;
	int code = pn_document_value(&value, item, err);

	if (!code)
		code = pn_bench_add(bench, name, unit, better, value, err);
	++*count;
	return code;
}

int pn_bench_add_numbers(size_t *count, struct pn_bench *bench,
			 const char *name, const char *unit,
			 enum pn_better better, const struct pn_document *list,
			 struct pn_error *err)
{
	struct pn_document row = {0};
	size_t n = 0;
	int code = 0;

	while (!code && pn_document_next(&row, list)) {
		struct pn_document item = {0};

		if (pn_document_is_array(&row))
			while (!code && pn_document_next(&item, &row))
				code = add_item(&n, bench, name, unit, better,
						&item, err);
		else
			code = add_item(&n, bench, name, unit, better, &row,
					err);
	}
	if (!code)
		*count = n;
	return code;
}

int pn_bench_finish(struct pn_profile *p, struct pn_bench *bench,
		    const char *what, struct pn_error *err)
{
	struct pn_metric *metric;
	size_t i;

	if (!bench->count)
		return pn_error_set(err, PN_EINVAL, "expected %s", what);
	for (i = 0; i < bench->count; i++) {
		struct pn_bench_measure *m = &bench->measures[i];
		/* the name ends at the NUL before the unit; a NUL follows */
		const char *name =
			pn_strtab_text(&bench->names, (uint32_t)i + 1);

		metric = pn_profile_add_metric(p, name, name + strlen(name) + 1,
					       m->better, m->values, m->count);
		if (!m->count && m->summary)
			metric->summary = *m->summary;
		/* they are copied: never all of them twice */
		free(m->values);
		m->values = NULL;
	}
	return 0;
}

static int
read_document(struct pn_profile *out, struct pn_reader *in,
	      int (*read)(struct pn_document *root, struct pn_reader *in,
			  struct pn_error *err),
	      int (*take)(struct pn_bench *bench,
			  const struct pn_document *root, struct pn_error *err),
	      const char *what, struct pn_error *err)
{
	struct pn_bench bench = {.profile = out};
	struct pn_document root = {0};
	int code = read(&root, in, err);

	if (!code)
		code = take(&bench, &root, err);
	if (!code)
		code = pn_bench_finish(out, &bench, what, err);
	out->complete = false; /* the machine, options */
	pn_bench_release(&bench);
	pn_document_release(&root);
	return code;
}

int pn_bench_read_object(struct pn_profile *out, struct pn_reader *in,
			 int (*take)(struct pn_bench *bench,
				     const struct pn_document *root,
				     struct pn_error *err),
			 const char *what, struct pn_error *err)
{
	return read_document(out, in, pn_document_read, take, what, err);
}

int pn_bench_read_list(struct pn_profile *out, struct pn_reader *in,
		       int (*take)(struct pn_bench *bench,
				   const struct pn_document *root,
				   struct pn_error *err),
		       const char *what, struct pn_error *err)
{
	return read_document(out, in, pn_document_read_list, take, what, err);
}

int pn_bench_read_lines(struct pn_profile *out, struct pn_reader *in,
			void *state,
			int (*take)(struct pn_bench *bench, void *state,
				    struct pn_scan *line, struct pn_error *err),
			const char *what, struct pn_error *err)
{
	struct pn_bench bench = {.profile = out};
	struct pn_lines lines = {.in = in};
	const char *text;
	size_t len;
	int code;

	while (!(code = pn_lines_next(&text, &len, &lines, err)) && text) {
		struct pn_scan line = pn_scan_of(text, len);

		code = take(&bench, state, &line, err);
		if (code) {
			pn_error_context(err, "line %llu",
					 (unsigned long long)lines.number);
			break;
		}
	}
	if (!code)
		code = pn_bench_finish(out, &bench, what, err);
	out->complete = false; /* other lines */
	pn_bench_release(&bench);
	return code;
}
