/* Losses of formats, by what their structs say of them. */
#include "codec/losses.h"

#include "base/alloc.h"
#include "base/escape.h"
#include "codec/roles.h"
#include "model/graph/graph.h"
#include "model/runs.h"
#include "model/unit.h"

#include <stdlib.h>
#include <string.h>

#define NAMES_SAID 4 /* of metrics that are lost */

/* Those of calls alone are no other view of the functions. */
static bool is_of_functions(const struct pn_profile *p, size_t type)
{
	return strcmp(pn_profile_text(p, p->types[type].type), "edge-time") !=
	       0;
}

static const char *unit_of(const struct pn_profile *p, size_t type)
{
	return pn_profile_text(p, p->types[type].unit);
}

static bool has_unit(const struct pn_profile *p, size_t type)
{
	return *unit_of(p, type) && strcmp(unit_of(p, type), "count") != 0;
}

size_t pn_losses_kept_type(const struct pn_codec *codec,
			   const struct pn_profile *p)
{
	size_t i, first = SIZE_MAX, preferred = pn_profile_default_type(p);

	if (codec->types != PN_CODEC_TYPES_ONE)
		return preferred;
	for (i = 0; i < p->type_count; i++) {
		if (!is_of_functions(p, i) ||
		    !pn_unit_comparable(unit_of(p, i), "s"))
			continue;
		if (first == SIZE_MAX || i == preferred)
			first = i;
	}
	return first;
}

static size_t dropped_types(const struct pn_codec *codec,
			    const struct pn_profile *p)
{
	size_t i, count = 0;

	if (codec->types != PN_CODEC_TYPES_ONE &&
	    codec->types != PN_CODEC_TYPES_BARE)
		return 0;
	for (i = 0; i < p->type_count; i++)
		count += is_of_functions(p, i);
	return count ? count - 1 : 0;
}

/* Whether the unit of this one is, where the format has some. */
static bool unit_lost(const struct pn_codec *codec, const struct pn_profile *p,
		      size_t type)
{
	if (!has_unit(p, type))
		return false;
	if (codec->has_unit)
		return !codec->has_unit(unit_of(p, type));
	return codec->types == PN_CODEC_TYPES_FIRST &&
	       type != pn_profile_default_type(p);
}

static size_t units_lost(const struct pn_codec *codec,
			 const struct pn_profile *p)
{
	size_t i, count = 0;

	for (i = 0; i < p->type_count; i++)
		count += unit_lost(codec, p, i);
	return count;
}

static bool holds_runs(const struct pn_codec *codec, const struct pn_profile *p)
{
	uint32_t runs = pn_profile_runs(p);

	return runs == 1 || codec->runs == PN_CODEC_RUNS_STAY ||
	       (codec->runs == PN_CODEC_RUNS_IN_LABELS &&
		pn_runs_labelled(p) == runs);
}

static void quote(struct pn_buf *out, const struct pn_profile *p,
		  uint32_t string)
{
	pn_buf_add_byte(out, '\'');
	pn_escape_terminal(out, pn_profile_text(p, string),
			   pn_strtab_len(&p->strings, string));
	pn_buf_add_byte(out, '\'');
}

static bool loses_unit(const struct pn_codec *codec, const struct pn_profile *p,
		       size_t kept)
{
	return codec->types == PN_CODEC_TYPES_BARE && kept != SIZE_MAX &&
	       has_unit(p, kept);
}

static bool loses_name(const struct pn_codec *codec, const struct pn_profile *p,
		       size_t kept)
{
	return codec->type_name && kept != SIZE_MAX &&
	       strcmp(pn_profile_text(p, p->types[kept].type),
		      codec->type_name) != 0;
}

static bool loses_costs(const struct pn_codec *codec,
			const struct pn_profile *p)
{
	return p->sample_count && p->graph.node_count &&
	       codec->costs != PN_CODEC_COSTS_BOTH;
}

