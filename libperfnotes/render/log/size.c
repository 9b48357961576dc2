/* What notes and bodies take. */
#include "render/log/size.h"

#include "base/escape.h"
#include "base/json/json.h"
#include "base/text/width.h"
#include "render/quantity.h"

#include <math.h>
#include <string.h>

#define COLUMNS 80
#define COLUMNS_MIN 50
#define BEFORE_NAME 32 /* columns of figures */

static void add_bytes(struct pn_buf *out, uint64_t bytes)
{
	struct pn_buf text = {0};

	pn_quantity_text(&text, (double)bytes, NAN, "bytes");
	pn_buf_printf(out, "%10s", pn_buf_text(&text));
	pn_buf_release(&text);
}

static void add_part(struct pn_buf *out, const char *name,
		     const struct pn_size_part *part)
{
	pn_buf_printf(out, "%-8s %8zu ", name, part->count);
	add_bytes(out, part->bytes);
	pn_buf_add_byte(out, ' ');
	add_bytes(out, part->disk);
	if (part->absent)
		pn_buf_printf(out, "  %zu more %s not here", part->absent,
			      part->absent == 1 ? "is" : "are");
	pn_buf_add_byte(out, '\n');
}

static void add_row(struct pn_buf *out, const struct pn_size_row *row,
		    size_t columns)
{
	int indent = (int)(2 * row->depth);
	struct pn_buf name = {0};

	pn_buf_printf(out, "%8zu ", row->records);
	add_bytes(out, row->lines);
	pn_buf_add_byte(out, ' ');
	add_bytes(out, row->bodies.disk);
	pn_buf_printf(out, "  %*s", indent, "");
	pn_escape_terminal(&name, row->name, strlen(row->name));
	pn_text_fit_name(out, pn_buf_text(&name), name.len,
			 columns - BEFORE_NAME - (size_t)indent);
	pn_buf_add_byte(out, '\n');
	pn_buf_release(&name);
}

void pn_size_text(struct pn_buf *out, const struct pn_size *size,
		  size_t columns)
{
	size_t i;

	if (!columns || columns > COLUMNS)
		columns = COLUMNS;
	if (columns < COLUMNS_MIN)
		columns = COLUMNS_MIN;

	if (!size->notes.count && !size->notes.absent) {
		pn_buf_add_text(out, "no profiles are stored\n");
		return;
	}
	pn_buf_printf(out, "%-8s %8s %10s %10s\n", "", "count", "bytes",
		      "on disk");
	add_part(out, "notes", &size->notes);
	add_part(out, "bodies", &size->bodies);
	add_part(out, "packed", &size->packed);
	add_part(out, "loose", &size->loose);
	pn_buf_printf(out, "%-28s ", "all that the ref leads to");
	add_bytes(out, size->history);
	if (size->known_freed) {
		if (columns < COLUMNS)
			pn_buf_add_byte(out, '\n');
		pn_buf_add_text(out, "  of which gc would free about ");
		pn_quantity_text(out, (double)size->freed, NAN, "bytes");
	}
	pn_buf_printf(out, "\n\n%8s %10s %10s  %s\n", "records", "lines",
		      "bodies", size->by);
	for (i = 0; i < size->row_count; i++)
		add_row(out, &size->rows[i], columns);
}

/* From the top of the tree to the row. */
static void add_path_json(struct pn_json_writer *w, const struct pn_size *size,
			  const struct pn_size_row *row)
{
	size_t depth;

	pn_json_key(w, "path");
	pn_json_open(w, '[');
	for (depth = 0; depth <= row->depth; depth++)
		pn_json_string(w, pn_size_row_at(size->rows, row, depth)->name);
	pn_json_close(w, ']');
}

static void add_part_json(struct pn_json_writer *w, const char *key,
			  const struct pn_size_part *part)
{
	pn_json_key(w, key);
	pn_json_open(w, '{');
	pn_json_member_int(w, "count", (int64_t)part->count);
	pn_json_member_int(w, "bytes", (int64_t)part->bytes);
	pn_json_member_int(w, "disk", (int64_t)part->disk);
	pn_json_member_int(w, "absent", (int64_t)part->absent);
	pn_json_close(w, '}');
}

void pn_size_json(struct pn_buf *out, const struct pn_size *size)
{
	struct pn_json_writer w;
	size_t i;

	pn_json_writer_init(&w, out, 2);
	pn_json_open(&w, '{');
	pn_json_member_int(&w, "version", 1);
	pn_json_member(&w, "command", "size");
	add_part_json(&w, "notes", &size->notes);
	add_part_json(&w, "bodies", &size->bodies);
	add_part_json(&w, "packed", &size->packed);
	add_part_json(&w, "loose", &size->loose);
	pn_json_member_int(&w, "history", (int64_t)size->history);
	if (size->known_freed)
		pn_json_member_int(&w, "freed", (int64_t)size->freed);
	pn_json_member(&w, "by", size->by);
	pn_json_key(&w, "rows");
	pn_json_open(&w, '[');
	for (i = 0; i < size->row_count; i++) {
		pn_json_open(&w, '{');
		pn_json_member(&w, "name", size->rows[i].name);
		if (!strcmp(size->by, "tree"))
			add_path_json(&w, size, &size->rows[i]);
		pn_json_member_int(&w, "records",
				   (int64_t)size->rows[i].records);
		pn_json_member_int(&w, "lines", (int64_t)size->rows[i].lines);
		add_part_json(&w, "bodies", &size->rows[i].bodies);
		pn_json_close(&w, '}');
	}
	pn_json_close(&w, ']');
	pn_json_close(&w, '}');
	pn_buf_add_byte(out, '\n');
}
