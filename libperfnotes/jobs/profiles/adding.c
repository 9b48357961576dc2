/* From options to a batch of profiles. */
#include "jobs/profiles/adding.h"

#include "base/escape.h"
#include "codec/bench/any/request.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

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

/* What may be wrong, before anything is read. */
static int read_ask(struct pn_adding *a, const struct pn_add_ask *ask,
		    const struct pn_lookup *lookup, struct pn_error *err)
{
	struct pn_record_options *r = &a->stage.record;
	int code = 0;

	if (pn_oid_is_zero(&lookup->commit) && !ask->from_stdin)
		code = pn_error_set(err, PN_ENOTFOUND,
				    "there is no commit yet to list a profile "
				    "at: commit first, or name one with -m");
	if (!code && ask->format &&
	    !(r->codec = pn_codec_find(ask->format, err)))
		code = PN_ENOTFOUND;
	if (!code)
		code = make_hint(&a->hint, ask, err);
	if (!code)
		code = pn_setting_pairs(&a->labels, &r->label_count,
					ask->labels.values, ask->labels.count,
					err);
	if (!code)
		code = pn_setting_body_bytes(&r->max_bytes, lookup->repo, err);
	if (!code && ask->environment)
		code = pn_machine_take(&a->machine, lookup->repo, ask->machine,
				       err);
	return code;
}

int pn_adding_open(struct pn_adding *a, const struct pn_add_ask *ask,
		   const struct pn_lookup *lookup, struct pn_error *err)
{
	struct pn_record_options *r = &a->stage.record;
	int code = read_ask(a, ask, lookup, err);

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
