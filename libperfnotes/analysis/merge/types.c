/* Merging profiles: value types and units. */
#include "analysis/merge/state.h"
#include "base/alloc.h"
#include "model/graph/sums.h"
#include "model/graph/totals.h"
#include "model/unit.h"

#include <math.h>
#include <string.h>

/* "samples/count, cpu/ns" */
static void list_types(struct pn_buf *out, const struct pn_profile *p)
{
	size_t i;

	if (!p->type_count)
		pn_buf_add_text(out, "none");
	for (i = 0; i < p->type_count; i++)
		pn_buf_printf(out, "%s%s/%s", i ? ", " : "",
			      pn_profile_text(p, p->types[i].type),
			      pn_profile_text(p, p->types[i].unit));
}

static int refuse(const struct pn_merge *m, struct pn_error *err)
{
	struct pn_buf had = {0}, has = {0};

	list_types(&had, &m->out);
	list_types(&has, m->in);
	pn_error_set(err, PN_EINVAL,
		     "its value types (%s) are not those of the others (%s)",
		     pn_buf_text(&has), pn_buf_text(&had));
	pn_buf_release(&had);
	pn_buf_release(&has);
	return PN_EINVAL;
}

/* Singular and plural are one (pprof: compatibleValueTypes). */
static bool same_name(const char *a, const char *b)
{
	size_t n = strlen(a), o = strlen(b);

	n -= n && a[n - 1] == 's';
	o -= o && b[o - 1] == 's';
	return n == o && !memcmp(a, b, n);
}

static bool fits(const struct pn_merge *m, const struct pn_value_type *out,
		 const struct pn_value_type *in)
{
	return same_name(pn_profile_text(&m->out, out->type),
			 pn_profile_text(m->in, in->type)) &&
	       pn_unit_comparable(pn_profile_text(&m->out, out->unit),
				  pn_profile_text(m->in, in->unit));
}

/* The column of `in` for each of `out`; each is taken once. */
static int match_columns(struct pn_merge *m, struct pn_error *err)
{
	const struct pn_profile *in = m->in;
	uint64_t taken = 0; /* PN_MAX_VALUE_TYPES bits */
	uint32_t i, j;

	if (in->type_count != m->out.type_count)
		return refuse(m, err);
	for (i = 0; i < in->type_count; i++) {
		for (j = 0; j < in->type_count; j++)
			if (!(taken >> j & 1) &&
			    fits(m, &m->out.types[i], &in->types[j]))
				break;
		if (j == in->type_count)
			return refuse(m, err);
		taken |= UINT64_C(1) << j;
		m->column[i] = j;
	}
	return 0;
}

/* How many of `to` one of `from` is; both are of one family or the same. */
static double ratio(const char *from, const char *to)
{
	const char *unit;

	return strcmp(from, to) ? pn_unit_scale(&unit, 1, from, to) : 1;
}

static void change_column(struct pn_merge *m, size_t column, uint8_t number,
			  double factor)
{
	struct pn_profile *out = &m->out;
	struct pn_value_type *type = &out->types[column];
	struct pn_graph *g = &out->graph;
	const struct {
		union pn_value *values;
		size_t rows;
	} tables[] = {
		{out->values, out->sample_count},
		{g->self, g->node_count},
		{g->total, g->node_count},
		{g->edge_self, g->edge_count},
		{g->edge_total, g->edge_count},
		{g->cost_values, g->cost_count},
	};
	size_t i;

	if (number == type->number && factor == 1)
		return;
	for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		if (tables[i].rows)
			pn_merge_change_rows(tables[i].values + column,
					     tables[i].rows, out->type_count,
					     type, number, factor);
	if (column == pn_profile_default_type(out))
		for (i = 0; i < out->events.thread_count; i++)
			out->events.threads[i].cost *= factor;
	pn_merge_runs_change(m, column, number, factor);
	for (i = 0; i < 4; i++)
		m->sums[column][i / 2][i % 2] *= factor;
	type->number = number;
}

