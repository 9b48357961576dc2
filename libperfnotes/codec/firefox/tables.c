/* Firefox's profiles: columns, and the place that a frame is. */
#include "codec/firefox/firefox.h"

#include "base/alloc.h"
#include "model/unnamed.h"

#include <stdlib.h>
#include <string.h>

/* Of frames and of functions: which columns say something in this row. */
#define FRAME_HAS_ADDRESS 2
#define FRAME_HAS_LINE 16
#define FRAME_HAS_COLUMN 32
#define FUNC_HAS_RESOURCE 4
#define FUNC_HAS_SOURCE 8
#define FUNC_HAS_LINE 16

void pn_firefox_tables_release(struct pn_firefox_tables *t)
{
	size_t i;

	for (i = 0; i < PN_FIREFOX_COLUMNS; i++)
		free(t->columns[i].items);
}

void pn_firefox_release(struct pn_firefox *ff)
{
	pn_firefox_tables_release(&ff->shared);
	pn_frames_release(&ff->frames);
}

void pn_firefox_share(struct pn_firefox_tables *out,
		      const struct pn_firefox_tables *own,
		      const struct pn_firefox_tables *shared)
{
	size_t i;

	if (!own->columns[PN_FIREFOX_STACK_FRAME].count)
		own = shared;
	*out = *own;
	for (i = PN_FIREFOX_SOURCE_FILE; i < PN_FIREFOX_COLUMNS; i++)
		if (!out->columns[i].count)
			out->columns[i] = shared->columns[i];
}

struct lib {
	struct pn_mapping mapping;
	uint32_t name;
};

/* Addresses of frames are counted from the beginning of the library. */
int pn_firefox_take_lib(void *to, struct pn_json *json,
			enum pn_json_event first, struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		PN_JSON_FIELD("name", lib, name),
		PN_JSON_FIELD("path", lib, mapping.file),
		PN_JSON_FIELD("codeId", lib, mapping.build_id),
		{0},
	};
	struct pn_firefox_tables *t = to;
	struct pn_json_ints *libs = &t->columns[PN_FIREFOX_LIBS];
	struct lib lib = {.name = 0};
	int code = pn_json_walk_object(&lib, &t->p->strings, json, first,
				       fields, err);

	if (code)
		return code;
	if (!lib.mapping.file)
		lib.mapping.file = lib.name;
	libs->items = pn_grow(libs->items, &libs->cap, libs->count + 1,
			      sizeof(*libs->items));
	libs->items[libs->count++] = pn_profile_add_mapping(t->p, &lib.mapping);
	return 0;
}

