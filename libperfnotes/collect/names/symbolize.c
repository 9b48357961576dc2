/*
 * Symbols of a profile by libdwfl, one file after the other: mappings of
 * several processes overlap, files do not.
 */
#include "collect/names/symbolize.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/slots.h"
#include "collect/names/dwarf_names.h"
#include "collect/names/elf_symbols.h"
#include "collect/names/module.h"

#include <stdlib.h>
#include <string.h>

/* A file that is being looked at. */
struct binary {
	struct pn_module module;
	struct pn_dwarf_names *names;
	struct pn_elf_symbols *symbols; /* from the first use on */
};

struct symbolizer {
	struct pn_profile *p;
	struct pn_slots functions; /* of the profile */
};

static uint32_t hash_function(struct symbolizer *s, const struct pn_function *f)
{
	const uint64_t words[] = {f->name, f->system_name, f->file,
				  (uint64_t)f->start_line};

	return pn_slots_hash(&s->functions, words, 4);
}

static bool same_function(const struct pn_function *a,
			  const struct pn_function *b)
{
	return a->name == b->name && a->system_name == b->system_name &&
	       a->file == b->file && a->start_line == b->start_line;
}

static uint32_t intern_function(struct symbolizer *s,
				const struct pn_function *f)
{
	uint32_t hash = hash_function(s, f), row;
	size_t at = pn_slots_first(&s->functions, hash);

	while (pn_slots_row(&row, &s->functions, &at, hash))
		if (same_function(f, &s->p->functions[row]))
			return row;
	row = pn_profile_add_function(s->p, f);
	pn_slots_add(&s->functions, hash, row);
	return row;
}

static void index_functions(struct symbolizer *s)
{
	size_t i;

	for (i = 0; i < s->p->function_count; i++)
		pn_slots_add(&s->functions,
			     hash_function(s, &s->p->functions[i]),
			     (uint32_t)i);
}

static uint32_t add_function(struct symbolizer *s, const char *name,
			     const char *folder, const char *file,
			     int64_t start_line)
{
	struct pn_profile *p = s->p;
	struct pn_function f = {.start_line = start_line};
	struct pn_buf path = {0};

	if (*file && *file != '/' && *folder)
		pn_buf_printf(&path, "%s/", folder);
	pn_buf_add_text(&path, file);
	f.name = f.system_name = pn_strtab_add_text(&p->strings, name);
	f.file = pn_strtab_add(&p->strings, path.data, path.len);
	pn_buf_release(&path);
	return intern_function(s, &f);
}

static void set_lines(struct pn_profile *p, struct pn_location *location,
		      const struct pn_line *lines, size_t count)
{
	p->lines = pn_grow(p->lines, &p->line_cap, p->line_count + count,
			   sizeof(*lines));
	memcpy(p->lines + p->line_count, lines, count * sizeof(*lines));
	location->line_first = (uint32_t)p->line_count;
	location->line_count = (uint32_t)count;
	p->line_count += count;
}

/* By DWARF, else by the symbol tables. The file's own address. */
static uint32_t symbolize_location(struct symbolizer *s, struct binary *b,
				   struct pn_location *location,
				   uint64_t address)
{
	struct pn_dwarf_frame frames[PN_DWARF_MAX_INLINED];
	struct pn_line lines[PN_DWARF_MAX_INLINED];
	size_t count = 0, i;
	const char *symbol;

	if (b->names)
		count = pn_dwarf_names_find(frames, b->names, address);
	for (i = 0; i < count; i++)
		lines[i] = (struct pn_line){
			.function = add_function(
				s, frames[i].name, frames[i].folder,
				frames[i].file, frames[i].start_line),
			.line = frames[i].line};
	if (count) {
		set_lines(s->p, location, lines, count);
		return PN_MAPPING_FUNCTIONS | PN_MAPPING_FILENAMES |
		       PN_MAPPING_LINES | PN_MAPPING_INLINES;
	}
	if (!b->symbols)
		b->symbols = pn_elf_symbols_new(b->module.dwfl_module);
	symbol = pn_elf_symbols_find(b->symbols, address);
	if (!symbol)
		return 0;
	lines[0] = (struct pn_line){.function =
					    add_function(s, symbol, "", "", 0)};
	set_lines(s->p, location, lines, 1);
	return PN_MAPPING_FUNCTIONS;
}

