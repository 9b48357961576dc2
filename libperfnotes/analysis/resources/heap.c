/* Which addresses are allocated at each snapshot. */
#include "analysis/resources/heap.h"

#include "analysis/resources/frame.h"
#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GAP_LEAST (64u << 10) /* that is left out */
#define GAP_OF_USED 4	      /* nor less than so many times what is used */

/* An allocation, or what frees one. */
struct event {
	uint64_t address, bytes;
	double snapshot, time;
	size_t order;
	bool frees;
};

struct mapping {
	struct pn_frame frame;
	size_t of, address, snapshot, time, subtype; /* keys; SIZE_MAX */
	struct event *events;
	size_t count;
	uint64_t *addresses; /* each once, in order */
	size_t address_count;
	struct place *places; /* of each of them */
	size_t *next;	      /* by event: allocated there after it */
	double *bytes;	      /* in each column */
	uint32_t runs;	      /* that the figures are of */
	struct pn_heap *heap;
};

/* What lies at an address, the oldest first: one event a run. */
struct place {
	size_t first, last, count;
	uint32_t freed; /* before it was allocated, in this snapshot */
};

/* Value types stand before all other keys; a code address is none of memory. */
static int find_keys(struct mapping *m, const struct pn_resources_request *r,
		     struct pn_error *err)
{
	struct pn_frame *f = &m->frame;
	size_t types = f->query.profile->type_count;
	int code = r->of ? pn_frame_need(&m->of, f, r->of, true, err)
			 : pn_frame_default_of(&m->of, f, err);

	m->address = pn_frame_find(f, "address");
	if (m->address >= types)
		m->address = pn_frame_find(f, "label:address");
	if (!code && m->address == SIZE_MAX)
		return pn_error_set(err, PN_ENOTFOUND,
				    "the profile does not say at which "
				    "addresses memory was allocated");
	m->snapshot = pn_frame_find(f, "snapshot");
	m->time = pn_frame_find(f, "time");
	m->subtype = pn_frame_find(f, "subtype");
	return code;
}

static double number_or(struct mapping *m, size_t resource, size_t key,
			double otherwise)
{
	return key == SIZE_MAX ? otherwise
			       : pn_frame_number(&m->frame, resource, key);
}

static bool is_free(struct mapping *m, size_t resource)
{
	const char *text;
	size_t len;

	return m->subtype != SIZE_MAX &&
	       pn_frame_text(&text, &len, &m->frame, resource, m->subtype) &&
	       len == 4 && !memcmp(text, "free", 4);
}

static bool read_event(struct event *out, struct mapping *m, size_t resource)
{
	double address = pn_frame_number(&m->frame, resource, m->address);
	double bytes = pn_frame_number(&m->frame, resource, m->of) *
		       pn_frame_pooled(&m->frame, m->of);

	*out = (struct event){.frees = is_free(m, resource), .order = resource};
	out->snapshot = number_or(m, resource, m->snapshot, 0);
	out->time = number_or(m, resource, m->time, (double)NAN);
	/* beyond 2^53 a double would not tell addresses apart */
	if (!(address > 0 && address < 0x1p53) || !isfinite(out->snapshot) ||
	    (!out->frees && !(bytes >= 0 && bytes < 0x1p53)))
		return false;
	out->address = (uint64_t)address;
	/* what was divided and is whole again may be a little less */
	out->bytes = out->frees ? 0 : (uint64_t)llround(bytes);
	return true;
}

static int by_snapshot(const void *a, const void *b)
{
	const struct event *l = a, *r = b;

	if (l->snapshot != r->snapshot)
		return l->snapshot < r->snapshot ? -1 : 1;
	return l->order < r->order ? -1 : l->order > r->order;
}

static int by_number(const void *a, const void *b)
{
	const uint64_t *l = a, *r = b;

	return *l < *r ? -1 : *l > *r;
}

static int read_events(struct mapping *m, struct pn_error *err)
{
	struct pn_frame *f = &m->frame;
	size_t i, n = 0;

	/* told apart, or pooled */
	m->runs = pn_frame_settle_runs(f, m->of);
	if (m->runs < pn_frame_pooled(f, m->of))
		m->runs = pn_frame_pooled(f, m->of);
	m->events = pn_realloc_array(NULL, f->count + 1, sizeof(*m->events));
	m->addresses =
		pn_realloc_array(NULL, f->count + 1, sizeof(*m->addresses));
	for (i = 0; i < f->count; i++)
		if (read_event(&m->events[m->count], m, f->rows[i]))
			m->addresses[n++] = m->events[m->count++].address;
	m->heap->left_out = f->count - m->count;
	if (!n)
		return pn_error_set(err, PN_ERANGE,
				    "no allocation has an address and an "
				    "amount");
	qsort(m->events, m->count, sizeof(*m->events), by_snapshot);
	qsort(m->addresses, n, sizeof(*m->addresses), by_number);
	for (i = 0; i < n; i++)
		if (!i || m->addresses[i] != m->addresses[m->address_count - 1])
			m->addresses[m->address_count++] = m->addresses[i];
	m->places = pn_calloc(n + 1, sizeof(*m->places));
	m->next = pn_calloc(n + 1, sizeof(*m->next));
	return 0;
}

