/*
 * Records of the sampler. Mappings and samples are taken in order of time;
 * equal stacks with equal labels become one sample, whose values are how many
 * were taken and the time that they stand for.
 */
#include "collect/sample/read.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/slots.h"
#include "collect/names/address_map.h"
#include "collect/names/jit_map.h"
#include "collect/names/unwind.h"
#include "model/runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FRAMES PN_RUNTIME_MAX_FRAMES
#define MAX_SET 64 /* labels of a sample: a thread has 1,000 bytes of them */
#define UNSEEN "[not sampled]"
#define MAX_NS (INT64_C(1) << 53) /* of one sample: 104 days */

struct event {
	int64_t time_ns;
	size_t order; /* in the record */
	struct pn_runtime_part part;
};

struct thread {
	uint32_t order;
	char name[17];
};

/* A chunk with labels. */
struct set {
	uint32_t number;
	struct pn_runtime_part part;
};

/* What one record says besides of its samples. */
struct facts {
	struct event *events;
	size_t event_count, event_cap;
	struct thread *threads;
	size_t thread_count, thread_cap;
	struct set *sets;
	size_t set_count, set_cap;
};

struct pn_sampler_reader {
	struct pn_profile *p;
	struct pn_address_map *map;
	struct pn_jit_map *jit; /* of this record's process, or NULL */
	struct pn_unwinder *unwinder;
	bool by_thread;
	uint32_t run;			 /* of this record; 0: not told */
	uint32_t object;		 /* string */
	uint64_t base_start, base_limit; /* of this record: stacks end there */
	struct pn_slots stacks, samples, sets;
	struct pn_slots named; /* locations that are a name alone */
	struct pn_sampler_facts facts;
	uint64_t addresses[MAX_FRAMES + 1];
	uint32_t locations[MAX_FRAMES + 1];
};

struct pn_sampler_reader *pn_sampler_reader_new(struct pn_profile *profile,
						bool wall, bool by_thread,
						const char *object)
{
	struct pn_sampler_reader *r = pn_calloc(1, sizeof(*r));

	r->p = profile;
	r->by_thread = by_thread;
	r->map = pn_address_map_new(profile);
	r->object = object ? pn_strtab_add_text(&profile->strings, object) : 0;
	pn_profile_add_type(profile, "samples", "count");
	pn_profile_add_type(profile, wall ? "real" : "cpu", "nanoseconds");
	profile->types[0].better = profile->types[1].better = PN_BETTER_LESS;
	return r;
}

void pn_sampler_reader_free(struct pn_sampler_reader *r)
{
	if (!r)
		return;
	pn_address_map_free(r->map);
	pn_slots_release(&r->stacks);
	pn_slots_release(&r->samples);
	pn_slots_release(&r->sets);
	pn_slots_release(&r->named);
	free(r);
}

const struct pn_sampler_facts *
pn_sampler_reader_facts(const struct pn_sampler_reader *r)
{
	return &r->facts;
}

/* Whether the parts that it says it has are there. */
static bool parse_sample(struct pn_runtime_sample *out,
			 const struct pn_runtime_part *part)
{
	struct pn_runtime_sample s;
	size_t size;

	if (part->len < sizeof(s))
		return false;
	memcpy(&s, part->bytes, sizeof(s));
	size = sizeof(s) + ((size_t)s.frames + s.registers) * sizeof(uint64_t);
	if (!s.frames || s.frames > MAX_FRAMES ||
	    s.registers > PN_RUNTIME_REGISTERS ||
	    s.stack > PN_RUNTIME_MAX_STACK || size + s.stack > part->len ||
	    s.interval_ns < 1 || s.interval_ns > MAX_NS || s.unseen > s.ticks ||
	    s.ticks > MAX_NS / s.interval_ns)
		return false;
	*out = s;
	return true;
}

