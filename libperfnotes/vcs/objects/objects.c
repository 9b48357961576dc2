/* Objects on their way into the object database. */
#include "vcs/objects/objects.h"

#include "base/alloc.h"
#include "base/deflate.h"
#include "base/hash.h"
#include "vcs/git.h"
#include "vcs/objects/absent.h"
#include "vcs/objects/pack.h"
#include "vcs/objects/stored.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define READ_MAX (1ull << 31) /* bytes of an object that is compared */

const char *pn_object_type_name(enum pn_object_type type)
{
	switch (type) {
	case PN_OBJECT_COMMIT:
		return "commit";
	case PN_OBJECT_TREE:
		return "tree";
	default:
		return "blob";
	}
}

void pn_object_hash(struct pn_oid *out, enum pn_object_type type,
		    const void *bytes, size_t len)
{
	pn_hash_git_object(out, pn_object_type_name(type), bytes, len);
}

void pn_objects_release(struct pn_objects *objects)
{
	pn_arena_release(&objects->arena);
	pn_oidmap_release(&objects->known);
	free(objects->items);
	pn_buf_release(&objects->damaged);
	pn_pack_release(&objects->pack);
	memset(objects, 0, sizeof(*objects));
}

const struct pn_object *pn_objects_find(const struct pn_objects *objects,
					const struct pn_oid *id)
{
	uint32_t at = pn_oidmap_find(&objects->known, id);

	return at == PN_OIDMAP_NONE ? NULL : &objects->items[at];
}

/* The bytes that an object has, inflated; `room` is the caller's. */
static bool plain(const unsigned char **out, size_t *len, struct pn_buf *room,
		  const struct pn_object *object)
{
	*out = object->bytes;
	*len = object->len;
	if (!object->raw_len)
		return true;
	if (pn_inflate_zlib(room, NULL, object->bytes, object->len,
			    object->raw_len, NULL))
		return false;
	*out = room->data;
	*len = room->len;
	return true;
}

static bool equal(const unsigned char *a, size_t a_len, const unsigned char *b,
		  size_t b_len)
{
	return a_len == b_len && (!a_len || !memcmp(a, b, a_len));
}

bool pn_object_same(const struct pn_object *a, const struct pn_object *b)
{
	struct pn_buf room[2] = {{0}};
	const unsigned char *bytes[2];
	size_t len[2];
	bool same;

	if (a->raw_len == b->raw_len &&
	    equal(a->bytes, a->len, b->bytes, b->len))
		return true;
	same = plain(&bytes[0], &len[0], &room[0], a) &&
	       plain(&bytes[1], &len[1], &room[1], b) &&
	       equal(bytes[0], len[0], bytes[1], len[1]);
	pn_buf_release(&room[0]);
	pn_buf_release(&room[1]);
	return same;
}

int pn_object_refuse(enum pn_object_type type, const struct pn_oid *id,
		     struct pn_error *err)
{
	char hex[PN_OID_HEX + 1];

	pn_oid_hex(hex, id);
	return pn_error_set(err, PN_EREFUSED,
			    "there is another %s of the name '%s': one of the "
			    "two was made to have the SHA-1 of the other",
			    pn_object_type_name(type), hex);
}

struct pn_object *pn_objects_borrow(struct pn_objects *objects,
				    enum pn_object_type type,
				    const struct pn_oid *id, const void *bytes,
				    size_t len, size_t raw_len)
{
	const struct pn_object *known = pn_objects_find(objects, id);
	struct pn_object *object;

	if (known) {
		const struct pn_object twice = {
			.bytes = bytes, .len = len, .raw_len = raw_len};

		if (known->type != type || !pn_object_same(known, &twice)) {
			objects->collides = true;
			objects->twice = *id;
		}
		return NULL;
	}
	objects->items = pn_grow(objects->items, &objects->cap,
				 objects->count + 1, sizeof(*objects->items));
	pn_oidmap_add(&objects->known, id);
	object = &objects->items[objects->count++];
	object->type = type;
	object->id = *id;
	object->bytes = bytes;
	object->len = len;
	object->raw_len = raw_len;
	object->reachable = false;
	return object;
}

struct pn_object *pn_objects_add(struct pn_oid *id, struct pn_objects *objects,
				 enum pn_object_type type, const void *bytes,
				 size_t len)
{
	struct pn_object *made;

	pn_object_hash(id, type, bytes, len);
	made = pn_objects_borrow(objects, type, id, bytes, len, 0);
	if (made)
		made->bytes = (const unsigned char *)pn_arena_copy(
			&objects->arena, bytes, len);
	return made;
}

/* What is there of an object's name. */
enum found { FOUND_NOTHING, FOUND_SAME, FOUND_DAMAGED, FOUND_OTHER };

static bool has_bytes(const struct pn_object *object,
		      const struct pn_stored *found)
{
	const struct pn_object there = {.bytes = found->bytes,
					.len = found->len};

	return pn_object_same(object, &there);
}

/* A file that was cut or overwritten has the name, too. The bytes are compared:
 * what we hash with OpenSSL may have been made to have the name of another. */
static enum found look(struct pn_repo *repo, const struct pn_object *object)
{
	static const git_object_t types[] = {
		[PN_OBJECT_COMMIT] = GIT_OBJECT_COMMIT,
		[PN_OBJECT_TREE] = GIT_OBJECT_TREE,
		[PN_OBJECT_BLOB] = GIT_OBJECT_BLOB};
	struct pn_stored there;
	enum found found = FOUND_SAME;
	struct pn_oid name;
	git_oid id;

