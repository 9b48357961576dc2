/* What init did. */
#include "render/log/shared.h"

static void add_change(struct pn_buf *out, const struct pn_share_change *c,
		       const char *remote)
{
	switch (c->kind) {
	case PN_SHARE_MERGE:
		pn_buf_printf(out,
			      "%s = %s\n    'git notes --ref=perf merge' keeps "
			      "every line\n",
			      c->key, c->value);
		break;
	case PN_SHARE_REMOTE:
		pn_buf_printf(out, "%s = %s\n", c->key, c->value);
		break;
	case PN_SHARE_FETCH:
		pn_buf_printf(
			out,
			"%s += %s\n    'git fetch %s' brings the profiles "
			"of others\n",
			c->key, c->value, remote);
		break;
	case PN_SHARE_OLD_FETCH:
		pn_buf_printf(out,
			      "%s -= %s\n    with it 'git fetch %s' fails on a "
			      "remote without profiles\n",
			      c->key, c->value, remote);
		break;
	case PN_SHARE_KINDS:
		break;
	}
}

void pn_shared_text(struct pn_buf *out, const struct pn_shared *shared)
{
	size_t i;

	for (i = 0; i < shared->change_count; i++)
		add_change(out, &shared->changes[i], shared->remote);
}

void pn_shared_dangers(struct pn_buf *out, const struct pn_shared *shared)
{
	const struct pn_shared_danger *d = shared->dangers;
	size_t i;

	for (i = 0; i < shared->danger_count; i++, d++) {
		pn_buf_printf(out, "%s has '%s': each fetch %s; ", d->key,
			      d->value,
			      d->prunes ? "deletes profiles that were not "
					  "pushed while the remote has none"
					: "overwrites profiles that were not "
					  "pushed");
		if (pn_shared_is_mirror(d->value))
			pn_buf_printf(
				out,
				"leave them out with 'git config --add %s "
				"\"^%s\"'\n",
				d->key, d->from);
		else
			pn_buf_printf(out,
				      "take it out with 'git config --unset "
				      "--fixed-value %s \"%s\"'\n",
				      d->key, d->value);
	}
}
