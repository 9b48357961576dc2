/*
 * Views: one file each exports one const struct pn_view; view.c is the table.
 *
 * A view says what it needs of the report that is made for it and prints the
 * report as text and as JSON, some as a picture and as a page, too. It writes
 * to a sink and to nothing else.
 */
#ifndef PN_RENDER_RENDERER_H
#define PN_RENDER_RENDERER_H

#include "analysis/report.h"
#include "analysis/timed/ordered.h"
#include "base/error.h"
#include "render/flame/style.h"

#include <stdbool.h>
#include <stdio.h>

struct pn_assembly;	     /* analysis/source/assembly.h */
struct pn_diff;		     /* analysis/diff/diff.h */
struct pn_pstats_options;    /* analysis/pstats/report.h */
struct pn_palette;	     /* render/palette.h */
struct pn_resources_request; /* analysis/resources/request.h */
struct pn_routine_texts;     /* analysis/source/routines.h */
struct pn_sink;		     /* render/sink.h */
struct pn_source_texts;	     /* analysis/source/text.h */
struct pn_table;	     /* analysis/table.h */

enum pn_view_needs {
	PN_VIEW_WEIGHTS,  /* samples or a call graph */
	PN_VIEW_STACKS,	  /* samples */
	PN_VIEW_METRICS,  /* metrics; there is no report */
	PN_VIEW_MODELS,	  /* models; there is no report */
	PN_VIEW_RESOURCES /* what there is of model/query.h; no report */
};

enum pn_view_form {
	PN_VIEW_TEXT,
	PN_VIEW_JSON,
	PN_VIEW_SVG,
	PN_VIEW_HTML,
	PN_VIEW_DOT, /* for Graphviz */
	PN_VIEW_CSV
};

struct pn_view_input {
	const struct pn_profile *profile;
	const struct pn_report *report; /* NULL: metrics, models */
	const char *pattern; /* regular expression of the view, or NULL */
	const char *metric;  /* the only one of view metrics, or NULL: all */
	bool remarks;	     /* say what is doubtful of how it was measured */
	const char *commit;  /* that was measured; NULL: not known */
	const char *commit_before;	  /* of a pair, that of the old one */
	const struct pn_palette *palette; /* NULL: no colours */
	/* Where the profile is from, a line each, without LF. */
	struct pn_buf *sources; /* owned by the caller */
	size_t source_count;
	const struct pn_pstats_options *stats; /* of pstats' views, or NULL */
	const struct pn_diff *diff; /* of views that are of a pair, or NULL */
	const char *title;	    /* what pictures are of, or NULL */
	const char *source_path;    /* where to look for sources, or NULL */
	const char *binary_path;    /* the same for binaries */
	const struct pn_source_texts *texts; /* of views of sources, or NULL */
	/* Of the profile (of a pair: the new one, the old one), where the view
	 * lists what costs most. */
	const struct pn_routine_texts *source[2];
	const struct pn_assembly *assembly; /* where it is by instruction */
	struct pn_flame_style flame;
	struct pn_timed_style timed;		      /* of the view graph */
	const struct pn_resources_request *resources; /* of their views */
	int64_t most;	/* rows that were asked for; -1: not */
	size_t columns; /* of a line of text; 0: not known */
	bool utf8;	/* text may be drawn in it */
	bool csv;	/* asked for whatever the file is called */
};

