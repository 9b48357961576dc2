/* A file of code that was mapped, by libdwfl. */
#include "collect/names/module.h"

#include "collect/names/binary.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Debug information by build id or debuglink, as dwfl does it, but nothing
 * from a network. */
static int find_debuginfo(Dwfl_Module *module, void **user, const char *name,
			  Dwarf_Addr base, const char *file, const char *link,
			  GElf_Word crc, char **out)
{
	const char *servers = getenv("DEBUGINFOD_URLS");

	if (servers && *servers)
		return dwfl_build_id_find_debuginfo(module, user, name, base,
						    file, link, crc, out);
	return dwfl_standard_find_debuginfo(module, user, name, base, file,
					    link, crc, out);
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

bool pn_module_open(struct pn_module *out, const char *file,
		    const char *build_id)
{
	GElf_Addr bias;
	int fd = pn_binary_open(file, build_id);

	memset(out, 0, sizeof(*out));
	if (fd < 0)
		return false;
	out->dwfl = dwfl_begin(&callbacks);
	if (!out->dwfl) {
		close(fd);
		return false;
	}
	dwfl_report_begin(out->dwfl);
	out->dwfl_module = dwfl_report_elf(out->dwfl, file, file, fd, 0, true);
	dwfl_report_end(out->dwfl, NULL, NULL);
	if (!out->dwfl_module) {
		close(fd);
		return false;
	}
	out->elf = dwfl_module_getelf(out->dwfl_module, &bias);
	if (!out->elf || bias)
		return false;
	out->dwarf = dwfl_module_getdwarf(out->dwfl_module, &bias);
	if (bias)
		out->dwarf = NULL;
	return true;
}

void pn_module_close(struct pn_module *module)
{
	if (module->dwfl)
		dwfl_end(module->dwfl);
	memset(module, 0, sizeof(*module));
}

bool pn_module_bias(uint64_t *out, const struct pn_module *module,
		    const struct pn_mapping *m)
{
	size_t count = 0, i;
	GElf_Phdr h;

	if (elf_getphdrnum(module->elf, &count))
		return false;
	for (i = 0; i < count; i++) {
		if (!gelf_getphdr(module->elf, (int)i, &h) ||
		    h.p_type != PT_LOAD || !(h.p_flags & PF_X))
			continue;
		/* the mapping may begin in the segment, or a page before */
		if (m->offset < (h.p_offset & ~UINT64_C(4095)) ||
		    m->offset >= h.p_offset + h.p_filesz)
			continue;
		*out = m->start - (h.p_vaddr - h.p_offset + m->offset);
		return true;
	}
	return false;
}
