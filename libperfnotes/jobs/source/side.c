/* One side of a file with its costs. */
#include "jobs/source/side.h"
#include "jobs/rewritten/stand_in.h"

#include "analysis/filter/clean.h"
#include "base/alloc.h"
#include "base/escape.h"
#include "jobs/profiles/pool.h"
#include "jobs/rewritten/stand_in.h"
#include "jobs/source/choose.h"
#include "jobs/source/paths.h"
#include "jobs/source/tree.h"
#include "model/unit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SERIES_SHOWN 8 /* of those that fit */

/* Where it was measured: a pending one says, a file is taken to be HEAD's. */
static struct pn_oid commit_of(const struct pn_annotate_side *side,
			       const struct pn_found *found,
			       const struct pn_lookup *lookup)
{
	const struct pn_profile *p = &side->profile;
	const char *origin = pn_profile_text(p, p->header.origin);
	struct pn_oid commit;

	if (found->entry)
		return *pn_stand_ins_source(lookup, found);
	return pn_oid_parse(&commit, origin) ? lookup->commit : commit;
}

int pn_source_check_rev(const struct pn_lookup *lookup, const char *rev,
			struct pn_error *err)
{
	struct pn_oid commit;

	return pn_repo_resolve(&commit, lookup->repo, rev, err);
}

/* The one profile that side->name names. */
static int load_found(struct pn_annotate_side *side,
		      const struct pn_lookup *lookup,
		      const struct pn_found_list *found, struct pn_error *err)
{
	const struct pn_clean clean = {.demangle = PN_DEMANGLE_SIMPLE};
	int code;

	if (found->count != 1)
		return pn_error_set(err, PN_EAMBIGUOUS,
				    "'%s' names %zu profiles, need one",
				    pn_buf_text(&side->name), found->count);
	code = pn_pool_load(&side->profile, NULL, lookup, found->items, NULL,
			    err);
	if (code)
		return code;
	side->commit = commit_of(side, found->items, lookup);
	pn_oid_hex(side->hex, &side->commit);
	pn_buf_clear(&side->name);
	pn_buf_add_text(&side->name, found->items[0].name);
	return pn_clean(&side->profile, &clean, err);
}

static int load_name(struct pn_annotate_side *side,
		     const struct pn_lookup *lookup,
		     const struct pn_annotate_call *call, struct pn_error *err)
{
	struct pn_report_options options = {.filter = *call->filter,
					    .granularity = PN_BY_PLACES,
					    .sample_index = call->sample_index,
					    .divide_by = 1,
					    .unit = call->unit ? call->unit
							       : PN_UNIT_AUTO};
	struct pn_found_list found = {0};
	int code =
		pn_lookup_find(&found, lookup, pn_buf_text(&side->name), err);

	if (!code)
		code = load_found(side, lookup, &found, err);
	/* of a call graph what inner calls cost is known by function only */
	if (!code && side->profile.graph.node_count)
		options.granularity = PN_BY_LINES;
	if (!code)
		code = pn_report_init(&side->report, &side->profile, &options,
				      err);
	pn_found_list_release(&found);
	return code;
}

int pn_source_side_load(struct pn_annotate_side *side,
			const struct pn_lookup *lookup, const char *rev,
			const char *series, const struct pn_annotate_call *call,
			struct pn_error *err)
{
	pn_buf_clear(&side->name);
	pn_buf_clear(&side->series);
	pn_buf_printf(&side->name, "%s%s%s", rev ? rev : "",
		      rev && series ? ":" : "", series ? series : "");
	pn_buf_add_text(&side->series, series ? series : "");
	return load_name(side, lookup, call, err);
}

/* "HEAD:fib" is "fib" of another revision, unless a file is called so. */
static void forget_rev(struct pn_annotate_side *side, const char *name)
{
	const char *colon = strchr(name, ':');

	if (!colon || colon == name || !access(name, F_OK))
		return;
	pn_buf_clear(&side->series);
	pn_buf_add_text(&side->series, colon + 1);
}

/* What was named; of no revision it may be a series of the nearest one. */
static int load_profile(struct pn_annotate_side *side,
			const struct pn_lookup *lookup,
			const struct pn_annotate_call *call,
			struct pn_error *err)
{
	struct pn_source_choice choice;
	int code = call->rev ? pn_source_check_rev(lookup, call->rev, err) : 0;

	if (!code)
		code = pn_source_side_load(side, lookup, call->rev,
					   call->profile, call, err);
	if (!code && !call->rev)
		forget_rev(side, call->profile);
	if (call->rev || *side->hex || strchr(call->profile, ':') ||
	    (code != PN_ENOTFOUND && code != PN_EAMBIGUOUS))
		return code;
	code = pn_source_choice_open(&choice, lookup, NULL, err);
	if (!code)
		code = pn_source_side_load(side, lookup, choice.rev,
					   call->profile, call, err);
	pn_source_choice_close(&choice);
	return code;
}

/* Whether a series has costs of lines of the file: 1, 0, or why it cannot be
 * told. */
static int has_lines(const struct pn_lookup *lookup,
		     const struct pn_source_choice *choice, size_t i,
		     const struct pn_annotate_call *call, const char *path,
		     struct pn_error *err)
{
	struct pn_annotate_side side = {.has_costs = false};
	struct pn_annotated_side costs = {.count = 0};
	int code;

