/* Flame graphs and sandwiches of reports. */
#include "analysis/flame/flame.h"

#include "analysis/flame/grow.h"
#include "base/alloc.h"
#include "base/text/regex.h"
#include "model/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROOT "all"
#define SCALE_MIN 0.1 /* a change of a tenth is worth its colour */
#define SCALE_AT 0.95 /* of frames that do not exceed the scale */

/* Both sides of what is drawn. */
struct source {
	const struct pn_report *reports[PN_FLAME_SIDES]; /* old one: NULL */
	double scale[PN_FLAME_SIDES];
	const char *unit;
	struct pn_flame_ids ids;
	uint32_t *of_node[PN_FLAME_SIDES];
	struct pn_flame_names names[PN_FLAME_SIDES];
	uint32_t root;
	bool stacks;
};

static double number_scale(const struct pn_report *report)
{
	double by = report->options.divide_by;

	return 1 / report->weight.scale / report->runs / (by > 0 ? by : 1);
}

static bool has_stacks(const struct pn_report *report)
{
	return report->profile->sample_count > 0;
}

static int check(const struct source *s, const struct pn_flame_options *options,
		 struct pn_error *err)
{
	const struct pn_report *old = s->reports[PN_FLAME_OLD];

	if (s->reports[PN_FLAME_NEW]->options.mean)
		return pn_error_set(err, PN_EINVAL,
				    "means do not add up to a flame graph: "
				    "leave out --mean");
	if (old && options->by_time)
		return pn_error_set(err, PN_EINVAL,
				    "times of two profiles cannot be compared "
				    "as a flame graph");
	if (old && old->profile->sample_count &&
	    !has_stacks(s->reports[PN_FLAME_NEW]) &&
	    s->reports[PN_FLAME_NEW]->profile->graph.node_count)
		return pn_error_set(err, PN_EINVAL,
				    "stacks and a call graph without stacks "
				    "cannot be compared as a flame graph");
	if (old && !old->profile->sample_count &&
	    old->profile->graph.node_count &&
	    has_stacks(s->reports[PN_FLAME_NEW]))
		return pn_error_set(err, PN_EINVAL,
				    "a call graph without stacks and stacks "
				    "cannot be compared as a flame graph");
	return 0;
}

static int open_source(struct source *out, const struct pn_report *report,
		       const struct pn_diff *diff,
		       const struct pn_flame_options *options,
		       struct pn_error *err)
{
	const char *unit;
	int side, code;

	memset(out, 0, sizeof(*out));
	out->reports[PN_FLAME_NEW] = diff ? diff->after : report;
	out->reports[PN_FLAME_OLD] = diff ? diff->before : NULL;
	out->unit = diff ? diff->unit : report->unit;
	code = check(out, options, err);
	if (code)
		return code;
	pn_flame_ids_init(&out->ids);
	for (side = 0; side < PN_FLAME_SIDES; side++) {
		const struct pn_report *r = out->reports[side];

		if (!r)
			continue;
		out->stacks = out->stacks || has_stacks(r);
		out->of_node[side] = pn_flame_ids_add(&out->ids, r);
		out->scale[side] = number_scale(r) *
				   pn_unit_scale(&unit, 1, r->unit, out->unit);
	}
	if (diff)
		out->scale[PN_FLAME_NEW] *= diff->factor;
	out->root = pn_strtab_add_text(&out->ids.names, ROOT);
	out->ids.module =
		pn_grow(out->ids.module, &out->ids.module_cap,
			out->ids.names.count + 1, sizeof(*out->ids.module));
	if (out->root + 1 == out->ids.names.count)
		out->ids.module[out->root] = 0;
	out->ids.module[0] = 0;
	return 0;
}

static void close_source(struct source *s)
{
	int side;

	for (side = 0; side < PN_FLAME_SIDES; side++) {
		free(s->of_node[side]);
		pn_flame_names_release(&s->names[side]);
	}
	pn_flame_ids_release(&s->ids);
}

static int fill(struct pn_flame_grow *grow, struct source *s,
		enum pn_flame_part part, uint32_t focus, struct pn_error *err)
{
	uint32_t root = part == PN_FLAME_CALLERS || part == PN_FLAME_CALLEES
				? focus
				: s->root;
	int side;

	if (grow->by_time) {
		if (!s->stacks ||
		    !pn_flame_times_add(grow, s->reports[PN_FLAME_NEW],
					s->of_node[PN_FLAME_NEW],
					&s->names[PN_FLAME_NEW],
					part == PN_FLAME_REVERSED))
			return pn_error_set(err, PN_EINVAL,
					    "no sample of the profile has a "
					    "time to be ordered by");
	} else {
		for (side = 0; side < PN_FLAME_SIDES; side++) {
			if (!s->reports[side])
				continue;
			if (s->stacks)
				pn_flame_stacks_add(
					grow, s->reports[side],
					s->of_node[side], &s->names[side],
					(enum pn_flame_side)side, part, focus);
			else
				pn_flame_calls_add(grow, s->reports[side],
						   s->of_node[side],
						   (enum pn_flame_side)side);
		}
	}
	if (s->stacks)
		pn_flame_stacks_start(grow, root);
	else
		pn_flame_calls_start(grow, part, root);
	return 0;
}

/* Where callers are above, what ends in a frame is none of its own. */
static void clear_self(struct pn_flame *flame)
{
	size_t i;

	for (i = 0; i < flame->frame_count; i++)
		memset(flame->frames[i].self, 0, sizeof(flame->frames[i].self));
}

