/* The table of functions as a profile. */
#include "analysis/top_profile.h"

#include "analysis/report.h"
#include "model/unit.h"

#include <math.h>

static uint32_t copy_string(struct pn_profile *out, const struct pn_profile *p,
			    uint32_t id)
{
	return pn_strtab_add(&out->strings, pn_profile_text(p, id),
			     pn_strtab_len(&p->strings, id));
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

static void add_row(struct pn_profile *out, const struct pn_report *report,
		    const struct pn_report_node *row)
{
	struct pn_function function = {0};
	struct pn_location location = {.mapping = PN_NONE};
	struct pn_line line = {0};
	union pn_value values[2];
	uint32_t at;

	function.name = pn_strtab_add(&out->strings, row->name, row->name_len);
	line.function = pn_profile_add_function(out, &function);
	at = pn_profile_add_location(out, &location, &line, 1);
	values[0].i = whole(report, row->cum);
	values[1].i = whole(report, row->flat);
	pn_profile_add_sample(out, pn_profile_add_stack(out, &at, 1), 0,
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

int pn_top_profile(struct pn_profile *profile, struct pn_error *err)
{
	const struct pn_report_options options = {
		.divide_by = 1,
		.node_fraction = PN_REPORT_NODE_FRACTION,
		.unit = PN_UNIT_MINIMUM,
	};
	struct pn_report report;
	struct pn_profile out;
	size_t i;
	int code = pn_report_init(&report, profile, &options, err);

	if (code)
		return code;
	pn_profile_init(&out);
	copy_head(&out, &report);
	for (i = 0; i < report.row_count; i++)
		add_row(&out, &report, &report.rows[i]);
	pn_report_release(&report);
	pn_profile_release(profile);
	*profile = out;
	return 0;
}
