/* Measuring what a command line asks for, and keeping it. */
#include "jobs/collection/call.h"

#include "base/alloc.h"
#include "jobs/settings.h"
#include "storage/pending.h"
#include "storage/store.h"

#include <stdlib.h>

int pn_collect_call_open(struct pn_collect_call *c, struct pn_error *err)
{
	int code;

	code = pn_setting_body_bytes(&c->keep.max_bytes, c->keep.repo, err);
	if (!code)
		code = pn_keep_init(&c->keep, err);
	if (!code && c->add && c->keep.head.unborn)
		code = pn_error_set(err, PN_ENOTFOUND,
				    "there is no commit yet to list a profile "
				    "at: commit first, or leave --add out");
	return code;
}

static void make_places(struct pn_collect_call *c)
{
	size_t i, n = c->jobs.count;

	c->titles = pn_calloc(n, sizeof(*c->titles));
	c->paths = pn_calloc(n, sizeof(*c->paths));
	c->records = pn_calloc(n, sizeof(*c->records));
	c->rows = pn_calloc(n, sizeof(*c->rows));
	c->doubts = pn_calloc(n, sizeof(*c->doubts));
	for (i = 0; i < n; i++)
		c->titles[i] = pn_collect_job_title(&c->jobs.items[i]);
}

int pn_collect_call_start(struct pn_collect_call *c, struct pn_error *err)
{
	int code = 0;

	if (c->keep_pending || c->add)
		code = pn_pending_prepare(c->keep.repo, err);
	if (code)
		return code;
	make_places(c);
	c->plan.jobs = c->jobs.items;
	c->plan.job_count = c->jobs.count;
	return pn_measure_open(&c->measuring, c->with, &c->plan, err);
}

struct pn_runs_progress
pn_collect_call_progress(const struct pn_collect_call *c,
			 const struct pn_collect_progress *p)
{
	return (struct pn_runs_progress){.done = p->done,
					 .expected = p->expected,
					 .left_ns = p->left_ns,
					 .median_ns = p->median_ns,
					 .warming_up = p->warming_up,
					 .title = c->titles[p->job]};
}

int pn_collect_call_end(struct pn_collect_call *c, int code,
			struct pn_error *err)
{
	bool stopped = c->plan.stop && *c->plan.stop;
	size_t i;

	for (i = 0; !code && !stopped && i < c->jobs.count; i++) {
		c->rows[i].doubts = c->doubts[i];
		c->rows[i].doubt_count =
			pn_measure_warnings(c->doubts[i], c->measuring, i);
		code = pn_keep_take(&c->records[i], &c->keep, c->measuring, i,
				    err);
		stopped = c->plan.stop && *c->plan.stop;
	}
	if (code && c->measuring)
		pn_measure_said(&c->said, c->measuring);
	pn_measure_free(c->measuring);
	c->measuring = NULL;
	return code;
}

static int keep(bool *left, struct pn_collect_call *c, struct pn_error *err)
{
	size_t n = c->jobs.count;
	struct pn_error why;

	if (!c->add && !c->keep_pending)
		return 0;
	if (!c->add)
		return pn_keep_pending(c->paths, &c->keep, c->records, n, err);
	if (!pn_store_append(c->keep.repo, c->records, n, err))
		return 0;
	*left = !pn_keep_pending(c->paths, &c->keep, c->records, n, &why);
	return err->code;
}

int pn_collect_call_keep(bool *left, struct pn_collect_call *c,
			 struct pn_error *err)
{
	int code;
	size_t i;

	*left = false;
	code = keep(left, c, err);
	if (!c->keep.head.unborn)
		pn_oid_hex(c->origin, &c->keep.head.commit);
	for (i = 0; i < c->jobs.count; i++) {
		c->rows[i].title = c->titles[i];
		c->rows[i].id = c->add ? c->records[i].id : NULL;
		c->rows[i].path = c->paths[i];
		c->rows[i].origin = c->origin;
		c->rows[i].profile = &c->records[i].profile;
	}
	return code;
}

bool pn_collect_call_failed(const struct pn_collect_call *c)
{
	bool failed = false;
	size_t i;

	for (i = 0; i < c->jobs.count; i++)
		failed |= c->records[i].profile.header.exit_status > 0;
	return failed;
}

void pn_collect_call_release(struct pn_collect_call *c)
{
	size_t i;

	for (i = 0; c->titles && i < c->jobs.count; i++) {
		pn_record_release(&c->records[i]);
		free(c->titles[i]);
		free(c->paths[i]);
	}
	pn_measure_free(c->measuring);
	free(c->titles);
	free(c->paths);
	free(c->records);
	free(c->rows);
	free(c->doubts);
	pn_buf_release(&c->said);
}
