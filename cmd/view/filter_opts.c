/* What is said of filters. */
#include "view/filter_opts.h"

#include "analysis/merge/filtered.h"
#include "command.h"
#include "view/bases.h"

void filters_warn(unsigned int unmatched)
{
	int kind;

	for (kind = 0; kind < PN_FILTER_KINDS; kind++)
		if (unmatched & 1u << kind)
			warn("%s matched no samples",
			     pn_filter_name((enum pn_filter_kind)kind));
}

int check_written(struct pn_written *w, const struct command *command)
{
	struct pn_error err;

	return pn_written_check(w, &err) ? usage(command, "%s", err.message)
					 : EXIT_DONE;
}

int shape_written(struct pn_profile *profile, const struct pn_written *w,
		  const struct profile_arg *from, struct pn_error *err)
{
	unsigned int unmatched = 0;
	int code = 0;

	if (pn_bases_any(&w->bases))
		code = subtract_bases(profile, &w->bases, from, err);
	if (!code)
		code = pn_written_apply(profile, w, &unmatched, err);
	if (!code)
		filters_warn(unmatched);
	return code;
}
