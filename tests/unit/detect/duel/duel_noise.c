/* Noise as machines have it. */
#include "duel_noise.h"

#include "base/numbers/quantile.h"
#include "base/numbers/random.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define TRACE_RUNS 500
#define TRACE_BLOCK 40 /* runs that stay together */

static const double tau = 6.28318530717958647692;

const char *const noise_names[NOISE_KINDS] = {
	"normal",    "lognormal", "bimodal",	 "drift",      "bursts",
	"outliers",  "heavy",	  "throttle",	 "sticky",     "contention",
	"quantised", "mixed",	  "wall (real)", "cpu (real)",
};

static double uniform(uint64_t *state)
{
	return ((double)(pn_random_next(state) >> 11) + 0.5) / 0x1p53;
}

static double between(uint64_t *state, double low, double high)
{
	return low + (high - low) * uniform(state);
}

static double log_between(uint64_t *state, double low, double high)
{
	return exp(between(state, log(low), log(high)));
}

static size_t whole_between(uint64_t *state, size_t low, size_t high)
{
	return low + (size_t)(pn_random_next(state) % (high - low + 1));
}

static double normal(uint64_t *state)
{
	double size = sqrt(-2 * log(uniform(state)));

	return size * cos(tau * uniform(state));
}

/* Marsaglia & Tsang, ACM Trans. Math. Softw. 26 (2000), shape 1 or more. */
static double gamma_of(uint64_t *state, double shape)
{
	double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d), x, v;

	for (;;) {
		x = normal(state);
		v = pow(1 + c * x, 3);
		if (v > 0 &&
		    log(uniform(state)) < x * x / 2 + d - d * v + d * log(v))
			return d * v;
	}
}

static double student(uint64_t *state, double df)
{
	return normal(state) / sqrt(gamma_of(state, df / 2) / (df / 2));
}

static void add_normal(double *out, double sd, uint64_t *state)
{
	size_t i;

	for (i = 0; i < NOISE_RUNS; i++)
		out[i] += sd * normal(state);
}

static void add_drift(double *out, double rho, double sd, uint64_t *state)
{
	double x = normal(state);
	size_t i;

	for (i = 0; i < NOISE_RUNS; i++) {
		out[i] += sd * x;
		x = rho * x + sqrt(1 - rho * rho) * normal(state);
	}
}

static void add_modes(double *out, double share, double apart, uint64_t *state)
{
	size_t i;

	for (i = 0; i < NOISE_RUNS; i++)
		out[i] += uniform(state) < share ? apart : 0;
}

static void add_bursts(double *out, double rate, double most, uint64_t *state)
{
	double burst[NOISE_RUNS] = {0};
	size_t i, k, runs;

	for (i = 0; i < NOISE_RUNS; i++) {
		double size;

		if (uniform(state) >= rate)
			continue;
		runs = whole_between(state, 2, 20);
		size = log1p(log_between(state, 0.05, most));
		for (k = i; k < i + runs && k < NOISE_RUNS; k++)
			burst[k] =
				fmax(burst[k], size * between(state, 0.7, 1.3));
	}
	for (i = 0; i < NOISE_RUNS; i++)
		out[i] += burst[i];
}

static void add_outliers(double *out, double rate, uint64_t *state)
{
	size_t i;

	for (i = 0; i < NOISE_RUNS; i++)
		if (uniform(state) < rate)
			out[i] += log1p(between(state, 0.1, 1.5));
}

static double lognormal(double *out, double sd, uint64_t *state)
{
	double spread = sqrt((exp(0.49) - 1) * exp(0.49));
	size_t i;

	for (i = 0; i < NOISE_RUNS; i++)
		out[i] += sd * (exp(0.7 * normal(state)) - exp(0.245)) / spread;
	return sd;
}

static double bimodal(double *out, double sd, double apart, uint64_t *state)
{
	double share = between(state, 0.2, 0.8);

	add_normal(out, sd, state);
	add_modes(out, share, apart, state);
	return sqrt(apart * apart * share * (1 - share) + sd * sd);
}

static double heavy(double *out, double sd, uint64_t *state)
{
	size_t i;

	for (i = 0; i < NOISE_RUNS; i++)
		out[i] += sd * student(state, 2.5);
	return 1.2 * sd;
}

static double throttle(double *out, double sd, uint64_t *state)
{
	double most = between(state, 0.05, 0.2);
	size_t from = whole_between(state, 5, 60), i;

	add_normal(out, sd, state);
	for (i = from; i < NOISE_RUNS; i++)
		out[i] += most * (1 - exp(-(double)(i - from) / 10));
	return sd;
}

/* Two states; in the second one each run is slower by what `slow` draws. */
static void switching(double *out, double rate, bool second, double fixed,
		      uint64_t *state)
{
	size_t i;

	for (i = 0; i < NOISE_RUNS; i++) {
		second = second != (uniform(state) < rate);
		if (second)
			out[i] += fixed > 0 ? fixed : log1p(uniform(state));
	}
}

static double quantised(struct noise *out, double sd, uint64_t *state)
{
	out->step = between(state, 0.01, 0.06);
	out->phase = uniform(state);
	add_normal(out->logs, sd, state);
	return sqrt(sd * sd + out->step * out->step / 12);
}

