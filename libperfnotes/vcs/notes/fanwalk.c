/* Walking a fan in order, and comparing two. */
#include "base/alloc.h"
#include "vcs/notes/fannode.h"
#include "vcs/notes/fantree.h"
#include "vcs/objects/oidmap.h"

#include <stdlib.h>
#include <string.h>

#define SEEN_MAX 65536 /* folders that are known again: the first ones */

/* What one walk has met. */
struct bounds {
	size_t met;	/* folders and entries */
	size_t folders; /* that were entered */
	size_t again;	/* of them, those that were entered before */
	struct pn_oidmap seen;
};

struct frame {
	struct pn_fan_node *node;
	size_t item, kid; /* next ones */
	bool read_here;	  /* this walk brought the folder in */
};

struct pn_fan_walk {
	struct pn_fan *fan;
	struct frame frames[PN_FAN_DEPTH + 1];
	unsigned int depth; /* of the last frame */
	bool ended;
	struct pn_oid prefix;
	struct bounds bounds;
};

struct pn_fan_walk *pn_fan_walk_new(struct pn_fan *fan)
{
	struct pn_fan_walk *walk = pn_calloc(1, sizeof(*walk));

	walk->fan = fan;
	walk->frames[0].node = fan->root;
	fan->root->pins++;
	return walk;
}

static int count_met(struct bounds *bounds, struct pn_error *err)
{
	if (++bounds->met <= PN_FAN_WALK_MAX)
		return 0;
	return pn_error_set(err, PN_ELIMIT,
			    "the notes tree has more than %u folders and "
			    "entries",
			    PN_FAN_WALK_MAX);
}

/* Names are parts of hashes: no folder of an honest tree is in two places. */
static int count_folder(struct bounds *bounds, const struct pn_oid *tree,
			struct pn_error *err)
{
	if (++bounds->folders <= PN_FAN_AGAIN_MAX)
		return 0;
	if (pn_oidmap_find(&bounds->seen, tree) == PN_OIDMAP_NONE) {
		if (bounds->seen.count < SEEN_MAX)
			pn_oidmap_add(&bounds->seen, tree);
		return 0;
	}
	if (++bounds->again <= PN_FAN_AGAIN_MAX)
		return 0;
	return pn_error_set(err, PN_ELIMIT,
			    "the notes tree has the same folders in more than "
			    "%u places",
			    PN_FAN_AGAIN_MAX);
}

static int enter(struct pn_fan_walk *walk, struct pn_error *err)
{
	struct frame *frame = &walk->frames[walk->depth];
	struct pn_fan_kid *kid = &frame->node->kids[frame->kid];
	bool was_there = kid->node != NULL;
	int code;

	code = count_folder(&walk->bounds, &kid->tree, err);
	if (!code)
		code = pn_fan_kid_load(walk->fan, frame->node, kid,
				       walk->depth + 1, &walk->prefix, err);
	if (code)
		return code;
	walk->prefix.bytes[walk->depth] = kid->byte;
	frame->kid++;
	frame = &walk->frames[++walk->depth];
	memset(frame, 0, sizeof(*frame));
	frame->node = kid->node;
	frame->read_here = !was_there;
	frame->node->pins++;
	return 0;
}

static void leave(struct pn_fan_walk *walk)
{
	struct frame *frame = &walk->frames[walk->depth];
	bool read_here = frame->read_here && !frame->node->keep;

	frame->node->pins--;
	if (!walk->depth) {
		walk->ended = true;
		return;
	}
	frame = &walk->frames[--walk->depth];
	if (read_here)
		pn_fan_kid_drop(walk->fan, &frame->node->kids[frame->kid - 1]);
}

int pn_fan_walk_next(struct pn_fan_item *out, struct pn_fan_walk *walk,
		     struct pn_error *err)
{
	while (!walk->ended) {
		struct frame *frame = &walk->frames[walk->depth];
		struct pn_fan_node *node = frame->node;
		bool item = frame->item < node->item_count;
		bool kid = frame->kid < node->kid_count;

		if ((kid || item) && count_met(&walk->bounds, err))
			return PN_ELIMIT;
		if (kid &&
		    (!item ||
		     node->kids[frame->kid].byte <=
			     node->items[frame->item].key.bytes[walk->depth])) {
			int code = enter(walk, err);

			if (code)
				return code;
		} else if (item) {
			*out = node->items[frame->item++];
			return 1;
		} else {
			leave(walk);
		}
	}
	return 0;
}

