/* The instructions that a disassembly shows. */
#include "jobs/source/disassemble.h"

#include "base/alloc.h"
#include "base/slots.h"
#include "base/text/demangle.h"
#include "base/text/regex.h"
#include "jobs/source/binaries.h"
#include "jobs/source/objdump.h"

#include <stdlib.h>
#include <string.h>

struct binary {
	uint32_t file, id; /* strings of the profile */
	bool meant;
	struct pn_code_file *code; /* NULL: not here */
	struct pn_buf path;
};

struct loading {
	struct pn_assembly *out;
	const struct pn_report *report;
	struct pn_regex *regex;
	uint64_t address; /* that the pattern is; 0: none */
	struct binary *binaries;
	size_t binary_count;
	uint32_t *of_mapping; /* binaries */
	uint32_t *mapping;    /* of each node; PN_NONE */
	struct pn_assembly_place *places;
	size_t place_count;
};

/* Of one file and build id. */
static uint32_t binary_at(struct loading *l, struct pn_slots *known,
			  const struct pn_mapping *m)
{
	uint32_t row, hash = pn_slots_hash_word(known, (uint64_t)m->file << 32 |
							       m->build_id);
	size_t slot = pn_slots_first(known, hash);

	while (pn_slots_row(&row, known, &slot, hash))
		if (l->binaries[row].file == m->file &&
		    l->binaries[row].id == m->build_id)
			return row;
	row = (uint32_t)l->binary_count++;
	l->binaries[row] = (struct binary){m->file, m->build_id};
	pn_slots_add(known, hash, row);
	return row;
}

static void list_binaries(struct loading *l)
{
	const struct pn_profile *p = l->report->profile;
	struct pn_slots known = {0};
	size_t i;

	l->binaries = pn_calloc(p->mapping_count + 1, sizeof(*l->binaries));
	l->of_mapping = pn_calloc(p->mapping_count + 1, sizeof(uint32_t));
	for (i = 0; i < p->mapping_count; i++)
		l->of_mapping[i] = binary_at(l, &known, &p->mappings[i]);
	pn_slots_release(&known);
}

static void map_nodes(struct loading *l)
{
	const struct pn_nodes *nodes = &l->report->nodes;
	const struct pn_profile *p = l->report->profile;
	size_t i, k;

	l->mapping = pn_calloc(nodes->count + 1, sizeof(uint32_t));
	for (i = 0; i < nodes->count; i++)
		l->mapping[i] = PN_NONE;
	for (i = 0; i < p->location_count; i++)
		for (k = nodes->first[i]; k < nodes->first[i + 1]; k++)
			if (p->locations[i].mapping < p->mapping_count)
				l->mapping[nodes->of[k]] =
					p->locations[i].mapping;
}

static const struct pn_node_info *info_of(const struct loading *l, size_t row)
{
	return &l->report->nodes.items[l->report->rows[row].node];
}

static struct binary *binary_of(const struct loading *l, size_t row)
{
	uint32_t mapping = l->mapping[l->report->rows[row].node];

	return mapping == PN_NONE ? NULL : &l->binaries[l->of_mapping[mapping]];
}

static bool matches(const struct loading *l, const char *name)
{
	struct pn_buf plain = {0};
	bool found = pn_regex_match(l->regex, name, strlen(name));

	if (!found && pn_demangle(&plain, name, false) != PN_LANGUAGE_OTHER)
		found = pn_regex_match(l->regex, pn_buf_text(&plain),
				       plain.len);
	pn_buf_release(&plain);
	return found;
}

/* Names of symbols decide in the end; where a profile has names, only binaries
 * with one that matches are looked at. */
static int mean_binaries(struct loading *l, const char *pattern,
			 struct pn_error *err)
{
	bool addressed = false, meant = false;
	size_t i;

	for (i = 0; i < l->report->row_count; i++) {
		const struct pn_node_info *info = info_of(l, i);
		struct binary *binary = binary_of(l, i);

		if (!info->address || !binary || !binary->file)
			continue;
		addressed = true;
		if (l->address || !info->name ||
		    matches(l, pn_profile_text(l->report->profile, info->name)))
			meant = binary->meant = true;
	}
	if (!addressed)
		return pn_error_set(err, PN_ENOTFOUND,
				    "the profile does not say at which "
				    "addresses of which files its costs are");
	return meant ? 0
		     : pn_error_set(err, PN_ENOTFOUND,
				    "no function matches '%s'", pattern);
}

static void miss(struct loading *l, const struct pn_buf *why)
{
	struct pn_assembly *out = l->out;

	out->missing[out->missing_count++] =
		pn_arena_copy(&out->arena, pn_buf_text(why), why->len);
}

static void open_binaries(struct loading *l, const char *where)
{
	const struct pn_profile *p = l->report->profile;
	struct pn_buf why = {0};
	size_t i;

	l->out->missing = pn_arena_array(&l->out->arena, l->binary_count + 1,
					 sizeof(*l->out->missing));
	for (i = 0; i < l->binary_count; i++) {
		struct binary *b = &l->binaries[i];

		if (!b->meant)
			continue;
		pn_buf_clear(&why);
		b->code = pn_binary_find(&b->path, &why,
					 pn_profile_text(p, b->file),
					 pn_profile_text(p, b->id), where);
		if (!b->code)
			miss(l, &why);
	}
	pn_buf_release(&why);
}

