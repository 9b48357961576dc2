/* git perf impact: what the functions cost that a change touches. */
#include "blame.h"
#include "context.h"
#include "jobs/functions/touched.h"
#include "render/functions/touches.h"

struct options {
	struct pn_series_request which;
	const char *output;
	double min_share;
	bool cached, json;
};

static const struct pn_opt opts[] = {
	{OPT_FLAG(cached), 0, "cached", NULL, "what the index changes"},
	{OPT_DOUBLE(min_share), 0, "min-share", "<share>",
	 "only functions with this share of a series"},
	{OPT_TABLE(struct pn_series_request, which, pn_series_opts)},
	{OPT_FLAG(json), 0, "json", NULL, "as JSON"},
	{OPT_TEXT(output), 'o', "output", "<file>", "write to a file"},
	{0},
};

static int print(const struct global *global, const struct pn_impact_read *read,
		 const struct options *o, struct pn_error *err)
{
	const struct pn_impact *impact = &read->impact;
	struct pn_buf text = {0};
	struct output out;
	int code = open_output(&out, global, o->output, !o->json, err);

	if (code)
		return code;
	if (o->json)
		pn_impact_json(&text, impact);
	else if (impact->file_count || impact->binary_count)
		pn_impact_text(&text, impact, &out.palette);
	fwrite(pn_buf_text(&text), 1, text.len, out.file);
	pn_buf_release(&text);
	if (!impact->file_count && !impact->binary_count)
		say("no line is changed");
	if (read->faults)
		warn("profiles that cannot be read: %zu", read->faults);
	if (!impact->series_count && read->without_type)
		say("no profile has the metric '%s'", o->which.metric);
	else if (!impact->series_count &&
		 !say_none_has(&o->which, WITH_FUNCTIONS))
		say("no commit before the change has a profile with functions");
	return close_output(&out,
			    impact->series_count ? EXIT_DONE : EXIT_NO_VERDICT);
}

static int run(const struct global *global, int argc, char **argv)
{
	struct pn_impact_read read = {.faults = 0};
	struct pn_impact_request request;
	struct context context = {0};
	struct pn_strtab others = {0};
	struct options o = {.cached = false};
	struct pn_error err;
	int code;

	argc = opts_parse(&cmd_impact, &o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	if (argc > 1 || (argc && o.cached))
		return usage(&cmd_impact, "need one range, or --cached");
	o.which.others = &others;
	code = open_context(&context, NULL, true, &err);
	request = (struct pn_impact_request){context.repo,
					     context.notes,
					     argc ? argv[0] : NULL,
					     o.cached,
					     {NULL, o.which.job,
					      o.which.collector,
					      o.which.machine, &others},
					     o.which.metric,
					     o.min_share};
	if (!code)
		code = pn_impact_read(&read, &request, &err);
	if (!code)
		code = print(global, &read, &o, &err);
	say_where_profiles_are(&context.lookup);
	pn_impact_release(&read);
	pn_strtab_release(&others);
	close_context(&context);
	return code < 0 ? fail(&err) : code;
}

const struct command cmd_impact = {
	.name = "impact",
	.summary = "say what the functions cost that a change touches",
	.synopsis = "impact [<options>] [<range>]",
	.opts = opts,
	.colored = true,
	.run = run,
};