struct pn_view {
	const char *name;
	const char *summary;
	enum pn_view_needs needs;
	enum pn_report_edges edges;
	bool drawn;	     /* rows and edges for a picture */
	bool bare;	     /* for a program: nothing stands before the text */
	bool own_rows;	     /* the report has none */
	unsigned nodes_only; /* forms (bits) that name nodes and show no row */
	bool trims;	     /* else light nodes and edges stay */
	bool by_sample;	     /* tells of samples: equal ones are one */
	bool by_address;     /* whatever the granularity asked for */
	bool by_lines;	     /* the same */
	bool by_instruction; /* addresses of binaries: input->assembly */
	bool of_sources;     /* shows source files: input->texts */
	bool whole;	     /* of resources: those of --filter-by, too */
	bool lists_sources;  /* input->source, in a page */
	bool names_files;    /* says what it is of: input->sources */
	bool last_first;     /* several are added in the order of pstats */
	bool by_way;	     /* of a call graph, too: see pn_view_tell_apart */
	bool needs_pattern;  /* input->pattern */
	bool of_pair;	     /* shows both sides of a difference: input->diff */
	int64_t node_count;  /* unless one is asked for; 0: all */
	const char *unit;    /* unless one is asked for: see unit.h */
	int (*text)(struct pn_sink *out, const struct pn_view_input *in,
		    struct pn_error *err);
	/* The members of the object beside version, command and view. */
	int (*json)(struct pn_sink *out, const struct pn_view_input *in,
		    struct pn_error *err);
	/* NULL: its text is for Graphviz, or it has no graph. */
	int (*dot)(struct pn_sink *out, const struct pn_view_input *in,
		   struct pn_error *err);
	/* Its rows alone, for CSV; NULL: there is none. To be released. */
	int (*table)(struct pn_table *out, const struct pn_view_input *in,
		     struct pn_error *err);
	/* A document each; NULL: it has none. */
	int (*svg)(struct pn_sink *out, const struct pn_view_input *in,
		   struct pn_error *err);
	int (*html)(struct pn_sink *out, const struct pn_view_input *in,
		    struct pn_error *err);
};

extern const struct pn_view *const pn_views[]; /* NULL-terminated */

/* Append the names, with `between` between two. */
void pn_view_names(struct pn_buf *out, const char *between);
/* By name; PN_ENOTFOUND lists the names. */
int pn_view_find(const struct pn_view **out, const char *name,
		 struct pn_error *err);
/* The view that a profile without weights is shown in whatever was asked
 * for: its metrics. Else `asked`, as one of models or resources. */
const struct pn_view *pn_view_fitting(const struct pn_view *asked,
				      const struct pn_profile *profile);
/* Fill in what the view wants where `options` leave it open (node_count -1,
 * unit NULL), and what it dictates in whatever form. */
void pn_view_options(struct pn_report_options *options,
		     const struct pn_view *view);
/*
 * Of a call graph, whose stacks such a view makes up: functions of one name in
 * several files, such as glibc's two "(below main)", would call themselves if
 * they were one, and what they call would seem to be reached in several ways.
 */
void pn_view_tell_apart(struct pn_report_options *options,
			const struct pn_view *view,
			const struct pn_profile *profile);

/* By the suffix of a file: .svg, .html, .csv, .dot or .gv, else text. */
enum pn_view_form pn_view_form_of(const char *file);

#define PN_VIEW_FORMS_TEXT (1u << PN_VIEW_TEXT)
#define PN_VIEW_FORMS_PAGE (PN_VIEW_FORMS_TEXT | 1u << PN_VIEW_HTML)
#define PN_VIEW_FORMS_ALL (~0u >> 1)
#define PN_VIEW_FORMS_ANY (~0u) /* files of which another option says more */

/* Refuses a file whose suffix promises what is none of `forms`, or what no view
 * and no page is. */
int pn_view_file_check(const char *file, unsigned forms, struct pn_error *err);

/*
 * What a view prints of a profile in one form, or as JSON, which changes as
 * pn_report_init says: `in` with the report in `out` (zeroed before; to be
 * released in any case), and without one where the view, which may become
 * another one that fits the profile, is of metrics or models.
 */
int pn_view_prepare(struct pn_report *out, struct pn_view_input *in,
		    const struct pn_view **view, struct pn_profile *profile,
		    const struct pn_report_options *options,
		    enum pn_view_form form, struct pn_error *err);

/*
 * Print a view in one form, JSON as the object of `command`, with the newline
 * at its end. PN_EINVAL: it has no such form. Failing to write shows in
 * ferror() of the stream.
 */
int pn_view_print(FILE *to, const struct pn_view *view,
		  const struct pn_view_input *in, const char *command,
		  enum pn_view_form form, struct pn_error *err);

#endif
