/* What a detector says of the series of two commits. */
#include "jobs/judge/detected.h"

#include "base/alloc.h"
#include "jobs/matrix/matrix.h"
#include "jobs/profiles/pool.h"
#include "storage/body_fetch.h"
#include "storage/store.h"

#include <stdlib.h>
#include <string.h>

struct search {
	struct pn_repo *repo;
	struct pn_notes *notes;
	struct pn_oid commits[2];
	const struct pn_series_records *series[2];
	size_t counts[2];
};

static const struct pn_series_records *find(const struct search *s,
					    const struct pn_series *wanted)
{
	size_t i;

	for (i = 0; i < s->counts[0]; i++)
		if (!pn_series_cmp(&s->series[0][i].series, wanted) ||
		    pn_series_alike(&s->series[0][i].series, wanted))
			return &s->series[0][i];
	return NULL;
}

static int load(struct pn_profile *out, const struct search *s, int side,
		const char *name, const struct pn_series_records *records,
		struct pn_error *err)
{
	struct pn_lookup lookup = {
		.repo = s->repo, .notes = s->notes, .commit = s->commits[side]};
	struct pn_found found = {.kind = PN_FOUND_SERIES,
				 .name = name,
				 .commit = s->commits[side],
				 .entry = records->entries[0],
				 .records = records};

	return pn_pool_load(out, NULL, &lookup, &found, NULL, err);
}

static void detect(struct pn_detected_series *out, const struct search *s,
		   const struct pn_series_records *old,
		   const struct pn_series_records *new)
{
	struct pn_profile before, after;

	pn_profile_init(&before);
	pn_profile_init(&after);
	out->why.code = 0;
	if (!load(&before, s, 0, out->name, old, &out->why) &&
	    !load(&after, s, 1, out->name, new, &out->why))
		out->detector->run(&out->found, &before, &after, &out->why);
	pn_profile_release(&before);
	pn_profile_release(&after);
}

static const char *name_of(struct pn_detection *out, const struct search *s,
			   size_t at)
{
	struct pn_series_parts parts;
	struct pn_series *all = pn_calloc(s->counts[1] + 1, sizeof(*all));
	struct pn_buf text = {0};
	const char *name;
	size_t i;

	for (i = 0; i < s->counts[1]; i++)
		all[i] = s->series[1][i].series;
	parts = pn_series_tell(&all[at], all, s->counts[1]);
	pn_series_text(&text, &all[at], &parts);
	name = pn_arena_copy(&out->arena, pn_buf_text(&text), text.len);
	pn_buf_release(&text);
	free(all);
	return name;
}

/* In a partial clone the bodies of what a rule fits, together. */
static void fetch_bodies(const struct search *s,
			 const struct pn_detector_rules *rules,
			 const struct pn_log_filter *filter)
{
	struct pn_bodies_wanted *wanted = pn_bodies_wanted_new(s->repo);
	size_t i, k;

	for (i = 0; wanted && i < s->counts[1]; i++) {
		const struct pn_series_records *new = &s->series[1][i], *old;

		old = find(s, &new->series);
		for (k = 0; k < rules->count; k++)
			if (pn_detector_rule_fits(&rules->items[k],
						  &new->series))
				break;
		if (!old || k == rules->count ||
		    !pn_log_filter_fits(filter, &new->series))
			continue;
		pn_bodies_wanted_add(wanted, new->entries, new->count);
		pn_bodies_wanted_add(wanted, old->entries, old->count);
	}
	pn_bodies_wanted_end(wanted);
}

/* How many series both have, whether a rule fits them or not. */
static size_t detect_all(struct pn_detection *out, const struct search *s,
			 const struct pn_detector_rules *rules,
			 const struct pn_log_filter *filter)
{
	size_t i, k, common = 0;

	out->items =
		pn_calloc(s->counts[1] * rules->count + 1, sizeof(*out->items));
	fetch_bodies(s, rules, filter);
	for (i = 0; i < s->counts[1]; i++) {
		const struct pn_series_records *new = &s->series[1][i], *old;

		old = find(s, &new->series);
		if (!old || !pn_log_filter_fits(filter, &new->series))
			continue;
		common++;
		for (k = 0; k < rules->count; k++) {
			const struct pn_detector_rule *rule = &rules->items[k];

			if (!pn_detector_rule_fits(rule, &new->series))
				continue;
			out->items[out->count].name = name_of(out, s, i);
			out->items[out->count].detector = rule->detector;
			detect(&out->items[out->count++], s, old, new);
		}
	}
	return common;
}

int pn_detection_run(struct pn_detection *out, struct pn_repo *repo,
		     struct pn_notes *notes, const struct pn_judge_ends *ends,
		     const struct pn_detector_rules *rules,
		     const struct pn_log_filter *filter, struct pn_error *err)
{
	struct search s = {.repo = repo,
			   .notes = notes,
			   .commits = {ends->base, ends->target}};
	struct pn_arena arena = {0};
	size_t common = 0;
	int side, code = 0;

	for (side = 0; !code && side < 2; side++)
		code = pn_store_series(&s.series[side], &s.counts[side], &arena,
				       repo, notes, &s.commits[side], err);
	if (!code)
		common = detect_all(out, &s, rules, filter);
	pn_arena_release(&arena);
	if (!code && !out->count)
		code = pn_error_set(
			err, PN_ENOTFOUND,
			common ? "nothing to compare: no [detector] "
				 "section of '%s' fits a series of "
				 "both commits"
			       : "nothing to compare: the two "
				 "commits have no series in common",
			PN_MATRIX_FILE);
	return code;
}

void pn_detection_release(struct pn_detection *detection)
{
	size_t i;

	for (i = 0; i < detection->count; i++)
		pn_detected_release(&detection->items[i].found);
	free(detection->items);
	pn_arena_release(&detection->arena);
	memset(detection, 0, sizeof(*detection));
}
