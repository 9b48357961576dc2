/* Profiles that are added up, and those that are subtracted. */
#include "view/bases.h"

#include "analysis/merge/difference.h"
#include "analysis/merge/merge.h"
#include "jobs/profiles/pool.h"

int load_sum(struct pn_profile *out, const char *const *names, size_t count,
	     bool last_first, const struct profile_arg *from,
	     struct pn_error *err)
{
	struct pn_merge_change part = {.same_runs = true};
	struct pn_merge *merge = pn_merge_new();
	struct profile_arg arg = *from;
	struct pn_profile one;
	int code = 0;
	size_t i;

	pn_pool_fetch_named(names, count, from->commit);
	for (i = 0; i < count && !code; i++) {
		arg.name = names[i && last_first ? count - i : i];
		code = load_profile(&one, &arg, err);
		if (!code && (code = pn_merge_add(merge, &one, &part, err)))
			pn_error_context(err, "cannot merge '%s'", arg.name);
		pn_profile_release(&one);
	}
	pn_merge_end(out, merge);
	return code;
}

int check_bases(const struct pn_bases *bases, const struct command *command)
{
	struct pn_error err;

	return pn_bases_check(bases, &err) ? usage(command, "%s", err.message)
					   : EXIT_DONE;
}

int subtract_bases(struct pn_profile *profile, const struct pn_bases *bases,
		   const struct profile_arg *from, struct pn_error *err)
{
	struct pn_subtract_options options = {bases->diff_base.count > 0,
					      bases->normalize};
	const struct pn_opt_list *names =
		bases->diff_base.count ? &bases->diff_base : &bases->base;
	struct pn_profile base, rest;
	int code =
		load_sum(&base, names->values, names->count, false, from, err);

	if (!code) {
		if ((code = pn_subtract(&rest, profile, &base, &options, err)))
			pn_error_context(err, "cannot subtract the base");
		pn_profile_release(profile);
		*profile = rest;
	}
	pn_profile_release(&base);
	return code;
}