/* Both sides in the finer unit, and as doubles if one is. */
static void unite_column(struct pn_merge *m, size_t i)
{
	struct pn_value_type *out = &m->out.types[i];
	const struct pn_value_type *in = &m->in->types[m->column[i]];
	uint32_t unit = pn_merge_string(m, in->unit);
	double finer = ratio(pn_profile_text(&m->out, out->unit),
			     pn_profile_text(m->in, in->unit));
	uint8_t number =
		out->number == PN_NUMBER_DOUBLE ? out->number : in->number;

	m->factor[i] = ratio(pn_profile_text(m->in, in->unit),
			     pn_profile_text(&m->out, out->unit));
	if (finer > 1) {
		m->peak[i] *= finer;
		out->unit = unit;
		m->factor[i] = 1;
	}
	change_column(m, i, number, finer > 1 ? finer : 1);
	if (out->better == PN_BETTER_UNKNOWN)
		out->better = in->better;
}

/* The finer unit of a type and of the next profile's of that name. */
static const char *finer_unit(const struct pn_merge *m, size_t column)
{
	const struct pn_value_type *type = &m->in->types[column], *other;
	const struct pn_profile *next = m->change.next;
	const char *unit = pn_profile_text(m->in, type->unit), *to;
	size_t i;

	for (i = 0; next && i < next->type_count; i++) {
		other = &next->types[i];
		to = pn_profile_text(next, other->unit);
		if (same_name(pn_profile_text(m->in, type->type),
			      pn_profile_text(next, other->type)) &&
		    pn_unit_comparable(unit, to))
			return ratio(unit, to) > 1 ? to : unit;
	}
	return unit;
}

static void adopt_types(struct pn_merge *m)
{
	struct pn_profile *out = &m->out;
	const struct pn_profile *in = m->in;
	size_t i;

	for (i = 0; i < in->type_count; i++) {
		const char *unit = finer_unit(m, i);
		uint32_t at = pn_profile_add_type(
			out, pn_profile_text(in, in->types[i].type), unit);

		out->types[at].better = in->types[i].better;
		out->types[at].number = in->types[i].number;
		out->types[at].role = in->types[i].role;
		if (!pn_totals_is_cost(in, i))
			m->observations = true;
		m->column[i] = (uint32_t)i;
		m->factor[i] =
			ratio(pn_profile_text(in, in->types[i].unit), unit);
	}
}

/* What is to become of the values on top of their units. */
static void change_factors(struct pn_merge *m)
{
	size_t i;

	pn_merge_roles(m);
	m->plain = true;
	for (i = 0; i < m->out.type_count; i++) {
		uint32_t from = m->column[i];

		if (m->change.same_runs && m->inputs)
			m->factor[i] *= (double)m->runs_before / m->runs;
		if (m->change.factors)
			m->factor[i] *= m->change.factors[from];
		if (m->change.negate)
			m->factor[i] = -m->factor[i];
		m->plain = m->plain && from == i && m->factor[i] == 1 &&
			   m->in->types[from].number == m->out.types[i].number;
	}
}

static bool is_empty_type(const struct pn_value_type *type)
{
	return !type->type && !type->unit;
}

/* The periods have to be of one thing; the largest stands for all. */
static int unite_periods(struct pn_merge *m, struct pn_error *err)
{
	struct pn_profile *out = &m->out;
	const struct pn_profile *in = m->in;
	struct pn_value_type *type = &out->period_type;
	double factor;
	int64_t period;

	if (is_empty_type(&in->period_type)) {
		if (is_empty_type(type) && in->period > out->period)
			out->period = in->period;
		return 0;
	}
	if (is_empty_type(type)) {
		out->period = 0; /* of who knows what */
		*type = in->period_type;
		type->type = pn_merge_string(m, in->period_type.type);
		type->unit = pn_merge_string(m, in->period_type.unit);
	}
	if (!fits(m, type, &in->period_type))
		return pn_error_set(
			err, PN_EINVAL,
			"its period is of '%s' (%s), that of the others of "
			"'%s' (%s)",
			pn_profile_text(in, in->period_type.type),
			pn_profile_text(in, in->period_type.unit),
			pn_profile_text(out, type->type),
			pn_profile_text(out, type->unit));
	factor = ratio(pn_profile_text(in, in->period_type.unit),
		       pn_profile_text(out, type->unit));
	period = factor == 1 ? in->period
			     : pn_merge_rounded((double)in->period * factor);
	if (period > out->period)
		out->period = period;
	return 0;
}

