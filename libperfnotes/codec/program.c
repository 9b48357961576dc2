/* The program among the mappings, and in front of them. */
#include "codec/program.h"

#include "base/file.h"

#include <string.h>

uint32_t pn_program_named(const struct pn_profile *p, const char *command)
{
	const char *name = pn_file_basename(command), *file;
	uint32_t i;

	for (i = 0; *name && i < p->mapping_count; i++) {
		file = pn_profile_text(p, p->mappings[i].file);
		if (!strcmp(pn_file_basename(file), name))
			return i;
	}
	return PN_NONE;
}

/* "libc.so.6", "libx.so", "ld.so_1": no program. */
static bool is_library(const char *file)
{
	const char *so = file;

	while ((so = strstr(so, ".so"))) {
		so += 3;
		if (!*so || ((*so == '.' || *so == '_') && so[1] >= '0' &&
			     so[1] <= '9'))
			return true;
	}
	return false;
}

uint32_t pn_program_guess(const struct pn_profile *p)
{
	const char *file;
	uint32_t i;

	for (i = 0; i < p->mapping_count; i++) {
		file = pn_profile_text(p, p->mappings[i].file);
		if (*file && *file != '[' && !is_library(file))
			return i;
	}
	return PN_NONE;
}

void pn_program_first(struct pn_profile *p, uint32_t program)
{
	struct pn_mapping mapping;
	size_t i;

	if (!program || program >= p->mapping_count)
		return;
	mapping = p->mappings[program];
	memmove(p->mappings + 1, p->mappings, program * sizeof(*p->mappings));
	p->mappings[0] = mapping;
	for (i = 0; i < p->location_count; i++) {
		struct pn_location *l = &p->locations[i];

		if (l->mapping == program)
			l->mapping = 0;
		else if (l->mapping < program)
			l->mapping++;
	}
}

uint32_t pn_program_mapping(struct pn_profile *p, uint32_t file)
{
	struct pn_mapping mapping = {.file = file};
	size_t i;

	for (i = 0; i < p->mapping_count; i++)
		if (p->mappings[i].file == file)
			return (uint32_t)i;
	return pn_profile_add_mapping(p, &mapping);
}

void pn_program_command(struct pn_profile *p, const char *text, size_t len)
{
	const char *blank = memchr(text, ' ', len);
	size_t word = blank ? (size_t)(blank - text) : len;

	p->header.cmd = pn_strtab_add(&p->strings, text, word);
	if (blank)
		p->header.args =
			pn_strtab_add(&p->strings, blank + 1, len - word - 1);
}

void pn_program_of_command(struct pn_profile *p)
{
	uint32_t program =
		pn_program_named(p, pn_profile_text(p, p->header.cmd));

	if (program == PN_NONE)
		program = pn_program_guess(p);
	if (program == PN_NONE && p->header.cmd)
		program = pn_program_mapping(p, p->header.cmd);
	pn_program_first(p, program);
}