static size_t index_of(const struct mapping *m, uint64_t address)
{
	const uint64_t *at = bsearch(&address, m->addresses, m->address_count,
				     sizeof(*m->addresses), by_number);

	return (size_t)(at - m->addresses);
}

struct span {
	uint64_t start, end;
};

static int by_start(const void *a, const void *b)
{
	const struct span *l = a, *r = b;

	return l->start < r->start ? -1 : l->start > r->start;
}

/* Spans in their order, those that are `gap` or less apart as one. */
static size_t unite(struct span *spans, size_t count, uint64_t gap)
{
	size_t i, n = 0;

	for (i = 0; i < count; i++) {
		if (n && spans[i].start <= spans[n - 1].end + gap) {
			if (spans[i].end > spans[n - 1].end)
				spans[n - 1].end = spans[i].end;
		} else {
			spans[n++] = spans[i];
		}
	}
	return n;
}

static uint64_t used_by(const struct span *spans, size_t count)
{
	uint64_t sum = 0;

	while (count--)
		sum += spans[count].end - spans[count].start;
	return sum;
}

static size_t columns_of(const struct span *spans, size_t count, uint64_t wide)
{
	size_t n = 0;

	while (count--)
		n += (size_t)((spans[count].end - spans[count].start - 1) /
				      wide +
			      1);
	return n;
}

/* As narrow as the columns allow. */
static uint64_t choose_width(const struct span *spans, size_t count,
			     size_t columns)
{
	uint64_t low = 1, high = used_by(spans, count);

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (columns_of(spans, count, middle) <= columns)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static void lay_out(struct mapping *m, size_t columns)
{
	struct span *spans = pn_calloc(m->count + 1, sizeof(*spans));
	struct pn_heap *heap = m->heap;
	size_t i, n = 0, first = 0;
	uint64_t gap;

	for (i = 0; i < m->count; i++) {
		const struct event *e = &m->events[i];

		if (!e->frees)
			spans[n++] = (struct span){
				e->address,
				e->address + (e->bytes ? e->bytes : 1)};
	}
	qsort(spans, n, sizeof(*spans), by_start);
	n = unite(spans, n, 0);
	gap = GAP_OF_USED * used_by(spans, n);
	if (gap < GAP_LEAST)
		gap = GAP_LEAST;
	for (n = unite(spans, n, gap); n > columns / 4 && n > 1;
	     n = unite(spans, n, gap))
		gap *= 2;
	heap->column_bytes = choose_width(spans, n, columns);
	heap->regions =
		pn_arena_array(&heap->arena, n + 1, sizeof(*heap->regions));
	for (i = 0; i < n; i++) {
		heap->regions[i] = (struct pn_heap_region){
			spans[i].start, spans[i].end, first,
			columns_of(&spans[i], 1, heap->column_bytes)};
		first += heap->regions[i].columns;
	}
	heap->region_count = n;
	heap->columns = first;
	free(spans);
}

static const struct pn_heap_region *region_of(const struct pn_heap *heap,
					      uint64_t address)
{
	size_t low = 0, high = heap->region_count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (heap->regions[middle].start <= address)
			low = middle;
		else
			high = middle;
	}
	return &heap->regions[low];
}

/* Add bytes to the columns that they lie in, or take them away; `heat`: count
 * the columns. */
static void spread(struct mapping *m, uint64_t address, uint64_t bytes,
		   double sign, bool heat)
{
	const struct pn_heap_region *r = region_of(m->heap, address);
	uint64_t wide = m->heap->column_bytes, at = address - r->start;
	uint64_t end = at + bytes, next;

	do {
		size_t column = r->first + (size_t)(at / wide);

		next = (at / wide + 1) * wide;
		if (next > end)
			next = end;
		m->bytes[column] += sign * (double)(next - at);
		if (heat)
			m->heap->heat[column]++;
		at = next;
	} while (at < end);
}

/* Sums over all runs. */
struct sums {
	double bytes;
	size_t count;
};

static void drop_first(struct mapping *m, struct place *place,
		       struct sums *sums)
{
	const struct event *e = &m->events[place->first];

	spread(m, e->address, e->bytes, -1, false);
	sums->bytes -= (double)e->bytes;
	sums->count--;
	place->count--;
	place->first = m->next[place->first];
}

/* Runs do not say which is which: of as many allocations at an address as there
 * are runs each is of another one, and what is freed or allocated again is the
 * oldest. */
