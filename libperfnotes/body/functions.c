/* Functions of bodies, from their columns. */
#include "body/functions.h"

#include "base/alloc.h"
#include "base/file.h"
#include "body/state.h"
#include "body/values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Callers that are looked at to tell recursion, of all paths: 16 a path of a
 * deep profile with a million; behind that the profile is built. */
#define STEPS_MAX (1u << 26)

/* In a frame: no caller is of the same function. */
#define OUTERMOST 0x80000000u

struct pn_body_functions {
	enum pn_demangling how;
	struct pn_strtab names; /* ids are those of functions */
	const char **files;	/* by id, NULL: not known yet */
	size_t file_cap;
	struct pn_arena arena; /* of files */
	struct pn_buf text;
	/* What the tables below were made of; NULL: nothing. */
	struct pn_body_state *made_of;
	/* Ids of the lines of each location: ids[first[l]] ... */
	uint32_t *first, *ids;
	size_t location_count;
	/* Those of each path, innermost first: frames[frame_first[p]] ... */
	uint32_t *frame_first, *frames;
	size_t path_count, path_cap, frame_cap;
	double *weights; /* of paths */
	size_t weight_cap;
	double *self, *total; /* by id */
	size_t self_cap, total_cap;
	struct pn_buf type, unit;
};

struct pn_body_functions *pn_body_functions_new(enum pn_demangling how)
{
	struct pn_body_functions *f = pn_calloc(1, sizeof(*f));

	f->how = how;
	return f;
}

static void forget(struct pn_body_functions *f)
{
	pn_body_state_free(f->made_of);
	f->made_of = NULL;
	f->path_count = 0;
}

void pn_body_functions_free(struct pn_body_functions *f)
{
	if (!f)
		return;
	forget(f);
	pn_strtab_release(&f->names);
	free(f->files);
	pn_arena_release(&f->arena);
	pn_buf_release(&f->text);
	free(f->first);
	free(f->ids);
	free(f->frame_first);
	free(f->frames);
	free(f->weights);
	free(f->self);
	free(f->total);
	pn_buf_release(&f->type);
	pn_buf_release(&f->unit);
	free(f);
}

const char *pn_body_function_name(const struct pn_body_functions *f, size_t id,
				  size_t *len)
{
	*len = pn_strtab_len(&f->names, (uint32_t)id);
	return pn_strtab_text(&f->names, (uint32_t)id);
}

const char *pn_body_function_file(const struct pn_body_functions *f, size_t id)
{
	return id < f->file_cap && f->files[id] ? f->files[id] : "";
}

/* The strings of a state while its names are read. */
struct strings {
	const struct pn_body_state *s;
	size_t *starts;
	struct pn_arena arena;
};

static void open_strings(struct strings *out, const struct pn_body_state *s)
{
	size_t i, n = pn_body_rows(s, PN_BODY_STRINGS);

	*out = (struct strings){.s = s};
	out->starts = pn_arena_array(&out->arena, n + 1, sizeof(*out->starts));
	out->starts[0] = 0;
	for (i = 0; i < n; i++)
		out->starts[i + 1] =
			out->starts[i] +
			(size_t)pn_body_at(s, PN_BODY_STRING_LEN, i);
}

static const char *string_at(size_t *len, const struct strings *strings,
			     uint64_t row)
{
	*len = 0;
	if (row >= pn_body_rows(strings->s, PN_BODY_STRINGS) ||
	    !strings->s->text)
		return "";
	*len = strings->starts[row + 1] - strings->starts[row];
	return (const char *)strings->s->text->bytes + strings->starts[row];
}

static uint32_t intern(struct pn_body_functions *f, const char *name,
		       size_t len)
{
	pn_buf_clear(&f->text);
	if (!pn_symbol_demangle(&f->text, name, len, f->how))
		pn_buf_add(&f->text, name, len);
	return pn_strtab_add(&f->names, f->text.data, f->text.len);
}

static void know_file(struct pn_body_functions *f, uint32_t id,
		      const char *file, size_t len)
{
	size_t had = f->file_cap;

	f->files = pn_grow(f->files, &f->file_cap, (size_t)id + 1,
			   sizeof(const char *));
	if (f->file_cap > had)
		memset(f->files + had, 0,
		       (f->file_cap - had) * sizeof(const char *));
	if (!f->files[id])
		f->files[id] = pn_arena_copy(&f->arena, file, len);
}

