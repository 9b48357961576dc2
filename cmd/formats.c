/* git perf formats: the table of codecs, or those of a word, or what a file is
 * recognised as. */
#include "jobs/profiles/formats.h"
#include "command.h"
#include "profile_arg.h"
#include "render/print_table.h"

#include <string.h>
#include <unistd.h>

struct options {
	const char *output;
	bool json;
};

static const struct pn_opt opts[] = {
	{OPT_FLAG(json), 0, "json", NULL, "as JSON"},
	{OPT_TEXT(output), 'o', "output", "<file>", "write to a file"},
	{0},
};

/* Not the name of a file, and a word of some format. */
static bool is_word(const char *arg)
{
	return access(arg, F_OK) && pn_formats_are_about(arg);
}

/* A file, or else what other commands take. */
static int name_format(struct pn_buf *out, const char *name,
		       struct pn_error *err)
{
	bool is_file = !access(name, F_OK) || !strpbrk(name, ":@");
	struct profile_source from = {.data.file = -1};
	struct profile_arg arg = {.name = name};
	const char *format = NULL;
	int code;

	if (is_file)
		code = pn_format_of_file(&format, name, err);
	else if (!(code = open_profile(&from, &arg, err)))
		code = pn_format_of_found(&format, &from.found.items[0], name,
					  err);
	if (!code)
		pn_format_line(out, name, format);
	close_profile(&from);
	return code;
}

/*
 * With files: what each is, one a line. One that cannot be told is said at
 * once and does not hide the others.
 */
static int recognise(struct pn_buf *out, char **paths, int count)
{
	struct pn_error err = {0};
	int i, exit_code = EXIT_DONE;

	for (i = 0; i < count; i++)
		if (name_format(out, paths[i], &err))
			exit_code = fail(&err);
	return exit_code;
}

static int print_list(const struct global *global, const struct options *o,
		      const char *word)
{
	struct pn_error err = {0};
	struct pn_table table;
	struct output out;

	if (open_output(&out, global, o->output, false, &err))
		return fail(&err);
	pn_formats_table(&table, word);
	pn_print_list(out.file, &table, "formats", "formats", o->json);
	pn_table_release(&table);
	return close_output(&out, EXIT_DONE);
}

static int run(const struct global *global, int argc, char **argv)
{
	struct options o = {0};
	struct pn_error err = {0};
	struct pn_buf text = {0};
	int recognised, code;

	argc = opts_parse(&cmd_formats, &o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	if (!argc || (argc == 1 && is_word(*argv)))
		return print_list(global, &o, argc ? *argv : NULL);
	if (o.json)
		return usage(&cmd_formats, "--json is for the table alone");
	recognised = recognise(&text, argv, argc);
	code = write_output(global, o.output, &text, 0, &err);
	pn_buf_release(&text);
	return code ? code : recognised;
}

const struct command cmd_formats = {
	.name = "formats",
	.summary = "list the formats, or say which one a file has",
	.synopsis = "formats [--json] [-o <file>]\n"
		    "formats [--json] [-o <file>] <word>\n"
		    "formats [-o <file>] <profile>...",
	.opts = opts,
	.run = run,
};
