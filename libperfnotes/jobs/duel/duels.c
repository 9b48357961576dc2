/* Duels of jobs: builds, whose turn it is, the budget, what is kept. */
#include "jobs/duel/duels.h"

#include "base/alloc.h"
#include "collect/disturb.h"
#include "collect/facts/quiet.h"
#include "detect/duel/turns.h"
#include "jobs/duel/bout.h"
#include "jobs/measure_lock.h"
#include "jobs/missing.h"
#include "storage/store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NONE SIZE_MAX

struct pn_duels {
	struct pn_repo *repo;
	struct pn_duels_options options;
	struct pn_measure_lock lock;
	struct pn_duel_side sides[PN_DUEL_SIDES];
	struct pn_bout *bouts; /* stay where they are */
	size_t count;
	size_t at; /* whose turn it is until its next look, or NONE */
	bool checked_out, announced, opened;
	size_t layout; /* the present one, from 1 on; 0: as it comes */
	struct pn_quiet_count begin; /* of measuring */
	int64_t limit_ns;
};

static bool is_running(const struct pn_bout *bout)
{
	return bout->told.state == PN_DUELLED_RUNNING;
}

/* Whichever judges. */
static struct pn_duel *judge_of(struct pn_bout *bout)
{
	return &bout->duels[bout->told.waits ? 1 : 0];
}

static void set_rule(struct pn_duel_rule *rule,
		     const struct pn_duels_options *o,
		     const struct pn_matrix_job *job)
{
	pn_duel_rule_init(rule);
	rule->counter = job->with->chooses_environment;
	if (rule->counter)
		rule->tolerance = PN_DUEL_COUNTER_TOLERANCE;
	if (o->tolerance >= 0)
		rule->tolerance = o->tolerance;
	rule->margin = o->margin >= 0 ? o->margin : rule->tolerance / 2;
	if (o->max_pairs)
		rule->max_pairs = o->max_pairs;
	if (o->layouts)
		rule->max_pairs = o->layouts;
	rule->give_up = o->give_up;
}

/* What the past lets suspect of a job is all that is asked of it. */
static void suspect(struct pn_bout *bout, const struct pn_duels_options *o)
{
	const struct pn_planned *job = &bout->told.job;
	const char *workload = job->workload ? job->workload : "";
	size_t i;

	for (i = 0; i < o->suspicion_count && !bout->rule.counter; i++) {
		const struct pn_duel_suspicion *s = &o->suspicions[i];

		if (strcmp(s->job, job->section) != 0 ||
		    strcmp(s->collector, job->collector) != 0 ||
		    strcmp(s->workload, workload) != 0)
			continue;
		bout->rule.no_equality = true;
		bout->rule.margin = fmin(s->margin, bout->rule.tolerance / 2);
		bout->rule.max_pairs = PN_DUELS_SUSPECTED_PAIRS;
		bout->suspected = &s->futility;
	}
}

/* No look decides; what counts the same each time tells no more. */
static void set_study(struct pn_duel_rule *rule)
{
	rule->no_equality = rule->jointly = true;
	rule->give_up = false;
	if (rule->counter)
		rule->max_pairs = PN_DUEL_MIN_PAIRS;
	rule->counter = false;
}

static bool is_wanted(const struct pn_duels *d,
		      const struct pn_missing *missing,
		      const struct pn_matrix *matrix, size_t index)
{
	const char *with = matrix->jobs[index].with->name;

	return pn_missing_has(missing, index) &&
	       (!d->options.collector || !strcmp(d->options.collector, with));
}

/* Jobs are judged together: of those that are said to have changed few have
 * not. */
static void set_bouts(struct pn_duels *d, const struct pn_matrix *matrix,
		      const struct pn_missing *missing)
{
	struct pn_duel_rule rule;
	size_t i, n = 0;

	for (i = 0; i < matrix->job_count; i++)
		n += is_wanted(d, missing, matrix, i);
	d->bouts = pn_calloc(n + 1, sizeof(*d->bouts));
	for (i = 0; i < matrix->job_count; i++) {
		if (!is_wanted(d, missing, matrix, i))
			continue;
		set_rule(&rule, &d->options, &matrix->jobs[i]);
		rule.jointly = n > 1;
		if (d->options.whole)
			set_study(&rule);
		d->bouts[d->count].whole = d->options.whole;
		d->bouts[d->count].relinks = d->options.layouts > 0;
		pn_bout_init(&d->bouts[d->count], &matrix->jobs[i], &rule,
			     d->options.metric);
		suspect(&d->bouts[d->count], &d->options);
		d->bouts[d->count++].among = n;
	}
	d->limit_ns = d->options.time_ns;
	if (!d->limit_ns)
		d->limit_ns = PN_DUELS_TIME_NS * (int64_t)d->count;
}

