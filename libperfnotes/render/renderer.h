/*
 * Views: one file each exports one const struct pn_view; view.c is the table.
 *
 * A view says what it needs of the report that is made for it and prints the
 * report as text and as JSON. It writes to a sink and to nothing else.
 */
#ifndef PN_RENDER_RENDERER_H
#define PN_RENDER_RENDERER_H

#include "analysis/report.h"
#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>

struct pn_pstats_options; /* analysis/pstats/pstats.h */
struct pn_palette;	  /* render/palette.h */
struct pn_sink;		  /* render/sink.h */

enum pn_view_needs {
	PN_VIEW_WEIGHTS, /* samples or a call graph */
	PN_VIEW_STACKS,	 /* samples */
	PN_VIEW_METRICS, /* metrics; there is no report */
	PN_VIEW_MODELS	 /* models; there is no report */
};

struct pn_view_input {
	const struct pn_profile *profile;
	const struct pn_report *report; /* NULL: metrics, models */
	const char *pattern; /* regular expression of the view, or NULL */
	bool remarks;	     /* say what is doubtful of how it was measured */
	const char *commit;  /* that was measured; NULL: not known */
	const struct pn_palette *palette; /* NULL: no colours */
	/* Where the profile is from, a line each, without LF. */
	struct pn_buf *sources; /* owned by the caller */
	size_t source_count;
	const struct pn_pstats_options *stats; /* of the views of pstats */
};

struct pn_view {
	const char *name;
	const char *summary;
	enum pn_view_needs needs;
	enum pn_report_edges edges;
	bool drawn;	    /* rows and edges for a picture */
	bool bare;	    /* for a program: nothing stands before the text */
	bool own_rows;	    /* the report has none */
	bool trims;	    /* else light nodes and edges stay */
	bool by_sample;	    /* tells of samples: equal ones are one */
	bool by_address;    /* whatever the granularity asked for */
	bool needs_pattern; /* input->pattern */
	int64_t node_count; /* unless one is asked for; 0: all */
	const char *unit;   /* unless one is asked for: see unit.h */
	int (*text)(struct pn_sink *out, const struct pn_view_input *in,
		    struct pn_error *err);
	/* The members of the object beside version, command and view. */
	int (*json)(struct pn_sink *out, const struct pn_view_input *in,
		    struct pn_error *err);
};

extern const struct pn_view *const pn_views[]; /* NULL-terminated */

/* Append the names, with `between` between two. */
void pn_view_names(struct pn_buf *out, const char *between);
/* By name; PN_ENOTFOUND lists the names. */
int pn_view_find(const struct pn_view **out, const char *name,
		 struct pn_error *err);
/* The view that a profile without weights is shown in whatever was asked
 * for: its metrics. Else `asked`. */
const struct pn_view *pn_view_fitting(const struct pn_view *asked,
				      const struct pn_profile *profile);
/* Fill in what the view wants where `options` leave it open (node_count -1,
 * unit NULL), and what it dictates. */
void pn_view_options(struct pn_report_options *options,
		     const struct pn_view *view);

/*
 * What a view prints of a profile, which changes as pn_report_init says: `in`
 * with the report in `out` (zeroed before; to be released in any case), and
 * without one where the view, which may become another one that fits the
 * profile, is of metrics or models.
 */
int pn_view_prepare(struct pn_report *out, struct pn_view_input *in,
		    const struct pn_view **view, struct pn_profile *profile,
		    const struct pn_report_options *options,
		    struct pn_error *err);

/*
 * Print a view, as text or as the JSON object of `command`, with the newline
 * at its end. Failing to write shows in ferror() of the stream.
 */
int pn_view_print(FILE *to, const struct pn_view *view,
		  const struct pn_view_input *in, const char *command,
		  bool json, struct pn_error *err);

#endif
