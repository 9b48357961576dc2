/* Writing a Perun store. */
#include "perun/export.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/folder/folder.h"
#include "base/json/json.h"
#include "codec/perun/perun.h"
#include "model/graph/totals.h"
#include "perun/import.h"
#include "perun/object.h"
#include "storage/body_store.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME_KEPT 240 /* of a name, with room for a number */

struct pn_perun_export {
	struct pn_repo *repo;
	enum pn_perun_layout layout;
	char *holder, *store, *final;
	struct pn_arena arena; /* of the commit's listings */
	struct pn_perun_listing *items;
	size_t count, cap;
	struct pn_strtab names; /* that the index has */
	uint32_t *next_number;	/* by id in names */
	size_t number_cap;
};

static int make_folders(const char *store, struct pn_error *err)
{
	static const char *const names[] = {"jobs",  "objects", "logs",
					    "cache", "stats",	"tmp"};
	struct pn_buf path = {0};
	size_t i;
	int code = 0;

	for (i = 0; !code && i < sizeof(names) / sizeof(*names); i++) {
		pn_buf_clear(&path);
		pn_buf_printf(&path, "%s/%s", store, names[i]);
		code = pn_file_make_dirs(pn_buf_text(&path), err);
	}
	pn_buf_release(&path);
	return code;
}

/* Perun asks its configuration where the repository is. A JSON string is one
 * of YAML, too. */
static int write_config(const struct pn_perun_export *e, struct pn_error *err)
{
	const char *dir = pn_repo_work_dir(e->repo);
	struct pn_buf text = {0}, path = {0};
	struct pn_json_writer w;
	int code;

	pn_buf_printf(&path, "%s/local.yml", e->store);
	pn_buf_add_text(&text, "vcs:\n  type: git\n  url: ");
	pn_json_writer_init(&w, &text, 0);
	pn_json_string(&w, dir ? dir : pn_repo_git_dir(e->repo));
	pn_buf_add_byte(&text, '\n');
	code = pn_file_write(pn_buf_text(&path), text.data, text.len, false,
			     err);
	pn_buf_release(&text);
	pn_buf_release(&path);
	return code;
}

static int refuse_existing(const struct pn_perun_export *e,
			   struct pn_error *err)
{
	return pn_error_set(err, PN_EREFUSED,
			    "there is '%s' already: name another folder, or "
			    "move it away",
			    e->final);
}

/* The folder that the store is to be in; ".perun" is the store itself, as it
 * is for an import. */
static char *outer_folder(const char *dir)
{
	size_t len = strlen(dir);
	const char *name;

	while (len > 1 && dir[len - 1] == '/')
		len--;
	for (name = dir + len; name > dir && name[-1] != '/'; name--)
		;
	if (dir + len - name != 6 || memcmp(name, ".perun", 6) != 0)
		return pn_strdup(dir);
	return name == dir ? pn_strdup(".") : pn_strndup(dir, name - dir);
}

static int begin(struct pn_perun_export *e, const char *dir,
		 struct pn_error *err)
{
	struct pn_buf path = {0};
	struct stat st;
	int code;

	pn_buf_printf(&path, "%s/.perun", dir);
	e->final = pn_buf_detach(&path);
	if (!lstat(e->final, &st))
		return refuse_existing(e, err);
	code = pn_file_make_dirs(dir, err);
	if (code)
		return code;
	pn_buf_printf(&path, "%s/.perun-XXXXXX", dir);
	if (!mkdtemp((char *)path.data)) {
		code = pn_error_system(err, "cannot make a folder in '%s'",
				       dir);
		pn_buf_release(&path);
		return code;
	}
	e->holder = pn_buf_detach(&path);
	pn_buf_printf(&path, "%s/store", e->holder);
	e->store = pn_buf_detach(&path);
	code = make_folders(e->store, err);
	return code ? code : write_config(e, err);
}

int pn_perun_export_open(struct pn_perun_export **out, const char *dir,
			 struct pn_repo *repo, enum pn_perun_layout layout,
			 struct pn_error *err)
{
	struct pn_perun_export *e = pn_calloc(1, sizeof(*e));
	char *outer = outer_folder(dir);
	int code;