static void add_event(struct facts *f, const struct pn_runtime_part *part,
		      int64_t time_ns)
{
	f->events = pn_grow(f->events, &f->event_cap, f->event_count + 1,
			    sizeof(*f->events));
	f->events[f->event_count] =
		(struct event){time_ns, f->event_count, *part};
	f->event_count++;
}

static void add_thread(struct facts *f, const struct pn_runtime_part *part)
{
	struct pn_runtime_thread t;
	struct thread *to;

	if (part->len < sizeof(t))
		return;
	memcpy(&t, part->bytes, sizeof(t));
	f->threads = pn_grow(f->threads, &f->thread_cap, f->thread_count + 1,
			     sizeof(*f->threads));
	to = &f->threads[f->thread_count++];
	to->order = t.order;
	memcpy(to->name, t.name, sizeof(t.name));
	to->name[sizeof(t.name)] = '\0';
}

static void add_set(struct facts *f, const struct pn_runtime_part *part)
{
	struct pn_runtime_labels l;
	struct set *to;

	if (part->len < sizeof(l))
		return;
	memcpy(&l, part->bytes, sizeof(l));
	if (!l.number || l.size > part->len - sizeof(l))
		return;
	f->sets = pn_grow(f->sets, &f->set_cap, f->set_count + 1,
			  sizeof(*f->sets));
	to = &f->sets[f->set_count++];
	to->number = l.number;
	to->part = (struct pn_runtime_part){part->kind, part->bytes + sizeof(l),
					    l.size};
}

