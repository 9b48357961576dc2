/* The duel of one job. */
#include "jobs/duel/bout.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/process/process.h"
#include "collect/facts/quiet.h"
#include "detect/duel/order.h"
#include "jobs/rows.h"
#include "model/summary.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Runs of a side that a collector is ready for: a duel has fewer, with those
 * that fail. */
#define MOST_RUNS 1000
#define QUAD 4
#define PROGRAM_MAX (256u << 20) /* bytes of one that is looked at */

static size_t turn_of(const struct pn_bout *bout)
{
	return pn_duel_run_is_b(bout->told.seed, bout->order) ? PN_DUEL_HEAD
							      : PN_DUEL_BASE;
}

void pn_bout_init(struct pn_bout *bout, const struct pn_matrix_job *job,
		  const struct pn_duel_rule *rule, const char *metric)
{
	struct pn_duelled *told = &bout->told;

	bout->job = job;
	bout->rule = *rule;
	bout->metric = metric;
	bout->among = 1;
	bout->load = NAN;
	told->job = pn_rows_planned(&bout->arena, job);
	told->counts = rule->counter;
	told->seed = pn_hash_random();
	if (!job->with->result_takes)
		return;
	told->state = PN_DUELLED_LEFT_OUT;
	pn_error_set(&bout->why, PN_EREFUSED,
		     "collector '%s' does not tell its runs apart",
		     job->with->name);
	told->why = bout->why.message;
}

/* How often is for the duel to say. */
static void set_runs(struct pn_bout *bout, struct pn_collect_plan *plan)
{
	const struct pn_collector *with = bout->job->with;

	if (with->chooses_environment)
		plan->counting_runs = MOST_RUNS;
	else if (!plan->warmup)
		plan->warmup = 1;
	plan->runs = with->chooses_environment || with == &pn_collector_time
			     ? 0
			     : MOST_RUNS;
	plan->min_runs = plan->max_runs = MOST_RUNS;
	plan->launcher = bout->launcher;
	plan->options = bout->options;
	plan->option_count = 0;
	while (bout->options[plan->option_count].key)
		plan->option_count++;
}

/* Those of the job's collector but for how often it runs. */
static void copy_options(struct pn_bout *bout)
{
	const struct pn_matrix_job *job = bout->job;
	size_t i, n = 0;

	bout->options = pn_calloc(job->option_count + 1, sizeof(*job->options));
	for (i = 0; i < job->option_count; i++)
		if (strcmp(job->options[i].key, "runs") != 0)
			bout->options[n++] = job->options[i];
}

static void fail(struct pn_bout *bout, size_t side)
{
	const struct pn_measure *measure = bout->sides[side].measure;

	bout->told.state = PN_DUELLED_FAILED;
	bout->told.side = side;
	bout->told.why = bout->why.message;
	if (measure)
		pn_measure_said(&bout->said, measure);
	bout->told.said = pn_buf_text(&bout->said);
}

/* Of the program that a plan names by a path; 0: it names none, or a script,
 * which no linker makes. */
static uint32_t checksum(const struct pn_bout_side *side)
{
	const char *const *argv = side->plan.collect.jobs[0].argv;
	const char *program = argv ? argv[0] : "";
	struct pn_buf path = {0}, bytes = {0};
	uint32_t sum = 0;

	if (strchr(program, '/')) {
		if (*program != '/')
			pn_buf_printf(&path, "%s/", side->place->dir);
		pn_buf_add_text(&path, program);
		if (!pn_file_read(&bytes, pn_buf_text(&path), PROGRAM_MAX,
				  NULL) &&
		    bytes.len > 4 && !memcmp(bytes.data, "\177ELF", 4))
			sum = pn_hash_crc32(0, bytes.data, bytes.len);
	}
	pn_buf_release(&path);
	pn_buf_release(&bytes);
	return sum;
}

