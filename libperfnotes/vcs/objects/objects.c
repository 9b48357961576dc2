/* Objects on their way into the object database. */
#include "vcs/objects/objects.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "vcs/git.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
	free(objects->pack);
	memset(objects, 0, sizeof(*objects));
}

const struct pn_object *pn_objects_find(const struct pn_objects *objects,
					const struct pn_oid *id)
{
	uint32_t at = pn_oidmap_find(&objects->known, id);

	return at == PN_OIDMAP_NONE ? NULL : &objects->items[at];
}

void pn_objects_borrow(struct pn_objects *objects, enum pn_object_type type,
		       const struct pn_oid *id, const void *bytes, size_t len,
		       size_t raw_len)
{
	struct pn_object *object;

	if (pn_oidmap_find(&objects->known, id) != PN_OIDMAP_NONE)
		return;
	objects->items = pn_grow(objects->items, &objects->cap,
				 objects->count + 1, sizeof(*objects->items));
	pn_oidmap_add(&objects->known, id);
	object = &objects->items[objects->count++];
	object->type = type;
	object->id = *id;
	object->bytes = bytes;
	object->len = len;
	object->raw_len = raw_len;
}

void pn_objects_add(struct pn_oid *id, struct pn_objects *objects,
		    enum pn_object_type type, const void *bytes, size_t len)
{
	pn_object_hash(id, type, bytes, len);
	if (pn_oidmap_find(&objects->known, id) == PN_OIDMAP_NONE)
		pn_objects_borrow(objects, type, id,
				  pn_arena_copy(&objects->arena, bytes, len),
				  len, 0);
}

/* Whether it is there and can be read: a file that was cut or overwritten has
 * the name, and is written anew in its place. */
static bool is_sound(struct pn_repo *repo, const struct pn_object *object)
{
	static const git_object_t types[] = {
		[PN_OBJECT_COMMIT] = GIT_OBJECT_COMMIT,
		[PN_OBJECT_TREE] = GIT_OBJECT_TREE,
		[PN_OBJECT_BLOB] = GIT_OBJECT_BLOB};
	uint64_t len = object->raw_len ? object->raw_len : object->len;
	struct pn_git_object found;
	struct pn_oid name;
	git_oid id;

	pn_git_to(&id, &object->id);
	if (git_odb_exists_ext(repo->odb, &id, GIT_ODB_LOOKUP_NO_REFRESH) !=
		    1 ||
	    pn_git_read(&found, repo, &object->id, types[object->type], len,
			NULL))
		return false;
	pn_object_hash(&name, object->type, found.bytes, found.len);
	pn_git_object_release(&found);
	return pn_oid_equal(&name, &object->id);
}

int pn_objects_write(struct pn_repo *repo, struct pn_objects *objects,
		     struct pn_error *err)
{
	struct pn_object absent[PN_LOOSE_MAX];
	size_t count = 0, i;

	free(objects->pack);
	objects->pack = NULL;
	if (objects->count > PN_LOOSE_MAX)
		return pn_pack_write(&objects->pack, repo, objects->items,
				     objects->count, err);
	for (i = 0; i < objects->count; i++)
		if (objects->writes || !is_sound(repo, &objects->items[i]))
			absent[count++] = objects->items[i];
	objects->writes++;
	return count ? pn_loose_write(repo, absent, count,
				      !objects->ref_follows, err)
		     : 0;
}

static bool is_loose(struct pn_repo *repo, const struct pn_oid *id)
{
	char hex[PN_OID_HEX + 1];
	struct pn_buf path = {0};
	bool found;

	pn_oid_hex(hex, id);
	pn_buf_printf(&path, "%s/objects/%.2s/%s", repo->common_dir, hex,
		      hex + 2);
	found = !access(pn_buf_text(&path), F_OK);
	pn_buf_release(&path);
	return found;
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
	size_t i = 0;

	if (objects->pack && !access(objects->pack, F_OK))
		return true;
	if (!objects->pack)
		while (i < objects->count &&
		       is_loose(repo, &objects->items[i].id))
			i++;
	return i == objects->count || all_found(repo, objects);
}