/* The id of a function, PN_NONE where it has no name. */
static uint32_t id_of_function(struct pn_body_functions *f,
			       const struct strings *strings, size_t row)
{
	const struct pn_body_state *s = strings->s;
	uint64_t system = pn_body_at(s, PN_BODY_FUNCTION_SYSTEM, row);
	const char *name, *file;
	size_t len, file_len;
	uint32_t id;

	name = string_at(&len, strings,
			 pn_body_at(s, PN_BODY_FUNCTION_NAME, row));
	/* one with a linker's name alone gets a name where that is mangled */
	if (!len && system && f->how != PN_DEMANGLE_NONE) {
		name = string_at(&len, strings, system - 1);
		if (!pn_symbol_demangle(&f->text, name, len, f->how))
			len = 0;
	}
	if (!len)
		return PN_NONE;
	id = intern(f, name, len);
	file = string_at(&file_len, strings,
			 pn_body_at(s, PN_BODY_FUNCTION_FILE, row));
	know_file(f, id, file, file_len);
	return id;
}

/* What has no name goes by its binary, as pn_nodes_name has it. */
static uint32_t id_of_binary(struct pn_body_functions *f,
			     const struct strings *strings, size_t location)
{
	const struct pn_body_state *s = strings->s;
	uint64_t mapping = pn_body_at(s, PN_BODY_LOCATION_MAPPING, location);
	struct pn_buf path = {0};
	const char *file = "", *base;
	size_t len = 0;
	uint32_t id;

	if (mapping)
		file = string_at(
			&len, strings,
			pn_body_at(s, PN_BODY_MAPPING_FILE, mapping - 1));
	pn_buf_add(&path, file, len);
	base = pn_file_basename(pn_buf_text(&path));
	pn_buf_clear(&f->text);
	if (len)
		pn_buf_printf(&f->text, "[%s]",
			      *base ? base : pn_buf_text(&path));
	else
		pn_buf_add_text(&f->text, "<unknown>");
	id = pn_strtab_add(&f->names, f->text.data, f->text.len);
	pn_buf_release(&path);
	return id;
}

static void fill_places(struct pn_body_functions *f, uint32_t *first,
			uint32_t *ids, struct strings *strings)
{
	const struct pn_body_state *s = strings->s;
	size_t n = pn_body_rows(s, PN_BODY_FUNCTIONS), i, k, line = 0, used = 0;
	uint32_t *functions =
		pn_arena_array(&strings->arena, n + 1, sizeof(*functions));

	for (i = 0; i < n; i++)
		functions[i] = id_of_function(f, strings, i);
	for (i = 0; i < pn_body_rows(s, PN_BODY_LOCATIONS); i++) {
		size_t end =
			line + (size_t)pn_body_at(s, PN_BODY_LOCATION_LINES, i);

		first[i] = (uint32_t)used;
		if (line == end)
			ids[used++] = id_of_binary(f, strings, i);
		for (k = line; k < end; k++) {
			uint32_t id = functions[pn_body_at(
				s, PN_BODY_LINE_FUNCTION, k)];

			ids[used++] = id != PN_NONE
					      ? id
					      : id_of_binary(f, strings, i);
		}
		line = end;
	}
	first[i] = (uint32_t)used;
}

/* The functions of each location; whether those that were there before are
 * what they were. */
static bool make_places(struct pn_body_functions *f,
			const struct pn_body_state *s)
{
	size_t locations = pn_body_rows(s, PN_BODY_LOCATIONS);
	size_t lines = pn_body_rows(s, PN_BODY_LINES), had = f->location_count;
	uint32_t *first = pn_realloc_array(NULL, locations + 1, sizeof(*first));
	uint32_t *ids =
		pn_realloc_array(NULL, locations + lines + 1, sizeof(*ids));
	struct strings strings;
	bool same;

	open_strings(&strings, s);
	fill_places(f, first, ids, &strings);
	same = f->first && locations >= had &&
	       !memcmp(first, f->first, (had + 1) * sizeof(*first)) &&
	       !memcmp(ids, f->ids, f->first[had] * sizeof(*ids));
	pn_arena_release(&strings.arena);
	free(f->first);
	free(f->ids);
	f->first = first;
	f->ids = ids;
	f->location_count = locations;
	return same;
}

static bool is_among(uint32_t id, const uint32_t *at, const uint32_t *end)
{
	for (; at < end; at++)
		if ((*at & ~OUTERMOST) == id)
			return true;
	return false;
}

/* Mark those frames of a path that no caller is of. */
static void mark(struct pn_body_functions *f, const struct pn_body_state *s,
		 size_t path, size_t *steps)
{
	const uint32_t *first = f->frame_first;
	uint32_t k, id;

	for (k = first[path]; k < first[path + 1]; k++) {
		size_t at = path;
		uint64_t up;
		bool inner;

		id = f->frames[k];
		inner = is_among(id, f->frames + k + 1,
				 f->frames + first[path + 1]);
		while (!inner && (up = pn_body_at(s, PN_BODY_PATH_UP, at))) {
			at -= up;
			inner = is_among(id, f->frames + first[at],
					 f->frames + first[at + 1]);
			(*steps)++;
		}
		if (!inner)
			f->frames[k] |= OUTERMOST;
		if (*steps > STEPS_MAX)
			return;
	}
}