static bool is_of_type(const struct pn_profile *p, const struct pn_metric *m)
{
	size_t i;

	for (i = 0; i < p->type_count; i++)
		if (!strcmp(pn_profile_text(p, p->types[i].type),
			    pn_profile_text(p, m->name)))
			return true;
	return false;
}

/* The names of metrics that no value type stands for; returns how many. */
static size_t list_metrics(struct pn_buf *out, const struct pn_profile *p)
{
	size_t i, count = 0;

	for (i = 0; i < p->metric_count; i++) {
		if (is_of_type(p, &p->metrics[i]) || count++ >= NAMES_SAID)
			continue;
		pn_buf_add_text(out, count > 1 ? ", " : "");
		quote(out, p, p->metrics[i].name);
	}
	return count;
}

/* Of enum pn_codec_keeps: what the profile has beside its costs, and the
 * format has no place for. What has no other costs is written as its metrics,
 * or not at all. */
static unsigned int figures_lost(const struct pn_codec *codec,
				 const struct pn_profile *p)
{
	struct pn_buf names = {0};
	unsigned int has = 0;

	if (!p->sample_count && !p->graph.node_count)
		return 0;
	if (list_metrics(&names, p))
		has |= PN_CODEC_KEEPS_METRICS;
	if (p->curves.count)
		has |= PN_CODEC_KEEPS_CURVES;
	if (p->events.count)
		has |= PN_CODEC_KEEPS_TIMES;
	if (p->fact_count)
		has |= PN_CODEC_KEEPS_FACTS;
	pn_buf_release(&names);
	return has & ~codec->keeps;
}

/* The first value type that is read back as another sum than it is; the types
 * of formats of one have another name then, which is said. */
static size_t role_lost(const struct pn_codec *codec,
			const struct pn_profile *p)
{
	size_t i;

	if (codec->keeps & PN_CODEC_KEEPS_ROLES ||
	    (codec->types != PN_CODEC_TYPES_STAY &&
	     codec->types != PN_CODEC_TYPES_FIRST))
		return SIZE_MAX;
	for (i = 0; i < p->type_count; i++)
		if (p->types[i].role != PN_ROLE_POSITION &&
		    p->types[i].role != pn_role_by_name(p, i))
			return i;
	return SIZE_MAX;
}

static void mark_functions(unsigned char *marks, const struct pn_profile *p,
			   uint32_t stack, unsigned char mark)
{
	uint32_t at, k;

	for (at = p->stack_start[stack]; at < p->stack_start[stack + 1]; at++) {
		const struct pn_location *l = &p->locations[p->frames[at]];

		for (k = 0; k < l->line_count; k++)
			marks[p->lines[l->line_first + k].function] |= mark;
	}
}

/* Functions that no sample of the one type has, where any has it. What costs
 * nothing of any type is in no call graph that is made of samples. */
static size_t free_lost(const struct pn_codec *codec,
			const struct pn_profile *p)
{
	size_t kept = pn_losses_kept_type(codec, p), i, count = 0;
	bool keeps = codec->keeps & PN_CODEC_KEEPS_FREE, costs;
	const union pn_value *row;
	unsigned char *marks, all = 0;

	if ((codec->types != PN_CODEC_TYPES_ONE &&
	     codec->types != PN_CODEC_TYPES_BARE) ||
	    kept == SIZE_MAX ||
	    (p->graph.node_count && codec->costs == PN_CODEC_COSTS_GRAPH))
		return 0;
	/* lines are left out for what another column may say of them */
	if (codec->types == PN_CODEC_TYPES_BARE && p->type_count == 1)
		return 0;
	marks = pn_calloc(p->function_count + 1, sizeof(*marks));
	for (i = 0; i < p->sample_count; i++) {
		row = p->values + i * p->type_count;
		costs = keeps ? pn_graph_has_cost(p, row) : row[kept].i != 0;
		mark_functions(marks, p, p->samples[i].stack, costs ? 2 : 1);
	}
	for (i = 0; i < p->function_count; i++) {
		count += marks[i] == 1;
		all |= marks[i];
	}
	free(marks);
	return all & 2 ? count : 0;
}