	e->repo = repo;
	e->layout = layout;
	code = begin(e, outer, err);
	free(outer);
	if (code)
		pn_perun_export_free(e);
	else
		*out = e;
	return code;
}

static void forget_listings(struct pn_perun_export *e)
{
	pn_arena_release(&e->arena);
	pn_strtab_release(&e->names);
	memset(&e->arena, 0, sizeof(e->arena));
	memset(&e->names, 0, sizeof(e->names));
	free(e->next_number);
	e->next_number = NULL;
	e->number_cap = 0;
	e->count = 0;
}

void pn_perun_export_free(struct pn_perun_export *export)
{
	if (!export)
		return;
	if (export->holder)
		pn_folder_remove(export->holder, NULL);
	forget_listings(export);
	free(export->items);
	free(export->holder);
	free(export->store);
	free(export->final);
	free(export);
}

/* objects/<2>/<38> of the new store, its folder made. */
static int object_path(struct pn_buf *out, const struct pn_perun_export *e,
		       const struct pn_oid *id, struct pn_error *err)
{
	char hex[PN_OID_HEX + 1];
	int code;

	pn_oid_hex(hex, id);
	pn_buf_printf(out, "%s/objects/%.2s", e->store, hex);
	code = pn_file_make_dirs(pn_buf_text(out), err);
	pn_buf_printf(out, "/%s", hex + 2);
	return code;
}

static int write_object(struct pn_oid *id, const struct pn_perun_export *e,
			const char *type, const struct pn_buf *json,
			struct pn_error *err)
{
	struct pn_buf path = {0}, bytes = {0};
	int code;

	pn_perun_object_name(id, type, json->data, json->len);
	code = object_path(&path, e, id, err);
	if (!code && access(pn_buf_text(&path), F_OK)) {
		pn_perun_object_write(&bytes, type, json->data, json->len);
		code = pn_file_write(pn_buf_text(&path), bytes.data, bytes.len,
				     false, err);
	}
	pn_buf_release(&path);
	pn_buf_release(&bytes);
	return code;
}

/* The type, which has to be one of Perun's. */
static const char *settle_type(struct pn_profile *p)
{
	const char *type = pn_profile_text(p, p->header.kind);

	if (!pn_perun_type_is(type)) {
		p->header.kind = 0;
		type = pn_totals_kind(p);
		p->header.kind = pn_strtab_add_text(&p->strings, type);
	}
	return pn_profile_text(p, p->header.kind);
}

/* Bytes that came from a Perun store and were kept as they are. */
static int read_original(bool *is, struct pn_buf *json,
			 const struct pn_perun_export *e,
			 const struct pn_entry *entry, struct pn_error *err)
{
	const char *type = pn_entry_field(entry, "kind");
	const char *label = pn_entry_field(entry, "l." PN_RECORD_IMPORT_LABEL);
	struct pn_oid id, said;
	int code;

	*is = false;
	if (strcmp(pn_entry_field(entry, "body"), "verbatim") != 0 ||
	    strcmp(pn_entry_field(entry, "format"), "perun") != 0 ||
	    strlen(label) != PN_OID_HEX || pn_oid_parse(&said, label) ||
	    !pn_perun_type_is(type))
		return 0;
	code = pn_body_store_read(json, e->repo, entry, err);
	if (code)
		return code;
	pn_perun_object_name(&id, type, json->data, json->len);
	*is = pn_oid_equal(&id, &said);
	if (!*is)
		pn_buf_clear(json);
	return 0;
}

/* The name as Perun can read it: it dies of what is not ASCII. */
static void write_name(struct pn_buf *out, const struct pn_entry *entry)
{
	const char *name = pn_file_basename(pn_entry_field(entry, "name"));

	for (; *name && out->len < NAME_KEPT; name++) {
		unsigned char c = (unsigned char)*name;

		if (c < ' ' || c > '~')
			pn_buf_printf(out, "%%%02X", c);
		else
			pn_buf_add_byte(out, c);
	}
	if (!out->len)
		pn_buf_printf(out, "%s.perf", entry->id);
}

