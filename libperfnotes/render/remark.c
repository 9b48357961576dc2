/* Doubts of a profile. */
#include "render/remark.h"

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

void pn_noise_text(struct pn_buf *out, const struct pn_profile *profile)
{
	struct pn_quiet quiet;

	if (pn_quiet_parse(&quiet, quiet_of(profile)))
		pn_quiet_reason(out, &quiet);
}

void pn_remark_text(struct pn_buf *out, const struct pn_profile *profile)
{
	struct pn_buf why = {0};

	pn_noise_text(&why, profile);
	if (why.len)
		pn_buf_printf(out, "Noisy: %s\n", pn_buf_text(&why));
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
	pn_quiet_json(w, quiet_of(profile));
}
