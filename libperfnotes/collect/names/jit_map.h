/*
 * Names of code that a program made while it ran: /tmp/perf-<pid>.map, which
 * just-in-time compilers write for Linux perf (its jit-interface.txt): a line
 * "<start> <size> <name>" for each function, numbers in hexadecimal digits.
 */
#ifndef PN_NAMES_JIT_MAP_H
#define PN_NAMES_JIT_MAP_H

#include <stddef.h>
#include <stdint.h>

#define PN_JIT_MAP_MAX_BYTES (64u << 20)

struct pn_jit_map;

/* That of a process; NULL where there is none, or it is a file that neither
 * we nor root own: another user may not name what we show. */
struct pn_jit_map *pn_jit_map_of(uint32_t pid);
/* Of such a text. */
struct pn_jit_map *pn_jit_map_parse(const char *text, size_t len);
/* Takes NULL. */
void pn_jit_map_free(struct pn_jit_map *map);

/* The name of what lies there, of several the one that was written last; NULL:
 * nothing does. Borrowed, *len bytes without a NUL. Takes NULL. */
const char *pn_jit_map_find(size_t *len, const struct pn_jit_map *map,
			    uint64_t address);

#endif
