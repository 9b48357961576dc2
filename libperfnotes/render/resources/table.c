/* The view `table`: all that is known of resources, or of models. */
#include "analysis/pstats/report.h"
#include "analysis/resources/listing.h"
#include "render/print_table.h"
#include "render/resources/words.h"

static int rows(struct pn_table *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	struct pn_listing_ask ask = {.most = in->most};

	if (in->stats) {
		ask.sort = in->stats->sort.values;
		ask.sort_count = in->stats->sort.count;
		ask.reverse = in->stats->reverse;
	}
	return pn_listing(out, in->profile, in->resources, &ask, err);
}

static uint32_t runs_of(const struct pn_view_input *in)
{
	return in->resources->models ? 1 : pn_profile_runs(in->profile);
}

static int text(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	struct pn_table table = {0};
	int code = rows(&table, in, err);

	if (!code)
		pn_runs_remark(&out->text, runs_of(in));
	if (!code && table.row_count)
		pn_print_table_within(out, &table, in->columns);
	else if (!code)
		pn_buf_printf(&out->text, "no %s\n",
			      in->resources->models ? "models" : "resources");
	pn_table_release(&table);
	return code;
}

static int json(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	struct pn_table table = {0};
	int code = rows(&table, in, err);

	pn_runs_json(out, runs_of(in));
	pn_json_key(&out->json, "rows");
	pn_print_table_json(out, &table);
	pn_table_release(&table);
	return code;
}

static int html(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	struct pn_table table = {0};
	struct pn_buf title = {0}, runs = {0};
	int code = rows(&table, in, err);

	pn_runs_remark(&runs, runs_of(in));
	pn_buf_printf(&title, "%s%s%s", in->title ? in->title : "",
		      in->title ? ": " : "",
		      in->resources->models ? "models" : "resources");
	if (!code)
		pn_resources_page(out, pn_buf_text(&title), pn_buf_text(&runs),
				  &table, NULL, NULL);
	pn_buf_release(&title);
	pn_buf_release(&runs);
	pn_table_release(&table);
	return code;
}

const struct pn_view pn_view_table = {
	.name = "table",
	.summary = "resources or models with all that is known of them",
	.needs = PN_VIEW_RESOURCES,
	.text = text,
	.json = json,
	.table = rows,
	.html = html,
};
