/*
 * Results of airspeed velocity, results/<machine>/<commit>-<env>.json beside
 * results/benchmarks.json, which knows the units of what the name of a
 * benchmark does not tell. asv.readthedocs.io/en/stable/dev.html.
 */
#include "codec/past/past.h"

#include "codec/bench/asv.h"
#include "codec/bench/document.h"

#include <string.h>

void pn_past_units_release(struct pn_past_units *units)
{
	pn_strtab_release(&units->names);
	pn_strtab_release(&units->units);
}

/* The first one of a name counts. */
static void add_unit(struct pn_past_units *out, const char *name,
		     const char *unit)
{
	size_t had = out->names.count;

	pn_strtab_add_text(&out->names, name);
	if (out->names.count > had)
		pn_strtab_append(&out->units, unit, strlen(unit));
}

/* {"<name>": {"unit": "bytes", ...}, ..., "version": 2} */
int pn_past_asv_units(struct pn_past_units *out, struct pn_reader *in,
		      struct pn_error *err)
{
	struct pn_document root = {0}, item = {0};
	int code = pn_document_read(&root, in, err);

	pn_strtab_add_text(&out->names, "");
	pn_strtab_add_text(&out->units, "");
	while (!code && pn_document_next(&item, &root)) {
		const char *unit = "";
		struct pn_error odd;

		/* the unit of a figure that has none is called so */
		if (!pn_document_text(&unit, &item, "unit", &odd) && *unit &&
		    strcmp(unit, "unit") != 0)
			add_unit(out, pn_document_name(&item), unit);
	}
	pn_document_release(&root);
	return code;
}

/* Of "suite.track_size(10, 'a')" the unit of "suite.track_size". */
static const char *unit_of(const struct pn_past_units *units, const char *name)
{
	uint32_t id;

	return pn_strtab_find(&id, &units->names, name, strcspn(name, "("))
		       ? pn_strtab_text(&units->units, id)
		       : "";
}

static void add_units(struct pn_profile *p, const struct pn_past_units *units)
{
	size_t i;

	for (i = 0; i < p->metric_count; i++) {
		struct pn_metric *m = &p->metrics[i];

		if (!m->unit)
			m->unit = pn_strtab_add_text(
				&p->strings,
				unit_of(units, pn_profile_text(p, m->name)));
	}
}

/* Facts of the machine, by our names. */
static int read_machine(struct pn_profile *p, const struct pn_document *root,
			struct pn_error *err)
{
	static const char *const facts[][2] = {{"machine", "env"},
					       {"cpu", "cpu"},
					       {"arch", "arch"},
					       {"os", "os"},
					       {"num_cpu", "cores"}};
	struct pn_document params = {0};
	size_t i;
	int code = pn_document_object(&params, root, "params", err);

	for (i = 0; !code && params.json && i < 5; i++) {
		const char *text = "";
		struct pn_error odd;

		/* a later version may write numbers */
		if (!pn_document_text(&text, &params, facts[i][0], &odd) &&
		    *text)
			pn_profile_set_environment(p, facts[i][1], text);
	}
	return code;
}

static int describe(struct pn_profile *p, const char **commit,
		    struct pn_buf *source, const struct pn_document *root,
		    struct pn_error *err)
{
	const char *env = "", *machine = "";
	struct pn_document params = {0};
	double date_ms = 0;
	int code = pn_document_text(commit, root, "commit_hash", err);

	if (!code)
		code = pn_document_text(&env, root, "env_name", err);
	if (!code)
		code = pn_document_number(&date_ms, root, "date", err);
	if (!code)
		code = read_machine(p, root, err);
	if (!code)
		code = pn_document_object(&params, root, "params", err);
	if (!code && params.json)
		code = pn_document_text(&machine, &params, "machine", err);
	if (code)
		return code;
	p->header.cmd = pn_strtab_add_text(&p->strings, "asv");
	p->header.name = p->header.cmd;
	p->header.workload = pn_strtab_add_text(&p->strings, env);
	if (date_ms > 0 && date_ms < PN_PAST_TIME_MAX_S * 1e3)
		p->time_ns = (int64_t)date_ms * 1000000;
	pn_buf_printf(source, "%s\n%s", machine, env);
	return 0;
}

static int read_document(size_t *odd, struct pn_profile *p,
			 const struct pn_past_taker *to,
			 const struct pn_document *root,
			 const struct pn_past_units *units,
			 struct pn_error *err)
{
	struct pn_past_result result = {.commit = "", .profile = p};
	struct pn_bench bench = {.profile = p};
	struct pn_buf source = {0};
	int code = describe(p, &result.commit, &source, root, err);

	if (!code)
		code = pn_asv_results(&bench, root, err);
	*odd = bench.odd;
	if (!code && bench.count)
		code = pn_bench_finish(p, &bench, "", err);
	if (!code && p->metric_count) {
		add_units(p, units);
		result.source = pn_buf_text(&source);
		code = to->take(to->to, &result, err);
	}
	pn_buf_release(&source);
	pn_bench_release(&bench);
	return code;
}

int pn_past_asv(size_t *odd, const struct pn_past_taker *taker,
		struct pn_reader *in, const struct pn_past_units *units,
		struct pn_error *err)
{
	struct pn_document root = {0};
	struct pn_profile p;
	int code = pn_document_read(&root, in, err);

	pn_profile_init(&p);
	if (!code)
		code = read_document(odd, &p, taker, &root, units, err);
	pn_profile_release(&p);
	pn_document_release(&root);
	return code;
}
