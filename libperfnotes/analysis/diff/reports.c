/* Two reports, a thread each. */
#include "analysis/diff/reports.h"

#include "base/ahead.h"

struct reporting {
	struct pn_report *to;
	struct pn_profile *of[2];
	struct pn_report_options options[2];
	struct pn_error err[2];
	int code[2];
};

static void report_on(void *data, size_t side, size_t worker)
{
	struct reporting *r = data;

	(void)worker;
	r->code[side] = pn_report_init(&r->to[side], r->of[side],
				       &r->options[side], &r->err[side]);
}

int pn_diff_reports_init(struct pn_diff_reports *out, struct pn_profile *before,
			 struct pn_profile *after,
			 const struct pn_report_options *options,
			 struct pn_error *err)
{
	struct reporting r = {.to = out->of, .of = {before, after}};
	struct pn_weight weight;
	int side, code;

	out->failed = PN_DIFF_NEITHER;
	for (side = 0; side < 2; side++) {
		r.options[side] = *options;
		r.options[side].node_count = 0;
		r.options[side].node_fraction = 0;
	}
	if (!options->sample_index) {
		code = pn_weight_choose(&weight, after, NULL, false, err);
		if (code) {
			out->failed = 1;
			return code;
		}
		r.options[0].sample_index = pn_profile_text(
			after, after->types[weight.column].type);
	}
	pn_ahead_both(report_on, &r);
	for (side = 1; side >= 0; side--) {
		if (!r.code[side])
			continue;
		*err = r.err[side];
		out->failed = side;
		out->lacks_type = pn_weight_choose(&weight, r.of[side],
						   r.options[side].sample_index,
						   false, NULL) != 0;
		return r.code[side];
	}
	return 0;
}

void pn_diff_reports_release(struct pn_diff_reports *reports)
{
	pn_report_release(&reports->of[0]);
	pn_report_release(&reports->of[1]);
}
