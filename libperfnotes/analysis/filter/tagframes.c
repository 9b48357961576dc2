/* Labels as frames, after internal/driver/tagroot.go of pprof. */
#include "analysis/filter/tagframes.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/slots.h"
#include "model/timeline/curves.h"
#include "model/timeline/events.h"
#include "model/unit.h"

#include <stdlib.h>
#include <string.h>

/* One end of the stacks. */
struct end {
	uint32_t *keys; /* strings, in the order of frames: leaf first */
	size_t count;
	uint32_t *frames; /* by set of labels: `count` locations each */
	bool found;
};

struct work {
	struct pn_profile *p;
	const char *unit;
	struct pn_slots slots; /* locations made here, by function */
};

/* "a,b" to b, a. */
static void split_keys(struct end *end, struct pn_profile *p, const char *text)
{
	size_t i, len;

	for (; text && *text; text += len + (text[len] == ',')) {
		len = strcspn(text, ",");
		end->keys = pn_realloc_array(end->keys, end->count + 1,
					     sizeof(*end->keys));
		end->keys[end->count++] = pn_strtab_add(&p->strings, text, len);
	}
	for (i = 0; i < end->count / 2; i++) {
		uint32_t key = end->keys[i];

		end->keys[i] = end->keys[end->count - 1 - i];
		end->keys[end->count - 1 - i] = key;
	}
}

static void add_value(struct pn_buf *out, const struct work *w,
		      const struct pn_label *label)
{
	const char *unit = pn_profile_text(w->p, label->unit);
	const char *to = *unit ? w->unit : "";

	if (label->kind == PN_LABEL_INT)
		pn_unit_label(out, (double)label->value.i, unit, to);
	else if (label->kind == PN_LABEL_DOUBLE)
		pn_unit_label(out, label->value.d, unit, to);
	else
		pn_buf_add(out, pn_profile_text(w->p, label->value.s),
			   pn_strtab_len(&w->p->strings, label->value.s));
}

static bool is_text(const struct pn_label *label)
{
	return label->kind == PN_LABEL_STRING || label->kind == PN_LABEL_JSON;
}

/* The values of a key in a set of labels, texts before numbers; how many. */
static size_t add_values(struct pn_buf *out, const struct work *w, size_t set,
			 uint32_t key)
{
	const struct pn_profile *p = w->p;
	size_t n = 0;
	int text;

	for (text = 1; text >= 0; text--) {
		uint32_t i = p->label_set_start[set];

		for (; i < p->label_set_start[set + 1]; i++) {
			const struct pn_label *label = &p->labels[i];

			if (label->key != key || is_text(label) != text)
				continue;
			if (n++)
				pn_buf_add_byte(out, ',');
			add_value(out, w, label);
		}
	}
	return n;
}

/* The location of a function with this name and file, made when new. */
static uint32_t location_of(struct work *w, uint32_t name, uint32_t file)
{
	struct pn_location location = {.mapping = PN_NONE};
	struct pn_function function = {.name = name, .file = file};
	struct pn_line line = {0};
	uint64_t word = (uint64_t)name << 32 | file;
	uint32_t row, hash = pn_slots_hash(&w->slots, &word, 1);
	size_t slot = pn_slots_first(&w->slots, hash);

	while (pn_slots_row(&row, &w->slots, &slot, hash)) {
		const struct pn_location *l = &w->p->locations[row];
		const struct pn_function *had =
			&w->p->functions[w->p->lines[l->line_first].function];

		if (had->name == name && had->file == file)
			return row;
	}
	line.function = pn_profile_add_function(w->p, &function);
	row = pn_profile_add_location(w->p, &location, &line, 1);
	pn_slots_add(&w->slots, hash, row);
	return row;
}