/* Measured before or not. */
static int select_jobs(struct pn_duels *d, const struct pn_matrix *matrix,
		       struct pn_error *err)
{
	struct pn_run_options options = {.again = true,
					 .names = d->options.names,
					 .name_count = d->options.name_count,
					 .machine = d->options.sides.machine};
	struct pn_missing *missing = NULL;
	int code = pn_missing_open(&missing, d->repo, matrix, &options, err);

	if (!code)
		set_bouts(d, matrix, missing);
	if (!code && !d->count)
		code = pn_error_set(
			err, PN_ENOTFOUND, "no job is for this machine%s%s",
			d->options.collector ? " and by " : "",
			d->options.collector ? d->options.collector : "");
	pn_missing_free(missing);
	return code;
}

/* A rule that cannot be, before anything is built. */
static int check_rules(const struct pn_duels *d, struct pn_error *err)
{
	struct pn_duel duel = {0};
	size_t i;
	int code = 0;

	for (i = 0; !code && i < d->count; i++) {
		code = pn_duel_init(&duel, &d->bouts[i].rule, err);
		pn_duel_release(&duel);
		memset(&duel, 0, sizeof(duel));
	}
	return code;
}

int pn_duels_open(struct pn_duels **out, struct pn_repo *repo,
		  const struct pn_matrix *matrix,
		  const struct pn_duels_options *options, struct pn_error *err)
{
	struct pn_duels *d = pn_calloc(1, sizeof(*d));
	int code;

	d->repo = repo;
	d->options = *options;
	d->lock.fd = -1;
	d->at = NONE;
	d->layout = options->layouts > 0;
	code = select_jobs(d, matrix, err);
	if (!code)
		code = check_rules(d, err);
	if (code)
		pn_duels_close(d, NULL);
	else
		*out = d;
	return code;
}

static bool is_to_build(const struct pn_bout *bout)
{
	return bout->told.state == PN_DUELLED_WAITING || is_running(bout);
}

static int check_out(struct pn_duels *d, struct pn_error *err)
{
	size_t i;
	int code =
		pn_duel_sides_open(d->sides, d->repo, &d->options.sides, err);

	if (!code)
		code = pn_duel_sides_check_out(d->sides, &d->options.sides,
					       d->layout, err);
	for (i = 0; !code && i < d->count; i++) {
		if (!is_to_build(&d->bouts[i]))
			continue;
		pn_build_add(d->sides[PN_DUEL_BASE].build,
			     d->bouts[i].job->section);
		pn_build_add(d->sides[PN_DUEL_HEAD].build,
			     d->bouts[i].job->section);
	}
	d->checked_out = !code;
	return code;
}

/* The next line is told first and run then: 1, or 0 when none is left. */
static int step_build(struct pn_duels *d, struct pn_duels_progress *progress,
		      struct pn_error *err)
{
	struct pn_build *build = d->sides[PN_DUEL_BASE].build;
	int code;

	progress->building = pn_build_next(build);
	if (!progress->building) {
		progress->side = PN_DUEL_HEAD;
		build = d->sides[PN_DUEL_HEAD].build;
		progress->building = pn_build_next(build);
	}
	if (!progress->building)
		return 0;
	d->announced = !d->announced;
	code = d->announced ? 0 : pn_build_run(build, err);
	return code ? code : 1;
}

static void open_bout(struct pn_duels *d, struct pn_bout *bout)
{
	const struct pn_job_place *const places[] = {
		&d->sides[PN_DUEL_BASE].place, &d->sides[PN_DUEL_HEAD].place};
	const struct pn_error *why;
	size_t side;

	for (side = 0; side < PN_DUEL_SIDES; side++) {
		why = pn_build_failure(d->sides[side].build,
				       bout->job->section);
		if (why) {
			pn_bout_set_unbuilt(bout, side, why);
			pn_buf_add_text(&bout->said,
					pn_build_output(d->sides[side].build));
			bout->told.said = pn_buf_text(&bout->said);
			return;
		}
	}
	if (is_running(bout))
		pn_bout_enter(bout, places);
	else
		pn_bout_open(bout, places);
}

/* Each begins when all is built: nothing is built while one measures. */
static void open_bouts(struct pn_duels *d)
{
	size_t i;

	for (i = 0; i < d->count; i++)
		if (is_to_build(&d->bouts[i]))
			open_bout(d, &d->bouts[i]);
	pn_quiet_count_read(&d->begin, "", false);
	d->opened = true;
}