unsigned int pn_losses_of(const struct pn_codec *codec,
			  const struct pn_profile *p)
{
	size_t kept = pn_losses_kept_type(codec, p);
	unsigned int lost = 0;

	if (loses_costs(codec, p))
		lost |= PN_LOSS_COSTS;
	if (!holds_runs(codec, p))
		lost |= PN_LOSS_RUNS;
	if (codec->other_names && codec->other_names(p))
		lost |= PN_LOSS_NAMES;
	if (codec->is_own && codec->is_own(p))
		return lost;
	if (loses_unit(codec, p, kept))
		lost |= PN_LOSS_UNIT;
	if (dropped_types(codec, p))
		lost |= PN_LOSS_TYPES;
	if (loses_name(codec, p, kept))
		lost |= PN_LOSS_TYPE_NAME;
	if (units_lost(codec, p))
		lost |= PN_LOSS_TYPE_UNITS;
	if (codec->other_totals && codec->other_totals(p))
		lost |= PN_LOSS_TOTALS;
	if (figures_lost(codec, p))
		lost |= PN_LOSS_FIGURES;
	if (role_lost(codec, p) != SIZE_MAX)
		lost |= PN_LOSS_ROLES;
	if (free_lost(codec, p))
		lost |= PN_LOSS_FREE;
	return lost;
}

static void say_unit(struct pn_buf *out, const struct pn_codec *codec,
		     const struct pn_profile *p)
{
	size_t kept = pn_losses_kept_type(codec, p);
	bool name = loses_name(codec, p, kept);

	pn_buf_printf(out, "%s has no place for units%s: its numbers are ",
		      codec->name, name ? " and names" : "");
	pn_escape_terminal(out, unit_of(p, kept), strlen(unit_of(p, kept)));
	if (name) {
		pn_buf_add_text(out, " of ");
		quote(out, p, p->types[kept].type);
	}
}

static void say_units(struct pn_buf *out, const struct pn_codec *codec,
		      const struct pn_profile *p)
{
	size_t n = units_lost(codec, p), type = 0;

	if (!codec->has_unit) {
		pn_buf_printf(
			out, "%s has a place for one unit: %zu value type%s",
			codec->name, n,
			n == 1 ? " is without its" : "s are without theirs");
		return;
	}
	while (!unit_lost(codec, p, type))
		type++;
	pn_buf_printf(out, "%s has no place for this unit: the numbers of ",
		      codec->name);
	quote(out, p, p->types[type].type);
	pn_buf_add_text(out, " are ");
	pn_escape_terminal(out, unit_of(p, type), strlen(unit_of(p, type)));
	if (n > 1)
		pn_buf_printf(out, ", and %zu more value type%s", n - 1,
			      n == 2 ? " is without its unit"
				     : "s are without theirs");
}

static void say_name(struct pn_buf *out, const struct pn_codec *codec,
		     const struct pn_profile *p)
{
	size_t kept = pn_losses_kept_type(codec, p);

	if (loses_unit(codec, p, kept)) /* which is said with the unit */
		return;
	pn_buf_printf(out, "%s has no place for the name of a value type: ",
		      codec->name);
	quote(out, p, p->types[kept].type);
	pn_buf_printf(out, " is read back as '%s'", codec->type_name);
}

/* Of enum pn_codec_keeps: "curves and the times of samples". */
static void list_figures(struct pn_buf *out, unsigned int left)
{
	static const char *const words[] = {"metrics", "curves",
					    "the times of samples",
					    "what the profiler says of itself"};
	size_t i;

	for (i = 0; left; i++) {
		if (!(left & 1u << i))
			continue;
		left &= ~(1u << i);
		pn_buf_printf(out, "%s%s", words[i],
			      !left		  ? ""
			      : left & (left - 1) ? ", "
						  : " and ");
	}
}

