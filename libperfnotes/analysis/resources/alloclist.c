/* Allocations one by one, or by the places that made them. */
#include "analysis/resources/alloclist.h"

#include "base/alloc.h"
#include "base/json/tree.h"
#include "base/text/regex.h"
#include "model/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct listing {
	struct pn_frame frame;
	const struct pn_resources_request *request;
	struct pn_regex *function;			  /* NULL: any */
	size_t of, uid, subtype, address, snapshot, time; /* SIZE_MAX */
	size_t counted; /* key of how many; SIZE_MAX: each is one */
	struct pn_allocations *list;
	size_t cap;
	uint32_t runs;	 /* that sums and counts are over */
	uint32_t pooled; /* that what is no sum yet is of */
};

static int find_keys(struct listing *l, struct pn_error *err)
{
	struct pn_frame *f = &l->frame;
	const char *of = l->request->of;
	int code = of ? pn_frame_need(&l->of, f, of, true, err)
		      : pn_frame_default_of(&l->of, f, err);

	l->uid = pn_frame_find(f, "uid");
	l->subtype = pn_frame_find(f, "subtype");
	l->address = pn_frame_find(f, "address");
	if (l->address >= f->query.profile->type_count)
		l->address = pn_frame_find(f, "label:address");
	l->snapshot = pn_frame_find(f, "snapshot");
	l->time = pn_frame_find(f, "time");
	return code;
}

static bool is_bytes(const struct pn_frame *f, size_t key)
{
	return !strcmp(pn_unit_base(pn_frame_unit(f, key)), "B");
}

/* Perun's resources, whatever they call bytes, are where they say. */
static int check_bytes(struct listing *l, struct pn_error *err)
{
	const struct pn_frame *f = &l->frame;
	struct pn_buf others = {0};
	size_t i;

	/* what two equal profiles differ in is nothing */
	if (!f->query.resource_count || is_bytes(f, l->of) ||
	    (l->subtype != SIZE_MAX && l->address != SIZE_MAX))
		return 0;
	for (i = 0; i < f->query.key_count; i++)
		if (f->query.keys[i].numeric && is_bytes(f, i))
			pn_buf_printf(&others, "%s%s", others.len ? ", " : "",
				      f->query.keys[i].name);
	if (others.len)
		pn_error_set(err, PN_EINVAL,
			     "alloclist lists bytes, '%s' are none: --of "
			     "takes %s",
			     f->query.keys[l->of].name, pn_buf_text(&others));
	else
		pn_error_set(err, PN_EINVAL,
			     "alloclist lists bytes, '%s' are none: "
			     "--view=bars shows them",
			     f->query.keys[l->of].name);
	pn_buf_release(&others);
	return PN_EINVAL;
}

/* The value type of this name as a key. */
static bool count_by(struct listing *l, const char *name)
{
	const struct pn_profile *p = l->frame.query.profile;
	size_t i;

	for (i = 0; i < p->type_count; i++)
		if (!strcmp(pn_profile_text(p, p->types[i].type), name)) {
			l->counted = i;
			l->list->counted = pn_arena_copy(&l->list->arena, name,
							 strlen(name));
			return true;
		}
	return false;
}

/* "alloc_space" is of "alloc_objects", "leaked" of "leaked_objects", "peak" of
 * "peak_blocks". */
static bool count_alike(struct listing *l)
{
	const struct pn_profile *p = l->frame.query.profile;
	static const char *const ends[] = {"objects", "_objects", "_blocks"};
	struct pn_buf objects = {0};
	const char *name, *end;
	bool found = false;
	size_t i;

	if (l->of >= p->type_count)
		return false;
	name = pn_profile_text(p, p->types[l->of].type);
	end = strstr(name, "space");
	for (i = 0; i < sizeof(ends) / sizeof(*ends) && !found; i++) {
		pn_buf_clear(&objects);
		pn_buf_add(&objects, name,
			   end ? (size_t)(end - name) : strlen(name));
		pn_buf_add_text(&objects, ends[i]);
		found = count_by(l, pn_buf_text(&objects));
	}
	pn_buf_release(&objects);
	return found;
}

static void find_count(struct listing *l)
{
	static const char *const names[] = {"allocations",  "alloc_objects",
					    "objects",	    "blocks",
					    "total_blocks", "inuse_objects"};
	const struct pn_profile *p = l->frame.query.profile;
	size_t i;

	l->counted = SIZE_MAX;
	l->list->counted = l->subtype != SIZE_MAX ? "allocations"
			   : p->sample_count	  ? "samples"
			   : p->graph.node_count  ? "functions"
						  : "values";
	if (!p->sample_count)
		return;
	for (i = 0; !count_alike(l) && i < sizeof(names) / sizeof(*names); i++)
		if (count_by(l, names[i]))
			break;
	if (!strcmp(l->list->counted, "alloc_objects"))
		l->list->counted = "allocations";
}

