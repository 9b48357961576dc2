/*
 * The older formats of gperftools and of Go's runtime: a binary one for CPU
 * time, text for the heap, locks and threads. What they share is here: the
 * map of memory at the end, and rows "values @ addresses", which Go follows
 * with the names of the functions.
 * gperftools' "cpuprofile-fileformat", and pprof's legacy profiles.
 */
#ifndef PN_GPERFTOOLS_GPERFTOOLS_H
#define PN_GPERFTOOLS_GPERFTOOLS_H

#include "base/reader/lines.h"
#include "codec/frames.h"

#define PN_GPERFTOOLS_VALUES 4

/* The line that the map stands behind. */
bool pn_gperftools_is_map_head(const char *text, size_t len);
/* A line of /proc/self/maps, or a short one: a mapping when it can be
 * executed; what is no such line is passed over. */
void pn_gperftools_map_line(struct pn_profile *p, const char *text, size_t len);
/* Behind the last one: joins what the kernel shows in parts, puts the program
 * first, gives every location its mapping. */
void pn_gperftools_map_end(struct pn_profile *p);

struct pn_gperftools_symbol {
	uint64_t address;
	struct pn_frame frame;
};

/* A text that is read; the caller sets the first five. */
struct pn_gperftools_text {
	struct pn_profile *p;
	struct pn_lines lines;
	/* fills the values (and the label) from what is before the "@" */
	int (*row)(struct pn_gperftools_text *t, const char *text, size_t len,
		   struct pn_error *err);
	/* takes "key = value" that stands before the rows; NULL: none can */
	int (*setting)(struct pn_gperftools_text *t, const char *text,
		       size_t len, struct pn_error *err);
	void *head; /* theirs */
	struct pn_frames frames;
	/* the row that is open: its names are still to come */
	bool has_row;
	union pn_value values[PN_GPERFTOOLS_VALUES];
	struct pn_label row_label; /* key 0: none */
	uint64_t *addresses;
	size_t address_count, address_cap;
	struct pn_gperftools_symbol *symbols;
	size_t symbol_count, symbol_cap;
	struct pn_label *labels;
	size_t label_count, label_cap;
	uint32_t *stack;
	size_t stack_cap;
};

/* Everything behind the head: settings, rows, and the map. */
int pn_gperftools_rows(struct pn_gperftools_text *t, struct pn_error *err);
/* The place before this address, where a call returns to. */
uint32_t pn_gperftools_bare_place(struct pn_frames *frames,
				  struct pn_profile *p, uint64_t address);
void pn_gperftools_text_release(struct pn_gperftools_text *t);
/* "line <n>: <what>" with PN_EINVAL. */
int pn_gperftools_bad_line(const struct pn_gperftools_text *t,
			   struct pn_error *err, const char *what);
/* Takes blanks and a decimal number off the front. */
bool pn_gperftools_take_int(int64_t *out, const char **text, size_t *len);
/* Takes blanks and "0x1f" off the front; what follows is a blank or nothing. */
bool pn_gperftools_take_address(uint64_t *out, const char **text, size_t *len);
/* What the head of a heap says. */
struct pn_gperftools_heap {
	bool has_alloc; /* columns of all allocations, not only those in use */
	bool has_one;	/* whatever its totals: growth, fragmentation */
	bool is_sampled;
	int64_t rate;
};

/* "1: 8 [2: 16]": in use, and in all. */
struct pn_gperftools_amounts {
	int64_t use, use_bytes, all, all_bytes;
};

/* Takes the second pair off the front, too, when it is there. */
bool pn_gperftools_take_amounts(struct pn_gperftools_amounts *out,
				const char **text, size_t *len);
/* Whether these sums of everything need columns of all allocations. */
bool pn_gperftools_has_alloc(const struct pn_gperftools_amounts *sums);
void pn_gperftools_heap_types(struct pn_profile *p,
			      const struct pn_gperftools_heap *h);
/* A value for each type, scaled, and the label "bytes", the size of one
 * object; false when there are bytes of nothing. */
bool pn_gperftools_heap_values(union pn_value *out, struct pn_label *size,
			       struct pn_profile *p,
			       const struct pn_gperftools_heap *h,
			       const struct pn_gperftools_amounts *row);

/* Objects and bytes that were seen, out[0] and out[1], become those that there
 * were, when one in `rate` bytes was looked at. */
void pn_gperftools_unsample(union pn_value *out, int64_t rate);
/* Takes blanks and this word off the front. */
bool pn_gperftools_take_word(const char **text, size_t *len, const char *word);

#endif
