/* The source of what costs most in a profile. */
#include "jobs/reported/sourced.h"

#include "analysis/merge/merge.h"
#include "base/alloc.h"
#include "jobs/source/load.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Each character that may mean something in an expression means itself. */
static void quote(struct pn_buf *out, const char *name)
{
	for (; *name; name++) {
		unsigned char c = (unsigned char)*name;

		if (c < 0x80 && !isalnum(c) && c != '_')
			pn_buf_add_byte(out, '\\');
		pn_buf_add_byte(out, c);
	}
}

/* The functions to list: an expression that fits them, and by string of the
 * profile whether it is the name of one. */
struct chosen {
	struct pn_buf pattern;
	unsigned char *names;
	size_t count;
};

static void choose(struct chosen *out, const struct pn_report *report,
		   const struct pn_profile *profile)
{
	double all = pn_report_number(report, report->total);
	uint32_t id;
	size_t i;

	out->names = pn_calloc(profile->strings.count + 1, 1);
	for (i = 0; i < report->row_count && out->count < PN_SOURCED_FUNCTIONS;
	     i++) {
		const struct pn_report_node *row = &report->rows[i];
		const struct pn_node_info *node =
			&report->nodes.items[row->node];
		const char *name = pn_profile_text(report->profile, node->name);

		if (pn_report_number(report, row->flat) <
		    PN_SOURCED_SHARE * all)
			continue;
		if (!*name || strchr(name, '\n') ||
		    !pn_strtab_find(&id, &profile->strings, name, strlen(name)))
			continue;
		out->names[id] = 1;
		pn_buf_add_text(&out->pattern, out->count++ ? "|" : "^(?:");
		quote(&out->pattern, name);
	}
	pn_buf_add_text(&out->pattern, ")$");
}

static void release(struct chosen *chosen)
{
	pn_buf_release(&chosen->pattern);
	free(chosen->names);
}

static struct pn_report_options by_line(const struct pn_report *report,
					const struct chosen *chosen)
{
	return (struct pn_report_options){
		.divide_by = report->options.divide_by,
		.sample_index = report->options.sample_index,
		.mean = report->options.mean,
		.noinlines = report->options.noinlines,
		.unit = "minimum",
		.granularity = PN_BY_LINES,
		.names = chosen->names};
}

/* Once the costs by line are there. */
static void list(struct pn_routine_texts *lines, struct pn_sourced *out,
		 const struct chosen *chosen, const char *hex,
		 const char *folder)
{
	const char *pattern = pn_buf_text(&chosen->pattern);

	out->by_line.options.names = NULL; /* which ends before it */
	if (!pn_routines_init(&out->routines, &out->by_line, pattern, NULL) &&
	    !pn_source_texts_load(&out->texts, &out->by_line, pattern, hex,
				  folder, NULL))
		*lines = (struct pn_routine_texts){&out->by_line,
						   &out->routines, &out->texts};
}

void pn_sourced_init(struct pn_routine_texts *lines, struct pn_sourced *out,
		     struct pn_profile *profile, const struct pn_report *report,
		     const char *hex, const char *folder)
{
	struct chosen chosen = {.names = NULL};
	struct pn_report_options options;

	choose(&chosen, report, profile);
	options = by_line(report, &chosen);
	if (chosen.count &&
	    !pn_report_init(&out->by_line, profile, &options, NULL))
		list(lines, out, &chosen, hex, folder);
	release(&chosen);
}

/*
 * Whether no function to list has a file that is there, as of a profile from
 * elsewhere: then its costs by line need not be counted. Where stacks have no
 * lines yet, it is not known what files there will be.
 */
static bool has_no_text(const struct pn_profile *p, const struct chosen *chosen,
			const char *hex, const char *folder)
{
	struct pn_strtab files = {.count = 0};
	struct pn_buf file = {0};
	bool none;
	size_t i;

	if (!p->sample_count || p->tick_count)
		return false;
	pn_strtab_add_text(&files, "");
	for (i = 0; i < p->function_count; i++) {
		const struct pn_function *function = &p->functions[i];

		if (!chosen->names[function->name])
			continue;
		pn_buf_clear(&file);
		pn_path_clean(&file, pn_profile_text(p, function->file),
			      pn_strtab_len(&p->strings, function->file));
		pn_strtab_add(&files, pn_buf_text(&file), file.len);
	}
	none = !pn_source_texts_are_there(
		&files, pn_profile_text(p, p->header.source_root), hex, folder);
	pn_buf_release(&file);
	pn_strtab_release(&files);
	return none;
}

void pn_sourced_copy(struct pn_routine_texts *lines, struct pn_sourced *out,
		     const struct pn_report *report, const char *hex,
		     const char *folder)
{
	struct chosen chosen = {.names = NULL};
	struct pn_report_options options;

	choose(&chosen, report, report->profile);
	options = by_line(report, &chosen);
	if (chosen.count && has_no_text(report->profile, &chosen, hex, folder))
		chosen.count = 0;
	if (chosen.count &&
	    pn_report_init_again(&out->by_line, report, &options)) {
		list(lines, out, &chosen, hex, folder);
	} else if (chosen.count) {
		pn_profile_init(&out->copy);
		if (!pn_merge_one(&out->copy, report->profile, NULL, NULL))
			pn_sourced_init(lines, out, &out->copy, report, hex,
					folder);
	}
	release(&chosen);
}

void pn_sourced_release(struct pn_sourced *sourced)
{
	pn_source_texts_release(&sourced->texts);
	pn_routines_release(&sourced->routines);
	pn_report_release(&sourced->by_line);
	pn_profile_release(&sourced->copy);
	memset(sourced, 0, sizeof(*sourced));
}
