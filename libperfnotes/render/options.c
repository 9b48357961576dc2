/* Lists of what has options. */
#include "render/options.h"

#include "base/json/json.h"
#include "base/text/width.h"

#define COLUMNS 80

static void write_option(struct pn_buf *out, const struct pn_option *option,
			 bool apart, size_t columns)
{
	struct pn_buf name = {0}, line = {0};

	pn_buf_printf(&name, "%s%s%s", option->key, option->argument ? "=" : "",
		      option->argument ? option->argument : "");
	pn_buf_printf(&line, apart ? "    %s\n        %s\n" : "    %-23s %s\n",
		      pn_buf_text(&name), option->summary);
	pn_text_wrap(out, pn_buf_text(&line), line.len, columns,
		     apart ? 8 : 28);
	pn_buf_release(&name);
	pn_buf_release(&line);
}

void pn_options_text(struct pn_buf *out, const struct pn_with_options *rows,
		     size_t count, bool apart, size_t columns)
{
	const struct pn_option *option;
	struct pn_buf line = {0};
	size_t i;

	if (!columns || columns > COLUMNS)
		columns = COLUMNS;

	for (i = 0; i < count; i++) {
		pn_buf_clear(&line);
		pn_buf_printf(&line, "%-20s%s\n", rows[i].name,
			      rows[i].summary);
		pn_text_wrap(out, pn_buf_text(&line), line.len, columns, 20);
		for (option = rows[i].options; option && option->key; option++)
			write_option(out, option, apart, columns);
	}
	pn_buf_release(&line);
}

static void write_row(struct pn_json_writer *w,
		      const struct pn_with_options *row)
{
	const struct pn_option *option;

	pn_json_open(w, '{');
	pn_json_member(w, "name", row->name);
	pn_json_member(w, "summary", row->summary);
	pn_json_key(w, "options");
	pn_json_open(w, '[');
	for (option = row->options; option && option->key; option++) {
		pn_json_open(w, '{');
		pn_json_member(w, "key", option->key);
		if (option->argument)
			pn_json_member(w, "argument", option->argument);
		pn_json_member(w, "summary", option->summary);
		pn_json_close(w, '}');
	}
	pn_json_close(w, ']');
	pn_json_close(w, '}');
}

void pn_options_json(struct pn_buf *out, const struct pn_with_options *rows,
		     size_t count, const char *command, const char *member)
{
	struct pn_json_writer w;
	size_t i;

	pn_json_writer_init(&w, out, 0);
	pn_json_open(&w, '{');
	pn_json_member_int(&w, "version", 1);
	pn_json_member(&w, "command", command);
	pn_json_key(&w, member);
	pn_json_open(&w, '[');
	for (i = 0; i < count; i++)
		write_row(&w, &rows[i]);
	pn_json_close(&w, ']');
	pn_json_close(&w, '}');
	pn_buf_add_byte(out, '\n');
}
