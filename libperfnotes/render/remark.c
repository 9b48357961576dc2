/* Doubts of a profile. */
#include "render/remark.h"

#include "analysis/measured/below.h"
#include "analysis/measured/seen.h"
#include "base/escape.h"
#include "model/machine/quiet.h"

#include <string.h>

static const char *quiet_of(const struct pn_profile *p)
{
	const struct pn_header *h = &p->header;
	size_t i;

	for (i = 0; i < h->environment_count; i++)
		if (!strcmp(pn_profile_text(p, h->environment[i].key),
			    PN_QUIET_KEY))
			return pn_profile_text(p, h->environment[i].value);
	return "";
}

/* Why the machine was not quiet enough; nothing when it was. */
static void noise_text(struct pn_buf *out, const struct pn_profile *profile)
{
	struct pn_quiet quiet;

	if (pn_quiet_parse(&quiet, quiet_of(profile)))
		pn_quiet_reason(out, &quiet);
}

/* How little the sampler saw; nothing when it was nearly all. */
static void unseen_text(struct pn_buf *out, const struct pn_profile *profile)
{
	struct pn_seen seen;

	if (!pn_seen_of(&seen, profile) || !seen.partial)
		return;
	pn_buf_printf(out,
		      "%.2f s of %.2f s of processor time were seen (%.0f %%): "
		      "a program that is linked statically, has or gives up "
		      "privileges, or gets an emptied environment is not "
		      "sampled",
		      seen.seen_ns / 1e9, seen.spent_ns / 1e9,
		      seen.seen_ns / seen.spent_ns * 100);
}

/* Which functions are too short to be traced; nothing when none is. */
static void below_text(struct pn_buf *out, const struct pn_profile *profile)
{
	struct pn_below below;
	size_t i;

	pn_below_of(&below, profile);
	if (!below.count)
		return;
	pn_buf_printf(out,
		      "%zu function%s less a call than tracing one costs "
		      "(%.1f ns), so what they take themselves is not known",
		      below.count, below.count == 1 ? " takes" : "s take",
		      below.cost_ns);
	for (i = 0; i < below.named; i++) {
		pn_buf_add_text(out, i ? ", " : ": ");
		pn_escape_terminal(out, below.names[i], strlen(below.names[i]));
	}
	if (below.count > below.named)
		pn_buf_printf(out, " and %zu more", below.count - below.named);
}

void pn_remark_warning(struct pn_buf *out, size_t which,
		       const struct pn_profile *profile)
{
	struct pn_buf why = {0};

	if (which == 0)
		noise_text(&why, profile);
	if (why.len)
		pn_buf_printf(out, "the machine was not quiet: %s",
			      pn_buf_text(&why));
	pn_buf_release(&why);
	if (which == 1)
		below_text(out, profile);
	else if (which == 2)
		unseen_text(out, profile);
}

void pn_remark_text(struct pn_buf *out, const struct pn_profile *profile)
{
	struct pn_buf why = {0};

	noise_text(&why, profile);
	if (why.len)
		pn_buf_printf(out, "Noisy: %s\n", pn_buf_text(&why));
	pn_buf_clear(&why);
	unseen_text(&why, profile);
	if (why.len)
		pn_buf_printf(out, "Partial: %s\n", pn_buf_text(&why));
	pn_buf_clear(&why);
	below_text(&why, profile);
	if (why.len)
		pn_buf_printf(out, "Too short: %s\n", pn_buf_text(&why));
	pn_buf_release(&why);
}

void pn_quiet_json(struct pn_json_writer *w, const char *fact)
{
	struct pn_quiet q;

	if (!pn_quiet_parse(&q, fact))
		return;
	pn_json_key(w, "quiet");
	pn_json_open(w, '{');
	pn_json_member_double(w, "others", q.others);
	pn_json_member_double(w, "idle", q.idle);
	pn_json_member_double(w, "steal", q.steal);
	pn_json_member_double(w, "switches", q.switches);
	pn_json_member_double(w, "load", q.load);
	pn_json_member_double(w, "mhz", q.mhz);
	pn_json_member_double(w, "nice", q.nice);
	pn_json_close(w, '}');
	if (!pn_quiet_is_noisy(&q))
		return;
	pn_json_key(w, "noisy");
	pn_json_bool(w, true);
}

void pn_remark_json(struct pn_json_writer *w, const struct pn_profile *profile)
{
	struct pn_seen seen;

	pn_quiet_json(w, quiet_of(profile));
	if (!pn_seen_of(&seen, profile))
		return;
	pn_json_key(w, "seen");
	pn_json_open(w, '{');
	pn_json_member_double(w, "seen", seen.seen_ns);
	pn_json_member_double(w, "spent", seen.spent_ns);
	pn_json_key(w, "partial");
	pn_json_bool(w, seen.partial);
	pn_json_close(w, '}');
}