void pn_bout_enter(struct pn_bout *bout,
		   const struct pn_job_place *const places[PN_DUEL_SIDES])
{
	uint32_t program;
	size_t side;

	for (side = 0; side < PN_DUEL_SIDES; side++) {
		struct pn_bout_side *s = &bout->sides[side];

		s->place = places[side];
		pn_job_plan_init(&s->plan, bout->job, places[side]);
		set_runs(bout, &s->plan.collect);
		if (pn_measure_open(&s->measure, bout->job->with,
				    &s->plan.collect, &bout->why)) {
			fail(bout, side);
			return;
		}
	}
	if (!bout->relinks)
		return;
	program = checksum(&bout->sides[PN_DUEL_HEAD]);
	if (!bout->told.layouts++)
		bout->program = program;
	else if (program && program == bout->program)
		bout->told.same_layout = true;
}

void pn_bout_leave(struct pn_bout *bout)
{
	size_t side;

	for (side = 0; side < PN_DUEL_SIDES; side++) {
		struct pn_bout_side *s = &bout->sides[side];

		pn_measure_free(s->measure);
		s->measure = NULL;
		pn_job_plan_release(&s->plan);
		memset(&s->plan, 0, sizeof(s->plan));
		s->place = NULL;
		s->warmed = s->runs = s->dropped_count = 0;
	}
	bout->rests = false;
}

void pn_bout_open(struct pn_bout *bout,
		  const struct pn_job_place *const places[PN_DUEL_SIDES])
{
	struct pn_duel_rule beside = bout->rule;
	size_t i;

	beside.jointly = bout->rule.jointly && bout->whole;
	copy_options(bout);
	bout->launcher = pn_process_launcher_new();
	bout->costs = pn_calloc(bout->rule.max_pairs, sizeof(*bout->costs));
	bout->told.state = PN_DUELLED_RUNNING;
	for (i = 0; i < PN_DUELLED_METRICS; i++)
		/* what stands beside it is not among those that are judged
		 * together */
		if (pn_duel_init(&bout->duels[i], i ? &beside : &bout->rule,
				 &bout->why)) {
			fail(bout, PN_DUEL_BASE);
			return;
		}
	pn_bout_enter(bout, places);
}

void pn_bout_set_unbuilt(struct pn_bout *bout, size_t side,
			 const struct pn_error *why)
{
	bout->why = *why;
	bout->told.state = PN_DUELLED_NOT_BUILT;
	bout->told.side = side;
	bout->told.why = bout->why.message;
}

/* A side that still warms up, or PN_DUEL_SIDES. */
static size_t find_cold(const struct pn_bout *bout)
{
	size_t side;

	for (side = 0; side < PN_DUEL_SIDES; side++)
		if (bout->sides[side].warmed <
		    bout->sides[side].plan.collect.warmup)
			break;
	return side;
}

static bool fails_too_often(const struct pn_bout *bout, size_t side)
{
	size_t failed = bout->told.failed[side], each = bout->order / 2;

	return !bout->sides[side].good ||
	       (failed >= PN_BOUT_FAILED &&
		(double)failed > PN_BOUT_FAILED_SHARE * (double)each);
}

/* What ends all is an error, what only this run suffers from is none. */
static int note_failure(struct pn_bout *bout, size_t side, int code,
			struct pn_error *err)
{
	if (code == PN_ESTOPPED) {
		if (err)
			*err = bout->why;
		return code;
	}
	bout->sides[side].went_well = false;
	bout->told.failed[side]++;
	if (fails_too_often(bout, side))
		fail(bout, side);
	return 0;
}

/* Its figures are there, but those of the other run are not. */
static void drop_run(struct pn_bout_side *s)
{
	s->dropped = pn_grow(s->dropped, &s->dropped_cap, s->dropped_count + 1,
			     sizeof(*s->dropped));
	s->dropped[s->dropped_count++] = s->runs - 1;
}

static void hold_pair(struct pn_bout_side *s)
{
	memcpy(s->held, s->values, sizeof(s->held));
	s->held_well = s->went_well;
}

