/* git perf export: a profile in another format, or its stored bytes. Long by
 * the ways in which a format can be said. */
#include "base/alloc.h"
#include "base/file.h"
#include "codec/suffix.h"
#include "command.h"
#include "context.h"
#include "jobs/newest/newest.h"
#include "jobs/profiles/pool.h"
#include "profile_arg.h"
#include "render/log/openmetrics.h"
#include "view/filter_opts.h"

#include <string.h>
#include <unistd.h>

struct options {
	const char *commit, *format, *to, *output;
	struct pn_written written;
	bool raw, symbolize;
};

#define OPENMETRICS "openmetrics" /* no format of a profile */

static void names_of_to(struct pn_buf *out, const char *between)
{
	pn_codec_names_written(out, between);
	pn_buf_printf(out, "%s" OPENMETRICS, between);
}

static int check_to(const char *to, struct pn_error *err)
{
	return !strcmp(to, OPENMETRICS) ? 0 : pn_codec_check_written(to, err);
}

static const struct pn_opt opts[] = {
	{OPT_TEXT(to), 't', "to", "<format>",
	 "format to write (by the suffix of -o, else the profile's own, "
	 "else pprof)",
	 .names = names_of_to, .check = check_to},
	{OPT_TEXT(output), 'o', "output", "<file>", "write to a file"},
	{OPT_FLAG(raw), 0, "raw", NULL, "the stored bytes as they are"},
	{OPT_FLAG(symbolize), 0, "symbolize", NULL,
	 "look up names of addresses in the files of this machine"},
	OPT_WRITTEN,
	{OPT_TEXT(commit), 'm', "commit", "<rev>",
	 "commit whose list is meant (HEAD)"},
	{OPT_TEXT(format), 0, "format", "<name>",
	 "format of a file (recognised)", .names = pn_codec_names_read,
	 .check = pn_codec_check_read},
	{0},
};

/* The name of a series may have its own, as one types it. */
static const char *quote_of(const char *name)
{
	return *name == '\'' ? "" : "'";
}

static int write_as(struct pn_buf *bytes, struct profile_source *source,
		    const struct options *o, struct pn_error *err)
{
	struct profile_arg from = {NULL, o->commit, NULL};
	const struct pn_found *found = source->found.items;
	const struct pn_codec *codec;
	const char *format = "pprof", *quote = quote_of(found->name);
	struct pn_profile profile;
	int code = pn_pool_load(&profile, &format, &source->context.lookup,
				found, source->codec, err);

	if (code)
		return code;
	code = pn_codec_choose(&codec, o->to, o->output, format, err);
	if (!code && o->symbolize)
		code = symbolize_profile(&profile, err);
	if (!code)
		code = shape_written(&profile, &o->written, &from, err);
	if (!code && (code = pn_codec_write(bytes, codec, &profile, err)))
		pn_error_context(err, "cannot write %s%s%s as %s", quote,
				 found->name, quote, codec->name);
	if (!code)
		warn_of_loss(codec, &profile);
	pn_profile_release(&profile);
	return code;
}

static int write_profile(struct pn_buf *bytes, const char *name,
			 const struct options *o, struct pn_error *err)
{
	struct profile_arg arg = {name, o->commit, o->format, .raw = o->raw};
	struct profile_source source;
	int code = open_profile(&source, &arg, err);

	if (!code && o->raw)
		code = pn_lookup_bytes(bytes, &source.context.lookup,
				       source.found.items, err);
	else if (!code)
		code = write_as(bytes, &source, o, err);
	close_profile(&source);
	return code;
}

/* Of all series, whatever profile they come from. */
static int write_newest(struct pn_buf *bytes, const char *rev,
			struct pn_error *err)
{
	struct pn_newest newest = {0};
	struct context context = {0};
	int code = open_context(&context, rev, true, err);

	if (!code)
		code = pn_newest_gather(&newest, context.repo, context.notes,
					rev, err);
	if (!code)
		pn_openmetrics_text(bytes, newest.items, newest.count);
	pn_newest_release(&newest);
	close_context(&context);
	return code;
}

/* Formats of text may go to a terminal, others would spoil it. */
static int spare_terminal(const struct pn_buf *bytes, const struct options *o,
			  struct pn_error *err)
{
	if (o->output || !memchr(pn_buf_text(bytes), '\0', bytes->len) ||
	    !isatty(STDOUT_FILENO))
		return 0;
	return pn_error_set(err, PN_EINVAL,
			    "need -o <file>: the format is binary, standard "
			    "output is a terminal");
}

static int run(const struct global *global, int argc, char **argv)
{
	struct options o = {.commit = NULL};
	struct pn_error err = {0};
	struct pn_buf bytes = {0};
	bool newest;
	int code;

	pn_written_init(&o.written);
	argc = opts_parse(&cmd_export, &o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	newest = o.to && !strcmp(o.to, OPENMETRICS);
	if (newest &&
	    (argc || o.raw || o.symbolize || !pn_written_is_plain(&o.written)))
		return usage(&cmd_export, "--to=" OPENMETRICS " is of all "
					  "newest figures, and of no profile");
	if (argc != 1 && !newest)
		return usage(&cmd_export, "need one profile, have %d", argc);
	if (o.raw && o.to)
		return usage(&cmd_export, "--raw and --to exclude each other");
	if (o.raw && o.symbolize)
		return usage(&cmd_export,
			     "--raw and --symbolize exclude each other");
	if (o.raw && !pn_written_is_plain(&o.written))
		return usage(&cmd_export, "--raw excludes what changes a "
					  "profile: the bytes stay");
	if ((code = check_written(&o.written, &cmd_export))) {
		pn_opts_release(opts, &o);
		return code;
	}
	code = newest ? write_newest(&bytes, o.commit, &err)
		      : write_profile(&bytes, argv[0], &o, &err);
	if (!code)
		code = spare_terminal(&bytes, &o, &err);
	code = write_output(global, o.output, &bytes, code, &err);
	pn_buf_release(&bytes);
	pn_opts_release(opts, &o);
	return code;
}

const struct command cmd_export = {
	.name = "export",
	.summary = "write a profile in another format",
	.synopsis = "export [-t <format>] [-o <file>] [<options>] <profile>\n"
		    "export --raw [-o <file>] [-m <rev>] <profile>\n"
		    "export --to=openmetrics [-o <file>] [-m <rev>]",
	.opts = opts,
	.forms = PN_VIEW_FORMS_ANY,
	.run = run,
};
