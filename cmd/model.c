/* git perf model: apply postprocessors to a profile. Long, as it goes all the
 * way from a name to a pending profile and a report of what was made. */
#include "analysis/post/postprocess.h"
#include "base/file.h"
#include "codec/codec.h"
#include "collect/list.h"
#include "command.h"
#include "context.h"
#include "find_profile.h"
#include "jobs/profiles/derive.h"
#include "jobs/profiles/posts.h"
#include "render/applied.h"

struct options {
	struct pn_posts_ask ask;
	const char *name, *commit, *format, *output;
	bool list, json;
};

static const struct pn_opt opts[] = {
	{OPT_TABLE(struct pn_posts_ask, ask, pn_posts_opts)},
	{OPT_FLAG(list), 0, "list-postprocessors", NULL,
	 "list the postprocessors and their options"},
	{OPT_TEXT(name), 'n', "name", "<name>", "name to register"},
	{OPT_TEXT(commit), 'm', "commit", "<rev>",
	 "commit whose list is meant (HEAD)"},
	{OPT_TEXT(format), 0, "format", "<name>",
	 "format of a file (recognised)", .names = pn_codec_names_read,
	 .check = pn_codec_check_read},
	{OPT_FLAG(json), 0, "json", NULL, "print the models as JSON"},
	{OPT_TEXT(output), 'o', "output", "<file>", "print them to a file"},
	{0},
};

/* Of one call. */
struct modelling {
	struct options o;
	struct context context;
	struct pn_arena arena;
	struct pn_post *posts;
	size_t post_count;
	struct pn_found_list found;
	struct pn_derive derive;
};

static int load(struct modelling *m, const char *name, struct pn_error *err)
{
	int code = find_one_profile(&m->found, &m->context.lookup, name, err);

	if (code)
		return code;
	m->derive.repo = m->context.repo;
	m->derive.found = &m->found.items[0];
	return pn_derive_open(&m->derive, &m->context.lookup, m->o.format, err);
}

static int print(FILE *to, const struct modelling *m, struct pn_error *err)
{
	char origin[PN_OID_HEX + 1];
	struct pn_applied applied = pn_derive_applied(origin, &m->derive);

	return m->o.json ? pn_applied_json(to, &applied, err)
			 : pn_applied_text(to, &applied, err);
}

static void report(const struct pn_derive *d)
{
	struct pn_buf notes = {0};

	pn_post_notes_text(&notes, &d->notes);
	warn_lines(&notes);
	say("pending: %s", pn_file_basename(d->path));
}

/* Nothing is kept where nothing can be printed. */
static int keep_and_print(struct modelling *m, const struct global *global,
			  struct pn_error *err)
{
	struct output out;
	int code = open_output(&out, global, m->o.output, true, err);

	if (code)
		return code;
	code = pn_derive_keep(&m->derive, m->o.name, err);
	if (!code)
		code = print(out.file, m, err);
	if (code) {
		discard_output(&out);
		return code;
	}
	code = close_output(&out, EXIT_DONE);
	report(&m->derive);
	return code;
}

static int model(struct modelling *m, const struct global *global,
		 const char *name)
{
	struct pn_error err = {0};
	int code = open_context(&m->context, m->o.commit, true, &err);

	if (!code)
		code = load(m, name, &err);
	if (!code &&
	    (code = pn_derive_apply(&m->derive, m->posts, m->post_count, &err)))
		pn_error_context(&err, "'%s'", name);
	if (!code)
		code = keep_and_print(m, global, &err);
	return code < 0 ? fail(&err) : code;
}

static void release(struct modelling *m)
{
	pn_derive_release(&m->derive);
	pn_found_list_release(&m->found);
	close_context(&m->context);
	pn_arena_release(&m->arena);
	pn_opts_release(opts, &m->o);
}

static int run(const struct global *global, int argc, char **argv)
{
	struct modelling m = {.o = {.commit = NULL}};
	struct list_call call = {.global = global};
	struct pn_with_options *rows;
	struct pn_error err;
	size_t count;
	int code;

	argc = opts_parse(&cmd_model, &m.o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	call.path = m.o.output;
	call.json = m.o.json;
	if (m.o.list) {
		rows = pn_post_rows(&count);
		code = print_options(&call, rows, count, "model",
				     "postprocessors", true);
	} else if (argc != 1)
		code = usage(&cmd_model, "need one profile");
	else if (pn_posts_parse(&m.posts, &m.post_count, &m.arena, &m.o.ask,
				&err))
		code = usage(&cmd_model, "%s", err.message);
	else
		code = model(&m, global, argv[0]);
	release(&m);
	return code;
}

const struct command cmd_model = {
	.name = "model",
	.summary = "apply regression analysis and other postprocessors",
	.synopsis = "model [<options>] <profile>\n"
		    "model --list-postprocessors",
	.opts = opts,
	.run = run,
};
