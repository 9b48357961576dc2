/* Profiles made of others. */
#include "jobs/profiles/derive.h"

#include "base/file.h"
#include "collect/perf_file.h"
#include "jobs/profiles/pool.h"
#include "jobs/settings.h"
#include "storage/pending.h"

#include <stdlib.h>
#include <string.h>

static int find_entry(struct pn_derive *d, struct pn_error *err)
{
	const struct pn_found *found = d->found;
	size_t i;
	int code = 0;

	if (found->entry) {
		d->entry = found->entry;
		d->origin = found->commit;
		return 0;
	}
	if (pn_pending_owns(d->repo, found->path))
		code = pn_pending_list(&d->pending, d->repo, err);
	for (i = 0; !code && i < d->pending.count; i++) {
		const struct pn_pending *item = &d->pending.items[i];

		if (strcmp(pn_file_basename(item->path),
			   pn_file_basename(found->path)) != 0)
			continue;
		d->entry = &item->entry;
		d->origin = item->origin;
	}
	return code;
}

void pn_derive_release(struct pn_derive *derive)
{
	pn_pending_list_release(&derive->pending);
	pn_profile_release(&derive->profile);
	pn_post_notes_release(&derive->notes);
	pn_record_release(&derive->record);
	free(derive->path);
}

int pn_derive_open(struct pn_derive *d, const struct pn_lookup *lookup,
		   const char *format, struct pn_error *err)
{
	struct pn_perf_file data = {-1, ""};
	const struct pn_codec *codec = NULL;
	struct pn_found found = *d->found;
	int code;

	pn_profile_init(&d->profile);
	if (format && !(codec = pn_codec_find(format, err)))
		return PN_ENOTFOUND;
	code = find_entry(d, err);
	if (!code && found.kind == PN_FOUND_FILE)
		code = pn_perf_file_open(&data, &found.path, err);
	if (!code)
		code = pn_pool_load(&d->profile, NULL, lookup, &found, codec,
				    err);
	pn_perf_file_close(&data);
	return code;
}

int pn_derive_apply(struct pn_derive *d, const struct pn_post *posts,
		    size_t count, struct pn_error *err)
{
	size_t i;
	int code = 0;

	d->models_before = d->profile.header.model_count;
	d->posts_before = d->profile.header.post_count;
	for (i = 0; !code && i < count; i++)
		code = pn_post_apply(&d->profile, &posts[i], &d->notes, err);
	return code;
}

/* The profile's own word on where it was measured, unless it is known. */
static void take_origin(struct pn_derive *d, struct pn_profile *profile)
{
	struct pn_header *h = &profile->header;
	const char *text = pn_profile_text(profile, h->origin);
	struct pn_oid origin;

	if (!d->entry && !pn_oid_parse(&origin, text))
		d->origin = origin;
	h->origin = 0;
}

/* Fields that are about the stored thing and not about the measurement. */
static bool is_own(const char *key)
{
	static const char *const own[] = {"n",	   "body",   "base",   "from",
					  "of",	   "name",   "format", "kind",
					  "posts", "metrics"};
	size_t i;

	for (i = 0; i < sizeof(own) / sizeof(*own); i++)
		if (!strcmp(own[i], key))
			return true;
	return false;
}

/* `of` keeps the samples of the two from being taken for twice as many
 * (analysis/history/figures.h). */
static void inherit(struct pn_record *r, const struct pn_derive *d)
{
	size_t i;

	r->commit = d->origin;
	r->time_ns = pn_time_now_ns();
	if (!d->entry)
		return;
	r->tree = d->entry->tree;
	for (i = 0; i < d->entry->field_count; i++) {
		const struct pn_field *f = &d->entry->fields[i];

		if (!is_own(f->key) && !*pn_record_field(r, f->key))
			pn_record_add_field(r, f->key, f->value);
	}
	if (d->found->entry)
		pn_record_add_field(r, "of", d->entry->id);
}

/* What the name of a series says stands in other fields. */
static const char *name_of(const struct pn_entry *entry)
{
	const char *name = pn_entry_field(entry, "name");

	return *name ? pn_file_basename(name) : entry->id;
}

int pn_derive_keep(struct pn_derive *d, const char *name, struct pn_error *err)
{
	struct pn_record_options options = {.name = name};
	int code = pn_setting_body_bytes(&options.max_bytes, d->repo, err);

	if (code)
		return code;
	if (!name && d->found->kind == PN_FOUND_SERIES)
		options.name = name_of(d->entry);
	else if (!name && d->found->name)
		options.name = pn_file_basename(d->found->name);
	take_origin(d, &d->profile);
	code = pn_record_from_profile(&d->record, &d->profile, &options, err);
	if (code)
		return code;
	inherit(&d->record, d);
	return pn_pending_save(&d->path, d->repo, &d->record, err);
}

struct pn_applied pn_derive_applied(char origin[PN_OID_HEX + 1],
				    const struct pn_derive *d)
{
	*origin = '\0';
	if (!pn_oid_is_zero(&d->origin))
		pn_oid_hex(origin, &d->origin);
	return (struct pn_applied){.profile = &d->record.profile,
				   .models_before = d->models_before,
				   .posts_before = d->posts_before,
				   .notes = &d->notes,
				   .name = pn_file_basename(d->path),
				   .path = d->path,
				   .origin = origin};
}
