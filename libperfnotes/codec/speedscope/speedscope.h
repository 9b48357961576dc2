/* The halves of the codec for speedscope's files. */
#ifndef PN_SPEEDSCOPE_SPEEDSCOPE_H
#define PN_SPEEDSCOPE_SPEEDSCOPE_H

#include "base/buf.h"
#include "base/error.h"
#include "base/reader/reader.h"
#include "model/profile.h"

#include <stdbool.h>

/* What our writer calls itself: its profiles are value types. */
#define PN_SPEEDSCOPE_TYPE "git-perf:valueType"
#define PN_SPEEDSCOPE_EXPORTER "git-perf"
#define PN_SPEEDSCOPE_SCHEMA                                                   \
	"https://www.speedscope.app/file-format-schema.json"

int pn_speedscope_read(struct pn_profile *out, struct pn_reader *in,
		       struct pn_error *err);
/* Of times and bytes; the others are "none". */
bool pn_speedscope_has_unit(const char *unit);
int pn_speedscope_write(struct pn_buf *out, const struct pn_profile *profile,
			struct pn_error *err);

#endif