	pn_profile_init(&side.profile);
	pn_buf_add_text(&side.path, path);
	code = pn_source_side_load(&side, lookup, choice->rev,
				   choice->series[i], call, err);
	if (!code)
		code = pn_source_side_costs(&costs, &side, lookup->repo, err);
	if (!code) /* lines are in order, and 0 is no line */
		code = costs.count && costs.costs[costs.count - 1].line > 0;
	free(costs.costs);
	pn_source_side_release(&side);
	return code;
}

static int refuse(const struct pn_source_choice *choice,
		  const unsigned char *fits, size_t fitting, const char *path,
		  struct pn_error *err)
{
	struct pn_buf list = {0};
	size_t i, shown = 0;

	if (!fitting)
		return pn_error_set(err, PN_ENOTFOUND,
				    "none of the %zu series of '%s' with "
				    "functions has costs of lines of '%s'",
				    choice->count, choice->rev, path);
	for (i = 0; i < choice->count && shown < SERIES_SHOWN; i++)
		if (fits[i]) {
			pn_buf_add_text(&list, shown++ ? ", --profile="
						       : "--profile=");
			pn_escape_shell(&list, choice->series[i]);
		}
	if (shown < fitting)
		pn_buf_printf(&list, " and %zu more", fitting - shown);
	pn_error_set(err, PN_EAMBIGUOUS,
		     "'%s' has %zu series with costs of '%s', type one of: %s",
		     choice->rev, fitting, path, pn_buf_text(&list));
	pn_buf_release(&list);
	return PN_EAMBIGUOUS;
}

/* The one of several series that has the file's lines. */
static int choose_series(size_t *out, const struct pn_lookup *lookup,
			 const struct pn_source_choice *choice,
			 const struct pn_annotate_call *call, const char *path,
			 struct pn_error *err)
{
	unsigned char *fits = pn_calloc(choice->count + 1, 1);
	size_t i, fitting = 0;
	int has, code = 0;

	pn_source_choice_fetch(choice, lookup);
	for (i = 0; i < choice->count; i++) {
		has = has_lines(lookup, choice, i, call, path, err);
		if (has < 0)
			code = has;
		if (has <= 0)
			continue;
		fits[i] = 1;
		fitting++;
		*out = i;
	}
	if (fitting)
		code = 0;
	if (!code && fitting != 1)
		code = refuse(choice, fits, fitting, path, err);
	free(fits);
	return code;
}

static int check_file(struct pn_repo *repo, const struct pn_oid *commit,
		      const char *path, struct pn_error *err)
{
	struct pn_source_tree tree;
	int code = pn_source_tree_of_commit(&tree, repo, commit, err);

	if (!code && !pn_source_tree_has(&tree, path))
		code = pn_error_set(err, PN_ENOTFOUND, "'%s' is no file of %s",
				    path, tree.name);
	pn_source_tree_release(&tree);
	return code;
}

int pn_source_side_choose(struct pn_annotate_side *side,
			  const struct pn_lookup *lookup,
			  const struct pn_annotate_call *call,
			  struct pn_error *err)
{
	const char *path = pn_buf_text(&side->path);
	struct pn_source_choice choice;
	size_t i = 0;
	int code;

	if (call->profile)
		return load_profile(side, lookup, call, err);
	code = pn_source_choice_open(&choice, lookup, call->rev, err);
	if (!code)
		code = check_file(lookup->repo, &choice.commit, path, err);
	if (!code && choice.count > 1)
		code = choose_series(&i, lookup, &choice, call, path, err);
	if (!code)
		code = pn_source_side_load(side, lookup, choice.rev,
					   choice.series[i], call, err);
	pn_source_choice_close(&choice);
	return code;
}

int pn_source_side_costs(struct pn_annotated_side *out,
			 struct pn_annotate_side *side, struct pn_repo *repo,
			 struct pn_error *err)
{
	const struct pn_profile *p = &side->profile;
	const char *path = pn_buf_text(&side->path);
	struct pn_source_paths paths;
	struct pn_source_tree tree;
	unsigned char *is_meant;
	int code = pn_source_tree_of_commit(&tree, repo, &side->commit, err);

	if (code)
		return code;
	if (side->path.len)
		code = pn_source_tree_read(&side->text.bytes, &tree, path, err);
	if (code == PN_ENOTFOUND)
		pn_error_set(err, code, "'%s' is no file of %s", path,
			     tree.name);
	pn_source_text_split(&side->text);
	pn_source_paths_init(&paths, &side->report.nodes.files,
			     pn_profile_text(p, p->header.source_root), &tree);
	is_meant = pn_source_paths_of(&paths, path);
	side->has_costs = memchr(is_meant, 1, paths.count + 1) != NULL;
	pn_annotated_costs(out, &side->report, is_meant);
	free(is_meant);
	pn_source_paths_release(&paths);
	pn_source_tree_release(&tree);
	return code;
}

const char *pn_source_side_doubt(const struct pn_annotate_side *side)
{
	const struct pn_strtab *files = &side->report.nodes.files;
	size_t i;

	/* "" is the first, in a table that has any */
	for (i = 0; i < files->count; i++)
		if (pn_strtab_len(files, (uint32_t)i))
			return "";
	return ": it has no source files, and what it tells are costs of "
	       "functions";
}

void pn_source_side_release(struct pn_annotate_side *side)
{
	pn_report_release(&side->report);
	pn_profile_release(&side->profile);
	pn_source_text_release(&side->text);
	pn_buf_release(&side->name);
	pn_buf_release(&side->series);
	pn_buf_release(&side->path);
}