/* "a.perf" as "a(2).perf" */
static void number_name(struct pn_buf *out, const char *name, uint32_t number)
{
	size_t len = strlen(name), stem = len;

	if (len > 5 && !strcmp(name + len - 5, ".perf"))
		stem -= 5;
	pn_buf_printf(out, "%.*s(%" PRIu32 ")%s", (int)stem, name, number,
		      name + stem);
}

/* Whether the index had no such name; the older layouts have one again when
 * the time is another. */
static bool take_name(struct pn_perun_export *e, uint32_t *id, const char *name,
		      uint32_t time_s)
{
	size_t had = e->names.count, had_cap = e->number_cap;
	struct pn_buf key = {0};

	pn_buf_printf(&key, "%" PRIu32 " %s",
		      e->layout == PN_PERUN_V2C ? 0 : time_s, name);
	*id = pn_strtab_add(&e->names, key.data, key.len);
	pn_buf_release(&key);
	e->next_number = pn_grow(e->next_number, &e->number_cap,
				 (size_t)*id + 1, sizeof(*e->next_number));
	if (e->number_cap > had_cap)
		memset(e->next_number + had_cap, 0,
		       (e->number_cap - had_cap) * sizeof(*e->next_number));
	return e->names.count > had;
}

static const char *choose_name(struct pn_perun_export *e,
			       const struct pn_entry *entry, uint32_t time_s)
{
	struct pn_buf name = {0}, other = {0};
	const char *chosen;
	uint32_t id, ignored;

	write_name(&name, entry);
	pn_buf_add(&other, name.data, name.len);
	if (!take_name(e, &id, pn_buf_text(&name), time_s))
		do {
			pn_buf_clear(&other);
			number_name(&other, pn_buf_text(&name),
				    ++e->next_number[id]);
		} while (!take_name(e, &ignored, pn_buf_text(&other), time_s));
	chosen = pn_arena_copy(&e->arena, other.data, other.len);
	pn_buf_release(&name);
	pn_buf_release(&other);
	return chosen;
}

static uint32_t time_of(const struct pn_entry *entry)
{
	const char *text = pn_entry_field(entry, "t");
	int64_t time_ns;

	if (pn_time_parse(&time_ns, text, strlen(text)))
		time_ns = entry->time_ns;
	if (time_ns < 0)
		return 0;
	time_ns /= 1000000000;
	return time_ns > UINT32_MAX ? UINT32_MAX : (uint32_t)time_ns;
}

/* An index line says what the index of Perun does. */
static void list_entry(struct pn_perun_export *e, const struct pn_entry *entry,
		       const char *type, const struct pn_oid *object)
{
	static const char *const keys[PN_PERUN_TEXTS] = {
		[PN_PERUN_CMD] = "cmd",
		[PN_PERUN_ARGS] = "args",
		[PN_PERUN_WORKLOAD] = "workload",
		[PN_PERUN_LABEL] = "l.label",
		[PN_PERUN_COLLECTOR] = "collector",
		[PN_PERUN_POSTS] = "posts",
	};
	struct pn_perun_listing *item;
	const char *text;
	size_t i;

	e->items = pn_grow(e->items, &e->cap, e->count + 1, sizeof(*e->items));
	item = &e->items[e->count++];
	item->object = *object;
	item->time_s = time_of(entry);
	item->name = choose_name(e, entry, item->time_s);
	for (i = 0; i < PN_PERUN_TEXTS; i++) {
		text = keys[i] ? pn_entry_field(entry, keys[i]) : type;
		item->texts[i] = pn_arena_copy(&e->arena, text, strlen(text));
	}
}

