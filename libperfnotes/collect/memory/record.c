/* What the allocation tracer left. */
#include "collect/memory/record.h"

#include "base/alloc.h"
#include "base/file.h"
#include "model/runs.h"

#include <stdlib.h>
#include <string.h>

/* Sums of larger numbers would not be exact any more. */
#define MAX_VALUE (UINT64_C(1) << 53)

static const struct {
	const char *name, *unit;
	enum pn_role role;
} columns[PN_MEMORY_COLUMNS] = {
	{"alloc_objects", "count"},
	{"alloc_space", "bytes"},
	{"inuse_objects", "count", PN_ROLE_GAUGE},
	{"inuse_space", "bytes", PN_ROLE_GAUGE},
	{"peak_space", "bytes", PN_ROLE_PEAK},
};

static bool read_stack(struct pn_runtime_memory_stack *out, uint64_t *frames,
		       const struct pn_runtime_part *part)
{
	if (part->len < sizeof(*out))
		return false;
	memcpy(out, part->bytes, sizeof(*out));
	if (!out->depth || out->depth > PN_RUNTIME_MEMORY_MAX_DEPTH ||
	    out->depth > (part->len - sizeof(*out)) / sizeof(*frames))
		return false;
	memcpy(frames, part->bytes + sizeof(*out),
	       out->depth * sizeof(*frames));
	return out->allocated_bytes <= MAX_VALUE &&
	       out->live_bytes <= MAX_VALUE && out->peak_bytes <= MAX_VALUE &&
	       out->allocations <= MAX_VALUE && out->live_blocks <= MAX_VALUE;
}

static void add_stack(struct pn_memory_reading *r,
		      const struct pn_runtime_part *part, uint64_t epoch,
		      size_t run, uint32_t labels)
{
	uint64_t frames[PN_RUNTIME_MEMORY_MAX_DEPTH];
	uint32_t locations[PN_RUNTIME_MEMORY_MAX_DEPTH];
	struct pn_runtime_memory_stack s;
	union pn_value values[PN_MEMORY_COLUMNS];
	size_t i;

	if (!read_stack(&s, frames, part)) {
		r->lost++;
		return;
	}
	if (!s.allocations)
		return;
	values[PN_MEMORY_ALLOC_OBJECTS].i = (int64_t)s.allocations;
	values[PN_MEMORY_ALLOC_SPACE].i = (int64_t)s.allocated_bytes;
	values[PN_MEMORY_INUSE_OBJECTS].i = (int64_t)s.live_blocks;
	values[PN_MEMORY_INUSE_SPACE].i = (int64_t)s.live_bytes;
	values[PN_MEMORY_PEAK_SPACE].i =
		(int64_t)(s.epoch == epoch ? s.peak_bytes : s.live_bytes);
	for (i = 0; i < PN_MEMORY_COLUMNS; i++)
		r->totals[i][run] += (double)values[i].i;
	for (i = 0; i < s.depth; i++) /* inside of the call */
		locations[i] = pn_address_map_locate(r->map, frames[i] - 1);
	pn_profile_add_sample(
		r->profile,
		pn_profile_add_stack(r->profile, locations, s.depth), labels,
		values);
}

/* What has to be known before the stacks: the epoch of the peak, and where
 * objects lie, for a record has them in the order of their first use. */
static uint64_t look_first(struct pn_memory_reading *r,
			   struct pn_runtime_record *record)
{
	struct pn_runtime_memory totals = {0};
	struct pn_runtime_mapping mapping;
	struct pn_runtime_part part;
	const char *path;

	while (pn_runtime_record_next(&part, record)) {
		if (pn_runtime_record_mapping(&mapping, &path, &part))
			pn_address_map_add(r->map, &mapping, path);
		else if (part.kind == PN_RUNTIME_MEMORY_TOTALS &&
			 part.len >= sizeof(totals))
			memcpy(&totals, part.bytes, sizeof(totals));
	}
	record->at = 0;
	r->lost += (double)totals.missed;
	return totals.epoch;
}

/* Processes of one run are told apart when there are several, and runs. */
static uint32_t add_labels(struct pn_memory_reading *r, const char *program,
			   size_t run)
{
	struct pn_label labels[2];
	struct pn_profile *p = r->profile;
	size_t count = 0;

	memset(labels, 0, sizeof(labels));
	if (program) {
		labels[count].kind = PN_LABEL_STRING;
		labels[count].key = pn_strtab_add_text(&p->strings, "process");
		labels[count++].value.s = pn_strtab_add_text(
			&p->strings, pn_file_basename(program));
	}
	if (r->run_count > 1) {
		labels[count].kind = PN_LABEL_INT;
		labels[count].key =
			pn_strtab_add_text(&p->strings, PN_RUN_LABEL);
		labels[count++].value.i = (int64_t)run + 1;
	}
	return count ? pn_profile_add_label_set(p, labels, count) : 0;
}

void pn_memory_reading_add(struct pn_memory_reading *r,
			   struct pn_runtime_record *record, size_t run,
			   bool is_alone)
{
	struct pn_runtime_part part;
	uint64_t epoch;
	uint32_t labels;

	pn_address_map_restart(r->map);
	epoch = look_first(r, record);
	r->lost += (double)record->head.lost;
	run = run < r->run_count ? run : 0;
	labels = add_labels(r, is_alone ? NULL : record->head.program, run);
	while (pn_runtime_record_next(&part, record))
		if (part.kind == PN_RUNTIME_MEMORY_STACK)
			add_stack(r, &part, epoch, run, labels);
}

void pn_memory_reading_begin(struct pn_memory_reading *r, struct pn_profile *p,
			     size_t run_count)
{
	size_t i;

	*r = (struct pn_memory_reading){.profile = p, .run_count = run_count};
	for (i = 0; i < PN_MEMORY_COLUMNS; i++) {
		uint32_t type = pn_profile_add_type(p, columns[i].name,
						    columns[i].unit);

		p->types[type].better = PN_BETTER_LESS;
		p->types[type].role = (uint8_t)columns[i].role;
		r->totals[i] = pn_calloc(run_count, sizeof(*r->totals[i]));
	}
	p->default_type = pn_strtab_add_text(
		&p->strings, columns[PN_MEMORY_ALLOC_SPACE].name);
	pn_profile_add_label_set(p, NULL, 0);
	r->map = pn_address_map_new(p);
}

void pn_memory_reading_end(struct pn_memory_reading *r)
{
	size_t i;

	pn_address_map_free(r->map);
	r->map = NULL;
	for (i = 0; i < PN_MEMORY_COLUMNS; i++) {
		pn_profile_add_metric(r->profile, columns[i].name,
				      columns[i].unit, PN_BETTER_LESS,
				      r->totals[i], r->run_count);
		free(r->totals[i]);
	}
}
