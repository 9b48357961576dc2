/* perf script: frames by their text, and what they say. */
#include "codec/perf_script/perf_script.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/number.h"
#include "codec/program.h"

#include <stdlib.h>
#include <string.h>

#define INLINED "(inlined)"
#define COMM_MAX 15 /* the kernel cuts it: prctl(2), PR_SET_NAME */

void pn_perf_frames_release(struct pn_perf_frames *f)
{
	pn_arena_release(&f->arena);
	free(f->items);
	pn_slots_release(&f->slots);
	pn_strtab_release(&f->functions);
	free(f->mapping_of);
	free(f->comm_of);
	memset(f, 0, sizeof(*f));
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

uint32_t pn_perf_frame(struct pn_perf_frames *f, const char *text, size_t len)
{
	uint32_t hash = pn_slots_hash_bytes(&f->slots, text, len), row;
	size_t at = pn_slots_first(&f->slots, hash);
	struct pn_perf_frame *frame;

	while (pn_slots_row(&row, &f->slots, &at, hash)) {
		frame = &f->items[row];
		if (frame->len == len && !memcmp(frame->text, text, len))
			return row;
	}
	f->items = pn_grow(f->items, &f->cap, f->count + 1, sizeof(*f->items));
	frame = &f->items[f->count];
	frame->text = pn_arena_copy(&f->arena, text, len);
	frame->len = (uint32_t)len;
	frame->location = PN_NONE;
	frame->placed = false;
	frame->inlined =
		len > strlen(INLINED) &&
		!memcmp(text + len - strlen(INLINED), INLINED, strlen(INLINED));
	pn_slots_add(&f->slots, hash, (uint32_t)f->count);
	return (uint32_t)f->count++;
}

uint32_t pn_perf_frame_at(struct pn_perf_frames *f, uint32_t frame,
			  const char *place, size_t len)
{
	bool inlined = f->items[frame].inlined;
	struct pn_buf both = {0};
	uint32_t joined;

	pn_buf_add(&both, f->items[frame].text, f->items[frame].len);
	pn_buf_add_byte(&both, '\n');
	pn_buf_add(&both, place, len);
	joined = pn_perf_frame(f, (const char *)both.data, both.len);
	pn_buf_release(&both);
	f->items[joined].inlined = inlined;
	f->items[joined].placed = true;
	return joined;
}

/* A frame's line taken apart. */
struct parts {
	uint64_t address;
	struct pn_perf_text symbol, object; /* empty: unknown */
	struct pn_perf_text file;
	int64_t line;
};

static void trim(struct pn_perf_text *text)
{
	while (text->len && is_blank(*text->at)) {
		text->at++;
		text->len--;
	}
	while (text->len && is_blank(text->at[text->len - 1]))
		text->len--;
}

static bool is_unknown(struct pn_perf_text text)
{
	return text.len == strlen(PN_PERF_UNKNOWN) &&
	       !memcmp(text.at, PN_PERF_UNKNOWN, text.len);
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Take "address " off; a frame may have none. */
static void take_address(struct parts *out, struct pn_perf_text *text)
{
	uint64_t address = 0;
	size_t i = 0;

	while (i < text->len && i < 17 && hex_digit(text->at[i]) >= 0)
		address = address << 4 | (unsigned int)hex_digit(text->at[i++]);
	if (!i || i > 16 || (i < text->len && !is_blank(text->at[i])))
		return;
	out->address = address;
	text->at += i;
	text->len -= i;
	trim(text);
}

/* "+0x1f" at the end says where in the symbol or object. */
static void cut_offset(struct pn_perf_text *text)
{
	size_t at = text->len;

	while (at && hex_digit(text->at[at - 1]) >= 0)
		at--;
	if (at < text->len && at > 3 && !memcmp(text->at + at - 3, "+0x", 3))
		text->len = at - 3;
}

/* "(object)" at the end; names may have parentheses of their own. */
static void take_object(struct parts *out, struct pn_perf_text *text)
{
	size_t at = text->len, depth = 0;

	if (!text->len || text->at[text->len - 1] != ')')
		return;
	do {
		at--;
		if (text->at[at] == ')')
			depth++;
		else if (text->at[at] == '(')
			depth--;
	} while (at && depth);
	if (depth || (at && !is_blank(text->at[at - 1])))
		return;
	out->object.at = text->at + at + 1;
	out->object.len = text->len - at - 2;
	cut_offset(&out->object);
	text->len = at;
	trim(text);
}

/* "  file.c:12" in a line that follows; what is not known is "??:0", or
 * "object[address]". */
static void take_place(struct parts *out, struct pn_perf_text text)
{
	size_t at;

	trim(&text);
	for (at = text.len; at && hex_digit(text.at[at - 1]) >= 0; at--)
		;
	if (at < 2 || at == text.len || text.at[at - 1] != ':' ||
	    !pn_number_int(&out->line, text.at + at, text.len - at) ||
	    *text.at == '?') {
		out->line = 0;
		return;
	}
	out->file.at = text.at;
	out->file.len = at - 1;
}

static void take_apart(struct parts *out, struct pn_perf_text line)
{
	const char *lf = memchr(line.at, '\n', line.len);
	struct pn_perf_text place;

	memset(out, 0, sizeof(*out));
	if (lf) {
		place.at = lf + 1;
		place.len = line.len - (size_t)(place.at - line.at);
		line.len = (size_t)(lf - line.at);
		take_place(out, place);
	}
	trim(&line);
	take_address(out, &line);
	take_object(out, &line);
	cut_offset(&line);
	out->symbol = line;
	if (is_unknown(out->object))
		out->object.len = 0;
}

static uint32_t function_of(struct pn_perf_frames *f, uint32_t name,
			    uint32_t file)
{
	uint64_t key = (uint64_t)name << 32 | file;
	struct pn_function function = {.name = name, .file = file};
	size_t had;
	uint32_t id;

	if (!f->functions.count)
		/* takes id 0, so that no function has it */
		pn_strtab_add(&f->functions, "", 0);
	had = f->functions.count;
	id = pn_strtab_add(&f->functions, &key, sizeof(key));
	if (f->functions.count != had)
		pn_profile_add_function(f->p, &function);
	return id - 1;
}

static uint32_t string_of(struct pn_perf_frames *f, struct pn_perf_text text)
{
	return pn_strtab_add(&f->p->strings, text.at, text.len);
}

/* The element that a table has for a string; the table grows as needed, with
 * zeros. */
static uint32_t *by_string(uint32_t **table, size_t *cap, uint32_t string)
{
	size_t had = *cap;

	*table = pn_grow(*table, cap, (size_t)string + 1, sizeof(**table));
	if (*cap > had)
		memset(*table + had, 0, (*cap - had) * sizeof(**table));
	return &(*table)[string];
}

static uint32_t mapping_of(struct pn_perf_frames *f, struct pn_perf_text object)
{
	struct pn_mapping mapping = {0};
	uint32_t *known;

	if (!object.len)
		return PN_NONE;
	mapping.file = string_of(f, object);
	known = by_string(&f->mapping_of, &f->mapping_cap, mapping.file);
	if (!*known)
		*known = pn_profile_add_mapping(f->p, &mapping) + 1;
	return *known - 1;
}

static bool line_of(struct pn_line *out, struct pn_perf_frames *f,
		    const struct parts *parts)
{
	static const struct pn_perf_text unknown = {
		PN_PERF_UNKNOWN, sizeof(PN_PERF_UNKNOWN) - 1};
	struct pn_perf_text name = parts->symbol;

	memset(out, 0, sizeof(*out));
	if (!name.len || is_unknown(name)) {
		/* an object or an address says more than this name */
		if (parts->object.len || (!name.len && parts->address))
			return false;
		name = unknown;
	}
	out->function =
		function_of(f, string_of(f, name),
			    parts->file.len ? string_of(f, parts->file) : 0);
	out->line = parts->line;
	return true;
}

/* The location of a frame and of those that were inlined into it, which come
 * first: frames[0] up to frames[count - 1]. */
static uint32_t make_location(struct pn_perf_frames *f, const uint32_t *frames,
			      size_t count)
{
	struct pn_location location = {.mapping = PN_NONE};
	struct pn_line *lines = pn_calloc(count, sizeof(*lines));
	struct parts parts = {0};
	size_t i, have = 0;
	uint32_t at;

	for (i = 0; i < count; i++) {
		struct pn_perf_text text = {f->items[frames[i]].text,
					    f->items[frames[i]].len};

		take_apart(&parts, text);
		if (f->items[frames[i]].inlined)
			parts.object.len = 0;
		have += line_of(&lines[have], f, &parts);
	}
	location.address = parts.address;
	location.mapping = mapping_of(f, parts.object);
	at = pn_profile_add_location(f->p, &location, lines, have);
	free(lines);
	return at;
}

/* Frames that only repeat what the process is called: "(comm)". */
static bool is_process_name(const struct pn_perf_frame *frame)
{
	struct pn_perf_text text = {frame->text, frame->len};
	struct parts parts;

	if (frame->location != PN_NONE || !memchr(text.at, '(', text.len))
		return false;
	take_apart(&parts, text);
	return parts.symbol.len && *parts.symbol.at == '(' &&
	       !(parts.symbol.len > 10 &&
		 !memcmp(parts.symbol.at, "(anonymous", 10));
}

/* A run of inlined frames and what they are in as one frame, by the texts of
 * all. */
static uint32_t join_run(struct pn_perf_frames *f, const uint32_t *frames,
			 size_t count)
{
	struct pn_buf all = {0};
	uint32_t joined;
	size_t i;

	for (i = 0; i < count; i++) {
		pn_buf_add_byte(&all, '\n');
		pn_buf_add(&all, f->items[frames[i]].text,
			   f->items[frames[i]].len);
	}
	joined = pn_perf_frame(f, (const char *)all.data, all.len);
	pn_buf_release(&all);
	if (f->items[joined].location == PN_NONE)
		f->items[joined].location = make_location(f, frames, count);
	return f->items[joined].location;
}

size_t pn_perf_locations(struct pn_perf_frames *f, uint32_t *frames,
			 size_t count)
{
	size_t i, first = 0, used = 0;
	struct pn_perf_frame *frame;

	for (i = 0; i < count; i++) {
		frame = &f->items[frames[i]];
		if (frame->inlined && i + 1 < count)
			continue;
		if (first < i) {
			frames[used++] =
				join_run(f, frames + first, i - first + 1);
		} else if (!is_process_name(frame)) {
			if (frame->location == PN_NONE)
				frame->location =
					make_location(f, frames + i, 1);
			frames[used++] = frame->location;
		}
		first = i + 1;
	}
	return used;
}

uint32_t pn_perf_comm(struct pn_perf_frames *f, const char *comm, size_t len)
{
	struct pn_perf_text text = {comm, len};
	struct pn_location location = {.mapping = PN_NONE};
	struct pn_line line = {0};
	uint32_t name = string_of(f, text);
	uint32_t *known = by_string(&f->comm_of, &f->comm_cap, name);

	if (!*known) {
		line.function = function_of(f, name, 0);
		*known = pn_profile_add_location(f->p, &location, &line, 1) + 1;
	}
	return *known - 1;
}

/* The location, plus 1, that stands for a process called like the file, where
 * a record had no stack; 0: no process is called so. */
static uint32_t comm_of(const struct pn_perf_frames *f, const char *file)
{
	const char *base = pn_file_basename(file);
	uint32_t name;

	if (!pn_strtab_find(&name, &f->p->strings, base,
			    strnlen(base, COMM_MAX)) ||
	    name >= f->comm_cap)
		return 0;
	return f->comm_of[name];
}

void pn_perf_program_first(struct pn_perf_frames *f)
{
	struct pn_profile *p = f->p;
	uint32_t i, program = PN_NONE, first = PN_NONE;

	for (i = 0; i < p->mapping_count; i++) {
		uint32_t comm =
			comm_of(f, pn_profile_text(p, p->mappings[i].file));

		/* the process that was seen first is the program: its
		 * location has the lowest number */
		if (comm && comm < first) {
			first = comm;
			program = i;
		}
	}
	pn_program_first(p, program == PN_NONE ? pn_program_guess(p) : program);
}
