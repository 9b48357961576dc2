/* Objects by dl_iterate_phdr, which glibc, musl and the BSDs have. */
#define _GNU_SOURCE /* dl_iterate_phdr, syscall */
#include "runtime/tables.h"

#include "runtime/modules.h"
#include "runtime/spin.h"

#include <link.h>

/* Addresses of nothing come from broken stacks; looking for each of them would
 * cost more than they are worth. */
#define MAX_VAIN 64

struct search {
	uintptr_t address;
	struct pn_tables tables;
};

static struct pn_spin lock;
static struct pn_stream stream;
static bool is_stale;
static unsigned vain;

static bool is_inside(const struct dl_phdr_info *info, uintptr_t address)
{
	size_t i;

	for (i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type == PT_LOAD &&
		    address - (info->dlpi_addr + p->p_vaddr) < p->p_memsz)
			return true;
	}
	return false;
}

static int look(struct dl_phdr_info *info, size_t size, void *context)
{
	struct search *s = context;
	size_t i;

	(void)size;
	if (!is_inside(info, s->address))
		return 0;
	for (i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type != PT_GNU_EH_FRAME)
			continue;
		s->tables.hdr = (const uint8_t *)(info->dlpi_addr + p->p_vaddr);
		s->tables.size = p->p_memsz;
	}
	return 1;
}

void pn_tables_note(uintptr_t address)
{
	if (!is_stale && pn_modules_find(address))
		return;
	pn_spin_lock(&lock);
	if ((is_stale || !pn_modules_find(address)) && vain < MAX_VAIN) {
		is_stale = false;
		pn_modules_scan(&stream);
		vain += !pn_modules_find(address);
	}
	pn_spin_unlock(&lock);
}

struct pn_tables pn_tables_find(uintptr_t address)
{
	struct search s = {.address = address};

	pn_tables_note(address);
	/* not under our lock: the loader has one of its own, and who holds
	 * that may be waiting for ours */
	dl_iterate_phdr(look, &s);
	return s.tables;
}

void pn_tables_changed(void)
{
	is_stale = true;
}

void pn_tables_forget(void)
{
	stream = (struct pn_stream){0};
	lock.taken = 0;
	vain = 0;
	pn_modules_forget();
}