static const char *text_of(struct listing *l, size_t resource, size_t key)
{
	const char *text = "";
	size_t len = 0;

	if (key != SIZE_MAX)
		pn_frame_text(&text, &len, &l->frame, resource, key);
	return pn_arena_copy(&l->list->arena, text, len);
}

static double number_of(struct listing *l, size_t resource, size_t key)
{
	return key == SIZE_MAX ? (double)NAN
			       : pn_frame_number(&l->frame, resource, key);
}

/* The member "function" of a uid that is an object; false: it is none. */
static bool uid_matches(bool *out, struct listing *l, size_t resource)
{
	struct pn_datum d = pn_query_get(&l->frame.query, resource, l->uid,
					 &l->frame.scratch);
	struct pn_json_tree v = {0};
	struct pn_error err;
	size_t at = 1, len;
	const char *text;
	bool found = false;

	if (d.kind != PN_DATUM_TEXT || !d.json ||
	    pn_json_tree_parse(&v, d.text.data, d.text.len, &err) ||
	    pn_json_tree_event(&v, 0) != PN_JSON_OBJECT) {
		pn_json_tree_release(&v);
		return false;
	}
	for (; pn_json_tree_event(&v, at) == PN_JSON_KEY && !found;
	     at = pn_json_tree_end(&v, at + 1)) {
		found = pn_json_tree_is(&v, at, "function") &&
			pn_json_tree_event(&v, at + 1) == PN_JSON_STRING;
		if (!found)
			continue;
		text = pn_json_tree_text(&v, at + 1, &len);
		*out = pn_regex_match(l->function, text, len);
	}
	pn_json_tree_release(&v);
	return found;
}

static bool stack_matches(struct listing *l, size_t resource)
{
	const struct pn_profile *p = l->frame.query.profile;
	const uint32_t *start;
	uint32_t at, i;

	if (!p->sample_count)
		return false;
	start = p->stack_start + p->samples[resource].stack;
	for (at = start[0]; at < start[1]; at++) {
		const struct pn_location *where = &p->locations[p->frames[at]];

		for (i = 0; i < where->line_count; i++) {
			const struct pn_line *line =
				&p->lines[where->line_first + i];
			uint32_t name = p->functions[line->function].name;

			if (pn_regex_match(l->function,
					   pn_profile_text(p, name),
					   pn_strtab_len(&p->strings, name)))
				return true;
		}
	}
	return false;
}

static bool is_wanted(struct listing *l, size_t resource, const char *place)
{
	const struct pn_resources_request *r = l->request;
	double time = number_of(l, resource, l->time);
	bool matches = false;

	/* what has no time is in no interval */
	if ((isfinite(r->from_time) && !(time >= r->from_time)) ||
	    (isfinite(r->to_time) && !(time <= r->to_time)))
		return false;
	if (!l->function)
		return true;
	if (r->everywhere && stack_matches(l, resource))
		return true;
	if (uid_matches(&matches, l, resource))
		return matches;
	return pn_regex_match(l->function, place, strlen(place));
}

static struct pn_cell known(double value)
{
	return isnan(value) ? (struct pn_cell){.kind = PN_CELL_NONE}
			    : pn_cell_count(value);
}

static void add(struct listing *l, size_t resource)
{
	struct pn_allocations *list = l->list;
	struct pn_allocation a = {.count = 1.0 / l->pooled,
				  .resource = resource};
	struct pn_datum address;

	a.amount = number_of(l, resource, l->of);
	a.subtype = text_of(l, resource, l->subtype);
	if (!isfinite(a.amount) || !strcmp(a.subtype, "free"))
		return;
	a.place = text_of(l, resource, l->uid);
	if (!is_wanted(l, resource, a.place))
		return;
	if (l->counted != SIZE_MAX)
		a.count = number_of(l, resource, l->counted);
	if (!isfinite(a.count))
		a.count = 0;
	if (l->address != SIZE_MAX) {
		address = pn_frame_get(&l->frame, resource, l->address);
		a.address = address.kind == PN_DATUM_INT
				    ? pn_cell_int(address.i)
				    : known(number_of(l, resource, l->address));
	}
	a.snapshot = number_of(l, resource, l->snapshot);
	a.time = number_of(l, resource, l->time);
	list->amount += a.amount;
	list->allocations += a.count;
	list->items = pn_grow(list->items, &l->cap, list->count + 1,
			      sizeof(*list->items));
	list->items[list->count++] = a;
}

