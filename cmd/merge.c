/* git perf merge: one profile out of many. */
#include "analysis/merge/merge.h"
#include "base/ahead.h"
#include "codec/codec.h"
#include "command.h"
#include "context.h"
#include "find_profile.h"

#include <string.h>
#include <unistd.h>

struct options {
	const char *commit, *format, *to, *output;
};

static const struct opt opts[] = {
	{OPT_TEXT(to), 't', "to", "<format>",
	 "format to write (pprof; of call graphs their own, else callgrind)",
	 .names = pn_codec_names_written},
	{OPT_TEXT(output), 'o', "output", "<file>", "write to a file"},
	{OPT_TEXT(commit), 'm', "commit", "<rev>",
	 "commit whose list is meant (HEAD)"},
	{OPT_TEXT(format), 0, "format", "<name>",
	 "format of the files (recognised)", .names = pn_codec_names_read},
	{0},
};

/* Profiles that are read, or wait to be merged, at a time. */
#define WINDOW 4

struct loaded {
	struct pn_profile profile;
	const char *format;
	struct pn_error err;
	int code;
};

/* What is merged, and what the formats of the inputs have in common. */
struct merging {
	const struct context *context;
	struct pn_found_list found;
	struct loaded loaded[WINDOW]; /* found k at k % WINDOW */
	struct pn_merge *merge;
	const struct pn_codec *input;  /* --format */
	const struct pn_codec *format; /* of all so far; NULL: several */
};

static void load(struct merging *from, size_t number)
{
	struct loaded *to = &from->loaded[number % WINDOW];

	to->format = NULL;
	to->code = pn_lookup_load(
		&to->profile, &to->format, &from->context->lookup,
		&from->found.items[number], from->input, &to->err);
}

/* The repository is the main thread's. */
static bool is_stored(const struct merging *from, size_t number)
{
	return from->found.items[number].kind == PN_FOUND_STORED;
}

static void load_ahead(void *data, size_t number, size_t worker)
{
	struct merging *from = data;

	(void)worker;
	if (!is_stored(from, number))
		load(from, number);
}

static int add_one(struct merging *to, size_t number, struct pn_error *err)
{
	struct loaded *from = &to->loaded[number % WINDOW];
	const struct pn_codec *codec;
	int code;

	if (is_stored(to, number))
		load(to, number);
	if (from->code) {
		*err = from->err;
		return from->code;
	}
	code = pn_merge_add(to->merge, &from->profile, NULL, err);
	if (code)
		pn_error_context(err, "cannot merge '%s'",
				 to->found.items[number].name);
	codec = from->format ? pn_codec_find(from->format, NULL) : NULL;
	if (!number)
		to->format = codec;
	else if (to->format != codec)
		to->format = NULL;
	pn_profile_release(&from->profile);
	return code;
}

static int add_all(struct merging *to, struct pn_error *err)
{
	struct pn_ahead_work work = {load_ahead, to, to->found.count, WINDOW,
				     WINDOW};
	struct pn_ahead *ahead = pn_ahead_new(&work);
	size_t i;
	int code = 0;

	while (!code && pn_ahead_next(&i, ahead))
		code = add_one(to, i, err);
	pn_ahead_free(ahead);
	for (i = 0; i < WINDOW; i++)
		pn_profile_release(&to->loaded[i].profile);
	return code;
}

static int choose(const struct pn_codec **out, const struct options *o,
		  const struct merging *from, const struct pn_profile *merged,
		  struct pn_error *err)
{
	const struct pn_codec *codec = NULL;

	if (o->to)
		codec = pn_codec_find_writer(o->to, err);
	else if (merged->sample_count)
		codec = &pn_codec_pprof;
	else if (!merged->graph.node_count)
		codec = &pn_codec_body;
	else if (from->format && from->format->write)
		codec = from->format;
	else
		codec = &pn_codec_callgrind;
	if (!codec)
		return PN_EINVAL;
	*out = codec;
	return 0;
}

static int merge(struct pn_buf *bytes, const struct context *context,
		 char **names, const struct options *o, struct pn_error *err)
{
	struct merging to = {.context = context};
	const struct pn_codec *codec = NULL;
	struct pn_profile merged;
	int code = 0;

	if (o->format && !(to.input = pn_codec_find(o->format, err)))
		return PN_ENOTFOUND;
	/* one name may stand for several profiles */
	for (; *names && !code; names++)
		code = find_profile(&to.found, &context->lookup, *names, err);
	to.merge = pn_merge_new();
	if (!code)
		code = add_all(&to, err);
	pn_merge_end(&merged, to.merge);
	if (!code)
		code = choose(&codec, o, &to, &merged, err);
	if (!code && (code = codec->write(bytes, &merged, err)))
		pn_error_context(err, "cannot write it as %s", codec->name);
	pn_profile_release(&merged);
	pn_found_list_release(&to.found);
	return code;
}

static int run(const struct global *global, int argc, char **argv)
{
	struct options o = {0};
	struct context context = {0};
	struct pn_error err = {0};
	struct pn_buf bytes = {0};
	int code, i, inputs = 0;

	argc = opts_parse(&cmd_merge, &o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	if (!argc)
		return usage(&cmd_merge, "need at least one profile");
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
	if (!code)
		code = merge(&bytes, &context, argv, &o, &err);
	code = write_output(global, o.output, &bytes, code, &err);
	pn_buf_release(&bytes);
	close_context(&context);
	return code;
}

const struct command cmd_merge = {
	.name = "merge",
	.summary = "make one profile out of many",
	.synopsis = "merge [-t <format>] [-o <file>] [-m <rev>] <profile>...",
	.opts = opts,
	.run = run,
};