/* So that the logarithm of both sides' quotient is the mean of the pairs'. */
static void join_pairs(struct pn_bout_side *s)
{
	size_t i;

	for (i = 0; i < PN_DUELLED_METRICS; i++)
		s->values[i] = s->held[i] > 0 && s->values[i] > 0
				       ? sqrt(s->held[i]) * sqrt(s->values[i])
				       : (s->held[i] + s->values[i]) / 2;
	s->went_well = s->went_well && s->held_well;
}

static bool stop_futile(struct pn_bout *bout)
{
	const struct pn_duelled_metric *m = &bout->told.metrics[0];
	struct pn_duel *duel = &bout->duels[m->duel - bout->duels];

	if (!bout->suspected || m->more_is_better || pn_duel_is_over(duel) ||
	    !pn_duel_is_futile(bout->suspected, duel))
		return false;
	pn_duel_stop(duel, bout->suspected->delta);
	return true;
}

/* Both runs are done. Whether there was a look at what judges. */
static bool end_pair(struct pn_bout *bout)
{
	struct pn_bout_side *a = &bout->sides[PN_DUEL_BASE];
	struct pn_bout_side *b = &bout->sides[PN_DUEL_HEAD];
	size_t i;
	bool looked = false;

	if (bout->relinks) {
		join_pairs(a);
		join_pairs(b);
		bout->rests = true;
	}

	if (!a->went_well || !b->went_well) {
		if (a->went_well)
			drop_run(a);
		if (b->went_well)
			drop_run(b);
		bout->pair_ns = 0;
		return false;
	}
	bout->costs[bout->pairs++] = bout->pair_ns;
	bout->load = fmax(bout->load, pn_quiet_load(""));
	bout->pair_ns = 0;
	for (i = 0; i < bout->told.metric_count; i++) {
		/* what judges may have changed its place with the other one */
		size_t of = (size_t)(bout->told.metrics[i].duel - bout->duels);
		bool look = pn_duel_add(&bout->duels[of], a->values[i],
					b->values[i]);

		looked |= look && !i;
	}
	if (bout->pairs == PN_DUEL_MIN_PAIRS)
		pn_bout_choose(bout);
	return stop_futile(bout) || looked;
}

/* With what the collector takes itself. */
static void count_cost(struct pn_bout *bout, int64_t start_ns, bool warms_up)
{
	double ns = (double)(pn_time_monotonic_ns() - start_ns);

	if (warms_up) {
		bout->guess_ns += ns;
		return;
	}
	bout->pair_ns += ns;
	bout->told.spent_ns += (int64_t)ns;
}

int pn_bout_step(bool *looked, struct pn_bout *bout, struct pn_error *err)
{
	size_t cold = find_cold(bout), side;
	bool warms_up = cold < PN_DUEL_SIDES;
	struct pn_collect_progress progress;
	struct pn_bout_side *s;
	int64_t start_ns = pn_time_monotonic_ns();
	int code;

	side = warms_up ? cold : turn_of(bout);
	s = &bout->sides[side];
	*looked = false;
	code = pn_measure_step(s->measure, &progress, &bout->why);
	count_cost(bout, start_ns, warms_up);
	if (code > 0 && warms_up) {
		s->warmed++;
		return 0;
	}
	if (!warms_up)
		bout->order++;
	if (code > 0) {
		s->runs++;
		s->good++;
		s->went_well = true;
		code = pn_bout_values(bout, side, &bout->why);
		if (code)
			drop_run(s);
	} else if (!code) {
		code = pn_error_set(&bout->why, PN_ELIMIT,
				    "it ended after %zu runs", s->runs);
	}
	if (code)
		code = note_failure(bout, side, code, err);
	if (code || bout->told.state != PN_DUELLED_RUNNING || warms_up)
		return code;
	if (bout->relinks && bout->order % QUAD == QUAD / 2) {
		hold_pair(&bout->sides[PN_DUEL_BASE]);
		hold_pair(&bout->sides[PN_DUEL_HEAD]);
	}
	if (!pn_bout_is_even(bout))
		return code;
	*looked = end_pair(bout);
	return 1;
}

bool pn_bout_is_even(const struct pn_bout *bout)
{
	return bout->order % (bout->relinks ? QUAD : 2) == 0;
}

