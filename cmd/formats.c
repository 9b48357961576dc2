/* git perf formats: the table of codecs, or those of a word, or what a file is
 * recognised as. Long, as it answers three questions. */
#include "base/escape.h"
#include "codec/codec.h"
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

/* The table of codecs as rows: those that are about `word`, of which text says
 * how such a file is made, or all of them when it is NULL. */
static void list_formats(struct pn_table *out, const char *word)
{
	struct pn_column columns[] = {
		{"format", "name", .left = true},
		{.key = "summary", .gap = 1, .left = true},
		{"read", "read", .gap = 1, .left = true},
		{"write", "write", .gap = 1, .left = true},
		{"suffix", "suffix", .gap = 1, .left = true},
		{"recognised by", "recognised_by", .gap = 1, .left = true},
		{.key = "languages"},
		{.key = "made_by", .gap = 1, .left = true},
	};
	struct pn_cell *cell;
	size_t i;

	if (word) {
		for (i = 2; i < 6; i++)
			columns[i].title = NULL;
		columns[1].title = "what it is";
		columns[7].title = "made by";
	}

	*out = (struct pn_table){0};
	for (i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		pn_table_add_column(out, &columns[i]);
	for (i = 0; pn_codecs[i]; i++) {
		const struct pn_codec *c = pn_codecs[i];

		if (word && !pn_codec_is_about(c, word))
			continue;
		cell = pn_table_add_row(out);
		*cell++ = pn_cell_text(c->name);
		*cell++ = pn_cell_text(c->summary);
		*cell++ = pn_cell_bool(c->read != NULL);
		*cell++ = pn_cell_bool(c->write != NULL);
		*cell++ = pn_cell_text(c->suffix);
		*cell++ = pn_cell_text(c->sniffed_by);
		*cell++ = pn_cell_text(c->languages);
		*cell = pn_cell_text(c->made_by);
	}
}

/* "-" is standard input, and signs and digits stand in many a sentence. */
static bool has_letter(const char *text)
{
	for (; *text; text++)
		if ((*text >= 'a' && *text <= 'z') ||
		    (*text >= 'A' && *text <= 'Z'))
			return true;
	return false;
}

/* Not the name of a file, and a word of some format. */
static bool is_word(const char *arg)
{
	size_t i;

	if (!access(arg, F_OK) || !has_letter(arg))
		return false;
	for (i = 0; pn_codecs[i]; i++)
		if (pn_codec_is_about(pn_codecs[i], arg))
			return true;
	return false;
}

/* What the index says of a stored profile, or a pending file; as other commands
 * find them. */
static int look_up(const char **format, struct profile_source *from,
		   const char *name, struct pn_error *err)
{
	const struct pn_codec *codec;
	const struct pn_entry *entry;
	struct pn_reader *in = NULL;
	int code = open_profile(from, &(struct profile_arg){.name = name}, err);

	if (code)
		return code;
	entry = from->found.items[0].entry;
	*format = entry ? pn_entry_field(entry, "format") : "";
	if (**format)
		return 0;
	if (entry)
		return pn_error_set(err, PN_EFORMAT,
				    "the entry of '%s' names no format", name);
	code = pn_reader_open(&in, from->found.items[0].path, 0, err);
	if (!code && !(code = pn_codec_sniff(&codec, in, err)))
		*format = codec->name;
	pn_reader_free(in);
	return code;
}

/* A file, or else what other commands take. */
static int name_format(struct pn_buf *out, const char *name,
		       struct pn_error *err)
{
	bool is_file = !access(name, F_OK) || !strpbrk(name, ":@");
	struct profile_source from = {.data.file = -1};
	const struct pn_codec *codec;
	const char *format = NULL;
	struct pn_reader *in = NULL;
	int code;

	if (!is_file)
		code = look_up(&format, &from, name, err);
	else if (!(code = pn_reader_open(&in, name, 0, err)) &&
		 !(code = pn_codec_sniff(&codec, in, err)))
		format = codec->name;
	if (!code) {
		pn_escape_terminal(out, name, strlen(name));
		pn_buf_add_byte(out, '\t');
		pn_escape_terminal(out, format, strlen(format));
		pn_buf_add_byte(out, '\n');
	}
	close_profile(&from);
	pn_reader_free(in);
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
	list_formats(&table, word);
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