static void place_rows(struct loading *l)
{
	const struct pn_profile *p = l->report->profile;
	size_t i;

	l->places = pn_calloc(l->report->row_count + 1, sizeof(*l->places));
	for (i = 0; i < l->report->row_count; i++) {
		struct pn_assembly_place *place = &l->places[l->place_count];
		struct binary *b = binary_of(l, i);
		uint32_t mapping;

		if (!b || !b->code || !info_of(l, i)->address)
			continue;
		mapping = l->mapping[l->report->rows[i].node];
		place->row = (uint32_t)i;
		place->binary = pn_buf_text(&b->path);
		l->place_count += pn_code_address(&place->address, b->code,
						  &p->mappings[mapping],
						  info_of(l, i)->address);
	}
	pn_assembly_sort(l->places, l->place_count);
}

/* A C++ name as it was written. */
static const char *readable(struct loading *l, const char *name)
{
	struct pn_buf plain = {0};
	const char *kept;

	if (pn_demangle(&plain, name, false) == PN_LANGUAGE_OTHER)
		pn_buf_add_text(&plain, name);
	kept = pn_arena_copy(&l->out->arena, pn_buf_text(&plain), plain.len);
	pn_buf_release(&plain);
	return kept;
}

/* The symbols of one place: the best known that matches, or by its address all
 * of them. NULL: it is not meant. */
static const char *name_of(struct loading *l,
			   struct pn_assembly_routine *routine,
			   const struct pn_code_symbol *s, size_t count)
{
	const char **others;
	size_t i;

	if (l->address) {
		if (l->address < routine->start || l->address >= routine->end)
			return NULL;
		others = pn_arena_array(&l->out->arena, count, sizeof(*others));
		for (i = 0; i + 1 < count; i++)
			others[i] = readable(l, s[count - 2 - i].name);
		routine->others = others;
		routine->other_count = count - 1;
		return readable(l, s[count - 1].name);
	}
	for (i = count; i-- > 0;)
		if (matches(l, s[i].name))
			return readable(l, s[i].name);
	return NULL;
}

static int add_routine(struct loading *l, const struct binary *b,
		       const struct pn_code_symbol *s, size_t count,
		       struct pn_error *err)
{
	struct pn_assembly *out = l->out;
	struct pn_assembly_routine routine = {
		.binary = pn_buf_text(&b->path),
		.start = s->start,
		.end = s[count - 1].end,
	};
	const struct pn_assembly_place *places;
	size_t within = pn_assembly_within(&places, l->places, l->place_count,
					   &routine);
	int code;

	if (!within || !(routine.name = name_of(l, &routine, s, count)))
		return 0;
	if (out->routine_count == PN_ASSEMBLY_ROUTINES_MAX)
		return pn_error_set(err, PN_ELIMIT,
				    "more than %d functions match: name fewer",
				    PN_ASSEMBLY_ROUTINES_MAX);
	code = pn_objdump(&routine, &out->arena, routine.binary, err);
	if (code)
		return code;
	pn_assembly_fill(&routine, l->report, places, within);
	out->routines[out->routine_count++] = routine;
	return 0;
}

static int add_routines(struct loading *l, const struct binary *b,
			struct pn_error *err)
{
	const struct pn_code_symbol *list;
	size_t count, i, end;
	int code = 0;

	if (!b->code)
		return 0;
	count = pn_code_symbols(&list, b->code);
	for (i = 0; i < count && !code; i = end) {
		for (end = i + 1;
		     end < count && list[end].start == list[i].start; end++)
			;
		code = add_routine(l, b, list + i, end - i, err);
	}
	return code;
}

static int by_name(const void *left, const void *right)
{
	const struct pn_assembly_routine *a = left, *b = right;
	int order = strcmp(a->name, b->name);

	if (!order)
		order = strcmp(a->binary, b->binary);
	return order ? order : (a->start > b->start) - (a->start < b->start);
}

/* The paths of binaries go with us, the routines stay. */
static void settle(struct pn_assembly *out)
{
	size_t i;

	for (i = 0; i < out->routine_count; i++)
		out->routines[i].binary =
			pn_arena_copy(&out->arena, out->routines[i].binary,
				      strlen(out->routines[i].binary));
	if (out->routine_count)
		qsort(out->routines, out->routine_count, sizeof(*out->routines),
		      by_name);
}

static int load(struct loading *l, const char *pattern, const char *where,
		struct pn_error *err)
{
	size_t i;
	int code;

	list_binaries(l);
	map_nodes(l);
	code = mean_binaries(l, pattern, err);
	if (code)
		return code;
	open_binaries(l, where);
	place_rows(l);
	l->out->routines =
		pn_arena_array(&l->out->arena, PN_ASSEMBLY_ROUTINES_MAX,
			       sizeof(*l->out->routines));
	for (i = 0; i < l->binary_count && !code; i++)
		code = add_routines(l, &l->binaries[i], err);
	settle(l->out);
	if (!code && !l->out->routine_count)
		code = pn_error_set(err, PN_ENOTFOUND, "%s%s%s",
				    l->out->missing_count
					    ? l->out->missing[0]
					    : "no symbol of the binaries at "
					      "these addresses matches '",
				    l->out->missing_count ? "" : pattern,
				    l->out->missing_count ? "" : "'");
	return code;
}

int pn_assembly_load(struct pn_assembly *out, const struct pn_report *report,
		     const char *pattern, const char *where,
		     struct pn_error *err)
{
	struct loading l = {.out = out, .report = report};
	char *end;
	size_t i;
	int code = pn_regex_new(&l.regex, pattern, err);

	memset(out, 0, sizeof(*out));
	if (code)
		return code;
	l.address = strtoull(pattern, &end, 0);
	if (end == pattern || *end)
		l.address = 0;
	code = load(&l, pattern, where, err);
	for (i = 0; i < l.binary_count; i++) {
		pn_code_close(l.binaries[i].code);
		pn_buf_release(&l.binaries[i].path);
	}
	pn_regex_free(l.regex);
	free(l.binaries);
	free(l.of_mapping);
	free(l.mapping);
	free(l.places);
	return code;
}
