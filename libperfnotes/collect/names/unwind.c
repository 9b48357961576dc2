/* By libdwfl, which takes the registers and the memory of a process from us. */
#include "collect/names/unwind.h"

#include "base/alloc.h"
#include "collect/names/binary.h"

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROCESS 1 /* libdwfl wants a number; it never asks the kernel */

struct module {
	struct pn_runtime_mapping mapping;
	char *path;
};

struct pn_unwinder {
	struct module *modules; /* that are mapped */
	size_t count, cap;
	Dwfl *dwfl; /* NULL: to be made of the modules */
	/* of the walk */
	const struct pn_unwind_state *state;
	uint64_t *out;
	size_t found, max;
};

struct pn_unwinder *pn_unwinder_new(void)
{
	return pn_calloc(1, sizeof(struct pn_unwinder));
}

static void forget(struct pn_unwinder *u)
{
	if (u->dwfl)
		dwfl_end(u->dwfl);
	u->dwfl = NULL;
}

void pn_unwinder_free(struct pn_unwinder *u)
{
	size_t i;

	if (!u)
		return;
	forget(u);
	for (i = 0; i < u->count; i++)
		free(u->modules[i].path);
	free(u->modules);
	free(u);
}

void pn_unwinder_map(struct pn_unwinder *u,
		     const struct pn_runtime_mapping *mapping, const char *path)
{
	size_t i, kept = 0;

	for (i = 0; i < u->count; i++) {
		const struct pn_runtime_mapping *m = &u->modules[i].mapping;

		if (m->start < mapping->limit && mapping->start < m->limit)
			free(u->modules[i].path);
		else
			u->modules[kept++] = u->modules[i];
	}
	u->modules =
		pn_grow(u->modules, &u->cap, kept + 1, sizeof(*u->modules));
	u->modules[kept].mapping = *mapping;
	u->modules[kept].path = pn_strdup(path);
	u->count = kept + 1;
	forget(u);
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_build_id_find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

static void report(Dwfl *dwfl, const struct module *module)
{
	const struct pn_runtime_mapping *m = &module->mapping;
	char build_id[2 * PN_RUNTIME_MAX_BUILD_ID + 1] = "";
	size_t i;
	int fd;

	if (m->address == PN_RUNTIME_NO_ADDRESS)
		return;
	for (i = 0; i < m->build_id_len; i++)
		snprintf(build_id + 2 * i, 3, "%02x", m->build_id[i]);
	fd = pn_binary_open(module->path, build_id);
	if (fd >= 0 && !dwfl_report_elf(dwfl, module->path, module->path, fd,
					m->start - m->address, true))
		close(fd);
}

static pid_t next_thread(Dwfl *dwfl, void *arg, void **thread_arg)
{
	(void)dwfl;
	if (*thread_arg)
		return 0;
	*thread_arg = arg;
	return PROCESS;
}

static bool get_thread(Dwfl *dwfl, pid_t tid, void *arg, void **thread_arg)
{
	(void)dwfl;
	(void)tid;
	*thread_arg = arg;
	return true;
}

static bool read_memory(Dwfl *dwfl, Dwarf_Addr at, Dwarf_Word *out, void *arg)
{
	const struct pn_unwind_state *s = ((struct pn_unwinder *)arg)->state;

	(void)dwfl;
	if (at < s->stack_pointer || s->stack_size < sizeof(*out) ||
	    at - s->stack_pointer > s->stack_size - sizeof(*out))
		return false;
	memcpy(out, s->stack + (at - s->stack_pointer), sizeof(*out));
	return true;
}

static bool set_registers(Dwfl_Thread *thread, void *arg)
{
	const struct pn_unwind_state *s = ((struct pn_unwinder *)arg)->state;

	return dwfl_thread_state_registers(
		thread, 0, (unsigned int)s->register_count, s->registers);
}

static const Dwfl_Thread_Callbacks thread_callbacks = {
	.next_thread = next_thread,
	.get_thread = get_thread,
	.memory_read = read_memory,
	.set_initial_registers = set_registers,
};

static bool prepare(struct pn_unwinder *u)
{
	size_t i;

	if (u->dwfl)
		return true;
	u->dwfl = dwfl_begin(&callbacks);
	if (!u->dwfl)
		return false;
	dwfl_report_begin(u->dwfl);
	for (i = 0; i < u->count; i++)
		report(u->dwfl, &u->modules[i]);
	dwfl_report_end(u->dwfl, NULL, NULL);
	return dwfl_attach_state(u->dwfl, NULL, PROCESS, &thread_callbacks, u);
}

static int add_frame(Dwfl_Frame *frame, void *arg)
{
	struct pn_unwinder *u = arg;
	bool exact;
	Dwarf_Addr pc;

	if (u->found == u->max || !dwfl_frame_pc(frame, &pc, &exact) || !pc)
		return DWARF_CB_ABORT;
	u->out[u->found++] = exact ? pc : pc - 1;
	return DWARF_CB_OK;
}

size_t pn_unwinder_walk(uint64_t *out, size_t max, struct pn_unwinder *u,
			const struct pn_unwind_state *state)
{
	if (!prepare(u))
		return 0;
	u->state = state;
	u->out = out;
	u->max = max;
	u->found = 0;
	dwfl_getthread_frames(u->dwfl, PROCESS, add_frame, u);
	return u->found;
}
