/* V8's samples in trace events: gathered first, as a chunk may name nodes of
 * any other. */
#include "codec/v8/chrome_cpu.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

#define ID_BITS 32 /* below the number of the profile */
#define ID_MAX INT32_MAX
#define PROFILES_MAX (1u << 16)

void pn_chrome_cpu_release(struct pn_chrome_cpu *cpu)
{
	pn_v8_nodes_release(&cpu->nodes);
	pn_strtab_release(&cpu->profiles);
	free(cpu->items);
	free(cpu->samples);
	free(cpu->ids.items);
	free(cpu->deltas.items);
	pn_buf_release(&cpu->name);
}

void pn_chrome_cpu_begin(struct pn_chrome_cpu *cpu)
{
	cpu->ids.count = cpu->deltas.count = 0;
	pn_buf_clear(&cpu->name);
	cpu->first_node = cpu->nodes.count;
	cpu->first_child = cpu->nodes.child_count;
}

static int take_profile(void *to, struct pn_json *json,
			enum pn_json_event first, struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		{"nodes", pn_v8_nodes_take_list,
		 .offset = offsetof(struct pn_chrome_cpu, nodes)},
		PN_JSON_FIELD("samples", pn_chrome_cpu, ids),
		{0},
	};

	if (first != PN_JSON_OBJECT)
		return pn_json_skip(json, first, err);
	return pn_json_walk_object(to, NULL, json, first, fields, err);
}

static int take_data(void *to, struct pn_json *json, enum pn_json_event first,
		     struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		{"cpuProfile", take_profile},
		PN_JSON_FIELD("timeDeltas", pn_chrome_cpu, deltas),
		{0},
	};

	if (first != PN_JSON_OBJECT)
		return pn_json_skip(json, first, err);
	return pn_json_walk_object(to, NULL, json, first, fields, err);
}

static int take_name(void *to, struct pn_json *json, enum pn_json_event first,
		     struct pn_error *err)
{
	struct pn_chrome_cpu *cpu = to;

	if (first != PN_JSON_STRING)
		return pn_json_skip(json, first, err);
	pn_buf_clear(&cpu->name);
	pn_buf_add(&cpu->name, pn_json_text(json), pn_json_len(json));
	return 0;
}

int pn_chrome_cpu_take_args(void *to, struct pn_json *json,
			    enum pn_json_event first, struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		{"data", take_data},
		{"name", take_name},
		{0},
	};

	if (first != PN_JSON_OBJECT)
		return pn_json_skip(json, first, err);
	return pn_json_walk_object(to, NULL, json, first, fields, err);
}

int pn_chrome_cpu_take_arg(struct pn_chrome_cpu *cpu, const char *key,
			   struct pn_json *json, enum pn_json_event first,
			   struct pn_error *err)
{
	if (!strcmp(key, "data"))
		return take_data(cpu, json, first, err);
	if (!strcmp(key, "name"))
		return take_name(cpu, json, first, err);
	return pn_json_skip(json, first, err);
}

struct pn_chrome_profile *pn_chrome_cpu_profile(struct pn_chrome_cpu *cpu,
						const struct pn_buf *key,
						uint32_t thread)
{
	uint32_t id = pn_strtab_add(&cpu->profiles, key->data, key->len);

	if (id <= cpu->count)
		return &cpu->items[id - 1];
	cpu->items = pn_grow(cpu->items, &cpu->cap, cpu->count + 1,
			     sizeof(*cpu->items));
	cpu->items[cpu->count] =
		(struct pn_chrome_profile){.thread = thread, .before = PN_NONE};
	return &cpu->items[cpu->count++];
}

static int move_id(int64_t *id, uint32_t profile, struct pn_error *err)
{
	if (*id < 0 || *id > ID_MAX)
		return pn_error_set(err, PN_EINVAL,
				    "ProfileChunk: expected ids from 0 to "
				    "2147483647");
	*id |= (int64_t)profile << ID_BITS;
	return 0;
}

/* What the event said has the number of its profile in its ids. */
static int move_ids(struct pn_chrome_cpu *cpu, uint32_t profile,
		    struct pn_error *err)
{
	struct pn_v8_nodes *n = &cpu->nodes;
	size_t i;
	int code = 0;

	for (i = cpu->first_node; !code && i < n->count; i++) {
		if (n->nodes[i].id >= 0)
			code = move_id(&n->nodes[i].id, profile, err);
		if (!code && n->nodes[i].parent_id >= 0)
			code = move_id(&n->nodes[i].parent_id, profile, err);
	}
	for (i = cpu->first_child + 1; !code && i < n->child_count; i += 2)
		code = move_id(&n->children[i], profile, err);
	for (i = 0; !code && i < cpu->ids.count; i++)
		code = move_id(&cpu->ids.items[i], profile, err);
	return code;
}

int pn_chrome_cpu_end(struct pn_chrome_cpu *cpu, bool is_chunk,
		      const struct pn_buf *key, uint32_t thread,
		      struct pn_error *err)
{
	uint32_t profile;
	size_t i;
	int code;

	if (!is_chunk) {
		cpu->nodes.count = cpu->first_node;
		cpu->nodes.child_count = cpu->first_child;
		return 0;
	}
	if (cpu->count >= PROFILES_MAX)
		return pn_error_set(err, PN_ELIMIT,
				    "more than 65536 profiles in one trace");
	profile = (uint32_t)(pn_chrome_cpu_profile(cpu, key, thread) -
			     cpu->items);
	code = move_ids(cpu, profile, err);
	for (i = 0; !code && i < cpu->ids.count; i++) {
		cpu->samples =
			pn_grow(cpu->samples, &cpu->sample_cap,
				cpu->sample_count + 1, sizeof(*cpu->samples));
		cpu->samples[cpu->sample_count++] = (struct pn_chrome_sample){
			profile, cpu->ids.items[i],
			i < cpu->deltas.count ? cpu->deltas.items[i] : 0};
	}
	return code;
}

int pn_chrome_cpu_each(struct pn_chrome_cpu *cpu, void *to,
		       int (*add)(void *to, uint32_t thread, uint32_t tree,
				  int64_t us, struct pn_error *err),
		       struct pn_error *err)
{
	size_t i;
	int code = 0;

	for (i = 0; !code && i < cpu->sample_count; i++) {
		const struct pn_chrome_sample *s = &cpu->samples[i];
		struct pn_chrome_profile *of = &cpu->items[s->profile];

		/* it lasted until this one; clocks that run backwards: 0 */
		if (of->waits && s->delta_us > 0)
			code = add(to, of->thread, of->tree, s->delta_us, err);
		if (!code)
			code = pn_v8_nodes_sample(&of->tree, &of->waits,
						  &of->before, &cpu->nodes,
						  s->id, err);
	}
	return code;
}