#define COLUMN(name, column)                                                   \
	PN_JSON_FIELD_OR_NULL(name, pn_firefox_tables,                         \
			      columns[PN_FIREFOX_##column])

static const struct pn_json_field stacks[] = {
	COLUMN("frame", STACK_FRAME),
	COLUMN("prefix", STACK_PREFIX),
	COLUMN("prefixOffset", STACK_OFFSET),
	{0},
};
static const struct pn_json_field frames[] = {
	COLUMN("flags", FRAME_FLAGS),
	COLUMN("func", FRAME_FUNC),
	COLUMN("address", FRAME_ADDRESS),
	COLUMN("lib", FRAME_LIB),
	COLUMN("line", FRAME_LINE),
	COLUMN("column", FRAME_COLUMN),
	{0},
};
static const struct pn_json_field funcs[] = {
	COLUMN("flags", FUNC_FLAGS),
	COLUMN("name", FUNC_NAME),
	COLUMN("fileName", FUNC_FILE),
	COLUMN("source", FUNC_SOURCE),
	COLUMN("resource", FUNC_RESOURCE),
	COLUMN("lineNumber", FUNC_LINE),
	{0},
};
static const struct pn_json_field resources[] = {
	COLUMN("lib", RESOURCE_LIB),
	{0},
};
static const struct pn_json_field sources[] = {
	COLUMN("filename", SOURCE_FILE),
	{0},
};

const struct pn_json_field pn_firefox_fields[] = {
	{"stackTable", .fields = stacks},
	{"frameTable", .fields = frames},
	{"funcTable", .fields = funcs},
	{"resourceTable", .fields = resources},
	{"sources", .fields = sources},
	{"libs", .each = pn_firefox_take_lib},
	PN_JSON_STRINGS("stringArray", pn_firefox_tables,
			columns[PN_FIREFOX_STRINGS]),
	PN_JSON_STRINGS("stringTable", pn_firefox_tables,
			columns[PN_FIREFOX_STRINGS]),
	{0},
};

int64_t pn_firefox_item(const struct pn_firefox_tables *t,
			enum pn_firefox_column column, int64_t at)
{
	const struct pn_json_ints *list = &t->columns[column];

	return at >= 0 && (uint64_t)at < list->count ? list->items[at] : -1;
}

/* -1 as well where the row's flags say so. */
static int64_t flagged(const struct pn_firefox_tables *t,
		       enum pn_firefox_column flags, int64_t flag,
		       enum pn_firefox_column column, int64_t at)
{
	if (t->columns[flags].count && !(pn_firefox_item(t, flags, at) & flag))
		return -1;
	return pn_firefox_item(t, column, at);
}

static int64_t of_frame(const struct pn_firefox_tables *t, int64_t flag,
			enum pn_firefox_column column, int64_t frame)
{
	return flagged(t, PN_FIREFOX_FRAME_FLAGS, flag, column, frame);
}

static int64_t of_func(const struct pn_firefox_tables *t, int64_t flag,
		       enum pn_firefox_column column, int64_t func)
{
	return flagged(t, PN_FIREFOX_FUNC_FLAGS, flag, column, func);
}

static uint32_t string_of(const struct pn_firefox_tables *t, int64_t at)
{
	int64_t id = pn_firefox_item(t, PN_FIREFOX_STRINGS, at);

	return id < 0 ? 0 : (uint32_t)id;
}

static uint32_t file_of(const struct pn_firefox_tables *t, int64_t func)
{
	int64_t source =
		of_func(t, FUNC_HAS_SOURCE, PN_FIREFOX_FUNC_SOURCE, func);

	return string_of(
		t, source < 0 ? pn_firefox_item(t, PN_FIREFOX_FUNC_FILE, func)
			      : pn_firefox_item(t, PN_FIREFOX_SOURCE_FILE,
						source));
}

/* The library that a frame is in, as a mapping. */
static uint32_t mapping_of(const struct pn_firefox_tables *t, int64_t frame,
			   int64_t func)
{
	int64_t lib =
		of_frame(t, FRAME_HAS_ADDRESS, PN_FIREFOX_FRAME_LIB, frame);

	if (!t->columns[PN_FIREFOX_FRAME_LIB].count)
		lib = pn_firefox_item(t, PN_FIREFOX_RESOURCE_LIB,
				      of_func(t, FUNC_HAS_RESOURCE,
					      PN_FIREFOX_FUNC_RESOURCE, func));
	lib = pn_firefox_item(t, PN_FIREFOX_LIBS, lib);
	return lib < 0 ? PN_NONE : (uint32_t)lib;
}

uint32_t pn_firefox_location(struct pn_firefox *ff,
			     const struct pn_firefox_tables *t, int64_t frame)
{
	int64_t func = pn_firefox_item(t, PN_FIREFOX_FRAME_FUNC, frame);
	int64_t line = of_func(t, FUNC_HAS_LINE, PN_FIREFOX_FUNC_LINE, func);
	int64_t address =
		of_frame(t, FRAME_HAS_ADDRESS, PN_FIREFOX_FRAME_ADDRESS, frame);
	struct pn_frame f = {
		.name = string_of(
			t, pn_firefox_item(t, PN_FIREFOX_FUNC_NAME, func)),
		.file = file_of(t, func),
		.mapping = mapping_of(t, frame, func),
		.start_line = line < 0 ? 0 : line,
		.address = address < 0 ? 0 : (uint64_t)address,
	};

	line = of_frame(t, FRAME_HAS_LINE, PN_FIREFOX_FRAME_LINE, frame);
	f.line = line < 0 ? f.start_line : line;
	line = of_frame(t, FRAME_HAS_COLUMN, PN_FIREFOX_FRAME_COLUMN, frame);
	f.column = line < 0 ? 0 : line;
	if (address >= 0 && f.mapping != PN_NONE &&
	    ff->p->mappings[f.mapping].file &&
	    pn_unnamed_is_address(pn_profile_text(ff->p, f.name)))
		return pn_frames_inlined(&ff->frames, ff->p, &f, NULL, 0);
	return pn_frames_location(&ff->frames, ff->p, &f);
}
