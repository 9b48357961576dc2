/* What most commands begin with. */
#include "context.h"

#include "command.h"
#include "render/log/moved.h"
#include "storage/sync.h"

#include <string.h>

int open_context(struct context *out, const char *rev, bool needed,
		 struct pn_error *err)
{
	struct context c = {0};
	int code;

	code = open_repo(&c.repo, err);
	if (code == PN_ENOTFOUND && !needed && !rev) {
		*out = c;
		return 0;
	}
	if (!code)
		code = pn_repo_head(&c.head, c.repo, err);
	if (!code)
		code = pn_notes_open(&c.notes, c.repo, PN_NOTES_REF, err);
	c.lookup.repo = c.repo;
	c.lookup.notes = c.notes;
	c.lookup.commit = c.head.commit;
	if (!code && rev)
		code = pn_repo_resolve(&c.lookup.commit, c.repo, rev, err);
	if (code) {
		close_context(&c);
		return code;
	}
	*out = c;
	return 0;
}

void say_rewritten(const struct pn_lookup *lookup, const struct pn_oid *used)
{
	struct pn_buf text = {0};

	pn_stand_ins_text(&text, lookup, used);
	say_lines(&text);
}

void close_context(struct context *context)
{
	pn_stand_ins_release(&context->stand_ins);
	pn_notes_free(context->notes);
	pn_repo_free(context->repo);
	memset(context, 0, sizeof(*context));
}

void say_where_profiles_are(const struct pn_lookup *lookup)
{
	struct pn_unpushed u = {0};
	struct pn_buf text = {0};

	if (!lookup->notes || !pn_oid_is_zero(pn_notes_tip(lookup->notes)) ||
	    pn_sync_unpushed(&u, lookup->repo, lookup->notes, NULL))
		return;
	if (*u.remote)
		pn_elsewhere_text(&text, u.remote, u.incoming);
	say_lines(&text);
}
