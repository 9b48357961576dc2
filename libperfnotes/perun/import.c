/* What a Perun store lists, as records. */
#include "perun/import.h"
#include "codec/rows.h"

#include "base/file.h"
#include "base/hash.h"
#include "storage/pending.h"
#include "storage/store.h"

#include <string.h>

#define LABEL_FIELD "l." PN_RECORD_IMPORT_LABEL

void pn_perun_known_release(struct pn_perun_known *known)
{
	pn_strtab_release(&known->keys);
}

/* Adds the key of these texts; whether it is a new one. */
static bool learn(struct pn_perun_known *known, const char *where,
		  const char *object, const char *name, const char *time)
{
	size_t had = known->keys.count;
	struct pn_buf key = {0};

	pn_buf_printf(&key, "%s %s %s %s", where, object, time, name);
	pn_strtab_add(&known->keys, key.data, key.len);
	pn_buf_release(&key);
	/* the first key brings the empty one with it */
	return known->keys.count > (had ? had : 1);
}

int pn_perun_known_stored(struct pn_perun_known *known, struct pn_notes *notes,
			  const struct pn_oid *commit, struct pn_error *err)
{
	const struct pn_entry *entries;
	struct pn_arena arena = {0};
	char hex[PN_OID_HEX + 1];
	size_t i, count = 0;
	int code = pn_store_entries(&entries, &count, NULL, &arena, notes,
				    commit, err);

	pn_oid_hex(hex, commit);
	for (i = 0; !code && i < count; i++) {
		const char *object = pn_entry_field(&entries[i], LABEL_FIELD);

		if (!*object)
			continue;
		learn(known, hex, object, pn_entry_field(&entries[i], "name"),
		      pn_entry_field(&entries[i], "t"));
		learn(known, "", object, "", "");
	}
	pn_arena_release(&arena);
	return code;
}

int pn_perun_known_pending(struct pn_perun_known *known, struct pn_repo *repo,
			   struct pn_error *err)
{
	struct pn_pending_list list = {0};
	size_t i;
	int code = pn_pending_list(&list, repo, err);

	for (i = 0; !code && i < list.count; i++)
		learn(known, "",
		      pn_entry_field(&list.items[i].entry, LABEL_FIELD), "",
		      "");
	pn_pending_list_release(&list);
	return code;
}

static void write_time(char out[PN_TIME_TEXT], uint32_t time_s)
{
	pn_time_write(out, (int64_t)time_s * 1000000000);
}

bool pn_perun_known_add(struct pn_perun_known *known,
			const struct pn_oid *commit,
			const struct pn_perun_listing *listing)
{
	char where[PN_OID_HEX + 1], object[PN_OID_HEX + 1], time[PN_TIME_TEXT];

	pn_oid_hex(where, commit);
	pn_oid_hex(object, &listing->object);
	write_time(time, listing->time_s);
	return learn(known, where, object, listing->name, time);
}

bool pn_perun_known_add_pending(struct pn_perun_known *known,
				const struct pn_record *record)
{
	return learn(known, "", pn_record_field(record, LABEL_FIELD), "", "");
}

static int read_json(struct pn_record *out, struct pn_oid *origin,
		     const struct pn_buf *json, const struct pn_oid *id,
		     const char *name, uint64_t max_bytes, struct pn_error *err)
{
	char hex[PN_OID_HEX + 1];
	const struct pn_text_pair label = {PN_RECORD_IMPORT_LABEL, hex};
	const struct pn_record_options options = {.codec = &pn_codec_perun,
						  .name = name,
						  .labels = &label,
						  .label_count = 1,
						  .max_bytes = max_bytes};

	pn_oid_hex(hex, id);
	return pn_record_read_memory(out, origin, json->data, json->len, name,
				     &options, err);
}

/* What the index says beyond the profile itself. */
static void describe(struct pn_record *r, struct pn_perun_listing *listing)
{
	const char **texts = listing->texts;
	char time[PN_TIME_TEXT];

	write_time(time, listing->time_s);
	pn_record_set_field(r, "t", time);
	pn_perun_listing_settle(listing, pn_record_field(r, "workload"));
	if (*texts[PN_PERUN_LABEL] && !*pn_record_field(r, "l.label"))
		pn_record_set_label(r, "label", texts[PN_PERUN_LABEL]);
	if (*texts[PN_PERUN_ARGS] && !*pn_record_field(r, "args"))
		pn_record_set_field(r, "args", texts[PN_PERUN_ARGS]);
}

int pn_perun_import_listed(struct pn_record *out,
			   const struct pn_perun_store *store,
			   struct pn_perun_listing *listing, uint64_t max_bytes,
			   struct pn_error *err)
{
	struct pn_buf json = {0};
	struct pn_oid origin;
	int code = pn_perun_store_object(&json, store, &listing->object,
					 max_bytes, err);

	if (!code)
		code = read_json(out, &origin, &json, &listing->object,
				 listing->name, max_bytes, err);
	if (!code)
		describe(out, listing);
	pn_buf_release(&json);
	return code;
}

static void hash(struct pn_oid *out, const struct pn_buf *bytes)
{
	struct pn_hash_sha1 *sha1 = pn_hash_sha1_new();

	pn_hash_sha1_add(sha1, bytes->data, bytes->len);
	pn_hash_sha1_end(out->bytes, sha1);
}

int pn_perun_import_pending(struct pn_record *out,
			    const struct pn_perun_store *store,
			    const char *name, uint64_t max_bytes,
			    struct pn_error *err)
{
	struct pn_oid id, origin;
	struct pn_buf json = {0};
	int64_t time_ns = 0;
	int code = pn_perun_store_pending(&json, &time_ns, store, name,
					  max_bytes, err);

	if (!code) {
		hash(&id, &json);
		code = read_json(out, &origin, &json, &id, name, max_bytes,
				 err);
	}
	if (!code) {
		out->commit = origin;
		out->time_ns = time_ns;
	}
	pn_buf_release(&json);
	return code;
}
