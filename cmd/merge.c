/* git perf merge: one profile out of many. */
#include "codec/suffix.h"
#include "command.h"
#include "context.h"
#include "find_profile.h"
#include "jobs/profiles/unite.h"
#include "profile_arg.h"
#include "view/filter_opts.h"

#include <string.h>
#include <unistd.h>

struct options {
	const char *commit, *format, *to, *output;
	struct pn_written written;
};

static const struct pn_opt opts[] = {
	{OPT_TEXT(to), 't', "to", "<format>",
	 "format to write (by the suffix of -o, else pprof; of call graphs "
	 "their own, else callgrind)",
	 .names = pn_codec_names_written, .check = pn_codec_check_written},
	{OPT_TEXT(output), 'o', "output", "<file>", "write to a file"},
	OPT_WRITTEN,
	{OPT_TEXT(commit), 'm', "commit", "<rev>",
	 "commit whose list is meant (HEAD)"},
	{OPT_TEXT(format), 0, "format", "<name>",
	 "format of the files (recognised)", .names = pn_codec_names_read,
	 .check = pn_codec_check_read},
	{0},
};

static int merge(struct pn_buf *bytes, const struct context *context,
		 char **names, const struct options *o, struct pn_error *err)
{
	const struct pn_codec *input = NULL, *format = NULL, *codec;
	struct profile_arg from = {NULL, o->commit, NULL, NULL};
	struct pn_found_list found = {0};
	struct pn_buf said = {0};
	struct pn_profile merged;
	int code = 0;

	if (o->format && !(input = pn_codec_find(o->format, err)))
		return PN_ENOTFOUND;
	/* one name may stand for several profiles */
	for (; *names && !code; names++)
		code = find_stored_profile(&found, &context->lookup, *names,
					   err);
	pn_profile_init(&merged);
	if (!code)
		code = pn_unite_found(&merged, &format, &said, &context->lookup,
				      &found, input, err);
	warn_lines(&said);
	if (!code)
		code = shape_written(&merged, &o->written, &from, err);
	if (!code)
		code = pn_codec_choose(&codec, o->to, o->output,
				       pn_unite_codec(format, &merged)->name,
				       err);
	if (!code && (code = pn_codec_write(bytes, codec, &merged, err)))
		pn_error_context(err, "cannot write it as %s", codec->name);
	if (!code)
		warn_of_loss(codec, &merged);
	pn_profile_release(&merged);
	pn_found_list_release(&found);
	return code;
}

static int run(const struct global *global, int argc, char **argv)
{
	struct options o = {.commit = NULL};
	struct context context = {0};
	struct pn_error err = {0};
	struct pn_buf bytes = {0};
	int code, i, inputs = 0;

	pn_written_init(&o.written);
	argc = opts_parse(&cmd_merge, &o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	if (!argc)
		return usage(&cmd_merge, "need at least one profile");
	if ((code = check_written(&o.written, &cmd_merge))) {
		pn_opts_release(opts, &o);
		return code;
	}
	for (i = 0; i < argc; i++)
		inputs += !strcmp(argv[i], "-");
	if (inputs > 1)
		return usage(&cmd_merge,
			     "standard input can be read only once");
	if (!o.output && isatty(STDOUT_FILENO))
		return usage(&cmd_merge, "need -o <file>: standard output is a "
					 "terminal");
	argv[argc] = NULL;
	code = open_context(&context, o.commit, false, &err);
	pn_stand_ins_use(&context.stand_ins, &context.lookup);
	context.lookup.several = true;
	if (!code)
		code = merge(&bytes, &context, argv, &o, &err);
	code = write_output(global, o.output, &bytes, code, &err);
	pn_buf_release(&bytes);
	close_context(&context);
	pn_opts_release(opts, &o);
	return code;
}

const struct command cmd_merge = {
	.name = "merge",
	.summary = "make one profile out of many",
	.synopsis = "merge [-t <format>] [-o <file>] [<options>] <profile>...",
	.opts = opts,
	.forms = PN_VIEW_FORMS_ANY,
	.run = run,
};
