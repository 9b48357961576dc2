/* git perf formats: the table of codecs, or what a file is recognised as. */
#include "base/escape.h"
#include "base/json.h"
#include "codec/codec.h"
#include "command.h"

#include <string.h>

struct options {
	const char *output;
	bool json;
};

static const struct opt opts[] = {
	{OPT_FLAG(json), 0, "json", NULL, "as JSON"},
	{OPT_TEXT(output), 'o', "output", "<file>", "write to a file"},
	{0},
};

static int widest(size_t field)
{
	int width = 0, len;
	size_t i;

	for (i = 0; pn_codecs[i]; i++) {
		const char *text;

		memcpy(&text, (const char *)pn_codecs[i] + field, sizeof(text));
		len = (int)strlen(text);
		if (len > width)
			width = len;
	}
	return width;
}

static void list_text(FILE *to)
{
	int name = widest(offsetof(struct pn_codec, name));
	int suffix = widest(offsetof(struct pn_codec, suffix));
	size_t i;

	fprintf(to, "%-*s %-4s %-5s %-*s %s\n", name, "format", "read", "write",
		suffix, "suffix", "recognised by");
	for (i = 0; pn_codecs[i]; i++) {
		const struct pn_codec *c = pn_codecs[i];

		fprintf(to, "%-*s %-4s %-5s %-*s %s\n", name, c->name,
			c->read ? "yes" : "-", c->write ? "yes" : "-", suffix,
			c->suffix, c->sniffed_by);
	}
}

static void list_json(struct pn_buf *out)
{
	struct pn_json_writer w;
	size_t i;

	pn_json_writer_init(&w, out, 2);
	pn_json_open(&w, '{');
	pn_json_member_int(&w, "version", 1);
	pn_json_member(&w, "command", "formats");
	pn_json_key(&w, "formats");
	pn_json_open(&w, '[');
	for (i = 0; pn_codecs[i]; i++) {
		const struct pn_codec *c = pn_codecs[i];

		pn_json_open(&w, '{');
		pn_json_member(&w, "name", c->name);
		pn_json_member(&w, "summary", c->summary);
		pn_json_key(&w, "read");
		pn_json_bool(&w, c->read != NULL);
		pn_json_key(&w, "write");
		pn_json_bool(&w, c->write != NULL);
		pn_json_member(&w, "suffix", c->suffix);
		pn_json_member(&w, "recognised_by", c->sniffed_by);
		pn_json_close(&w, '}');
	}
	pn_json_close(&w, ']');
	pn_json_close(&w, '}');
	pn_buf_add_byte(out, '\n');
}

/*
 * With files: what each is, one a line. One that cannot be told is said at
 * once and does not hide the others.
 */
static int recognise(struct pn_buf *out, char **paths, int count)
{
	const struct pn_codec *codec;
	struct pn_error err = {0};
	struct pn_reader *in;
	int i, exit_code = EXIT_DONE;

	for (i = 0; i < count; i++) {
		in = NULL;
		if (pn_reader_open(&in, paths[i], 0, &err) ||
		    pn_codec_sniff(&codec, in, &err)) {
			exit_code = fail(&err);
		} else {
			pn_escape_terminal(out, paths[i], strlen(paths[i]));
			pn_buf_printf(out, "\t%s\n", codec->name);
		}
		pn_reader_free(in);
	}
	return exit_code;
}

static int run(const struct global *global, int argc, char **argv)
{
	struct options o = {0};
	struct pn_error err = {0};
	struct pn_buf text = {0};
	struct output out = {0};
	int code = EXIT_DONE;

	argc = opts_parse(&cmd_formats, &o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	if (argc && o.json)
		return usage(&cmd_formats, "--json is for the table alone");
	if (argc)
		code = recognise(&text, argv, argc);
	else if (o.json)
		list_json(&text);
	if (open_output(&out, global, o.output, false, &err)) {
		code = fail(&err);
	} else {
		if (argc || o.json)
			fwrite(pn_buf_text(&text), 1, text.len, out.file);
		else
			list_text(out.file);
		code = close_output(&out, code);
	}
	pn_buf_release(&text);
	return code;
}

const struct command cmd_formats = {
	.name = "formats",
	.summary = "list the formats, or say which one a file has",
	.synopsis = "formats [--json] [-o <file>]\n"
		    "formats [-o <file>] <file>...",
	.opts = opts,
	.run = run,
};