/* The frames of paths from `from` on. */
static bool make_paths(struct pn_body_functions *f,
		       const struct pn_body_state *s, size_t from)
{
	size_t n = pn_body_rows(s, PN_BODY_PATHS), i, steps = 0;

	f->frame_first = pn_grow(f->frame_first, &f->path_cap, n + 1,
				 sizeof(*f->frame_first));
	f->frame_first[0] = 0;
	for (i = from; i < n && steps <= STEPS_MAX; i++) {
		size_t location =
			(size_t)pn_body_at(s, PN_BODY_PATH_LOCATION, i);
		size_t count = f->first[location + 1] - f->first[location];

		if (f->frame_first[i] + count >= OUTERMOST)
			return false;
		f->frames =
			pn_grow(f->frames, &f->frame_cap,
				f->frame_first[i] + count, sizeof(*f->frames));
		memcpy(f->frames + f->frame_first[i],
		       f->ids + f->first[location], count * sizeof(*f->frames));
		f->frame_first[i + 1] = f->frame_first[i] + (uint32_t)count;
		mark(f, s, i, &steps);
	}
	f->path_count = n;
	return steps <= STEPS_MAX;
}

static bool begins_as(const struct pn_body_state *s,
		      const struct pn_body_state *old, unsigned int column,
		      size_t rows)
{
	const struct pn_body_words *a = s->columns[column];
	const struct pn_body_words *b = old->columns[column];

	if (a == b)
		return true;
	return a && b && a->count >= rows && b->count >= rows &&
	       !memcmp(a->at, b->at, rows * sizeof(*a->at));
}

static bool has_same(const struct pn_body_state *s,
		     const struct pn_body_state *old,
		     const unsigned int *columns, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (s->columns[columns[i]] != old->columns[columns[i]])
			return false;
	return true;
}

/* Bring the tables to a state: all of them, what is new, or nothing. */
static bool make_tables(struct pn_body_functions *f,
			const struct pn_body_state *s)
{
	static const unsigned int place_columns[] = {
		PN_BODY_STRING_LEN,	  PN_BODY_FUNCTION_NAME,
		PN_BODY_FUNCTION_SYSTEM,  PN_BODY_LOCATION_LINES,
		PN_BODY_LOCATION_MAPPING, PN_BODY_LINE_FUNCTION,
		PN_BODY_MAPPING_FILE};
	const struct pn_body_state *old = f->made_of;
	size_t rows = f->path_count;
	bool stays;

	stays = old && s->text == old->text &&
		pn_body_rows(s, PN_BODY_LOCATIONS) == f->location_count &&
		has_same(s, old, place_columns,
			 sizeof(place_columns) / sizeof(*place_columns));
	if (!stays)
		stays = make_places(f, s) && old;
	if (!stays || pn_body_rows(s, PN_BODY_PATHS) < rows ||
	    !begins_as(s, old, PN_BODY_PATH_UP, rows) ||
	    !begins_as(s, old, PN_BODY_PATH_LOCATION, rows))
		rows = 0;
	if (!(old && rows == pn_body_rows(s, PN_BODY_PATHS) && rows) &&
	    !make_paths(f, s, rows)) {
		forget(f);
		return false;
	}
	pn_body_state_free(f->made_of);
	f->made_of = pn_body_state_share(s);
	return true;
}

/* A text of the state with a NUL. */
static const char *keep_text(struct pn_buf *out, const struct strings *strings,
			     unsigned int column, size_t row)
{
	size_t len;
	const char *text =
		string_at(&len, strings, pn_body_at(strings->s, column, row));

	pn_buf_clear(out);
	pn_buf_add(out, text, len);
	return pn_buf_text(out);
}

static bool is_text(const struct strings *strings, uint64_t row,
		    const char *text)
{
	size_t len;
	const char *found = string_at(&len, strings, row);

	return len == strlen(text) && !memcmp(found, text, len);
}

static uint64_t meta_string(const struct pn_body_state *s,
			    enum pn_body_meta_string which)
{
	return pn_body_at(s, PN_BODY_META_STRINGS, which);
}

/* The column that is asked for, by its exact name; the default one; else the
 * last. SIZE_MAX: it is not so simple. */