static void make_frames(struct end *end, struct work *w)
{
	size_t set, i, sets = w->p->label_set_count;
	struct pn_buf name = {0};

	end->frames = pn_realloc_array(NULL, sets * end->count + 1,
				       sizeof(*end->frames));
	for (set = 0; set < sets; set++)
		for (i = 0; i < end->count; i++) {
			pn_buf_clear(&name);
			if (add_values(&name, w, set, end->keys[i]))
				end->found = true;
			end->frames[set * end->count + i] = location_of(
				w,
				pn_strtab_add(&w->p->strings,
					      pn_buf_text(&name), name.len),
				end->keys[i]);
		}
	pn_buf_release(&name);
}

static uint32_t *put(uint32_t *to, const uint32_t *from, size_t count)
{
	if (count && from)
		memcpy(to, from, count * sizeof(*to));
	return to + count;
}

/* A stack for each sample. */
static void rewrite(struct pn_profile *p, const struct end *root,
		    const struct end *leaf, size_t frame_count)
{
	uint32_t *frames =
		pn_realloc_array(NULL, frame_count + 1, sizeof(*frames));
	uint32_t *start =
		pn_realloc_array(NULL, p->sample_count + 1, sizeof(*start));
	uint32_t *to = frames;
	size_t i;

	for (i = 0; i < p->sample_count; i++) {
		struct pn_sample *sample = &p->samples[i];
		uint32_t first = p->stack_start[sample->stack];
		uint32_t end = p->stack_start[sample->stack + 1];
		size_t set = sample->labels;

		start[i] = (uint32_t)(to - frames);
		to = put(to, leaf->frames + set * leaf->count, leaf->count);
		to = put(to, end > first ? p->frames + first : NULL,
			 end - first);
		to = put(to, root->frames + set * root->count, root->count);
		sample->stack = (uint32_t)i;
	}
	start[p->sample_count] = (uint32_t)frame_count;
	free(p->frames);
	free(p->stack_start);
	p->frames = frames;
	p->frame_count = frame_count;
	p->frame_cap = frame_count + 1;
	p->stack_start = start;
	p->stack_count = p->stack_cap = p->sample_count;
	pn_curves_keep_parts(p, NULL); /* they have no tags */
	pn_events_keep(p, NULL);
}

/* How many frames there will be. */
static int count_frames(size_t *out, const struct pn_profile *p, size_t more,
			struct pn_error *err)
{
	uint64_t count = 0;
	size_t i;

	for (i = 0; i < p->sample_count; i++) {
		const uint32_t *start = p->stack_start + p->samples[i].stack;

		if (start[1] - start[0] + more > PN_MAX_STACK_DEPTH)
			return pn_error_set(err, PN_ELIMIT,
					    "with its labels a stack has more "
					    "than %u frames",
					    PN_MAX_STACK_DEPTH);
		count += start[1] - start[0] + more;
	}
	if (count >= PN_NONE)
		return pn_error_set(err, PN_ELIMIT,
				    "with their labels the stacks have more "
				    "than %lu frames",
				    (unsigned long)PN_NONE - 1);
	*out = (size_t)count;
	return 0;
}

int pn_tagframes_add(struct pn_profile *p, const char *root_keys,
		     const char *leaf_keys, const char *unit, bool *found_root,
		     bool *found_leaf, struct pn_error *err)
{
	struct end root = {0}, leaf = {0};
	struct work w = {.p = p, .unit = unit};
	size_t frame_count = 0;
	int code;

	split_keys(&root, p, root_keys);
	split_keys(&leaf, p, leaf_keys);
	code = count_frames(&frame_count, p, root.count + leaf.count, err);
	if (!code && p->sample_count) {
		make_frames(&root, &w);
		make_frames(&leaf, &w);
		rewrite(p, &root, &leaf, frame_count);
	}
	*found_root = root.found;
	*found_leaf = leaf.found;
	pn_slots_release(&w.slots);
	free(root.keys);
	free(root.frames);
	free(leaf.keys);
	free(leaf.frames);
	return code;
}