void pn_fan_walk_free(struct pn_fan_walk *walk)
{
	if (!walk)
		return;
	while (!walk->ended)
		leave(walk);
	pn_oidmap_release(&walk->bounds.seen);
	free(walk);
}

/* One comparison. */
struct lacks {
	struct pn_buf *out;
	struct pn_fan *ours, *theirs;
	enum pn_fan_lack lack;
	struct pn_oid prefix;
	struct bounds bounds; /* of theirs */
};

static int lacks_below(struct lacks *l, struct pn_fan_node *our,
		       struct pn_fan_node *their, unsigned int depth,
		       struct pn_error *err);

/* `our` is NULL where our side has another shape. */
static int lacks_kid(struct lacks *l, struct pn_fan_node *our,
		     struct pn_fan_node *their, struct pn_fan_kid *kid,
		     unsigned int depth, struct pn_error *err)
{
	struct pn_fan_kid *same = our ? pn_fan_kid_find(our, kid->byte) : NULL;
	bool was_there = kid->node != NULL;
	int code;

	if (same && !(same->node && same->node->dirty) && !same->more_count &&
	    !kid->more_count && pn_oid_equal(&same->tree, &kid->tree))
		return 0;
	code = count_folder(&l->bounds, &kid->tree, err);
	if (!code)
		code = pn_fan_kid_load(l->theirs, their, kid, depth + 1,
				       &l->prefix, err);
	if (code == PN_ENOTFOUND)
		return 0;
	if (!code && same)
		code = pn_fan_kid_load(l->ours, our, same, depth + 1,
				       &l->prefix, err);
	if (code)
		return code;
	l->prefix.bytes[depth] = kid->byte;
	/* what is looked up meanwhile lets go of folders, but not of these */
	if (same)
		same->node->pins++;
	code = lacks_below(l, same ? same->node : NULL, kid->node, depth + 1,
			   err);
	if (same)
		same->node->pins--;
	if (!was_there)
		pn_fan_kid_drop(l->theirs, kid);
	memset(l->prefix.bytes + depth, 0, PN_OID_BYTES - depth);
	return code;
}

/* Whether `found`, the blobs that our side has under the item's name, leaves
 * the item lacking. */
static bool is_lacking(const struct lacks *l, const struct pn_fan_item *item,
		       const struct pn_buf *found)
{
	size_t i;

	for (i = 0; l->lack == PN_FAN_LACK_BLOB && i < found->len;
	     i += PN_OID_BYTES)
		if (!memcmp(found->data + i, item->blob.bytes, PN_OID_BYTES))
			return false;
	return l->lack == PN_FAN_LACK_BLOB || !found->len;
}

static int lacks_below(struct lacks *l, struct pn_fan_node *our,
		       struct pn_fan_node *their, unsigned int depth,
		       struct pn_error *err)
{
	struct pn_buf found = {0};
	int code = 0;
	size_t i;

	for (i = 0; !code && i < their->kid_count; i++) {
		code = count_met(&l->bounds, err);
		if (!code)
			code = lacks_kid(l, our, their, &their->kids[i], depth,
					 err);
	}
	for (i = 0; !code && i < their->item_count; i++) {
		pn_buf_clear(&found);
		code = count_met(&l->bounds, err);
		if (!code)
			code = pn_fan_find(&found, l->ours,
					   &their->items[i].key, err);
		if (!code && is_lacking(l, &their->items[i], &found))
			pn_buf_add(l->out, &their->items[i],
				   sizeof(their->items[i]));
	}
	pn_buf_release(&found);
	return code;
}

int pn_fan_lacks(struct pn_buf *out, struct pn_fan *ours, struct pn_fan *theirs,
		 enum pn_fan_lack lack, struct pn_error *err)
{
	struct lacks l = {
		.out = out, .ours = ours, .theirs = theirs, .lack = lack};
	int code;

	if (pn_oid_equal(&ours->tree, &theirs->tree) && !ours->root->dirty)
		return 0;
	code = lacks_below(&l, ours->root, theirs->root, 0, err);
	pn_oidmap_release(&l.bounds.seen);
	return code;
}