static int by_place(const void *a, const void *b)
{
	const struct pn_allocation *l = a, *r = b;
	int order = strcmp(l->place, r->place);

	return order ? order
		     : (l->resource > r->resource) -
			       (l->resource < r->resource);
}

static int by_amount(const void *a, const void *b)
{
	const struct pn_allocation *l = a, *r = b;

	if (l->amount != r->amount)
		return l->amount > r->amount ? -1 : 1;
	return l->resource < r->resource ? -1 : l->resource > r->resource;
}

static int by_count(const void *a, const void *b)
{
	const struct pn_allocation *l = a, *r = b;

	if (l->count != r->count)
		return l->count > r->count ? -1 : 1;
	return l->resource < r->resource ? -1 : l->resource > r->resource;
}

/* Those of one place as one; it keeps the first one's number. */
static void unite_places(struct pn_allocations *list)
{
	size_t i, n = 0;

	qsort(list->items, list->count, sizeof(*list->items), by_place);
	for (i = 0; i < list->count; i++) {
		struct pn_allocation *a = &list->items[i];

		if (n && !strcmp(list->items[n - 1].place, a->place)) {
			list->items[n - 1].amount += a->amount;
			list->items[n - 1].count += a->count;
		} else {
			list->items[n] = *a;
			list->items[n].subtype = "";
			n++;
		}
	}
	list->count = n;
}

static int by_number(double l, double r)
{
	if (isnan(l) || isnan(r))
		return !isnan(l) - !isnan(r);
	return l < r ? -1 : l > r;
}

static uint32_t stack_of(const struct pn_profile *p, size_t resource)
{
	return p->sample_count ? p->samples[resource].stack : 0;
}

/* Of allocations that may be one in several runs; where each is a resource of
 * its own they are of one size. */
static int compare_alike(const struct listing *l, const struct pn_allocation *a,
			 const struct pn_allocation *b)
{
	const struct pn_profile *p = l->frame.query.profile;
	uint32_t mine = stack_of(p, a->resource),
		 its = stack_of(p, b->resource);
	int order = strcmp(a->place, b->place);

	if (!order)
		order = strcmp(a->subtype, b->subtype);
	if (!order)
		order = (mine > its) - (mine < its);
	if (!order)
		order = by_number(a->snapshot, b->snapshot);
	if (!order && l->counted == SIZE_MAX)
		order = by_number(a->amount, b->amount);
	return order;
}

/* A pointer to what is sorted by, as qsort hands none over. */
struct alike {
	const struct listing *l;
	struct pn_allocation of;
};

static int by_alike(const void *left, const void *right)
{
	const struct alike *a = left, *b = right;
	int order = compare_alike(a->l, &a->of, &b->of);

	return order ? order
		     : (a->of.resource > b->of.resource) -
			       (a->of.resource < b->of.resource);
}

static void join(struct pn_allocation *to, const struct pn_allocation *from)
{
	to->amount += from->amount;
	to->count += from->count;
	if (to->address.kind != from->address.kind ||
	    memcmp(&to->address.value, &from->address.value,
		   sizeof(to->address.value)) != 0)
		to->address = (struct pn_cell){.kind = PN_CELL_NONE};
	if (to->time != from->time)
		to->time = (double)NAN;
}

/* What each run did is listed once: the first of a run with the first of the
 * others, and so on, as resources stand in the order of runs. */
static void unite_runs(struct listing *l, uint32_t runs)
{
	struct pn_allocations *list = l->list;
	struct alike *all = pn_calloc(list->count + 1, sizeof(*all));
	size_t i, k, end, rows, n = 0;

	for (i = 0; i < list->count; i++)
		all[i] = (struct alike){l, list->items[i]};
	qsort(all, list->count, sizeof(*all), by_alike);
	for (i = 0; i < list->count; i = end) {
		for (end = i + 1; end < list->count; end++)
			if (compare_alike(l, &all[i].of, &all[end].of))
				break;
		rows = (end - i + runs - 1) / runs;
		for (k = i; k < end; k++)
			if (k < i + rows)
				list->items[n + k - i] = all[k].of;
			else
				join(&list->items[n + (k - i) % rows],
				     &all[k].of);
		n += rows;
	}
	list->count = n;
	free(all);
}

static int by_resource(const void *a, const void *b)
{
	const struct pn_allocation *l = a, *r = b;

	return (l->resource > r->resource) - (l->resource < r->resource);
}

static bool is_of_places(const struct pn_allocations *list)
{
	return list->mode == PN_ALLOCLIST_MOST ||
	       list->mode == PN_ALLOCLIST_SUM;
}