int pn_perun_export_entry(struct pn_perun_export *export,
			  const struct pn_entry *entry, struct pn_error *err)
{
	const char *type = pn_entry_field(entry, "kind");
	struct pn_profile profile;
	struct pn_buf json = {0};
	struct pn_oid object;
	bool original;
	int code;

	pn_profile_init(&profile);
	code = read_original(&original, &json, export, entry, err);
	if (!code && !original) {
		code = pn_body_store_load(&profile, export->repo, entry, err);
		if (!code) {
			pn_body_store_label(&profile, entry);
			type = settle_type(&profile);
			code = pn_perun_write(&json, &profile, err);
		}
	}
	if (!code)
		code = write_object(&object, export, type, &json, err);
	if (!code)
		list_entry(export, entry, type, &object);
	pn_profile_release(&profile);
	pn_buf_release(&json);
	return code;
}

int pn_perun_export_commit(struct pn_perun_export *export,
			   const struct pn_oid *commit, struct pn_error *err)
{
	struct pn_buf path = {0}, bytes = {0};
	int code = 0;

	if (export->count) {
		pn_perun_listings_sort(export->items, export->count);
		pn_perun_index_write(&bytes, export->layout, export->items,
				     export->count);
		code = object_path(&path, export, commit, err);
		if (!code)
			code = pn_file_write(pn_buf_text(&path), bytes.data,
					     bytes.len, false, err);
	}
	forget_listings(export);
	pn_buf_release(&path);
	pn_buf_release(&bytes);
	return code;
}

/* Under the pending one's own name, or the next that is free; with its time. */
static int write_pending(const struct pn_perun_export *e,
			 const struct pn_pending *pending,
			 const struct pn_buf *json, struct pn_error *err)
{
	const struct timespec when = {pending->time_ns / 1000000000,
				      pending->time_ns % 1000000000};
	const struct timespec times[2] = {when, when};
	struct pn_buf name = {0}, path = {0};
	size_t len = strlen(pending->name);
	uint32_t number = 0;
	int code;

	pn_buf_add_text(&name, pending->name);
	if (len < 6 || strcmp(pending->name + len - 5, ".perf") != 0)
		pn_buf_add_text(&name, ".perf");
	do {
		pn_buf_clear(&path);
		pn_buf_printf(&path, "%s/jobs/", e->store);
		if (number)
			number_name(&path, pn_buf_text(&name), number);
		else
			pn_buf_add(&path, name.data, name.len);
		code = pn_file_create(pn_buf_text(&path), json->data, json->len,
				      false, err);
		number++;
	} while (code == PN_ECONFLICT);
	/* Perun shows the file's time; without it nothing is lost */
	if (!code && utimensat(AT_FDCWD, pn_buf_text(&path), times, 0))
		errno = 0;
	pn_buf_release(&name);
	pn_buf_release(&path);
	return code;
}

int pn_perun_export_pending(struct pn_perun_export *export,
			    const struct pn_lookup *lookup,
			    const struct pn_pending *pending,
			    struct pn_error *err)
{
	const struct pn_found found = {.kind = PN_FOUND_PENDING,
				       .name = pending->name,
				       .path = pending->path};
	struct pn_profile profile;
	struct pn_buf json = {0};
	char hex[PN_OID_HEX + 1];
	int code;

	code = pn_lookup_load(&profile, NULL, lookup, &found, NULL, err);
	if (code)
		return code;
	if (!pn_oid_is_zero(&pending->origin)) {
		pn_oid_hex(hex, &pending->origin);
		profile.header.origin =
			pn_strtab_add_text(&profile.strings, hex);
	}
	pn_body_store_label(&profile, &pending->entry);
	settle_type(&profile);
	code = pn_perun_write(&json, &profile, err);
	if (!code)
		code = write_pending(export, pending, &json, err);
	pn_profile_release(&profile);
	pn_buf_release(&json);
	return code;
}

int pn_perun_export_finish(struct pn_perun_export *export, struct pn_error *err)
{
	if (!rename(export->store, export->final))
		return 0;
	if (errno == ENOTEMPTY || errno == EEXIST || errno == ENOTDIR)
		return refuse_existing(export, err);
	return pn_error_system(err, "cannot make '%s'", export->final);
}