static int64_t spent(const struct pn_duels *d)
{
	int64_t sum = 0;
	size_t i;

	for (i = 0; i < d->count; i++)
		sum += d->bouts[i].told.spent_ns;
	return sum;
}

/* Of what one job may still begin a pair: all together have one budget, but
 * where no forecast tells whose turn it is. */
static bool has_time(const struct pn_duels *d, const struct pn_bout *bout)
{
	double limit = (double)d->limit_ns, used = (double)spent(d);

	if (d->options.whole) {
		limit /= (double)d->count;
		used = (double)bout->told.spent_ns;
	}
	if (pn_bout_pairs(bout) < PN_DUEL_MIN_PAIRS)
		return used < PN_DUELS_PATIENCE * limit;
	return pn_duel_pairs_that_fit(limit, used, bout->costs,
				      pn_bout_pairs(bout)) > 0;
}

/* What the others' figures say of each; those that are decided are over. */
static void settle(struct pn_duels *d)
{
	struct pn_duel **duels = pn_calloc(d->count + 1, sizeof(*duels));
	size_t i, n = 0;

	for (i = 0; i < d->count; i++)
		if (is_running(&d->bouts[i]) ||
		    d->bouts[i].told.state == PN_DUELLED_DONE)
			duels[n++] = judge_of(&d->bouts[i]);
	if (d->count > 1 && !d->options.whole)
		pn_duel_decide_jointly(duels, n);
	for (i = 0; i < d->count; i++)
		if (is_running(&d->bouts[i]) &&
		    pn_duel_is_over(judge_of(&d->bouts[i])))
			pn_bout_finish(&d->bouts[i]);
	free(duels);
}

/* Until its next look; NONE when all are over. */
static size_t whose_turn(struct pn_duels *d)
{
	struct pn_duel_turn *turns = pn_calloc(d->count + 1, sizeof(*turns));
	size_t *index = pn_calloc(d->count + 1, sizeof(*index));
	size_t i, n = 0, best;

	for (i = 0; i < d->count; i++) {
		if (!is_running(&d->bouts[i]) || d->bouts[i].rests)
			continue;
		index[n] = i;
		turns[n].duel = judge_of(&d->bouts[i]);
		turns[n++].pair_cost = pn_bout_pair_cost(&d->bouts[i]);
	}
	best = n ? pn_duel_next(turns, n) : SIZE_MAX;
	best = best == SIZE_MAX ? NONE : index[best];
	free(turns);
	free(index);
	return best;
}

static void forecast(struct pn_duels *d, struct pn_bout *bout)
{
	struct pn_duel_turn turn = {judge_of(bout), pn_bout_pair_cost(bout)};
	double left = pn_duel_cost_left(&turn);
	double limit = (double)(d->limit_ns - spent(d));

	if (left > limit)
		left = limit > 0 ? limit : 0;
	bout->told.left_ns = (int64_t)left;
}

/* The job whose turn it is, which may begin a pair; NULL: all are over. */
static struct pn_bout *next_bout(struct pn_duels *d)
{
	while (true) {
		if (d->at == NONE)
			d->at = whose_turn(d);
		if (d->at == NONE)
			return NULL;
		if (!pn_bout_is_even(&d->bouts[d->at]) ||
		    has_time(d, &d->bouts[d->at]))
			return &d->bouts[d->at];
		pn_bout_finish(&d->bouts[d->at]);
		settle(d);
		d->at = NONE;
	}
}

/*
 * All that still run have run in this layout: the next one is made in worktrees
 * that are new, as a build may think that it has nothing to do. 1, or 0 where
 * none is left.
 */
static int next_layout(struct pn_duels *d, struct pn_error *err)
{
	bool last = d->layout >= d->options.layouts, goes_on = false;
	size_t i;
	int code;

	for (i = 0; i < d->count; i++) {
		if (last && is_running(&d->bouts[i]))
			pn_bout_finish(&d->bouts[i]);
		goes_on |= is_running(&d->bouts[i]);
	}
	if (!goes_on)
		return 0;
	for (i = 0; i < d->count; i++)
		pn_bout_leave(&d->bouts[i]);
	code = pn_duel_sides_close(d->sides, err);
	d->checked_out = d->opened = d->announced = false;
	d->layout++;
	return code ? code : 1;
}

static int step_bout(struct pn_duels *d, struct pn_duels_progress *progress,
		     struct pn_error *err)
{
	struct pn_bout *bout = next_bout(d);
	bool looked = false;
	int code;