static double mixed(double *out, uint64_t *state)
{
	double sd = log_between(state, 0.003, 0.015);
	double floor_sd = bimodal(out, sd, between(state, 0.02, 0.06), state);

	add_bursts(out, between(state, 0.01, 0.03), 0.4, state);
	add_outliers(out, between(state, 0.01, 0.04), state);
	add_drift(out, between(state, 0.8, 0.98), sd, state);
	return sqrt(floor_sd * floor_sd + sd * sd);
}

struct trace {
	double wall[TRACE_RUNS], cpu[TRACE_RUNS];
};

/* tests/data/detect-bench/aa_w1.csv: i,t,cmd,pad,wall,user,sys,... */
static void read_trace(struct trace *out)
{
	const char *source = getenv("PERF_SOURCE_DIR");
	char path[4200], line[256];
	FILE *in;
	size_t n = 0;

	snprintf(path, sizeof(path), "%s/tests/data/detect-bench/aa_w1.csv",
		 source ? source : ".");
	in = fopen(path, "r");
	while (in && n < TRACE_RUNS && fgets(line, sizeof(line), in)) {
		double wall, user, system;

		if (sscanf(line, "%*[^,],%*[^,],%*[^,],%*[^,],%lf,%lf,%lf",
			   &wall, &user, &system) != 3)
			continue;
		out->wall[n] = log(wall);
		out->cpu[n++] = log(user + system);
	}
	if (in)
		fclose(in);
	if (n != TRACE_RUNS) {
		fprintf(stderr, "cannot read '%s'\n", path);
		exit(1);
	}
}

/* The spread of differences of pairs, by their median deviation. */
static double pair_spread(const double *trace)
{
	double d[TRACE_RUNS / 2], middle;
	size_t i, n = TRACE_RUNS / 2;

	for (i = 0; i < n; i++)
		d[i] = trace[2 * i + 1] - trace[2 * i];
	pn_quantile_sort(d, n);
	middle = pn_quantile_of(d, n, 0.5);
	for (i = 0; i < n; i++)
		d[i] = fabs(d[i] - middle);
	pn_quantile_sort(d, n);
	return 1.4826 * pn_quantile_of(d, n, 0.5) / sqrt(2);
}

static double replay(double *out, bool cpu, uint64_t *state)
{
	static struct trace trace;
	const double *from = cpu ? trace.cpu : trace.wall;
	size_t i, start = 0;

	if (trace.wall[0] == 0)
		read_trace(&trace);
	for (i = 0; i < NOISE_RUNS; i++) {
		if (i % TRACE_BLOCK == 0)
			start = whole_between(state, 0,
					      TRACE_RUNS - TRACE_BLOCK);
		out[i] = from[start + i % TRACE_BLOCK];
	}
	return pair_spread(from);
}

static double fill(struct noise *noise, enum noise_kind kind, uint64_t *state)
{
	double wide = log_between(state, 0.003, 0.04);
	double narrow = log_between(state, 0.003, 0.02);
	double *out = noise->logs;

	switch (kind) {
	case NOISE_NORMAL:
		add_normal(out, wide, state);
		return wide;
	case NOISE_LOGNORMAL:
		return lognormal(out, wide, state);
	case NOISE_BIMODAL:
		return bimodal(out, log_between(state, 0.003, 0.01),
			       between(state, 0.02, 0.1), state);
	case NOISE_DRIFT:
		add_drift(out, between(state, 0.5, 0.97), wide, state);
		add_normal(out, 0.4 * wide, state);
		return 1.077 * wide;
	case NOISE_BURSTS:
		add_normal(out, narrow, state);
		add_bursts(out, between(state, 0.01, 0.05), 0.6, state);
		return narrow;
	case NOISE_OUTLIERS:
		add_normal(out, wide, state);
		add_outliers(out, between(state, 0.01, 0.06), state);
		return wide;
	case NOISE_HEAVY:
		return heavy(out, wide, state);
	case NOISE_THROTTLE:
		return throttle(out, narrow, state);
	case NOISE_STICKY:
		add_normal(out, narrow, state);
		switching(out, 1 / between(state, 20, 100), false,
			  between(state, 0.03, 0.1), state);
		return narrow;
	case NOISE_CONTENTION:
		add_normal(out, narrow, state);
		switching(out, between(state, 0.1, 0.4), uniform(state) < 0.5,
			  0, state);
		return 3 * narrow;
	case NOISE_QUANTISED:
		return quantised(noise, wide, state);
	case NOISE_MIXED:
		return mixed(out, state);
	default:
		return replay(out, kind == NOISE_CPU, state);
	}
}

void noise_make(struct noise *out, enum noise_kind kind, uint64_t *state)
{
	*out = (struct noise){{0}};
	out->sd = fill(out, kind, state);
}

double noise_time(const struct noise *noise, size_t run, double shift)
{
	double x = noise->logs[run];

	if (noise->step > 0)
		x = log1p(noise->step *
			  nearbyint(expm1(x) / noise->step + noise->phase));
	return exp(x + shift);
}
