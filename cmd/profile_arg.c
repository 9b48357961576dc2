/* A profile named on the command line. */
#include "profile_arg.h"

#include "command.h"
#include "find_profile.h"
#include "vcs/notes/notes.h"
#include "vcs/repo.h"

#include <string.h>

/* The repository, unless there is none or the name is a path. */
static int open_lookup(struct pn_lookup *out, const struct profile_arg *arg,
		       struct pn_error *err)
{
	struct pn_head head;
	int code;

	memset(out, 0, sizeof(*out));
	if (!arg->commit &&
	    (pn_lookup_is_path(arg->name) || !strcmp(arg->name, "-")))
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
	code = open_lookup(&out->lookup, arg, err);
	if (!code)
		code = find_profile(&out->found, &out->lookup, arg->name, err);
	if (!code && out->found.count != 1)
		code = pn_error_set(err, PN_EAMBIGUOUS,
				    "'%s' names %zu profiles, need one",
				    arg->name, out->found.count);
	if (!code && out->found.items[0].kind == PN_FOUND_FILE)
		code = perf_data_open(&out->data, &out->found.items[0].path,
				      err);
	return code;
}

int read_profile(struct pn_profile *out, const struct profile_source *from,
		 struct pn_error *err)
{
	return pn_lookup_load(out, NULL, &from->lookup, &from->found.items[0],
			      from->codec, err);
}

void close_profile(struct profile_source *source)
{
	perf_data_close(&source->data);
	pn_found_list_release(&source->found);
	pn_notes_free(source->lookup.notes);
	pn_repo_free(source->lookup.repo);
}

int load_profile(struct pn_profile *out, const struct profile_arg *arg,
		 struct pn_error *err)
{
	struct profile_source source;
	int code = open_profile(&source, arg, err);

	if (!code)
		code = read_profile(out, &source, err);
	close_profile(&source);
	return code;
}