	if (!bout)
		return next_layout(d, err);
	code = pn_bout_step(&looked, bout, err);
	if (code < 0)
		return code;
	if (looked)
		settle(d);
	if (looked || !is_running(bout) || bout->rests)
		d->at = NONE;
	forecast(d, bout);
	progress->row = &bout->told;
	return 1;
}

static int take_turn(struct pn_duels *d, struct pn_duels_progress *progress,
		     struct pn_error *err)
{
	const volatile sig_atomic_t *stop = d->options.sides.stop;
	int code;

	if (stop && *stop)
		return pn_error_set(err, PN_ESTOPPED, "stopped while waiting");
	code = pn_measure_lock_try(&d->lock, d->repo, err);
	progress->waiting = !code;
	return code < 0 ? code : 1;
}

int pn_duels_step(struct pn_duels *d, struct pn_duels_progress *progress,
		  struct pn_error *err)
{
	size_t i;
	int code = 0;

	memset(progress, 0, sizeof(*progress));
	progress->count = d->count;
	if (d->lock.fd < 0)
		return take_turn(d, progress, err);
	if (!d->checked_out)
		code = check_out(d, err);
	if (!code && !d->opened)
		code = step_build(d, progress, err);
	if (code)
		return code;
	if (!d->opened)
		open_bouts(d);
	code = step_bout(d, progress, err);
	for (i = 0; i < d->count; i++)
		progress->over += !is_running(&d->bouts[i]);
	progress->spent_ns = spent(d);
	progress->limit_ns = d->limit_ns;
	return code;
}

size_t pn_duels_count(const struct pn_duels *d)
{
	return d->count;
}

const struct pn_duelled *pn_duels_row(const struct pn_duels *d, size_t index)
{
	return &d->bouts[index].told;
}

void pn_duels_report(struct pn_duelled_report *out,
		     const struct pn_duelled **rows,
		     char hex[PN_DUEL_SIDES][PN_OID_HEX + 1],
		     const struct pn_duels *d)
{
	size_t i;

	*out = (struct pn_duelled_report){.rows = rows, .count = d->count};
	for (i = 0; i < d->count; i++)
		rows[i] = &d->bouts[i].told;
	for (i = 0; i < PN_DUEL_SIDES; i++) {
		pn_oid_hex(hex[i], &d->options.sides.commits[i]);
		out->commits[i] = hex[i];
	}
}

void pn_duels_study(struct pn_studied *rows, struct pn_disturb *machine,
		    const struct pn_duels *d)
{
	struct pn_quiet_count end;
	struct pn_duel_rule rule;
	size_t i;

	for (i = 0; i < d->count; i++) {
		set_rule(&rule, &d->options, d->bouts[i].job);
		pn_studied_of(&rows[i], &d->bouts[i].told, &rule);
	}
	pn_disturb_read(machine, "");
	pn_quiet_count_read(&end, "", true);
	pn_quiet_between(&machine->quiet, &d->begin, &end);
}

static int add_record(struct pn_batch *batch, struct pn_bout *bout, size_t side,
		      const struct pn_oid *with, struct pn_error *err)
{
	struct pn_record record = {0};
	char hex[PN_OID_HEX + 1];
	int code;

	pn_oid_hex(hex, with);
	code = pn_bout_record(&record, bout, side, hex, err);
	if (!code)
		code = pn_batch_add(batch, &record, err);
	pn_record_release(&record);
	return code;
}

int pn_duels_store(struct pn_duels *d, struct pn_error *err)
{
	const struct pn_oid *commits = d->options.sides.commits;
	struct pn_batch *batch = NULL;
	size_t i, count = 0;
	int code;

	if (d->options.layouts)
		return 0;
	code = pn_batch_open(&batch, d->repo, NULL, err);
	for (i = 0; !code && i < d->count; i++) {
		struct pn_bout *bout = &d->bouts[i];

		if (bout->told.state != PN_DUELLED_DONE || !bout->pairs)
			continue;
		code = add_record(batch, bout, PN_DUEL_BASE,
				  &commits[PN_DUEL_HEAD], err);
		if (!code)
			code = add_record(batch, bout, PN_DUEL_HEAD,
					  &commits[PN_DUEL_BASE], err);
		count++;
	}
	if (!code && count)
		code = pn_batch_commit(batch, err);
	pn_batch_free(batch);
	return code;
}

int pn_duels_close(struct pn_duels *d, struct pn_error *err)
{
	size_t i;
	int code;

	if (!d)
		return 0;
	/* what runs has to end before its folder goes */
	for (i = 0; i < d->count; i++)
		pn_bout_release(&d->bouts[i]);
	code = pn_duel_sides_close(d->sides, err);
	pn_measure_lock_release(&d->lock);
	free(d->bouts);
	free(d);
	return code;
}
