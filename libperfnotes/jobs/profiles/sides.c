/* The two sides of a comparison. */
#include "jobs/profiles/sides.h"

#include "base/buf.h"
#include "jobs/rewritten/nearest.h"
#include "storage/lookup/records.h"
#include "storage/store.h"

#include <string.h>

#define HEX_SHOWN 10

/* What one name stands for. */
struct named {
	const char *text;
	bool is_commit;
	struct pn_oid commit; /* also of a series */
	const char *series;   /* behind the colon; NULL: it is none */
};

static int find_named(struct named *out, const struct pn_lookup *lookup,
		      const char *text, struct pn_error *err)
{
	int code = pn_lookup_commit(&out->commit, lookup, text, err);

	out->text = text;
	out->series = NULL;
	out->is_commit = code > 0;
	if (!code)
		code = pn_lookup_of_commit(&out->commit, &out->series, lookup,
					   text, err);
	if (code >= 0 && out->series && !*out->series)
		return pn_error_set(err, PN_EINVAL,
				    "the name of a series is missing behind "
				    "'%s': 'git perf show' of the revision "
				    "lists them",
				    text);
	return code < 0 ? code : 0;
}

static const char *short_hex(struct pn_arena *arena, const struct pn_oid *oid)
{
	char hex[PN_OID_HEX + 1];

	pn_oid_hex(hex, oid);
	return pn_arena_copy(arena, hex, HEX_SHOWN);
}

static const char *join(struct pn_arena *arena, const char *rev,
			const char *series)
{
	struct pn_buf text = {0};
	const char *kept;

	pn_buf_printf(&text, "%s:%s", rev, series);
	kept = pn_arena_copy(arena, pn_buf_text(&text), text.len);
	pn_buf_release(&text);
	return kept;
}

/* What has no weight of its own and may fit several: all of them. */
static bool is_part(const char *series)
{
	return *series == '/' || *series == '@';
}

/* `who` is "no first-parent ancestor of 'HEAD' has", "'HEAD' has no". */
static int nothing(struct pn_sides *out, const char *who, const char *series,
		   struct pn_error *err)
{
	out->nothing = true;
	if (!series)
		return pn_error_set(err, PN_ENOTFOUND,
				    "nothing to compare: %s profiles", who);
	return pn_error_set(err, PN_ENOTFOUND,
			    "nothing to compare: %s series '%s'", who, series);
}

static int no_base(struct pn_sides *out, const struct pn_lookup *lookup,
		   const char *rev, const char *series, struct pn_error *err)
{
	struct pn_buf who = {0};
	int code;

	pn_buf_printf(&who, "no first-parent ancestor of '%s'%s has", rev,
		      pn_repo_is_shallow(lookup->repo)
			      ? " in this shallow clone ('git fetch "
				"--unshallow' gets all)"
			      : "");
	code = nothing(out, pn_buf_text(&who), series, err);
	pn_buf_release(&who);
	return code;
}

/* The nearest one behind `from` that has it. */
static int find_base(struct pn_sides *out, const struct pn_lookup *lookup,
		     const struct pn_oid *from, const char *rev,
		     const char *series, struct pn_error *err)
{
	int code = pn_nearest_measured(&out->commits[0].commit, lookup, from,
				       series, err);

	if (!code)
		return no_base(out, lookup, rev, series, err);
	if (code < 0)
		return code;
	out->commits[0].rev = short_hex(&out->arena, &out->commits[0].commit);
	return 0;
}

/* Add to a message where there are profiles. */
static void say_nearest(const struct pn_lookup *lookup,
			const struct pn_side *side, struct pn_error *err)
{
	struct pn_oid nearest;
	struct pn_error ignored;
	char hex[PN_OID_HEX + 1], had[sizeof(err->message)];

	if (pn_nearest_measured(&nearest, lookup, &side->commit, NULL,
				&ignored) <= 0)
		return;
	pn_oid_hex(hex, &nearest);
	memcpy(had, err->message, sizeof(had));
	pn_error_set(err, PN_ENOTFOUND,
		     "%s, its nearest measured ancestor is %.*s", had,
		     HEX_SHOWN, hex);
}

int pn_side_refuse(const struct pn_lookup *lookup, const struct pn_side *side,
		   struct pn_error *err)
{
	pn_error_set(err, PN_ENOTFOUND, "nothing to show: '%s' has no profiles",
		     side->rev);
	say_nearest(lookup, side, err);
	return err->code;
}

