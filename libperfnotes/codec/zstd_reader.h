/* What a zstd stream holds, as a reader of its own: the only zstd. RFC 8878. */
#ifndef PN_CODEC_ZSTD_READER_H
#define PN_CODEC_ZSTD_READER_H

#include "base/error.h"
#include "base/reader/reader.h"

#include <stdbool.h>
#include <stddef.h>

#define PN_ZSTD_WINDOW_LOG 24 /* 16 MB; all levels below --ultra need 8 */
/* A stream may become this large, and PN_READER_MAX_RATIO times its own size
 * more: zstd itself knows no bound. */
#define PN_ZSTD_FREE_BYTES (16u << 20)

/* A first block is within these, with the frame's header. RFC 8878, 3.1.1.2 */
#define PN_ZSTD_BLOCK ((128u << 10) + 32)

struct pn_zstd;

bool pn_zstd_is(const unsigned char *bytes, size_t len);
/*
 * A reader of what `in` holds compressed; `in` is borrowed until both are
 * freed, `out` (which has the name of `in`) before the state.
 */
int pn_zstd_open(struct pn_reader **out, struct pn_zstd **state,
		 struct pn_reader *in, struct pn_error *err);
void pn_zstd_free(struct pn_zstd *state);
/* The first bytes of what these bytes hold, for recognising; returns how many
 * there are. */
size_t pn_zstd_begin(unsigned char *out, size_t room,
		     const unsigned char *bytes, size_t len);

#endif
