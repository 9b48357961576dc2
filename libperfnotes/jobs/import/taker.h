/* Inside of jobs/import only: results on their way into notes. */
#ifndef PN_IMPORT_TAKER_H
#define PN_IMPORT_TAKER_H

#include "base/strtab.h"
#include "codec/past/past.h"
#include "jobs/import/import.h"
#include "storage/store.h"

struct pn_import_taker {
	const struct pn_import_request *request;
	const char *format; /* name of the tool, part of what is known again */
	struct pn_notes *notes;
	struct pn_batch *batch;
	struct pn_takeover_counts *counts;
	struct pn_buf *doubts;
	size_t doubt_count;
	struct pn_strtab met; /* commits and sources of this import */
	size_t *times;	      /* how often each was met */
	size_t times_cap;
	struct pn_strtab known; /* commits that got one */
	struct pn_strtab none;	/* that are not here */
	struct pn_buf replaced; /* struct pn_import_replaced */
};

struct pn_import_replaced {
	struct pn_oid commit;
	char id[PN_ENTRY_ID_HEX + 1];
};

/* A line of what is wrong; behind the hundredth nothing. */
void pn_import_doubt(struct pn_import_taker *taker, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* To be given to codec/past, with a taker as its `to`. */
int pn_import_take(void *to, const struct pn_past_result *result,
		   struct pn_error *err);
/* Stores what was taken, then takes out what it replaces. */
int pn_import_finish(struct pn_import_taker *taker, struct pn_error *err);
void pn_import_taker_release(struct pn_import_taker *taker);

/* Where results come from. */
int pn_import_notes(struct pn_import_taker *taker, struct pn_error *err);
int pn_import_asv(struct pn_import_taker *taker, struct pn_error *err);
int pn_import_data_js(struct pn_import_taker *taker, struct pn_error *err);

#endif
