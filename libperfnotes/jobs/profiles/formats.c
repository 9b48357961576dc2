/* Formats, as rows and by what they recognise. */
#include "jobs/profiles/formats.h"

#include "base/escape.h"
#include "codec/codec.h"

#include <string.h>

void pn_formats_table(struct pn_table *out, const char *word)
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
		columns[1].below = columns[7].below = true;
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

static bool has_letter(const char *text)
{
	for (; *text; text++)
		if ((*text >= 'a' && *text <= 'z') ||
		    (*text >= 'A' && *text <= 'Z'))
			return true;
	return false;
}

bool pn_formats_are_about(const char *word)
{
	size_t i;

	if (!has_letter(word))
		return false;
	for (i = 0; pn_codecs[i]; i++)
		if (pn_codec_is_about(pn_codecs[i], word))
			return true;
	return false;
}

int pn_format_of_file(const char **out, const char *path, struct pn_error *err)
{
	const struct pn_codec *codec;
	struct pn_reader *in = NULL;
	int code = pn_reader_open(&in, path, 0, err);

	if (!code)
		code = pn_codec_sniff(&codec, in, err);
	if (!code)
		*out = codec->name;
	pn_reader_free(in);
	return code;
}

int pn_format_of_found(const char **out, const struct pn_found *found,
		       const char *name, struct pn_error *err)
{
	const char *format =
		found->entry ? pn_entry_field(found->entry, "format") : "";

	if (*format)
		*out = format;
	else if (found->entry)
		return pn_error_set(err, PN_EFORMAT,
				    "the entry of '%s' names no format", name);
	else
		return pn_format_of_file(out, found->path, err);
	return 0;
}

void pn_format_line(struct pn_buf *out, const char *name, const char *format)
{
	pn_escape_terminal(out, name, strlen(name));
	pn_buf_add_byte(out, '\t');
	pn_escape_terminal(out, format, strlen(format));
	pn_buf_add_byte(out, '\n');
}
