/* Simulated histories of a metric. */
#include "detect/latest/check_noise.h"

#include "base/numbers/random.h"
#include "detect/stats.h"

#include <math.h>

const struct family check_families[FAMILIES] = {
	{.name = "no sessions"},
	{.name = "sessions .5", .session = 0.5},
	{.name = "sessions 1", .session = 1},
	{.name = "sessions 2", .session = 2},
	{.name = "lognormal", .session = 0.5, .runs = LOGNORMAL},
	{.name = "bimodal", .session = 0.5, .runs = BIMODAL},
	{.name = "outliers", .session = 0.5, .runs = OUTLIERS},
	{.name = "heavy", .session = 1, .heavy = true},
	{.name = "ar(1)", .session = 1, .correlation = 0.6},
	{.name = "slow", .session = 0.5, .slow = true},
	{.name = "drift", .session = 0.5, .drift = 0.03},
	{.name = "step", .session = 0.5, .step = 0.1},
	{.name = "quantised", .session = 0.5, .quantum = 80},
};

double check_uniform(uint64_t *state)
{
	return ((double)(pn_random_next(state) >> 11) + 0.5) /
	       9007199254740992.0;
}

static double normal(uint64_t *state)
{
	return pn_stats_normal_quantile(check_uniform(state));
}

double check_run_noise(const struct family *f, double sd, uint64_t *state)
{
	switch (f->runs) {
	case LOGNORMAL:
		return sd * exp(normal(state) - 0.5);
	case BIMODAL:
		return sd * (normal(state) / 2 +
			     (check_uniform(state) < 0.5 ? 2 : 0));
	case OUTLIERS:
		return sd * normal(state) +
		       (check_uniform(state) < 0.04 ? check_uniform(state) : 0);
	default:
		return sd * normal(state);
	}
}

double check_value(const struct family *f, double log_value)
{
	double value = exp(log_value);

	return f->quantum ? fmax(rint(value * f->quantum), 1) / f->quantum
			  : value;
}

/* A session of the machine; *last is the one before, where it tells. */
static double session_noise(const struct family *f, double sd, double *last,
			    uint64_t *state)
{
	double noise = normal(state), rho = f->correlation;

	if (f->heavy) {
		double a = normal(state), b = normal(state), c = normal(state);

		noise /= sqrt((a * a + b * b + c * c) / 3);
	}
	*last = rho * *last + sqrt(1 - rho * rho) * noise;
	noise = f->session * sd * *last;
	if (f->slow && check_uniform(state) < 0.04)
		noise += 0.1 + 0.3 * check_uniform(state);
	return noise;
}

void check_make(struct history *h, const struct family *f, double effect,
		uint64_t *state)
{
	double last = normal(state), level = 0, at = (double)PAST;
	double drift = f->drift * check_uniform(state), step = 0;
	size_t c, i, when = PAST - 1 - (size_t)(check_uniform(state) * 25);

	h->sd = 0.003 * pow(13, check_uniform(state));
	if (f->step > 0)
		step = f->step * (2 * check_uniform(state) - 1);
	for (c = 0; c <= PAST; c++) {
		level = session_noise(f, h->sd, &last, state) +
			drift * (double)c / at + (c >= when ? step : 0) +
			(c == PAST ? effect : 0);
		for (i = 0; i < CHECK_RUNS; i++)
			h->runs[c][i] = check_value(
				f, level + check_run_noise(f, h->sd, state));
	}
}
