/* A profile named on the command line. */
#include "profile_arg.h"

#include "codec/losses.h"
#include "collect/names/symbolize.h"
#include "command.h"
#include "find_profile.h"
#include "jobs/profiles/pool.h"
#include "storage/lookup/suggest.h"

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
	pn_stand_ins_use(&out->context.stand_ins, &out->context.lookup);
	if (!code)
		code = find_one_profile(&out->found, &out->context.lookup,
					arg->name, err);
	if (!code && !arg->raw && out->found.items[0].kind == PN_FOUND_FILE)
		code = pn_perf_file_open(&out->data, &out->found.items[0].path,
					 err);
	return code;
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

	pn_profile_init(out); /* it is released, also where none is found */
	if (!code && arg->measured && source.found.items[0].entry)
		*arg->measured = *pn_stand_ins_source(&source.context.lookup,
						      source.found.items);
	if (!code)
		code = pn_pool_load(out, NULL, &source.context.lookup,
				    &source.found.items[0], source.codec, err);
	if (code < 0 && !arg->commit && !strchr(arg->name, ':'))
		pn_lookup_suggest(err, &source.context.lookup, arg->name);
	close_profile(&source);
	return code;
}

void warn_of_loss(const struct pn_codec *codec,
		  const struct pn_profile *profile)
{
	struct pn_buf text = {0};

	pn_losses_text(&text, codec, profile);
	warn_lines(&text);
}

int symbolize_profile(struct pn_profile *profile, struct pn_error *err)
{
	struct pn_buf text = {0};
	int code = pn_symbolize(profile, err);

	if (!code)
		pn_symbolize_text(&text, profile);
	warn_lines(&text);
	return code;
}
