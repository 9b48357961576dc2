/* The view `models`: what postprocessors found. */
#include "analysis/models.h"
#include "render/print_table.h"
#include "render/renderer.h"
#include "render/sink.h"

static int text(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	struct pn_table table = {0};
	int code;

	if (!in->profile->header.model_count) {
		pn_buf_add_text(&out->text, "no models (\"git perf model "
					    "<profile>\" makes them)\n");
		return 0;
	}
	code = pn_table_of_models(&table, in->profile, 0, err);
	if (!code)
		pn_print_table(out, &table);
	pn_table_release(&table);
	return code;
}

static int json(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	pn_json_key(&out->json, "models");
	return pn_models_write(&out->json, in->profile, 0, err);
}

const struct pn_view pn_view_models = {
	.name = "models",
	.summary = "models that postprocessors fitted: formula, interval, r²",
	.needs = PN_VIEW_MODELS,
	.text = text,
	.json = json,
};