static bool open_binary(struct binary *b, const char *file,
			const char *build_id)
{
	if (!pn_module_open(&b->module, file, build_id))
		return false;
	if (b->module.dwarf)
		b->names = pn_dwarf_names_new(b->module.dwarf);
	return true;
}

static void close_binary(struct binary *b)
{
	pn_dwarf_names_free(b->names);
	pn_elf_symbols_free(b->symbols);
	pn_module_close(&b->module);
}

static bool same_file(const struct pn_mapping *a, const struct pn_mapping *b)
{
	return a->file == b->file && a->build_id == b->build_id;
}

static bool is_bare(const struct pn_profile *p, const struct pn_location *l)
{
	return !l->line_count && l->mapping != PN_NONE && l->address &&
	       l->mapping < p->mapping_count;
}

/* All locations in mappings of the file of mapping `first`. */
static void symbolize_file(struct symbolizer *s, uint32_t first)
{
	struct pn_profile *p = s->p;
	struct pn_mapping *m = &p->mappings[first];
	struct binary b = {0};
	size_t i;

	if (open_binary(&b, pn_profile_text(p, m->file),
			pn_profile_text(p, m->build_id))) {
		for (i = 0; i < p->location_count; i++) {
			struct pn_location *l = &p->locations[i];
			uint64_t bias;

			if (is_bare(p, l) &&
			    same_file(&p->mappings[l->mapping], m) &&
			    pn_module_bias(&bias, &b.module,
					   &p->mappings[l->mapping]))
				p->mappings[l->mapping].has |=
					symbolize_location(s, &b, l,
							   l->address - bias);
		}
	}
	close_binary(&b);
}

int pn_symbolize(struct pn_profile *profile, struct pn_error *err)
{
	struct symbolizer s = {.p = profile};
	bool *wanted, *done;
	size_t i, k;

	if (elf_version(EV_CURRENT) == EV_NONE)
		return pn_error_set(err, PN_EIO, "cannot use libelf: %s",
				    elf_errmsg(-1));
	wanted = pn_calloc(profile->mapping_count + 1, sizeof(*wanted));
	done = pn_calloc(profile->mapping_count + 1, sizeof(*done));
	index_functions(&s);
	for (i = 0; i < profile->location_count; i++)
		if (is_bare(profile, &profile->locations[i]))
			wanted[profile->locations[i].mapping] = true;
	for (i = 0; i < profile->mapping_count; i++) {
		if (!wanted[i] || done[i])
			continue;
		symbolize_file(&s, (uint32_t)i);
		for (k = i; k < profile->mapping_count; k++)
			done[k] |= same_file(&profile->mappings[i],
					     &profile->mappings[k]);
	}
	free(wanted);
	free(done);
	pn_slots_release(&s.functions);
	return 0;
}

struct pn_unnamed_addresses pn_symbolize_left(const struct pn_profile *p)
{
	struct pn_unnamed_addresses left = {0};
	size_t i;

	for (i = 0; i < p->location_count; i++) {
		const struct pn_location *l = &p->locations[i];

		if (!is_bare(p, l))
			continue;
		left.count++;
		left.without_id += !p->mappings[l->mapping].build_id;
	}
	return left;
}

void pn_symbolize_text(struct pn_buf *out, const struct pn_profile *profile)
{
	struct pn_unnamed_addresses left = pn_symbolize_left(profile);

	if (left.count)
		pn_buf_printf(
			out, "%zu address%s without a name: %s", left.count,
			left.count == 1 ? " stays" : "es stay",
			left.without_id == left.count
				? "the profile has no build ids, which would "
				  "tell that a file here is the one that was "
				  "measured"
				: "the files are not here, are others than "
				  "those that were measured, or have no "
				  "symbols");
}
