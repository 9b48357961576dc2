/* Unwind tables of the loaded objects. Finding those of an address also sees
 * to it that the record knows the object. */
#ifndef PN_RUNTIME_TABLES_H
#define PN_RUNTIME_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pn_tables {
	const uint8_t *hdr; /* .eh_frame_hdr, or NULL */
	size_t size;
};

/* May be called by any thread that holds no lock of ours. */
struct pn_tables pn_tables_find(uintptr_t address);
/* The mapping that has code at this address is in the record afterwards. */
void pn_tables_note(uintptr_t address);

/* Objects were unloaded: others may lie where they were. */
void pn_tables_changed(void);
/* The record is a new one. */
void pn_tables_forget(void);

#endif
