/* Rows of results in columns: RFC 4180, with commas, semicolons or tabs. */
#ifndef PN_ANY_COLUMNS_H
#define PN_ANY_COLUMNS_H

#include "codec/bench/any/run_order.h"
#include "codec/bench/bench.h"

#define PN_COLUMNS_MAX 256 /* of one row */

struct pn_row {
	struct pn_buf text; /* of all fields, a NUL behind each */
	size_t begin[PN_COLUMNS_MAX];
	size_t count;
};

/* Which column is what, by number: SIZE_MAX is none. Several names are joined
 * with blanks. */
struct pn_columns {
	char separator; /* 0: the head was not read yet */
	size_t names[PN_COLUMNS_MAX], name_count;
	size_t value, unit, better, run;
	struct pn_run_order *order; /* of values by run; NULL: as they come */
	/* of rows that say nothing of it */
	const char *all_unit;
	enum pn_better all_better;
	bool by_unit; /* what is better follows from the unit */
};

/* The fields of a line. PN_EINVAL: a quote that does not end in it, which is
 * how a text with a line end in it looks. */
int pn_row_read(struct pn_row *out, struct pn_scan line, char separator,
		struct pn_error *err);
const char *pn_row_field(const struct pn_row *row, size_t column);
/* The beginning of a text of the file as a message can have it, behind what
 * `out` has. */
void pn_row_show(struct pn_buf *out, const char *text);
/* What separates most fields of a head: a comma, a semicolon or a tab. */
char pn_row_separator(struct pn_scan head);
/* The value of a row; rows without one are passed over. */
int pn_columns_take(struct pn_bench *bench, const struct pn_columns *columns,
		    const struct pn_row *row, struct pn_error *err);

#endif
