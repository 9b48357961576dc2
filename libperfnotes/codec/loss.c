/* What is lost when a profile is written, in words. */
#include "codec/loss.h"

#include "model/query.h"
#include "model/runs.h"

#include <string.h>

static void lost_unit(struct pn_buf *out, const struct pn_codec *codec,
		      const struct pn_profile *profile)
{
	const char *unit = "";

	if (codec->types == PN_CODEC_TYPES_BARE && profile->type_count)
		unit = pn_profile_text(
			profile,
			profile->types[pn_profile_default_type(profile)].unit);
	if (*unit && strcmp(unit, "count") != 0)
		pn_buf_printf(out,
			      "%s has no place for units: its numbers are %s",
			      codec->name, unit);
}

static void lost_types(struct pn_buf *out, const struct pn_codec *codec,
		       const struct pn_profile *profile)
{
	size_t dropped = pn_codec_drops_types(codec, profile);

	if (dropped)
		pn_buf_printf(
			out,
			"%s has one value type: %zu of the profile's %s left "
			"out",
			codec->name, dropped, dropped == 1 ? "is" : "are");
}

static void lost_runs(struct pn_buf *out, const struct pn_codec *codec,
		      const struct pn_profile *profile)
{
	if (!pn_codec_holds_runs(codec, profile))
		pn_buf_printf(out,
			      "%s has no place for the number of runs: its "
			      "figures are sums over %u runs",
			      codec->name, pn_profile_runs(profile));
}

void pn_codec_loss_text(struct pn_buf *out, size_t loss,
			const struct pn_codec *codec,
			const struct pn_profile *profile)
{
	void (*const losses[PN_CODEC_LOSSES])(
		struct pn_buf *, const struct pn_codec *,
		const struct pn_profile *) = {lost_unit, lost_types, lost_runs};

	losses[loss](out, codec, profile);
}
