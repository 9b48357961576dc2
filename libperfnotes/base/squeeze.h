/*
 * Inside of base/ only: zlib streams of small inputs (RFC 1950, RFC 1951),
 * written several times faster than zlib does it at level 1 and about as
 * short. Most of what git-perf stores is such: of 500 bytes, zlib spends two
 * thirds of its time on its codes and on clearing its tables.
 */
#ifndef PN_BASE_SQUEEZE_H
#define PN_BASE_SQUEEZE_H

#include "base/buf.h"

#include <stddef.h>
#include <stdint.h>

/* Longer inputs are zlib's: there its search for repetitions pays. */
#define PN_SQUEEZE_MAX 16384

struct pn_squeezer;

struct pn_squeezer *pn_squeezer_new(void);
void pn_squeezer_free(struct pn_squeezer *squeezer);

/*
 * Append one zlib stream of `len` bytes, PN_SQUEEZE_MAX at most, whose Adler-32
 * is `adler`. Equal bytes give equal streams, whatever went before.
 */
void pn_squeeze(struct pn_buf *out, struct pn_squeezer *squeezer,
		const unsigned char *bytes, size_t len, uint32_t adler);

#endif
