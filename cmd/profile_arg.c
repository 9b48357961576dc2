/* A profile named on the command line. */
#include "profile_arg.h"

#include "command.h"
#include "find_profile.h"
#include "jobs/profiles/pool.h"
#include "storage/store.h"

#include <string.h>

/* Files need no repository, and may lie in a broken one. */
static bool is_file(const struct profile_arg *arg)
{
	return !arg->commit &&
	       (pn_lookup_is_path(arg->name) || !strcmp(arg->name, "-"));
}

int open_profile(struct profile_source *out, const struct profile_arg *arg,
		 struct pn_error *err)
{
	int code;

	memset(out, 0, sizeof(*out));
	out->data.file = -1;
	if (arg->format) {
		out->codec = pn_codec_find(arg->format, err);
		if (!out->codec)
			return err->code;
	}
	code = is_file(arg)
		       ? 0
		       : open_context(&out->context, arg->commit, false, err);
	if (!code)
		code = find_one_profile(&out->found, &out->context.lookup,
					arg->name, err);
	if (!code && out->found.count &&
	    out->found.items[0].kind == PN_FOUND_FILE)
		code = pn_perf_file_open(&out->data, &out->found.items[0].path,
					 err);
	return code;
}

/* A job's name without a revision, which may be that of the program, too. */
static void suggest_series(const struct profile_source *from, const char *name,
			   struct pn_error *err)
{
	struct pn_error why = *err, ignored;
	const struct pn_lookup *lookup = &from->context.lookup;
	const struct pn_series_records *records = NULL;
	struct pn_arena arena = {0};
	size_t i, count = 0;
	bool fits = false;

	if (lookup->repo && !pn_oid_is_zero(&lookup->commit))
		pn_store_series(&records, &count, &arena, lookup->repo,
				lookup->notes, &lookup->commit, &ignored);
	for (i = 0; i < count; i++)
		fits |= pn_series_fits(&records[i].series, name) !=
			PN_SERIES_OTHER;
	if (fits)
		pn_error_set(err, why.code,
			     "%s; 'HEAD:%s' names what was measured",
			     why.message, name);
	pn_arena_release(&arena);
}

int read_profile(struct pn_profile *out, const struct profile_source *from,
		 struct pn_error *err)
{
	return pn_pool_load(out, NULL, &from->context.lookup,
			    &from->found.items[0], from->codec, err);
}

void close_profile(struct profile_source *source)
{
	pn_perf_file_close(&source->data);
	pn_found_list_release(&source->found);
	close_context(&source->context);
}

int load_profile(struct pn_profile *out, const struct profile_arg *arg,
		 struct pn_error *err)
{
	struct profile_source source;
	int code = open_profile(&source, arg, err);

	if (!code && arg->measured && source.found.count &&
	    source.found.items[0].entry)
		*arg->measured = source.found.items[0].entry->commit;
	if (!code)
		code = read_profile(out, &source, err);
	if (code < 0 && !arg->commit && !strchr(arg->name, ':'))
		suggest_series(&source, arg->name, err);
	close_profile(&source);
	return code;
}

void warn_of_loss(const struct pn_codec *codec,
		  const struct pn_profile *profile)
{
	size_t dropped = pn_codec_drops_types(codec, profile);
	const char *unit = "";

	if (codec->types == PN_CODEC_TYPES_BARE && profile->type_count)
		unit = pn_profile_text(
			profile,
			profile->types[pn_profile_default_type(profile)].unit);
	if (*unit && strcmp(unit, "count") != 0)
		warn("%s has no place for units: its numbers are %s",
		     codec->name, unit);
	if (dropped)
		warn("%s has one value type: %zu of the profile's %s left out",
		     codec->name, dropped, dropped == 1 ? "is" : "are");
	if (!pn_codec_holds_runs(codec, profile))
		warn("%s has no place for the number of runs: its figures are "
		     "sums over %u runs",
		     codec->name, pn_profile_runs(profile));
}
