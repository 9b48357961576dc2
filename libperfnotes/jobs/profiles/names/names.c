/* Names for completion. */
#include "jobs/profiles/names/names.h"

#include "base/alloc.h"
#include "base/escape.h"
#include "jobs/matrix/matrix.h"
#include "jobs/profiles/sides.h"
#include "storage/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_plain(const char *text)
{
	struct pn_buf quoted = {0};
	bool plain;

	pn_escape_shell(&quoted, text);
	plain = *text && *text != '-' && !strcmp(pn_buf_text(&quoted), text);
	pn_buf_release(&quoted);
	return plain;
}

static void add_name(struct pn_buf *out, const char *rev, const char *name,
		     const char *what)
{
	if (!is_plain(name))
		return;
	pn_buf_printf(out, "%s%s%s\t", rev ? rev : "", rev ? ":" : "", name);
	pn_escape_terminal(out, what, strlen(what));
	pn_buf_add_byte(out, '\n');
}

static int add_stored(struct pn_buf *out, const struct pn_lookup *lookup,
		      const struct pn_oid *commit, const char *rev,
		      struct pn_arena *arena, struct pn_error *err)
{
	const struct pn_entry *entries = NULL;
	size_t i, count = 0;
	char tag[32];
	int code = pn_store_entries(&entries, &count, NULL, arena,
				    lookup->notes, commit, err);

	for (i = 0; !code && i < count; i++) {
		const char *name = pn_entry_field(&entries[i], "name");

		snprintf(tag, sizeof(tag), "%zu@i", i);
		add_name(out, rev, tag, *name ? name : entries[i].id);
		add_name(out, rev, name, entries[i].id);
	}
	return code;
}

static int add_series(struct pn_buf *out, const struct pn_lookup *lookup,
		      const struct pn_oid *commit, const char *rev,
		      bool unnamed, struct pn_arena *arena,
		      struct pn_error *err)
{
	const struct pn_series_records *records = NULL;
	struct pn_series *all;
	struct pn_buf text = {0};
	size_t i, count = 0;
	int code = pn_store_series(&records, &count, arena, lookup->repo,
				   lookup->notes, commit, err);

	all = pn_calloc(count + 1, sizeof(*all));
	for (i = 0; i < count; i++)
		all[i] = records[i].series;
	for (i = 0; i < count; i++) {
		struct pn_series_parts parts =
			pn_series_tell(&all[i], all, count);

		pn_buf_clear(&text);
		pn_series_text(&text, &all[i], &parts);
		if (!strcmp(pn_buf_text(&text),
			    pn_entry_field(records[i].entries[0], "name")) &&
		    !unnamed)
			continue; /* it is listed by that name */
		add_name(out, rev, pn_buf_text(&text), "series");
	}
	pn_buf_release(&text);
	free(all);
	return code;
}

static int add_pending(struct pn_buf *out, const struct pn_lookup *lookup,
		       struct pn_error *err)
{
	struct pn_pending_list pending = {0};
	size_t i;
	char tag[32];
	int code = pn_pending_list(&pending, lookup->repo, err);

	for (i = 0; !code && i < pending.count; i++) {
		snprintf(tag, sizeof(tag), "%zu@p", i);
		add_name(out, NULL, tag, pending.items[i].name);
		add_name(out, NULL, pending.items[i].name, "pending");
	}
	pn_pending_list_release(&pending);
	return code;
}

int pn_names_list(struct pn_buf *out, const struct pn_lookup *lookup,
		  const char *typed, bool add, struct pn_error *err)
{
	const char *colon = strchr(typed, ':');
	struct pn_oid commit = lookup->commit;
	struct pn_arena arena = {0};
	char *rev = colon ? pn_strndup(typed, (size_t)(colon - typed)) : NULL;
	int code = 0;

	if (rev)
		code = pn_repo_resolve(&commit, lookup->repo, rev, err);
	if (!code && !add && !pn_oid_is_zero(&commit))
		code = add_stored(out, lookup, &commit, rev, &arena, err);
	if (!code && !rev)
		code = add_pending(out, lookup, err);
	if (!code && !add && !pn_oid_is_zero(&commit))
		code = add_series(out, lookup, &commit, rev ? rev : "HEAD",
				  !rev, &arena, err);
	pn_arena_release(&arena);
	free(rev);
	return code;
}

static int add_sections(struct pn_buf *out, struct pn_repo *repo,
			struct pn_error *err)
{
	struct pn_matrix matrix = {0};
	struct pn_buf path = {0}, bytes = {0};
	size_t i;
	int code;

	pn_buf_printf(&path, "%s/%s", pn_repo_work_dir(repo), PN_MATRIX_FILE);
	code = pn_matrix_read(&bytes, pn_buf_text(&path), false, err);
	if (!code)
		code = pn_matrix_parse(&matrix, repo, pn_buf_text(&path),
				       &bytes, err);
	for (i = 0; !code && i < matrix.section_count; i++)
		add_name(out, NULL, matrix.sections[i].name, PN_MATRIX_FILE);
	pn_matrix_release(&matrix);
	pn_buf_release(&bytes);
	pn_buf_release(&path);
	return code == PN_ENOTFOUND ? 0 : code;
}

static const char *part_of(const struct pn_series *series,
			   enum pn_names_part part)
{
	switch (part) {
	case PN_NAMES_JOB:
		return series->job;
	case PN_NAMES_COLLECTOR:
		return series->collector;
	case PN_NAMES_MACHINE:
		return series->machine;
	case PN_NAMES_NONE:
		break;
	}
	return "";
}

static void add_parts(struct pn_buf *out,
		      const struct pn_series_records *records, size_t count,
		      enum pn_names_part part)
{
	const char *text;
	size_t i, k;

	if (count > PN_SERIES_TELL_MAX)
		count = PN_SERIES_TELL_MAX;
	for (i = 0; i < count; i++) {
		text = part_of(&records[i].series, part);
		for (k = 0; k < i; k++)
			if (!strcmp(text, part_of(&records[k].series, part)))
				break;
		if (k == i)
			add_name(out, NULL, text, "measured");
	}
}

enum pn_names_part pn_names_part_of(const char *option)
{
	static const char *const parts[] = {[PN_NAMES_NONE] = "",
					    [PN_NAMES_JOB] = "job",
					    [PN_NAMES_COLLECTOR] = "collector",
					    [PN_NAMES_MACHINE] = "machine"};
	size_t part = PN_NAMES_MACHINE;

	option += strspn(option, "-");
	while (part && strcmp(parts[part], option) != 0)
		part--;
	return (enum pn_names_part)part;
}

int pn_names_parts(struct pn_buf *out, const struct pn_lookup *lookup,
		   enum pn_names_part part, struct pn_error *err)
{
	const struct pn_series_records *records = NULL;
	struct pn_error none = {0};
	struct pn_arena arena = {0};
	struct pn_side side;
	size_t count = 0;
	int code = 0;

	if (part == PN_NAMES_JOB && pn_repo_work_dir(lookup->repo))
		code = add_sections(out, lookup->repo, err);
	if (!code && pn_side_find(&side, &arena, lookup, NULL, &none) > 0)
		code = pn_store_series(&records, &count, &arena, lookup->repo,
				       lookup->notes, &side.commit, err);
	if (!code)
		add_parts(out, records, count, part);
	pn_arena_release(&arena);
	return code;
}