bool pn_sides_may_be_commits(const char *const *names, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (strchr(names[i], ':') || pn_lookup_may_be_commit(names[i]))
			return true;
	return !count;
}

int pn_side_refuse_type(const struct pn_side *side, struct pn_error *err)
{
	return pn_error_set(err, PN_EINVAL,
			    "--sample-index is of profiles, '%s' is a commit: "
			    "a profile of it is '%s:<name>'",
			    side->rev, side->rev);
}

/* Whether there is what was measured, and is no figure of the commit. */
static bool has_dirty(const struct pn_lookup *lookup,
		      const struct pn_oid *commit)
{
	const struct pn_entry *entries = NULL;
	struct pn_arena arena = {0};
	struct pn_error ignored;
	size_t i, count = 0;
	bool dirty = false;

	if (pn_store_entries(&entries, &count, NULL, &arena, lookup->notes,
			     commit, &ignored))
		count = 0;
	for (i = 0; i < count && !dirty; i++)
		dirty = *pn_entry_field(&entries[i], "dirty") != '\0';
	pn_arena_release(&arena);
	return dirty;
}

/* 1, 0, or negative on error. */
static int is_measured(const struct pn_lookup *lookup,
		       const struct pn_oid *commit, struct pn_error *err)
{
	const struct pn_series_records *series = NULL;
	struct pn_arena arena = {0};
	size_t count = 0;
	int code = pn_lookup_read_series(&series, &count, &arena, lookup,
					 commit, err);

	pn_arena_release(&arena);
	return code ? code : count > 0;
}

/* The commit itself has to have a series. */
static int check_measured(struct pn_sides *out, const struct pn_lookup *lookup,
			  const struct pn_side *side, struct pn_error *err)
{
	struct pn_buf who = {0};
	int code;

	if (pn_oid_is_zero(&side->commit)) {
		out->nothing = true;
		return pn_error_set(err, PN_ENOTFOUND,
				    "nothing to compare: there is no commit "
				    "yet");
	}
	code = is_measured(lookup, &side->commit, err);
	if (code)
		return code < 0 ? code : 0;
	pn_buf_printf(&who, "'%s' has%s no", side->rev,
		      has_dirty(lookup, &side->commit)
			      ? ", beside those of a dirty tree,"
			      : "");
	code = nothing(out, pn_buf_text(&who), NULL, err);
	pn_buf_release(&who);
	say_nearest(lookup, side, err);
	return code;
}

static int check_both(struct pn_sides *out, const struct pn_lookup *lookup,
		      struct pn_error *err)
{
	int code = check_measured(out, lookup, &out->commits[1], err);

	return code ? code : check_measured(out, lookup, &out->commits[0], err);
}

static int of_no_name(struct pn_sides *out, const struct pn_lookup *lookup,
		      struct pn_error *err)
{
	int code;

	out->are_commits = true;
	out->commits[1] = (struct pn_side){lookup->commit, "HEAD"};
	code = check_measured(out, lookup, &out->commits[1], err);
	return code ? code
		    : find_base(out, lookup, &lookup->commit, "HEAD", NULL,
				err);
}

static void set_series(struct pn_sides *out, const char *series)
{
	size_t i;

	out->series = series;
	out->are_commits = is_part(series);
	for (i = 0; i < 2 && !out->are_commits; i++)
		out->profiles[i] =
			join(&out->arena, out->commits[i].rev, series);
}

static int refuse_one(const struct pn_lookup *lookup, const char *name,
		      struct pn_error *err)
{
	struct pn_found_list found = {0};
	int code = pn_lookup_find(&found, lookup, name, err);

	pn_found_list_release(&found);
	return code ? code
		    : pn_error_set(err, PN_EINVAL,
				   "need two profiles or commits, have the "
				   "profile '%s'",
				   name);
}

/* Where it fits several, they are listed as one types them, not as those of the
 * ancestor. */
static int check_series(const struct pn_lookup *lookup, const char *name,
			const char *series, struct pn_error *err)
{
	struct pn_found_list found = {0};
	int code = 0;

	if (!is_part(series))
		code = pn_lookup_find(&found, lookup, name, err);
	pn_found_list_release(&found);
	return code;
}

/* The name is looked at first, whatever the ancestors said: `code`. */
static int name_series(struct pn_sides *out, const struct pn_lookup *lookup,
		       const char *name, const struct named *one, int code,
		       struct pn_error *err)
{
	struct pn_error wrong;
	int named = check_series(lookup, name, one->series, &wrong);

	if (!named)
		return code;
	out->nothing = false;
	*err = wrong;
	return named;
}