static void order(struct listing *l, int64_t most)
{
	struct pn_allocations *list = l->list;
	uint32_t runs = l->runs;
	size_t i;
	bool each = list->mode == PN_ALLOCLIST_ALL ||
		    list->mode == PN_ALLOCLIST_FUNC;

	if (is_of_places(list))
		unite_places(list);
	else if (runs > 1 || l->pooled > 1)
		unite_runs(l, runs > 1 ? runs : l->pooled);
	for (i = 0; i < list->count; i++) {
		list->items[i].amount /= runs;
		list->items[i].count /= runs;
	}
	list->amount /= runs;
	list->allocations /= runs;
	if (list->count)
		qsort(list->items, list->count, sizeof(*list->items),
		      each				? by_resource
		      : list->mode == PN_ALLOCLIST_MOST ? by_count
							: by_amount);
	list->all = list->count;
	if (most < 0)
		most = each ? 0 : PN_ALLOCLIST_ROWS;
	if (most && (uint64_t)most < list->count)
		list->count = (size_t)most;
}

static int read_all(struct listing *l, const char *pattern,
		    struct pn_error *err)
{
	struct pn_frame *f = &l->frame;
	const char *name;
	size_t i;
	int code = find_keys(l, err);

	if (!code)
		code = check_bytes(l, err);
	if (!code && l->list->mode == PN_ALLOCLIST_FUNC && !pattern)
		code = pn_error_set(err, PN_EINVAL,
				    "--mode=func needs --function");
	if (!code && pattern)
		code = pn_regex_new(&l->function, pattern, err);
	if (code)
		return code;
	find_count(l);
	l->runs = pn_frame_settle_runs(f, l->of);
	l->list->runs = f->runs;
	/* a count that the profile has is of one run as the amount is */
	l->pooled = l->counted == SIZE_MAX ? pn_frame_pooled(f, l->of) : 1;
	name = f->query.keys[l->of].name;
	l->list->of = pn_arena_copy(&l->list->arena, name, strlen(name));
	name = pn_frame_unit(f, l->of);
	l->list->unit = pn_arena_copy(&l->list->arena, name, strlen(name));
	for (i = 0; i < f->count; i++)
		add(l, f->rows[i]);
	return 0;
}

int pn_allocations_init(struct pn_allocations *out,
			const struct pn_profile *profile,
			const struct pn_resources_request *r,
			const char *pattern, int64_t most, struct pn_error *err)
{
	struct listing l = {.request = r, .list = out, .runs = 1, .pooled = 1};
	int code;

	memset(out, 0, sizeof(*out));
	out->mode = r->mode;
	code = pn_frame_init(&l.frame, profile, r->filters.values,
			     r->filters.count, err);
	if (!code)
		code = read_all(&l, pattern, err);
	if (!code)
		order(&l, most);
	pn_regex_free(l.function);
	pn_frame_release(&l.frame);
	return code;
}

void pn_allocations_release(struct pn_allocations *list)
{
	if (!list)
		return;
	free(list->items);
	pn_arena_release(&list->arena);
	memset(list, 0, sizeof(*list));
}

static void add_columns(struct pn_table *out, const struct pn_allocations *list)
{
	struct pn_column amount = {"amount", "amount", .format = PN_COLUMN_UNIT,
				   .unit = list->unit, .to_unit = "auto"};
	static const struct pn_column places[] = {
		{"allocations", "count", .gap = 2},
		{"place", "place", .gap = 2, .left = true}};
	static const struct pn_column each[] = {
		{"by", "subtype", .gap = 2, .left = true},
		{"address", "address", .gap = 2},
		{"snapshot", "snapshot", .gap = 2},
		{"time", "time", .gap = 2},
		{"place", "place", .gap = 2, .left = true}};
	const struct pn_column *more = is_of_places(list) ? places : each;
	size_t i, n = is_of_places(list) ? 2 : 5;

	pn_table_add_column(out, &amount);
	for (i = 0; i < n; i++)
		pn_table_add_column(out, &more[i]);
}

void pn_table_of_allocations(struct pn_table *out,
			     const struct pn_allocations *list)
{
	size_t i;

	memset(out, 0, sizeof(*out));
	add_columns(out, list);
	for (i = 0; i < list->count; i++) {
		const struct pn_allocation *a = &list->items[i];
		struct pn_cell *cells = pn_table_add_row(out);

		cells[0] = pn_cell_count(a->amount);
		if (is_of_places(list)) {
			cells[1] = pn_cell_count(a->count);
			cells[2] = pn_cell_text(a->place);
			continue;
		}
		if (*a->subtype)
			cells[1] = pn_cell_text(a->subtype);
		cells[2] = a->address;
		cells[3] = known(a->snapshot);
		cells[4] = known(a->time);
		cells[5] = pn_cell_text(a->place);
	}
}