static int make(struct pn_flame *out, struct source *s,
		const struct pn_flame_options *options, enum pn_flame_part part,
		uint32_t focus, struct pn_error *err)
{
	struct pn_flame_grow grow = {.ids = &s->ids,
				     .by_time = options->by_time};
	int code;

	memcpy(grow.scale, s->scale, sizeof(grow.scale));
	grow.most =
		options->frames_max ? options->frames_max : PN_FLAME_FRAMES_MAX;
	memset(out, 0, sizeof(*out));
	code = fill(&grow, s, part, focus, err);
	if (!code) {
		pn_flame_grow_run(&grow);
		pn_flame_lay_out(out, &grow);
		out->type = s->reports[PN_FLAME_NEW]->type;
		out->unit = s->unit;
		out->two = s->reports[PN_FLAME_OLD] != NULL;
		out->estimate = !s->stacks;
		out->by_time = options->by_time;
		out->reversed = part == PN_FLAME_REVERSED;
		if (part == PN_FLAME_REVERSED || part == PN_FLAME_CALLERS)
			clear_self(out);
	}
	pn_flame_calls_release(grow.calls);
	pn_flame_grow_release(&grow);
	return code;
}

int pn_flame_init(struct pn_flame *out, const struct pn_report *report,
		  const struct pn_diff *diff,
		  const struct pn_flame_options *options, struct pn_error *err)
{
	struct source source;
	int code = open_source(&source, report, diff, options, err);

	if (code)
		return code;
	code = make(out, &source, options,
		    options->reversed ? PN_FLAME_REVERSED : PN_FLAME_WHOLE, 0,
		    err);
	close_source(&source);
	return code;
}

void pn_flame_release(struct pn_flame *flame)
{
	free(flame->frames);
	free(flame->names);
	free(flame->modules);
	pn_arena_release(&flame->arena);
	memset(flame, 0, sizeof(*flame));
}

/* By its whole name or, where that ends with its file, by the function's. */
static bool matches(const struct pn_regex *regex, const struct pn_report *r,
		    const struct pn_report_node *row)
{
	const struct pn_strtab *strings = &r->nodes.profile->strings;
	uint32_t name = r->nodes.items[row->node].name;

	return pn_regex_match(regex, row->name, row->name_len) ||
	       (name && pn_regex_match(regex, pn_strtab_text(strings, name),
				       pn_strtab_len(strings, name)));
}

/* The heaviest function that matches, and how many do. */
static size_t find_function(uint32_t *out, const struct source *s,
			    const struct pn_regex *regex)
{
	size_t names = s->ids.names.count, found = 0, i;
	unsigned char *seen = pn_calloc(names + 1, 1);
	double most = -1;
	int side;

	for (side = 0; side < PN_FLAME_SIDES; side++) {
		const struct pn_report *r = s->reports[side];

		for (i = 0; r && i < r->row_count; i++) {
			const struct pn_report_node *row = &r->rows[i];
			uint32_t id = s->of_node[side][row->node];
			double cum = fabs((double)row->cum) * s->scale[side];

			if (!matches(regex, r, row))
				continue;
			found += !seen[id];
			seen[id] = 1;
			if (cum > most) {
				most = cum;
				*out = id;
			}
		}
	}
	free(seen);
	return found;
}

int pn_sandwich_init(struct pn_sandwich *out, const struct pn_report *report,
		     const struct pn_diff *diff, const char *pattern,
		     size_t frames_max, struct pn_error *err)
{
	struct pn_flame_options options = {.frames_max = frames_max};
	struct pn_sandwich s = {.matches = 0};
	struct pn_regex *regex;
	struct source source;
	uint32_t focus = 0;
	int code = pn_regex_new(&regex, pattern, err);

	if (code)
		return code;
	code = open_source(&source, report, diff, &options, err);
	if (!code) {
		s.matches = find_function(&focus, &source, regex);
		if (!s.matches)
			code = pn_error_set(err, PN_ENOTFOUND,
					    "no function matches '%s'",
					    pattern);
		if (!code)
			code = make(&s.callers, &source, &options,
				    PN_FLAME_CALLERS, focus, err);
		if (!code)
			code = make(&s.callees, &source, &options,
				    PN_FLAME_CALLEES, focus, err);
		close_source(&source);
	}
	pn_regex_free(regex);
	if (code)
		pn_sandwich_release(&s);
	else
		*out = s;
	return code;
}

void pn_sandwich_release(struct pn_sandwich *sandwich)
{
	pn_flame_release(&sandwich->callers);
	pn_flame_release(&sandwich->callees);
	sandwich->matches = 0;
}

double pn_flame_change(const struct pn_flame_frame *frame)
{
	double new = frame->total[PN_FLAME_NEW];
	double old = frame->total[PN_FLAME_OLD];
	double larger = new > old ? new : old;

	return larger > 0 ? (new - old) / larger : 0;
}

static int cmp_doubles(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

double pn_flame_change_scale(const struct pn_flame *flame)
{
	size_t i, at = (size_t)((double)flame->frame_count * SCALE_AT);
	double scale = SCALE_MIN, *sizes;

	if (!flame->two) /* all of it is new */
		return flame->frames[0].total[PN_FLAME_NEW] > 0 ? 1 : scale;
	sizes = pn_realloc_array(NULL, flame->frame_count + 1, sizeof(*sizes));
	for (i = 0; i < flame->frame_count; i++)
		sizes[i] = fabs(pn_flame_change(&flame->frames[i]));
	qsort(sizes, flame->frame_count, sizeof(*sizes), cmp_doubles);
	if (at < flame->frame_count && sizes[at] > scale)
		scale = sizes[at];
	free(sizes);
	return scale;
}
