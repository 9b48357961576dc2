#!/bin/sh
# A program outside of this tree uses the installed library: measured values
# go into a commit's note and come back.
. "$(dirname "$0")/lib.sh"

build=${PERF_BUILD:-$root/build}
prefix=$scratch/prefix
need cmake pkg-config "${CC:-cc}"
must cmake --install "$build" --prefix "$prefix" >"$out"

cat >"$scratch/outside.c" <<'END'
#include <base/arena.h>
#include <base/error.h>
#include <stdio.h>
#include <storage/store.h>

static int append(struct pn_repo *repo, struct pn_error *err)
{
	static const double values[] = {0.25, 0.5, 0.75};
	struct pn_record_options options = {.name = "outside"};
	struct pn_record record = {0};
	struct pn_commit_facts facts;
	struct pn_profile profile;
	struct pn_oid commit;
	int code;

	pn_profile_init(&profile);
	pn_profile_add_metric(&profile, "wall", "s", PN_BETTER_LESS, values, 3);
	code = pn_record_from_profile(&record, &profile, &options, err);
	pn_profile_release(&profile);
	if (code)
		return code;
	if (!(code = pn_repo_resolve(&commit, repo, "HEAD", err)) &&
	    !(code = pn_repo_commit_facts(&facts, repo, &commit, err))) {
		record.commit = commit;
		record.tree = facts.tree;
		code = pn_store_append(repo, &record, 1, err);
	}
	pn_record_release(&record);
	return code;
}

static int list(struct pn_repo *repo, struct pn_error *err)
{
	const struct pn_entry *entries;
	struct pn_notes *notes = NULL;
	struct pn_arena arena = {0};
	struct pn_oid commit;
	size_t count = 0;
	int code;

	if ((code = pn_repo_resolve(&commit, repo, "HEAD", err)) ||
	    (code = pn_notes_open(&notes, repo, PN_NOTES_REF, err)) ||
	    (code = pn_store_entries(&entries, &count, NULL, &arena, notes,
				     &commit, err)))
		return code;
	for (size_t i = 0; i < count; i++)
		printf("%s %s %g %s\n", pn_entry_field(&entries[i], "name"),
		       entries[i].metrics[0].name,
		       entries[i].metrics[0].summary.median,
		       entries[i].metrics[0].unit);
	pn_notes_free(notes);
	pn_arena_release(&arena);
	return 0;
}

int main(void)
{
	struct pn_repo *repo = NULL;
	struct pn_error err;
	int code;

	code = pn_repo_open(&repo, NULL, &err) || append(repo, &err) ||
	       list(repo, &err);
	if (code)
		fprintf(stderr, "%s\n", err.message);
	pn_repo_free(repo);
	return code;
}
END
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name perfnotes.pc)")
export PKG_CONFIG_PATH
flags=$(pkg-config --cflags --libs perfnotes)

# $flags and PERF_CFLAGS are lists of words.
# shellcheck disable=SC2086
check 'pkg-config says how to compile and link' exits 0 \
	"${CC:-cc}" -std=c11 -Wall -Wextra -Werror ${PERF_CFLAGS:-} \
	-o "$scratch/outside" "$scratch/outside.c" $flags
check 'the library gives an error outside of a repository' \
	exits 1 env -C / "$scratch/outside"
check 'the error of the library is a text' mentions err 'not a git repository'
commit first
check 'a program stores and lists through the library' \
	exits 0 "$scratch/outside"
check 'the library lists the median that was stored' \
	says out 'outside wall 0.5 s'
check "git notes shows the line that the library stored" \
	exits 0 git notes --ref=perf show
check 'the note of the library holds an index line' \
	mentions out '^perf1 .* profile '