	if (pn_absent_is(repo, &object->id))
		return FOUND_NOTHING;
	pn_git_to(&id, &object->id);
	if (git_odb_exists_ext(pn_stored_odb(repo), &id,
			       GIT_ODB_LOOKUP_NO_REFRESH) != 1)
		return FOUND_NOTHING;
	if (pn_stored_read(&there, repo, &object->id, types[object->type],
			   READ_MAX, NULL))
		return FOUND_DAMAGED;
	if (!has_bytes(object, &there)) {
		pn_object_hash(&name, object->type, there.bytes, there.len);
		found = pn_oid_equal(&name, &object->id) ? FOUND_OTHER
							 : FOUND_DAMAGED;
	}
	pn_stored_release(&there);
	return found;
}

static char *loose_path(struct pn_repo *repo, const struct pn_oid *id)
{
	char hex[PN_OID_HEX + 1];
	struct pn_buf path = {0};

	pn_oid_hex(hex, id);
	pn_buf_printf(&path, "%s/objects/%.2s/%s", repo->common_dir, hex,
		      hex + 2);
	return pn_buf_detach(&path);
}

/* Those to be written, to the front of `out`; damaged ones behind the end. */
static int choose(struct pn_object *out, size_t *count, size_t *damaged,
		  struct pn_repo *repo, const struct pn_objects *objects,
		  struct pn_error *err)
{
	int code = 0;
	size_t i;

	*count = *damaged = 0;
	if (objects->collides)
		return pn_object_refuse(PN_OBJECT_BLOB, &objects->twice, err);
	for (i = 0; !code && i < objects->count; i++) {
		const struct pn_object *object = &objects->items[i];
		enum found found = look(repo, object);

		if (found == FOUND_OTHER)
			code = pn_object_refuse(object->type, &object->id, err);
		if (found == FOUND_DAMAGED)
			out[objects->count + (*damaged)++] = *object;
		if (found != FOUND_SAME || !object->reachable ||
		    objects->writes)
			out[(*count)++] = *object;
	}
	return code;
}

/* The new pack has it: the file in front of it goes. */
static void remove_loose(struct pn_repo *repo, const struct pn_oid *id)
{
	char *path = loose_path(repo, id);

	unlink(path);
	free(path);
}

int pn_objects_prepare(struct pn_repo *repo, struct pn_objects *objects,
		       struct pn_error *err)
{
	struct pn_object *wanted =
		pn_calloc(2 * objects->count + 1, sizeof(*wanted));
	size_t count, damaged, i;
	int code = choose(wanted, &count, &damaged, repo, objects, err);

	pn_pack_release(&objects->pack);
	pn_buf_clear(&objects->damaged);
	if (!code && count)
		code = pn_pack_prepare(&objects->pack, repo, wanted, count,
				       !objects->ref_follows,
				       objects->ref_follows && !objects->writes,
				       err);
	for (i = 0; !code && i < damaged; i++)
		pn_buf_add(&objects->damaged,
			   wanted[objects->count + i].id.bytes, PN_OID_BYTES);
	free(wanted);
	return code;
}

int pn_objects_name(struct pn_repo *repo, struct pn_objects *objects,
		    struct pn_error *err)
{
	struct pn_oid id;
	size_t at;
	int code = 0;

	if (objects->pack.nameless)
		code = pn_pack_name(&objects->pack, err);
	if (code) {
		pn_pack_release(&objects->pack);
		return code;
	}
	for (at = 0; at < objects->damaged.len; at += PN_OID_BYTES) {
		memcpy(id.bytes, objects->damaged.data + at, PN_OID_BYTES);
		remove_loose(repo, &id);
	}
	objects->writes++;
	return 0;
}

int pn_objects_write(struct pn_repo *repo, struct pn_objects *objects,
		     struct pn_error *err)
{
	int code = pn_objects_prepare(repo, objects, err);

	if (!code)
		code = pn_objects_name(repo, objects, err);
	if (!code)
		pn_stored_refresh(repo);
	return code;
}

int pn_objects_write_part(struct pn_pack *out, struct pn_repo *repo,
			  const struct pn_objects *objects,
			  struct pn_error *err)
{
	struct pn_object *wanted =
		pn_calloc(2 * objects->count + 1, sizeof(*wanted));
	struct pn_pack pack = {0};
	size_t count, damaged, i;
	int code = choose(wanted, &count, &damaged, repo, objects, err);

	if (!code && count)
		code = pn_pack_write(&pack, repo, wanted, count, false, false,
				     err);
	for (i = 0; !code && i < damaged; i++)
		remove_loose(repo, &wanted[objects->count + i].id);
	if (code)
		pn_pack_discard(&pack);
	else
		*out = pack;
	free(wanted);
	return code;
}

void pn_objects_published(struct pn_objects *objects)
{
	pn_pack_published(&objects->pack);
}

/* As somebody sees it who comes now. */
static bool all_found(struct pn_repo *repo, const struct pn_objects *objects)
{
	struct pn_buf path = {0};
	git_odb *odb = NULL;
	bool found;
	size_t i;

	pn_buf_printf(&path, "%s/objects", repo->common_dir);
	found = !git_odb_open(&odb, pn_buf_text(&path));
	for (i = 0; found && i < objects->count; i++) {
		git_oid id;

		pn_git_to(&id, &objects->items[i].id);
		found = git_odb_exists_ext(odb, &id,
					   GIT_ODB_LOOKUP_NO_REFRESH) == 1;
	}
	git_odb_free(odb);
	pn_buf_release(&path);
	return found;
}

/* A pack comes and goes as a whole. */
bool pn_objects_exist(struct pn_repo *repo, const struct pn_objects *objects)
{
	return (objects->pack.path && !access(objects->pack.path, F_OK)) ||
	       all_found(repo, objects);
}
