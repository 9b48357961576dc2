/* Firefox's profiles: columns, and the place that a frame is. */
#include "codec/firefox/firefox.h"

#include "base/alloc.h"

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

static int64_t *append(struct pn_firefox_list *list)
{
	list->items = pn_grow(list->items, &list->cap, list->count + 1,
			      sizeof(*list->items));
	return &list->items[list->count++];
}

int pn_firefox_take_item(void *to, struct pn_json *json,
			 enum pn_json_event first, struct pn_error *err)
{
	int64_t *item = append(to);

	*item = -1;
	return first == PN_JSON_NULL ? 0
				     : pn_json_take_int(item, json, first, err);
}

#define COLUMN(name, column)                                                   \
	static int take_##name(void *to, struct pn_json *json,                 \
			       enum pn_json_event first, struct pn_error *err) \
	{                                                                      \
		struct pn_firefox *ff = to;                                    \
                                                                               \
		return pn_json_walk_array(                                     \
			&ff->at->columns[PN_FIREFOX_##column], json, first,    \
			pn_firefox_take_item, err);                            \
	}
COLUMN(stack_frame, STACK_FRAME)
COLUMN(stack_prefix, STACK_PREFIX)
COLUMN(stack_offset, STACK_OFFSET)
COLUMN(frame_flags, FRAME_FLAGS)
COLUMN(frame_func, FRAME_FUNC)
COLUMN(frame_address, FRAME_ADDRESS)
COLUMN(frame_lib, FRAME_LIB)
COLUMN(frame_line, FRAME_LINE)
COLUMN(frame_column, FRAME_COLUMN)
COLUMN(func_flags, FUNC_FLAGS)
COLUMN(func_name, FUNC_NAME)
COLUMN(func_file, FUNC_FILE)
COLUMN(func_source, FUNC_SOURCE)
COLUMN(func_resource, FUNC_RESOURCE)
COLUMN(func_line, FUNC_LINE)
COLUMN(resource_lib, RESOURCE_LIB)
COLUMN(source_file, SOURCE_FILE)

#define TABLE(name, ...)                                                       \
	int pn_firefox_take_##name(void *to, struct pn_json *json,             \
				   enum pn_json_event first,                   \
				   struct pn_error *err)                       \
	{                                                                      \
		static const struct pn_json_field fields[] = {__VA_ARGS__,     \
							      {0}};            \
                                                                               \
		return pn_json_walk_object(to, json, first, fields, err);      \
	}
TABLE(stacks, {"frame", take_stack_frame}, {"prefix", take_stack_prefix},
      {"prefixOffset", take_stack_offset})
TABLE(frames, {"flags", take_frame_flags}, {"func", take_frame_func},
      {"address", take_frame_address}, {"lib", take_frame_lib},
      {"line", take_frame_line}, {"column", take_frame_column})
TABLE(funcs, {"flags", take_func_flags}, {"name", take_func_name},
      {"fileName", take_func_file}, {"source", take_func_source},
      {"resource", take_func_resource}, {"lineNumber", take_func_line})
TABLE(resources, {"lib", take_resource_lib})
TABLE(sources, {"filename", take_source_file})

static int take_string(void *to, struct pn_json *json, enum pn_json_event first,
		       struct pn_error *err)
{
	struct pn_firefox *ff = to;
	uint32_t id;
	int code = pn_json_take_string(&id, &ff->p->strings, json, first, err);

	if (!code)
		*append(&ff->at->columns[PN_FIREFOX_STRINGS]) = id;
	return code;
}

int pn_firefox_take_strings(void *to, struct pn_json *json,
			    enum pn_json_event first, struct pn_error *err)
{
	return pn_json_walk_array(to, json, first, take_string, err);
}

#define LIB(name, member)                                                      \
	static int take_lib_##name(void *to, struct pn_json *json,             \
				   enum pn_json_event first,                   \
				   struct pn_error *err)                       \
	{                                                                      \
		struct pn_firefox *ff = to;                                    \
                                                                               \
		return pn_json_take_string(&ff->member, &ff->p->strings, json, \
					   first, err);                        \
	}
LIB(name, lib_name)
LIB(path, lib.file)
LIB(code_id, lib.build_id)

/* Addresses of frames are counted from the beginning of the library. */
static int take_lib(void *to, struct pn_json *json, enum pn_json_event first,
		    struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		{"name", take_lib_name},
		{"path", take_lib_path},
		{"codeId", take_lib_code_id},
		{0},
	};
	struct pn_firefox *ff = to;
	int code;

	ff->lib = (struct pn_mapping){0};
	ff->lib_name = 0;
	code = pn_json_walk_object(ff, json, first, fields, err);
	if (code)
		return code;
	if (!ff->lib.file)
		ff->lib.file = ff->lib_name;
	*append(&ff->at->columns[PN_FIREFOX_LIBS]) =
		pn_profile_add_mapping(ff->p, &ff->lib);
	return 0;
}

int pn_firefox_take_libs(void *to, struct pn_json *json,
			 enum pn_json_event first, struct pn_error *err)
{
	return pn_json_walk_array(to, json, first, take_lib, err);
}

int64_t pn_firefox_item(const struct pn_firefox_tables *t,
			enum pn_firefox_column column, int64_t at)
{
	const struct pn_firefox_list *list = &t->columns[column];

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

/* "0x1f2e", which is what a function without a symbol is called. */
static bool is_address(const struct pn_profile *p, uint32_t name)
{
	const char *text = pn_profile_text(p, name);

	return text[0] == '0' && text[1] == 'x' && text[2] &&
	       !text[2 + strspn(text + 2, "0123456789abcdefABCDEF")];
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
	    ff->p->mappings[f.mapping].file && is_address(ff->p, f.name))
		return pn_frames_inlined(&ff->frames, ff->p, &f, NULL, 0);
	return pn_frames_location(&ff->frames, ff->p, &f);
}