size_t pn_bout_pairs(const struct pn_bout *bout)
{
	return bout->pairs;
}

double pn_bout_pair_cost(const struct pn_bout *bout)
{
	double sum = 0;
	size_t i;

	if (!bout->pairs)
		return bout->guess_ns;
	for (i = 0; i < bout->pairs; i++)
		sum += bout->costs[i];
	return sum / (double)bout->pairs;
}

void pn_bout_finish(struct pn_bout *bout)
{
	size_t i;

	for (i = 0; i < bout->told.metric_count; i++)
		pn_duel_finish(&bout->duels[i]);
	pn_bout_choose_again(bout);
	bout->told.state = PN_DUELLED_DONE;
	bout->told.left_ns = 0;
}

static bool is_dropped(const struct pn_bout_side *s, size_t run)
{
	size_t i;

	for (i = 0; i < s->dropped_count; i++)
		if (s->dropped[i] == run)
			return true;
	return false;
}

/* So that the n-th values of both sides are a pair. */
static void leave_out_dropped(struct pn_profile *p,
			      const struct pn_bout_side *s)
{
	size_t i, k, n;

	for (i = 0; s->dropped_count && i < p->metric_count; i++) {
		struct pn_metric *m = &p->metrics[i];

		if (m->value_count != s->runs)
			continue;
		for (k = n = 0; k < s->runs; k++)
			if (!is_dropped(s, k))
				m->values[n++] = m->values[k];
		m->value_count = n;
		pn_summary_of(&m->summary, m->values, n, NULL);
	}
}

/* By which both records of a duel are found, and it can be judged again. */
static void label(struct pn_profile *p, const struct pn_bout *bout, size_t side,
		  const char *with)
{
	const struct pn_duelled_metric *judge = &bout->told.metrics[0];
	const struct pn_duel_rule *rule = &judge->duel->rule;
	struct pn_buf text = {0};

	pn_buf_printf(&text, "%016" PRIx64, bout->told.seed);
	pn_profile_set_label(p, "duel", pn_buf_text(&text));
	pn_profile_set_label(
		p, side == PN_DUEL_HEAD ? "duel-base" : "duel-head", with);
	pn_buf_clear(&text);
	pn_buf_printf(&text, "metric=%s tolerance=%g margin=%g max-pairs=%zu%s",
		      judge->name, rule->tolerance, rule->margin,
		      rule->max_pairs, rule->counter ? " counts" : "");
	if (bout->suspected)
		pn_buf_printf(&text, " suspected=%g",
			      expm1(bout->suspected->delta));
	pn_profile_set_label(p, "duel-rule", pn_buf_text(&text));
	pn_buf_release(&text);
}

int pn_bout_record(struct pn_record *out, struct pn_bout *bout, size_t side,
		   const char *with, struct pn_error *err)
{
	struct pn_bout_side *s = &bout->sides[side];
	struct pn_error unmodelled = {0};
	struct pn_profile profile;
	int code;

	pn_profile_init(&profile);
	pn_measure_end(s->measure, s->runs);
	code = pn_measure_result(&profile, s->measure, 0, err);
	leave_out_dropped(&profile, s);
	label(&profile, bout, side, with);
	if (!code)
		code = pn_job_record(out, &unmodelled, &profile, bout->job,
				     s->place, err);
	pn_profile_release(&profile);
	return code;
}

void pn_bout_release(struct pn_bout *bout)
{
	size_t i;

	for (i = 0; i < PN_DUEL_SIDES; i++) {
		pn_measure_free(bout->sides[i].measure);
		pn_job_plan_release(&bout->sides[i].plan);
		free(bout->sides[i].dropped);
	}
	pn_process_launcher_free(bout->launcher);
	for (i = 0; i < PN_DUELLED_METRICS; i++)
		pn_duel_release(&bout->duels[i]);
	pn_buf_release(&bout->said);
	pn_arena_release(&bout->arena);
	free(bout->options);
	free(bout->costs);
}