static int of_one_name(struct pn_sides *out, const struct pn_lookup *lookup,
		       const char *name, struct pn_error *err)
{
	struct named one;
	int code = find_named(&one, lookup, name, err);

	if (code)
		return code;
	if (!one.is_commit && !one.series)
		return refuse_one(lookup, name, err);
	out->commits[1] = (struct pn_side){lookup->commit, "HEAD"};
	out->commits[0] = (struct pn_side){one.commit, name};
	if (one.is_commit) {
		out->are_commits = true;
		return check_both(out, lookup, err);
	}
	out->commits[0].rev = pn_arena_copy(&out->arena, name,
					    (size_t)(one.series - 1 - name));
	if (pn_oid_equal(&one.commit, &lookup->commit)) {
		out->commits[1].rev = out->commits[0].rev;
		code = find_base(out, lookup, &lookup->commit,
				 out->commits[1].rev, one.series, err);
		if (!code || out->nothing)
			code = name_series(out, lookup, name, &one, code, err);
	}
	set_series(out, one.series);
	return code;
}

/* Beside a commit, which may be taken for a profile: what is neither a commit
 * nor a series has to be one, before the commit is said not to be. */
static int check_profiles(const struct pn_lookup *lookup,
			  const struct named both[2], struct pn_error *err)
{
	struct pn_found_list found = {0};
	int code = 0;
	size_t i;

	for (i = 0; !code && i < 2; i++)
		if (both[1 - i].is_commit && !both[i].is_commit &&
		    !both[i].series)
			code = pn_lookup_find(&found, lookup, both[i].text,
					      err);
	pn_found_list_release(&found);
	return code;
}

static int of_two_names(struct pn_sides *out, const struct pn_lookup *lookup,
			const char *const *names, struct pn_error *err)
{
	struct named both[2];
	size_t i;
	int code = find_named(&both[0], lookup, names[0], err);

	if (!code)
		code = find_named(&both[1], lookup, names[1], err);
	if (code)
		return code;
	for (i = 0; i < 2; i++) {
		const struct named *other = &both[1 - i];

		out->commits[i] =
			(struct pn_side){both[i].commit, both[i].text};
		out->profiles[i] = names[i];
		if (both[i].is_commit && other->series)
			out->profiles[i] =
				join(&out->arena, names[i], other->series);
		else if (both[i].series)
			out->commits[i].rev = pn_arena_copy(
				&out->arena, names[i],
				(size_t)(both[i].series - 1 - names[i]));
	}
	if (both[0].is_commit && both[1].is_commit) {
		out->are_commits = true;
		return check_both(out, lookup, err);
	}
	code = check_profiles(lookup, both, err);
	for (i = 0; i < 2; i++) {
		if (!both[i].series || !is_part(both[i].series))
			continue;
		if (both[1 - i].is_commit ||
		    (both[1 - i].series &&
		     !strcmp(both[0].series, both[1].series))) {
			out->are_commits = true;
			out->series = both[i].series;
		}
	}
	return code;
}

int pn_sides_find(struct pn_sides *out, const struct pn_lookup *lookup,
		  const char *const *names, size_t count, struct pn_error *err)
{
	if (!count)
		return of_no_name(out, lookup, err);
	if (count == 1)
		return of_one_name(out, lookup, names[0], err);
	return of_two_names(out, lookup, names, err);
}

void pn_sides_release(struct pn_sides *sides)
{
	pn_arena_release(&sides->arena);
}

int pn_side_find(struct pn_side *out, struct pn_arena *arena,
		 const struct pn_lookup *lookup, const char *name,
		 struct pn_error *err)
{
	int code;

	if (name) {
		out->rev = name;
		return pn_lookup_commit(&out->commit, lookup, name, err);
	}
	if (pn_oid_is_zero(&lookup->commit))
		return pn_error_set(err, PN_ENOTFOUND,
				    "nothing to show: there is no commit yet");
	code = is_measured(lookup, &lookup->commit, err);
	if (code > 0)
		out->commit = lookup->commit;
	if (!code)
		code = pn_nearest_measured(&out->commit, lookup,
					   &lookup->commit, NULL, err);
	if (code < 0)
		return code;
	if (!code)
		return pn_error_set(err, PN_ENOTFOUND,
				    "nothing to show: neither HEAD nor a "
				    "first-parent ancestor has profiles");
	out->rev = pn_oid_equal(&out->commit, &lookup->commit)
			   ? "HEAD"
			   : short_hex(arena, &out->commit);
	return 1;
}