static int compare_events(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

static int compare_sets(const void *a, const void *b)
{
	const struct set *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

static void gather(struct facts *f, struct pn_runtime_record *record)
{
	struct pn_runtime_mapping mapping;
	struct pn_runtime_sample sample;
	struct pn_runtime_part part;
	const char *path;

	record->at = 0;
	while (pn_runtime_record_next(&part, record)) {
		if (part.kind == PN_RUNTIME_THREAD)
			add_thread(f, &part);
		else if (part.kind == PN_RUNTIME_LABELS)
			add_set(f, &part);
		else if (part.kind == PN_RUNTIME_SAMPLE &&
			 parse_sample(&sample, &part))
			add_event(f, &part, sample.time_ns);
		else if (pn_runtime_record_mapping(&mapping, &path, &part))
			add_event(f, &part, mapping.time_ns);
	}
	if (f->event_count)
		qsort(f->events, f->event_count, sizeof(*f->events),
		      compare_events);
	if (f->set_count)
		qsort(f->sets, f->set_count, sizeof(*f->sets), compare_sets);
}

static uint32_t hash_texts(struct pn_slots *slots, const uint32_t *ids,
			   size_t count)
{
	uint64_t words[2] = {count, 0};
	size_t i;

	for (i = 0; i < count; i++) {
		words[1] = ids[i];
		words[0] = pn_slots_hash(slots, words, 2);
	}
	return (uint32_t)words[0];
}

static bool same_stack(const struct pn_profile *p, uint32_t stack,
		       const uint32_t *locations, size_t count)
{
	uint32_t first = p->stack_start[stack];

	return p->stack_start[stack + 1] - first == count &&
	       !memcmp(p->frames + first, locations,
		       count * sizeof(*locations));
}

static uint32_t intern_stack(struct pn_sampler_reader *r,
			     const uint32_t *locations, size_t count)
{
	uint32_t hash = hash_texts(&r->stacks, locations, count), row;
	size_t at = pn_slots_first(&r->stacks, hash);

	while (pn_slots_row(&row, &r->stacks, &at, hash))
		if (same_stack(r->p, row, locations, count))
			return row;
	row = pn_profile_add_stack(r->p, locations, count);
	pn_slots_add(&r->stacks, hash, row);
	return row;
}

static int compare_labels(const void *a, const void *b)
{
	const struct pn_label *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

/* A key's labels are all texts, or all runs. */
static uint32_t value_of(const struct pn_label *label)
{
	return label->kind == PN_LABEL_INT ? (uint32_t)label->value.i
					   : label->value.s;
}

/* The set of these labels, whose keys are distinct. */
static uint32_t intern_set(struct pn_sampler_reader *r, struct pn_label *labels,
			   size_t count)
{
	struct pn_profile *p = r->p;
	uint32_t ids[2 * MAX_SET], hash, row, first;
	size_t at, i;

	if (!count)
		return 0;
	qsort(labels, count, sizeof(*labels), compare_labels);
	for (i = 0; i < count; i++) {
		ids[2 * i] = labels[i].key;
		ids[2 * i + 1] = value_of(&labels[i]);
	}
	hash = hash_texts(&r->sets, ids, 2 * count);
	at = pn_slots_first(&r->sets, hash);
	while (pn_slots_row(&row, &r->sets, &at, hash)) {
		first = p->label_set_start[row];
		if (p->label_set_start[row + 1] - first != count)
			continue;
		for (i = 0; i < count; i++)
			if (p->labels[first + i].key != labels[i].key ||
			    value_of(&p->labels[first + i]) !=
				    value_of(&labels[i]))
				break;
		if (i == count)
			return row;
	}
	row = pn_profile_add_label_set(p, labels, count);
	pn_slots_add(&r->sets, hash, row);
	return row;
}

static size_t put_label(struct pn_sampler_reader *r, struct pn_label *labels,
			size_t count, const char *key, const char *value)
{
	struct pn_label label = {.kind = PN_LABEL_STRING};
	size_t i;

	label.key = pn_strtab_add_text(&r->p->strings, key);
	label.value.s = pn_strtab_add_text(&r->p->strings, value);
	for (i = 0; i < count && labels[i].key != label.key; i++)
		;
	/* what the program calls like our own number is not it */
	if (i == MAX_SET || (i < count && labels[i].kind == PN_LABEL_INT))
		return count;
	labels[i] = label;
	return i == count ? count + 1 : count;
}

static size_t put_run(struct pn_sampler_reader *r, struct pn_label *labels)
{
	if (!r->run)
		return 0;
	*labels = (struct pn_label){.kind = PN_LABEL_INT};
	labels->key = pn_strtab_add_text(&r->p->strings, PN_RUN_LABEL);
	labels->value.i = r->run;
	return 1;
}

/* key NUL value NUL ... */
static size_t put_texts(struct pn_sampler_reader *r, struct pn_label *labels,
			size_t count, const struct pn_runtime_part *part)
{
	const char *at = (const char *)part->bytes, *end = at + part->len;
	const char *value, *stop;

	while (at < end && *at &&
	       (stop = memchr(at, '\0', (size_t)(end - at)))) {
		value = stop + 1;
		stop = value < end ? memchr(value, '\0', (size_t)(end - value))
				   : NULL;
		if (!stop)
			break;
		count = put_label(r, labels, count, at, value);
		at = stop + 1;
	}
	return count;
}

static void name_thread(char out[24], const struct facts *f, uint32_t order,
			const char *program)
{
	size_t i;

	snprintf(out, 24, "%u", (unsigned int)order);
	for (i = 0; i < f->thread_count; i++)
		if (f->threads[i].order == order && *f->threads[i].name &&
		    strncmp(f->threads[i].name, program, 15))
			snprintf(out, 24, "%s", f->threads[i].name);
}

static uint32_t find_labels(struct pn_sampler_reader *r, const struct facts *f,
			    const struct pn_runtime_sample *s,
			    const char *program)
{
	struct set want = {.number = s->labels}, *found = NULL;
	struct pn_label labels[MAX_SET];
	char name[24];
	size_t count = put_run(r, labels);

	if (s->labels && f->set_count)
		found = bsearch(&want, f->sets, f->set_count, sizeof(want),
				compare_sets);
	if (found)
		count = put_texts(r, labels, count, &found->part);
	if (r->by_thread) {
		name_thread(name, f, s->order, program);
		count = put_label(r, labels, count, "thread", name);
	}
	return intern_set(r, labels, count);
}

/* Addresses into r->addresses: those that were walked in the program, or what
 * unwinding makes of registers and stack. */
static size_t find_addresses(struct pn_sampler_reader *r,
			     const struct pn_runtime_sample *s,
			     const unsigned char *bytes)
{
	uint64_t registers[PN_RUNTIME_REGISTERS];
	struct pn_unwind_state state = {.registers = registers};
	size_t count = 0, i;

	bytes += sizeof(*s);
	if (s->registers) {
		memcpy(registers, bytes + s->frames * sizeof(uint64_t),
		       s->registers * sizeof(uint64_t));
		state.register_count = s->registers;
		state.stack_pointer = s->stack_pointer;
		state.stack = bytes + ((size_t)s->frames + s->registers) *
					      sizeof(uint64_t);
		state.stack_size = s->stack;
		count = pn_unwinder_walk(r->addresses, MAX_FRAMES, r->unwinder,
					 &state);
	}
	if (count >= s->frames)
		return count;
	memcpy(r->addresses, bytes, s->frames * sizeof(uint64_t));
	for (i = 1; i < s->frames; i++)
		r->addresses[i]--;
	return s->frames;
}

static bool is_own(const struct pn_sampler_reader *r, uint32_t location)
{
	uint32_t mapping = r->p->locations[location].mapping;

	return r->object && mapping != PN_NONE &&
	       r->p->mappings[mapping].file == r->object;
}

/* Up to where the sampler called main or a thread's function; *whole says that
 * this was met. */
static size_t cut(const struct pn_sampler_reader *r, size_t count, bool *whole)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (r->addresses[i] >= r->base_start &&
		    r->addresses[i] < r->base_limit)
			break;
	*whole = i < count;
	return i ? i : 1;
}

/* Code that was made at run time lies elsewhere each time: it is its name,
 * whatever the process. */
static uint32_t locate_name(struct pn_sampler_reader *r, const char *name,
			    size_t len)
{
	struct pn_profile *p = r->p;
	struct pn_location location = {.mapping = PN_NONE};
	struct pn_function f = {.name = pn_strtab_add(&p->strings, name, len)};
	struct pn_line line;
	uint64_t words[] = {f.name};
	uint32_t hash = pn_slots_hash(&r->named, words, 1), row;
	size_t at = pn_slots_first(&r->named, hash);

	while (pn_slots_row(&row, &r->named, &at, hash)) {
		line = p->lines[p->locations[row].line_first];
		if (p->functions[line.function].name == f.name)
			return row;
	}
	f.system_name = f.name;
	line = (struct pn_line){.function = pn_profile_add_function(p, &f)};
	row = pn_profile_add_location(p, &location, &line, 1);
	pn_slots_add(&r->named, hash, row);
	return row;
}

static uint32_t locate_one(struct pn_sampler_reader *r, uint64_t address)
{
	const char *name;
	size_t len;

	name = pn_jit_map_find(&len, r->jit, address);
	return name ? locate_name(r, name, len)
		    : pn_address_map_locate(r->map, address);
}

/* Locations of these addresses, but for our functions that stand before
 * libc's; one at least. */
static size_t locate(struct pn_sampler_reader *r, size_t count)
{
	uint32_t location = 0;
	size_t n = 0, i;

	for (i = 0; i < count; i++) {
		location = locate_one(r, r->addresses[i]);
		if (!is_own(r, location))
			r->locations[n++] = location;
	}
	if (!n)
		r->locations[n++] = location;
	return n;
}

static void add_weight(struct pn_sampler_reader *r, uint32_t stack,
		       uint32_t labels, int64_t looks, int64_t ns)
{
	const uint64_t words[2] = {stack, labels};
	uint32_t hash = pn_slots_hash(&r->samples, words, 2), row;
	size_t at = pn_slots_first(&r->samples, hash);
	const union pn_value values[2] = {{.i = looks}, {.i = ns}};
	struct pn_profile *p = r->p;

	while (pn_slots_row(&row, &r->samples, &at, hash)) {
		if (p->samples[row].stack != stack ||
		    p->samples[row].labels != labels)
			continue;
		p->values[2 * row].i += looks;
		if (p->values[2 * row + 1].i <= INT64_MAX - ns)
			p->values[2 * row + 1].i += ns;
		return;
	}
	row = (uint32_t)pn_profile_add_sample(p, stack, labels, values);
	pn_slots_add(&r->samples, hash, row);
}

/* Time of which nobody knows where it went, nor with which labels. */
static void add_unseen(struct pn_sampler_reader *r, const struct facts *f,
		       struct pn_runtime_sample s, const char *program)
{
	uint32_t location = locate_name(r, UNSEEN, strlen(UNSEEN));

	s.labels = 0;
	add_weight(r, intern_stack(r, &location, 1),
		   find_labels(r, f, &s, program), 0, s.interval_ns * s.unseen);
}

static void take_sample(struct pn_sampler_reader *r, const struct facts *f,
			const struct pn_runtime_part *part, const char *program)
{
	struct pn_runtime_sample s;
	uint32_t stack;
	size_t count;
	bool whole;

	if (!parse_sample(&s, part))
		return;
	count = find_addresses(r, &s, part->bytes);
	count = locate(r, cut(r, count, &whole));
	stack = intern_stack(r, r->locations, count);
	add_weight(r, stack, find_labels(r, f, &s, program), 1,
		   s.interval_ns * (s.ticks - s.unseen));
	if (s.unseen)
		add_unseen(r, f, s, program);
	r->facts.samples++;
	r->facts.ticks += s.ticks;
	r->facts.interval_ns = s.interval_ns;
	if (r->facts.weight_ns <= INT64_MAX - s.interval_ns * s.ticks) {
		r->facts.weight_ns += s.interval_ns * s.ticks;
		r->facts.unseen_ns += s.interval_ns * s.unseen;
	}
	r->facts.cut += !whole;
}

static int compare_orders(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static uint64_t count_threads(const struct facts *f)
{
	uint32_t *orders = pn_calloc(f->event_count + 1, sizeof(*orders));
	struct pn_runtime_sample s;
	uint64_t threads = 0;
	size_t n = 0, i;

	for (i = 0; i < f->event_count; i++)
		if (f->events[i].part.kind == PN_RUNTIME_SAMPLE &&
		    parse_sample(&s, &f->events[i].part))
			orders[n++] = s.order;
	if (n)
		qsort(orders, n, sizeof(*orders), compare_orders);
	for (i = 0; i < n; i++)
		threads += !i || orders[i] != orders[i - 1];
	free(orders);
	return threads;
}

void pn_sampler_reader_add(struct pn_sampler_reader *r,
			   struct pn_runtime_record *record, uint32_t run)
{
	const char *program = pn_file_basename(record->head.program);
	struct pn_runtime_mapping mapping;
	struct facts f = {0};
	const char *path;
	size_t i;

	gather(&f, record);
	r->run = run;
	pn_address_map_restart(r->map);
	r->unwinder = pn_unwinder_new();
	r->jit = pn_jit_map_of(record->head.pid);
	r->base_start = record->head.base_start;
	r->base_limit = record->head.base_limit;
	for (i = 0; i < f.event_count; i++) {
		const struct pn_runtime_part *part = &f.events[i].part;

		if (part->kind == PN_RUNTIME_SAMPLE) {
			take_sample(r, &f, part, program);
		} else if (pn_runtime_record_mapping(&mapping, &path, part)) {
			pn_address_map_add(r->map, &mapping, path);
			pn_unwinder_map(r->unwinder, &mapping, path);
		}
	}
	r->facts.threads += count_threads(&f);
	r->facts.processes++;
	r->facts.lost += record->head.lost;
	pn_unwinder_free(r->unwinder);
	r->unwinder = NULL;
	pn_jit_map_free(r->jit);
	r->jit = NULL;
	free(f.events);
	free(f.threads);
	free(f.sets);
}
