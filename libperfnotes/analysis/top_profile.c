/* The table of functions as a profile. */
#define PN_OPTION_STRUCT struct pn_top_ask
#include "analysis/top_profile.h"

#include "base/opts/table.h"
#include "base/slots.h"
#include "model/unit.h"

#include <math.h>

const struct pn_opt pn_top_opts[] = {
	{PN_OPTION_FLAG(top), 0, "top", NULL,
	 "the table of its functions as a profile"},
	{PN_OPTION_FLAG(report.mean), 0, "mean", NULL,
	 "with --top: divide it by the first value (count)"},
	{PN_OPTION_TEXT(report.unit), 0, "unit", "<unit>",
	 "with --top: unit of the values"},
	{PN_OPTION_FLAG(report.cum_sort), 0, "cum", NULL,
	 "with --top: order by cum instead of flat"},
	{PN_OPTION_FLAG(report.flat_sort), 0, "flat", NULL,
	 "with --top: order by flat: the default"},
	{PN_OPTION_INT(report.node_count), 0, "nodecount", "<n>",
	 "with --top: at most n (0: all)"},
	{PN_OPTION_DOUBLE(report.node_fraction), 0, "nodefraction", "<share>",
	 "with --top: leave out what is below this share"},
	{PN_OPTION_DOUBLE(report.edge_fraction), 0, "edgefraction", "<share>",
	 "with --top: the same for calls, of which a table has none"},
	{PN_OPTION_FLAG(trim), 0, "trim", NULL,
	 "with --top: leave out what is light: the default, see --no-trim"},
	{PN_OPTION_FLAG(report.drop_negative), 0, "drop-negative", NULL,
	 "with --top: leave out what became less than the base"},
	{PN_OPTION_FLAG(report.relative), 0, "relative-percentages", NULL,
	 "with --top: shares are of what the filters left"},
	{0},
};

void pn_top_ask_init(struct pn_top_ask *out)
{
	*out = (struct pn_top_ask){
		.trim = true,
		.report = {.node_fraction = PN_REPORT_NODE_FRACTION}};
}

int pn_top_ask_check(const struct pn_top_ask *ask, struct pn_error *err)
{
	struct pn_top_ask none;

	pn_top_ask_init(&none);
	if (!ask->top && pn_opts_differ(pn_top_opts, ask, &none))
		return pn_error_set(err, PN_EINVAL,
				    "--mean, --unit, --cum, --flat, "
				    "--nodecount, --nodefraction, "
				    "--edgefraction, --trim, --drop-negative "
				    "and --relative-percentages are of --top: "
				    "a profile has all that it has");
	return pn_report_options_check(&ask->report, err);
}

static uint32_t copy_string(struct pn_profile *out, const struct pn_profile *p,
			    uint32_t id)
{
	return pn_strtab_add_from(&out->strings, &p->strings, id);
}

static int64_t whole(const struct pn_report *report, int64_t weight)
{
	const char *unit;
	double value = pn_unit_scale(&unit, pn_report_number(report, weight),
				     report->unit, report->to_unit);

	if (!(fabs(value) < 9.2e18))
		return value < 0 ? INT64_MIN : INT64_MAX;
	return (int64_t)value;
}

struct writing {
	struct pn_profile *out;
	const struct pn_report *report;
	struct pn_slots functions; /* of `out` */
};

static struct pn_function function_of(struct writing *w,
				      const struct pn_report_node *row)
{
	const struct pn_report *report = w->report;
	const struct pn_node_info *info = &report->nodes.items[row->node];
	const struct pn_strtab *files = &report->nodes.files;
	struct pn_strtab *strings = &w->out->strings;
	struct pn_function f = {0};

	if (info->name)
		f.name = copy_string(w->out, report->profile, info->name);
	else if (!info->file)
		f.name = pn_strtab_add(strings, row->name, row->name_len);
	f.file = pn_strtab_add_from(strings, files, info->file);
	if (!info->name && info->function != PN_NONE)
		f.start_line =
			report->profile->functions[info->function].start_line;
	return f;
}

/* Rows of one function, at several lines, share it. */
static uint32_t add_function(struct writing *w,
			     const struct pn_report_node *row)
{
	const struct pn_function f = function_of(w, row);
	const uint64_t words[] = {f.name, f.file, (uint64_t)f.start_line};
	uint32_t hash = pn_slots_hash(&w->functions, words, 3), at;
	size_t slot = pn_slots_first(&w->functions, hash);

	while (pn_slots_row(&at, &w->functions, &slot, hash)) {
		const struct pn_function *other = &w->out->functions[at];

		if (other->name == f.name && other->file == f.file &&
		    other->start_line == f.start_line)
			return at;
	}
	at = pn_profile_add_function(w->out, &f);
	pn_slots_add(&w->functions, hash, at);
	return at;
}

static void add_row(struct writing *w, const struct pn_report_node *row)
{
	const struct pn_node_info *info = &w->report->nodes.items[row->node];
	struct pn_location location = {.mapping = PN_NONE,
				       .address = info->address};
	struct pn_line line = {.line = info->line};
	union pn_value values[2];
	uint32_t at;

	line.function = add_function(w, row);
	at = pn_profile_add_location(w->out, &location, &line, 1);
	values[0].i = whole(w->report, row->cum);
	values[1].i = whole(w->report, row->flat);
	pn_profile_add_sample(w->out, pn_profile_add_stack(w->out, &at, 1), 0,
			      values);
}

static void copy_head(struct pn_profile *out, const struct pn_report *report)
{
	const struct pn_profile *p = report->profile;

	pn_profile_add_type(out, "cum", report->to_unit);
	pn_profile_add_type(out, "flat", report->to_unit);
	out->time_ns = p->time_ns;
	out->duration_ns = p->duration_ns;
	out->period_type = p->period_type;
	out->period_type.type = copy_string(out, p, p->period_type.type);
	out->period_type.unit = copy_string(out, p, p->period_type.unit);
	out->period = p->period;
}

int pn_top_profile(struct pn_profile *profile, const struct pn_top_ask *ask,
		   const struct pn_reshape *reshape, struct pn_error *err)
{
	struct pn_report_options options = ask->report;
	struct pn_report report;
	struct pn_profile out;
	struct writing w = {.out = &out, .report = &report};
	size_t i;
	int code;

	options.granularity = reshape->granularity;
	options.sample_index = reshape->sample_index;
	options.divide_by = reshape->divide_by;
	options.noinlines = reshape->noinlines;
	if (!options.unit)
		options.unit = PN_UNIT_MINIMUM;
	if (!ask->trim)
		options.node_count = options.node_fraction = 0;
	code = pn_report_init(&report, profile, &options, err);
	if (code)
		return code;
	pn_profile_init(&out);
	copy_head(&out, &report);
	for (i = 0; i < report.row_count; i++)
		add_row(&w, &report.rows[i]);
	pn_slots_release(&w.functions);
	pn_report_release(&report);
	pn_profile_release(profile);
	*profile = out;
	return 0;
}