static void say_figures(struct pn_buf *out, const struct pn_codec *codec,
			const struct pn_profile *p)
{
	unsigned int lost = figures_lost(codec, p);
	struct pn_buf names = {0};
	size_t n = list_metrics(&names, p);

	pn_buf_printf(out, "%s has no place for ", codec->name);
	list_figures(out, lost);
	if (!(lost & PN_CODEC_KEEPS_METRICS))
		n = 0;
	if (n)
		pn_buf_printf(out, ": %s", pn_buf_text(&names));
	if (n > NAMES_SAID)
		pn_buf_printf(out, " and %zu more", n - NAMES_SAID);
	pn_buf_release(&names);
}

static void say_role(struct pn_buf *out, const struct pn_codec *codec,
		     const struct pn_profile *p)
{
	size_t type = role_lost(codec, p);

	pn_buf_printf(out, "%s does not say that ", codec->name);
	quote(out, p, p->types[type].type);
	pn_buf_printf(out, " is a %s: of several files it is added up",
		      p->types[type].role == PN_ROLE_PEAK ? "peak" : "level");
}

static void say_costs(struct pn_buf *out, const struct pn_codec *codec)
{
	bool graph = codec->costs == PN_CODEC_COSTS_GRAPH;

	pn_buf_printf(out,
		      "%s has no place for both: its costs are those of the "
		      "profile's %s, its %s left out",
		      codec->name, graph ? "call graph" : "stacks",
		      graph ? "stacks are" : "call graph is");
}

static void say_names(struct pn_buf *out, const struct pn_codec *codec,
		      const struct pn_profile *p)
{
	size_t n = codec->other_names(p);

	pn_buf_printf(
		out, "%s has no place for %s in names: %zu function%s %s there",
		codec->name, codec->replaced, n, n == 1 ? " has" : "s have",
		codec->by);
}

/* One of them, without the end of a line; nothing where that of another one
 * says it, too. */
static void say_loss(struct pn_buf *out, enum pn_loss loss,
		     const struct pn_codec *codec, const struct pn_profile *p)
{
	size_t n;

	if (loss == PN_LOSS_UNIT) {
		say_unit(out, codec, p);
	} else if (loss == PN_LOSS_TYPES) {
		n = dropped_types(codec, p);
		pn_buf_printf(out,
			      "%s has one value type: %zu of the profile's %s "
			      "left out",
			      codec->name, n, n == 1 ? "is" : "are");
	} else if (loss == PN_LOSS_TYPE_NAME) {
		say_name(out, codec, p);
	} else if (loss == PN_LOSS_TYPE_UNITS) {
		say_units(out, codec, p);
	} else if (loss == PN_LOSS_RUNS) {
		pn_buf_printf(out,
			      "%s has no place for the number of runs: its "
			      "figures are sums over %u runs",
			      codec->name, pn_profile_runs(p));
	} else if (loss == PN_LOSS_COSTS) {
		say_costs(out, codec);
	} else if (loss == PN_LOSS_FIGURES) {
		say_figures(out, codec, p);
	} else if (loss == PN_LOSS_ROLES) {
		say_role(out, codec, p);
	} else if (loss == PN_LOSS_FREE) {
		n = free_lost(codec, p);
		pn_buf_printf(out,
			      "%s has no place for what costs nothing: %zu "
			      "function%s left out",
			      codec->name, n, n == 1 ? " is" : "s are");
	} else if (loss == PN_LOSS_NAMES) {
		say_names(out, codec, p);
	} else if (loss == PN_LOSS_TOTALS) {
		n = codec->other_totals(p);
		pn_buf_printf(
			out,
			"%s has no place for total costs, its readers add "
			"up those of calls: that gives %zu function%s "
			"another one",
			codec->name, n, n == 1 ? "" : "s");
	}
}

void pn_losses_text(struct pn_buf *out, const struct pn_codec *codec,
		    const struct pn_profile *profile)
{
	unsigned int lost = pn_losses_of(codec, profile), loss;
	size_t before;

	for (loss = 1; loss < PN_LOSS_END; loss *= 2) {
		before = out->len;
		if (lost & loss)
			say_loss(out, (enum pn_loss)loss, codec, profile);
		if (out->len > before)
			pn_buf_add_byte(out, '\n');
	}
}
