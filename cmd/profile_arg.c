/* A profile named on the command line. */
#include "profile_arg.h"

#include "codec/codec.h"
#include "command.h"
#include "find_profile.h"
#include "perf_data.h"
#include "storage/lookup.h"
#include "vcs/notes.h"
#include "vcs/repo.h"

#include <string.h>

static bool is_plain_path(const char *name)
{
	return name[0] == '/' || !strncmp(name, "./", 2) ||
	       !strncmp(name, "../", 3) || !strcmp(name, "-");
}

/* The repository, unless there is none or the name is a path. */
static int open_lookup(struct pn_lookup *out, const struct profile_arg *arg,
		       struct pn_error *err)
{
	struct pn_head head;
	int code;

	memset(out, 0, sizeof(*out));
	if (is_plain_path(arg->name) && !arg->commit)
		return 0;
	code = open_repo(&out->repo, err);
	if (code == PN_ENOTFOUND && !arg->commit)
		return 0;
	if (code)
		return code;
	code = pn_notes_open(&out->notes, out->repo, PN_NOTES_REF, err);
	if (code)
		return code;
	if (arg->commit)
		return pn_repo_resolve(&out->commit, out->repo, arg->commit,
				       err);
	code = pn_repo_head(&head, out->repo, err);
	if (!code)
		out->commit = head.commit;
	return code;
}

int load_profile(struct pn_profile *out, const struct profile_arg *arg,
		 struct pn_error *err)
{
	struct pn_lookup lookup;
	struct pn_found_list found = {0};
	struct perf_data data = {-1, ""};
	const struct pn_codec *codec = NULL;
	int code = 0;

	if (arg->format) {
		codec = pn_codec_find(arg->format, err);
		if (!codec)
			return err->code;
	}
	code = open_lookup(&lookup, arg, err);
	if (!code)
		code = find_profile(&found, &lookup, arg->name, err);
	if (!code && found.count != 1)
		code = pn_error_set(err, PN_EAMBIGUOUS,
				    "'%s' names %zu profiles, need one",
				    arg->name, found.count);
	if (!code && found.items[0].kind == PN_FOUND_FILE)
		code = perf_data_open(&data, &found.items[0].path, err);
	if (!code)
		code = pn_lookup_load(out, NULL, &lookup, &found.items[0],
				      codec, err);
	perf_data_close(&data);
	pn_found_list_release(&found);
	pn_notes_free(lookup.notes);
	pn_repo_free(lookup.repo);
	return code;
}