static size_t choose_type(const struct strings *strings, const char *type)
{
	const struct pn_body_state *s = strings->s;
	size_t i, n = pn_body_rows(s, PN_BODY_TYPES);
	uint64_t named = meta_string(s, PN_BODY_META_DEFAULT_TYPE);
	struct pn_buf text = {0};
	const char *name;
	size_t len, found = n ? n - 1 : SIZE_MAX;

	name = string_at(&len, strings, named);
	if (type) {
		name = type;
		len = strlen(type);
		found = SIZE_MAX;
	}
	pn_buf_add(&text, name, len);
	for (i = 0; len && i < n; i++)
		if (is_text(strings, pn_body_at(s, PN_BODY_TYPE_NAME, i),
			    pn_buf_text(&text))) {
			found = i;
			break;
		}
	pn_buf_release(&text);
	return found;
}

static bool has_base_label(const struct strings *strings)
{
	size_t i, n = pn_body_len(strings->s, PN_BODY_LABEL_KEY);

	for (i = 0; i < n; i++)
		if (is_text(strings,
			    pn_body_at(strings->s, PN_BODY_LABEL_KEY, i),
			    "pprof::base"))
			return true;
	return false;
}

static bool is_simple(const struct strings *strings)
{
	const struct pn_body_state *s = strings->s;
	size_t drop;

	string_at(&drop, strings, meta_string(s, PN_BODY_META_DROP));
	return pn_body_rows(s, PN_BODY_ROWS) &&
	       pn_body_rows(s, PN_BODY_TYPES) &&
	       !pn_body_rows(s, PN_BODY_NODES) && !drop &&
	       pn_body_at(s, PN_BODY_META_NUMBERS, PN_BODY_META_RUNS) <= 1 &&
	       !has_base_label(strings);
}

static double number_of(const struct pn_body_state *s, size_t type,
			const union pn_value *row)
{
	if (pn_body_at(s, PN_BODY_TYPE_NUMBER, type) == PN_NUMBER_INT)
		return (double)row[type].i;
	return isfinite(row[type].d) ? row[type].d : 0;
}

/* Own costs, and those of paths by what ends there. */
static double add_rows(struct pn_body_functions *f,
		       const struct pn_body_state *s, size_t type)
{
	size_t n = pn_body_rows(s, PN_BODY_ROWS), i;
	size_t types = pn_body_rows(s, PN_BODY_TYPES);
	union pn_value *values =
		pn_body_values_get(s, PN_BODY_OF_ROWS, NULL, n);
	double sum = 0;

	for (i = 0; i < n; i++) {
		uint64_t stack = pn_body_at(s, PN_BODY_ROW_STACK, i);
		double value = number_of(s, type, values + i * types);

		if (value == 0 || pn_body_at(s, PN_BODY_ROW_GONE, i))
			continue;
		sum += fabs(value);
		if (!stack)
			continue;
		f->weights[stack - 1] += value;
		f->self[f->frames[f->frame_first[stack - 1]] & ~OUTERMOST] +=
			value;
	}
	free(values);
	return sum;
}

/* Callers stand before what they call. */
static void add_paths(struct pn_body_functions *f,
		      const struct pn_body_state *s)
{
	size_t i = f->path_count;
	uint32_t k;

	while (i-- > 0) {
		double weight = f->weights[i];
		uint64_t up = pn_body_at(s, PN_BODY_PATH_UP, i);

		if (weight == 0)
			continue;
		if (up)
			f->weights[i - up] += weight;
		for (k = f->frame_first[i]; k < f->frame_first[i + 1]; k++)
			if (f->frames[k] & OUTERMOST)
				f->total[f->frames[k] & ~OUTERMOST] += weight;
	}
}

static double *zeros(double *array, size_t *cap, size_t count)
{
	array = pn_grow(array, cap, count + 1, sizeof(*array));
	memset(array, 0, (count + 1) * sizeof(*array));
	return array;
}

bool pn_body_functions_read(struct pn_body_costs *out,
			    struct pn_body_functions *f,
			    const struct pn_body_state *s, const char *type)
{
	struct strings strings;
	size_t column = SIZE_MAX;

	open_strings(&strings, s);
	if (is_simple(&strings))
		column = choose_type(&strings, type);
	if (column != SIZE_MAX && make_tables(f, s)) {
		out->count = f->names.count;
		out->type = keep_text(&f->type, &strings, PN_BODY_TYPE_NAME,
				      column);
		out->unit = keep_text(&f->unit, &strings, PN_BODY_TYPE_UNIT,
				      column);
		out->better = (enum pn_better)pn_body_at(s, PN_BODY_TYPE_BETTER,
							 column);
	} else {
		column = SIZE_MAX;
	}
	pn_arena_release(&strings.arena);
	if (column == SIZE_MAX)
		return false;
	f->weights = zeros(f->weights, &f->weight_cap, f->path_count);
	f->self = zeros(f->self, &f->self_cap, out->count);
	f->total = zeros(f->total, &f->total_cap, out->count);
	out->sum = add_rows(f, s, column);
	add_paths(f, s);
	out->self = f->self;
	out->total = f->total;
	return true;
}