static void take(struct mapping *m, size_t event, struct sums *sums)
{
	const struct event *e = &m->events[event];
	struct place *place = &m->places[index_of(m, e->address)];

	if (e->frees) {
		if (place->count)
			drop_first(m, place, sums);
		else if (place->freed < m->runs)
			place->freed++;
		return;
	}
	if (place->count == m->runs)
		drop_first(m, place, sums);
	spread(m, e->address, e->bytes, 1, true);
	if (place->freed) {
		place->freed--;
		spread(m, e->address, e->bytes, -1, false);
		return;
	}
	if (place->count)
		m->next[place->last] = event;
	else
		place->first = event;
	place->last = event;
	place->count++;
	sums->bytes += (double)e->bytes;
	sums->count++;
}

/* What one run has. */
static void keep_row(struct mapping *m, size_t first, const struct sums *sums)
{
	struct pn_heap *heap = m->heap;
	struct pn_heap_row *row = &heap->rows[heap->row_count++];
	double whole = (double)heap->column_bytes * m->runs;
	size_t i;

	*row = (struct pn_heap_row){
		m->events[first].snapshot, m->events[first].time,
		sums->bytes / m->runs, (sums->count + m->runs / 2) / m->runs,
		NULL};
	row->share = pn_arena_array(&heap->arena, heap->columns + 1,
				    sizeof(*row->share));
	for (i = 0; i < heap->columns; i++)
		row->share[i] = fmax(0, fmin(1, m->bytes[i] / whole));
}

static size_t count_snapshots(const struct mapping *m)
{
	size_t i, n = 0;

	for (i = 0; i < m->count; i++)
		n += !i || m->events[i].snapshot != m->events[i - 1].snapshot;
	return n;
}

/* Of more snapshots than rows the last of each group. */
static void walk(struct mapping *m, size_t rows)
{
	struct pn_heap *heap = m->heap;
	struct sums sums = {0, 0};
	size_t i, end, at = 0, k;

	heap->snapshots = count_snapshots(m);
	if (rows > heap->snapshots)
		rows = heap->snapshots;
	heap->rows =
		pn_arena_array(&heap->arena, rows + 1, sizeof(*heap->rows));
	heap->heat = pn_arena_array(&heap->arena, heap->columns + 1,
				    sizeof(*heap->heat));
	memset(heap->heat, 0, heap->columns * sizeof(*heap->heat));
	m->bytes = pn_calloc(heap->columns + 1, sizeof(*m->bytes));
	for (i = 0; i < m->count; i = end, at++) {
		for (k = 0; k < m->address_count; k++)
			m->places[k].freed = 0;
		for (end = i; end < m->count &&
			      m->events[end].snapshot == m->events[i].snapshot;
		     end++)
			take(m, end, &sums);
		if ((at + 1) * rows / heap->snapshots > heap->row_count)
			keep_row(m, i, &sums);
	}
	for (k = 0; k < heap->columns; k++)
		heap->heat[k] /= m->runs;
}

int pn_heap_init(struct pn_heap *out, const struct pn_profile *profile,
		 const struct pn_resources_request *r, size_t columns,
		 size_t rows, struct pn_error *err)
{
	struct mapping m = {.heap = out};
	const char *unit;
	int code;

	memset(out, 0, sizeof(*out));
	code = pn_frame_init(&m.frame, profile, r->filters.values,
			     r->filters.count, err);
	if (!code)
		code = find_keys(&m, r, err);
	if (!code)
		code = read_events(&m, err);
	if (!code) {
		unit = pn_frame_unit(&m.frame, m.of);
		out->unit = pn_arena_copy(&out->arena, unit, strlen(unit));
		lay_out(&m, columns);
		walk(&m, rows);
	}
	pn_frame_release(&m.frame);
	free(m.events);
	free(m.addresses);
	free(m.places);
	free(m.next);
	free(m.bytes);
	return code;
}

void pn_heap_release(struct pn_heap *heap)
{
	if (heap)
		pn_arena_release(&heap->arena);
}

void pn_table_of_heap(struct pn_table *out, const struct pn_heap *heap)
{
	static const struct pn_column columns[] = {
		{"snapshot", "snapshot"},
		{"time", "time", .gap = 2},
		{"allocations", "allocations", .gap = 2},
		{"live", "live", .gap = 2},
	};
	size_t i;

	memset(out, 0, sizeof(*out));
	for (i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		pn_table_add_column(out, &columns[i]);
	for (i = 0; i < heap->row_count; i++) {
		const struct pn_heap_row *row = &heap->rows[i];
		struct pn_cell *cells = pn_table_add_row(out);

		cells[0] = pn_cell_count(row->snapshot);
		if (!isnan(row->time))
			cells[1] = pn_cell_number(row->time);
		cells[2] = pn_cell_int((int64_t)row->count);
		cells[3] = pn_cell_count(row->bytes);
	}
}
