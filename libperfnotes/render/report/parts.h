/* Inside of render/report/ only: the sections of a page, and what they write
 * alike. */
#ifndef PN_REPORT_PARTS_H
#define PN_REPORT_PARTS_H

#include "render/report/reported.h"
#include "render/sink.h"

#define PN_PAGE_ROWS 1000 /* of a table: what is read by people */
#define PN_PAGE_HEX 10
#define PN_PAGE_DATE 11

extern const char pn_flame_script[], pn_flame_style[], pn_report_script[],
	pn_history_script[], pn_profiles_script[], pn_report_style[],
	pn_dygraphs_script[], pn_dygraphs_style[], pn_dygraphs_licence[];

/* Plain text, escaped. */
void pn_page_text(struct pn_buf *out, const char *text);
/* "<th scope=col>", plain names; NULL ends them. `numbers` are those that are
 * sorted by value, a bit each. */
void pn_page_table(struct pn_buf *out, const char *id, const char *caption,
		   const char *const *columns, unsigned int numbers);
void pn_page_table_end(struct pn_buf *out);
/* A cell of a text or of a number that is sorted by its value. */
void pn_page_cell(struct pn_buf *out, const char *text);
void pn_page_number(struct pn_buf *out, double value,
		    const struct pn_buf *text);
/* The first digits of a commit, a link where its page is known. */
void pn_page_commit(struct pn_buf *out, const struct pn_reported *r,
		    size_t commit);
/* "2026-11-23" in UTC. */
void pn_page_date(char out[PN_PAGE_DATE], int64_t time_s);
/* "+2.3%", "-0.04%" of a ratio; nothing of NaN. */
void pn_page_change(struct pn_buf *out, double ratio);
/* "N more are not listed", unless there are none. */
void pn_page_more(struct pn_buf *out, size_t count, size_t shown);

/* Lines of one chart, as a picture of `width` x `height`; the last `commits` of
 * the report's. */
void pn_page_chart(struct pn_buf *out, const struct pn_reported *r,
		   size_t first_line, size_t line_count, size_t commits,
		   int width, int height);

/* A member of a profile's data. */
void pn_page_source(struct pn_buf *out, const struct pn_reported_profile *p);
/* A page of profiles alone; `remarks` are lines of plain text. */
void pn_page_of_profiles(struct pn_sink *out, const struct pn_reported *r,
			 const char *remarks);

/* The sections. */
void pn_page_overview(struct pn_sink *out, const struct pn_reported *r);
void pn_page_history(struct pn_sink *out, const struct pn_reported *r);
void pn_page_profiles(struct pn_sink *out, const struct pn_reported *r);
void pn_page_heat(struct pn_sink *out, const struct pn_reported *r);

#endif