/* Whether what was added, what was taken away, what went up by both, and what
 * went down, are each held by an integer: then is what comes together in any
 * place. */
static bool is_held(long double sums[2][2])
{
	const long double most = (long double)INT64_MAX;

	return sums[0][0] + sums[0][1] <= most &&
	       sums[1][0] + sums[1][1] <= most &&
	       sums[0][0] + sums[1][1] <= most &&
	       sums[0][1] + sums[1][0] <= most;
}

/* What the columns add up to with `in`. */
static int check_sums(struct pn_merge *m, struct pn_error *err)
{
	long double with[PN_MAX_VALUE_TYPES][2][2];
	uint64_t sums[2];
	size_t i, k;

	memcpy(with, m->sums, sizeof(with));
	for (i = 0; i < m->out.type_count; i++) {
		pn_sums_of(sums, m->in, m->column[i]);
		for (k = 0; k < 2; k++)
			with[i][m->change.negate][k] +=
				(long double)sums[k] *
				(long double)fabs(m->factor[i]);
		if (!m->again && m->out.types[i].number == PN_NUMBER_INT &&
		    !is_held(with[i]))
			return pn_error_set(
				err, PN_ERANGE,
				"the values of '%s' of all profiles add up to "
				"more than 2^63 - 1, the most that an integer "
				"holds",
				pn_profile_text(&m->out, m->out.types[i].type));
	}
	memcpy(m->sums, with, sizeof(with));
	return 0;
}

int pn_merge_types(struct pn_merge *m, struct pn_error *err)
{
	struct pn_profile *out = &m->out;
	bool adopt = !out->type_count && !out->sample_count &&
		     !out->graph.node_count;
	size_t i;
	int code = 0;

	if (m->in->type_count && !adopt)
		code = match_columns(m, err);
	if (!code)
		code = unite_periods(m, err);
	if (code || !m->in->type_count)
		return code;
	if (adopt)
		adopt_types(m);
	else
		for (i = 0; i < out->type_count; i++)
			unite_column(m, i);
	change_factors(m);
	return check_sums(m, err);
}

static double sum_of(const struct pn_profile *p, size_t column)
{
	size_t i,
		rows = p->sample_count ? p->sample_count : p->graph.node_count;
	const union pn_value *values =
		p->sample_count ? p->values : p->graph.self;
	uint64_t whole = 0;
	double sum = 0;

	for (i = 0; i < rows; i++) {
		union pn_value value = values[i * p->type_count + column];

		if (p->types[column].number == PN_NUMBER_INT)
			whole += (uint64_t)value.i;
		else
			sum += value.d;
	}
	return p->types[column].number == PN_NUMBER_INT ? (double)(int64_t)whole
							: sum;
}

void pn_merge_normalize(double *factors, const struct pn_profile *profile,
			const struct pn_profile *base)
{
	size_t i, j;

	for (i = 0; i < profile->type_count; i++) {
		const struct pn_value_type *type = &profile->types[i];
		const char *unit = pn_profile_text(profile, type->unit);
		double sum = sum_of(profile, i), wanted = 0;

		factors[i] = 1;
		for (j = 0; j < base->type_count; j++)
			if (same_name(
				    pn_profile_text(profile, type->type),
				    pn_profile_text(base, base->types[j].type)))
				break;
		if (j == base->type_count)
			continue;
		wanted =
			sum_of(base, j) *
			ratio(pn_profile_text(base, base->types[j].unit), unit);
		if (sum != 0 && wanted != 0 && isfinite(wanted / sum))
			factors[i] = wanted / sum;
	}
}
