/* Values by name and unit; one name may have several units. */
#include "codec/bench/bench.h"
#include "base/alloc.h"
#include "base/buf.h"

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

int pn_bench_read_figures(struct pn_summary *out,
			  const struct pn_document *object,
			  struct pn_error *err)
{
	struct pn_summary s = {0, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
	const struct {
		const char *name;
		double *to;
	} figures[] = {
		{"min", &s.min},   {"q1", &s.q1},   {"median", &s.median},
		{"q3", &s.q3},	   {"max", &s.max}, {"mean", &s.mean},
		{"stddev", &s.sd},
	};
	size_t i;
	int code = 0;

	for (i = 0; !code && i < sizeof(figures) / sizeof(*figures); i++)
		code = pn_document_number(figures[i].to, object,
					  figures[i].name, err);
	if (!code)
		*out = s;
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
