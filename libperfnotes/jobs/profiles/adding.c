/* From options to a batch of profiles. */
#define PN_OPTION_STRUCT struct pn_add_ask
#include "jobs/profiles/adding.h"

#include "base/escape.h"
#include "base/opts/table.h"
#include "codec/bench/any/request.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define PENDING_SHOWN 10

const struct pn_opt pn_add_opts[] = {
	{PN_OPTION_TEXT(commit), 'm', "commit", "<rev>",
	 "commit to list them at (HEAD)"},
	{PN_OPTION_FLAG(keep), 'k', "keep", NULL, "keep the pending copy"},
	{PN_OPTION_FLAG(force), 'f', "force", NULL,
	 "add what was measured at another commit, too"},
	{PN_OPTION_TEXT(format), 0, "format", "<name>",
	 "format of the input (recognised)", .names = pn_codec_names_read},
	{PN_OPTION_LIST(columns), 0, "column", "<what>=<head>",
	 "column of a csv that is name, value, unit or better"},
	{PN_OPTION_TEXT(pattern), 0, "pattern", "<regex>",
	 "of format regex: groups name, value, unit, better"},
	{PN_OPTION_TEXT(unit), 0, "unit", "<unit>",
	 "of values of csv and regex"},
	{PN_OPTION_TEXT(better), 0, "better", "<which>",
	 "which values of csv and regex are better", .choices = "less more"},
	{PN_OPTION_TEXT(name), 'n', "name", "<name>",
	 "name to register (the file's)", .check = pn_opts_check_name},
	{PN_OPTION_LIST(labels), 'l', "label", "<key>=<value>",
	 "label, may be repeated"},
	{PN_OPTION_FLAG(verbatim), 0, "verbatim", NULL,
	 "keep the input's own bytes"},
	{PN_OPTION_FLAG(from_stdin), 0, "stdin", NULL,
	 "read '<rev> TAB <path>' lines, store all at once"},
	{PN_OPTION_TEXT(machine), 0, "machine", "<name>",
	 "name of the machine that was measured (perf.machine)"},
	{PN_OPTION_FLAG(environment), 0, "environment", NULL,
	 "say that this machine was measured (default)"},
	{0},
};

static int make_hint(struct pn_buf *out, const struct pn_add_ask *ask,
		     struct pn_error *err)
{
	struct pn_hint_request request = {.format = ask->format,
					  .pattern = ask->pattern,
					  .unit = ask->unit,
					  .better = ask->better,
					  .columns = ask->columns.values,
					  .column_count = ask->columns.count,
					  .verbatim = ask->verbatim};

	return pn_hint_of_request(out, &request, err);
}

int pn_adding_read(struct pn_adding *a, const struct pn_add_ask *ask,
		   struct pn_error *err)
{
	struct pn_record_options *r = &a->stage.record;
	int code = 0;

	if (ask->format && !(r->codec = pn_codec_find(ask->format, err)))
		code = PN_ENOTFOUND;
	if (!code)
		code = make_hint(&a->hint, ask, err);
	if (!code)
		code = pn_setting_pairs(&a->labels, &r->label_count,
					ask->labels.values, ask->labels.count,
					err);
	return code;
}

int pn_adding_open(struct pn_adding *a, const struct pn_add_ask *ask,
		   const struct pn_lookup *lookup, struct pn_error *err)
{
	struct pn_record_options *r = &a->stage.record;
	int code = 0;

	if (pn_oid_is_zero(&lookup->commit) && !ask->from_stdin)
		code = pn_error_set(err, PN_ENOTFOUND,
				    "there is no commit yet to list a profile "
				    "at: commit first, or name one with -m");
	if (!code)
		code = pn_setting_body_bytes(&r->max_bytes, lookup->repo, err);
	if (!code && ask->environment)
		code = pn_machine_take(&a->machine, lookup->repo, ask->machine,
				       err);
	if (code)
		return code;
	r->labels = a->labels;
	r->name = ask->name;
	r->hint = a->hint.len ? pn_buf_text(&a->hint) : NULL;
	r->verbatim = ask->verbatim;
	r->environment = a->machine.pairs;
	r->environment_count = a->machine.count;
	a->stage.repo = lookup->repo;
	a->stage.force = ask->force;
	a->stage.keep = ask->keep;
	return pn_batch_open(&a->stage.batch, lookup->repo, lookup->notes, err);
}

void pn_adding_hint(struct pn_buf *lines, const struct pn_pending_list *pending)
{
	size_t i;

	for (i = 0; i < pending->count && i < PENDING_SHOWN; i++)
		pn_buf_printf(lines, "  git perf add %zu@p  # %s\n", i,
			      pending->items[i].name);
	if (pending->count > 1)
		pn_buf_printf(lines,
			      "  git perf add 0@p-%zu@p  # all of them\n",
			      pending->count - 1);
	else if (!pending->count)
		pn_buf_add_text(lines, "none is pending: \"git perf collect -- "
				       "<command>\" makes one\n");
}

void pn_adding_tidy(struct pn_buf *faults, const struct pn_adding *a)
{
	size_t i;

	for (i = 0; i < a->stage.done_count; i++) {
		const char *path = a->stage.done[i];

		if (!unlink(path) || errno == ENOENT)
			continue;
		pn_buf_add_text(faults, "cannot remove '");
		pn_escape_terminal(faults, path, strlen(path));
		pn_buf_printf(faults, "': %s\n", strerror(errno));
	}
}

void pn_adding_release(struct pn_adding *a)
{
	pn_batch_free(a->stage.batch);
	pn_stage_release(&a->stage);
	pn_setting_pairs_free(a->labels, a->stage.record.label_count);
	pn_machine_release(&a->machine);
	pn_buf_release(&a->hint);
}
