/*
 * JFR: the metadata of a chunk, a tree of elements with attributes whose names
 * and values are of one table of strings: classes and their fields.
 */
#include "base/alloc.h"
#include "codec/jfr/jfr.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct word {
	const char *at;
	size_t len;
};

struct reading {
	struct pn_jfr *d;
	struct pn_jfr_bytes b;
	struct word *words;
	size_t count;
};

/* What an element says of itself. */
struct element {
	struct word name, id, type, value;
	bool pooled, array;
};

static const struct {
	const char *name;
	enum pn_jfr_member member;
} members[] = {
	{"startTime", PN_JFR_START_TIME},
	{"duration", PN_JFR_DURATION},
	{"eventThread", PN_JFR_THREAD},
	{"sampledThread", PN_JFR_THREAD},
	{"stackTrace", PN_JFR_STACK},
	{"objectClass", PN_JFR_CLASS},
	{"monitorClass", PN_JFR_CLASS},
	{"parkedClass", PN_JFR_CLASS},
	{"samples", PN_JFR_STATE_SAMPLES},
	{"weight", PN_JFR_WEIGHT},
	{"objectSize", PN_JFR_OBJECT_SIZE},
	{"allocationSize", PN_JFR_ALLOCATION_SIZE},
	{"tlabSize", PN_JFR_TLAB_SIZE},
	{"samplingPeriod", PN_JFR_SAMPLING_PERIOD},
	{"size", PN_JFR_SIZE},
	{"id", PN_JFR_ID},
	{"name", PN_JFR_NAME},
	{"value", PN_JFR_VALUE},
	{"type", PN_JFR_TYPE},
	{"descriptor", PN_JFR_DESCRIPTOR},
	{"frames", PN_JFR_FRAMES},
	{"method", PN_JFR_METHOD},
	{"lineNumber", PN_JFR_LINE},
	{"string", PN_JFR_STRING},
	{"osName", PN_JFR_OS_NAME},
	{"osThreadId", PN_JFR_OS_ID},
	{"javaName", PN_JFR_JAVA_NAME},
	{"javaThreadId", PN_JFR_JAVA_ID},
	{"javaArguments", PN_JFR_ARGUMENTS},
	{"pid", PN_JFR_PID},
};

static const struct {
	const char *name;
	enum pn_jfr_kind kind;
} simple[] = {
	{"boolean", PN_JFR_KIND_BYTE},
	{"byte", PN_JFR_KIND_BYTE},
	{"char", PN_JFR_KIND_NUMBER},
	{"short", PN_JFR_KIND_NUMBER},
	{"int", PN_JFR_KIND_NUMBER},
	{"long", PN_JFR_KIND_NUMBER},
	{"float", PN_JFR_KIND_4},
	{"double", PN_JFR_KIND_8},
	{"java.lang.String", PN_JFR_KIND_TEXT},
};

static const char *const pools[PN_JFR_POOLS] = {
	"jdk.types.StackTrace", "jdk.types.Method", "java.lang.Class",
	"jdk.types.Symbol",	"java.lang.Thread", "java.lang.String",
};

static bool is(const struct word *word, const char *text)
{
	return word->len == strlen(text) && !memcmp(word->at, text, word->len);
}

static uint64_t number_of(const struct word *word)
{
	uint64_t value = 0;
	size_t i;

	for (i = 0; i < word->len && word->at[i] >= '0' && word->at[i] <= '9';
	     i++)
		value = value * 10 + (uint64_t)(word->at[i] - '0');
	return value;
}

static void take_words(struct reading *r)
{
	size_t n = pn_jfr_count(&r->b), i;

	r->words = pn_calloc(n + 1, sizeof(*r->words));
	for (i = 0; i < n; i++) {
		struct pn_jfr_bytes body;

		pn_jfr_text(&body, &r->b);
		r->words[i].at = (const char *)body.at;
		r->words[i].len = pn_jfr_left(&body);
	}
	r->count = n;
}

static struct word take_word(struct reading *r)
{
	uint64_t i = pn_jfr_number(&r->b);

	return i < r->count ? r->words[i] : (struct word){"", 0};
}

static void take_attributes(struct element *out, struct reading *r)
{
	size_t n = pn_jfr_count(&r->b);

	memset(out, 0, sizeof(*out));
	out->name = out->id = out->type = out->value = (struct word){"", 0};
	while (n-- && !r->b.bad) {
		struct word key = take_word(r), value = take_word(r);

		if (is(&key, "name"))
			out->name = value;
		else if (is(&key, "id"))
			out->id = value;
		else if (is(&key, "class"))
			out->type = value;
		else if (is(&key, "value"))
			out->value = value;
		else if (is(&key, "constantPool"))
			out->pooled = is(&value, "true");
		else if (is(&key, "dimension"))
			out->array = is(&value, "1");
	}
}

static void add_type(struct pn_jfr_chunk *c, const struct element *e)
{
	struct pn_jfr_type type = {.id = number_of(&e->id),
				   .first = c->field_count};
	size_t i;

	for (i = 0; i < sizeof(simple) / sizeof(*simple); i++)
		if (is(&e->name, simple[i].name))
			type.kind = (uint8_t)simple[i].kind;
	for (i = 0; i < PN_JFR_POOLS; i++)
		if (is(&e->name, pools[i])) {
			type.pool = (uint16_t)(i + 1);
			c->pools[i].type = (uint32_t)c->type_count;
		}
	type.event = pn_jfr_event(e->name.at, e->name.len);
	c->types = pn_grow(c->types, &c->type_cap, c->type_count + 1,
			   sizeof(*c->types));
	c->types[c->type_count++] = type;
}

static void add_field(struct pn_jfr_chunk *c, const struct element *e)
{
	struct pn_jfr_field field = {.type_id = number_of(&e->type),
				     .type = PN_NONE,
				     .member = PN_JFR_MEMBERS,
				     .array = e->array,
				     .pooled = e->pooled};
	size_t i;

	for (i = 0; i < sizeof(members) / sizeof(*members); i++)
		if (is(&e->name, members[i].name))
			field.member = (uint8_t)members[i].member;
	c->fields = pn_grow(c->fields, &c->field_cap, c->field_count + 1,
			    sizeof(*c->fields));
	c->fields[c->field_count++] = field;
	c->types[c->type_count - 1].count++;
}

/* A class has fields inside, and a field what its values are, as that times
 * are nanoseconds. */
static void take_element(struct reading *r, unsigned int depth, bool in_class,
			 bool in_field)
{
	struct pn_jfr_chunk *c = &r->d->chunk;
	struct word name = take_word(r);
	bool is_class, is_field;
	struct element e;
	size_t n;

	take_attributes(&e, r);
	is_class = is(&name, "class") && e.id.len &&
		   c->type_count < PN_JFR_TYPES_MAX;
	is_field = in_class && is(&name, "field") && e.type.len;
	if (is_class)
		add_type(c, &e);
	else if (is_field)
		add_field(c, &e);
	else if (in_field && is(&e.value, "NANOSECONDS"))
		c->fields[c->field_count - 1].nanoseconds = true;
	n = pn_jfr_count(&r->b);
	if (n && depth == PN_JFR_DEPTH_MAX) {
		r->b.bad = true;
		return;
	}
	while (n-- && !r->b.bad)
		take_element(r, depth + 1, is_class, is_field);
}

enum state { FRESH, OPEN, JOINED };

/* Finds the types of fields. One that holds itself has no end; what no byte is
 * written of is left out, or a few bytes would keep somebody busy. */
static int join(struct pn_jfr_chunk *c, struct pn_jfr_type *type,
		unsigned int depth, struct pn_error *err)
{
	size_t i;
	int code = 0;

	if (type->state == OPEN || depth > PN_JFR_DEPTH_MAX)
		return pn_error_set(err, PN_EINVAL,
				    "byte %" PRIu64 ": type %" PRIu64
				    " of the metadata holds itself",
				    c->offset, type->id);
	if (type->state == JOINED)
		return 0;
	type->state = OPEN;
	type->leafless = type->kind == PN_JFR_KIND_CLASS;
	for (i = 0; !code && i < type->count; i++) {
		struct pn_jfr_field *f = &c->fields[type->first + i];

		f->type = pn_jfr_type(c, f->type_id);
		if (f->type == PN_NONE)
			return pn_error_set(err, PN_EINVAL,
					    "byte %" PRIu64 ": a field of type "
					    "%" PRIu64 ", which the metadata "
					    "does not have",
					    c->offset, f->type_id);
		if (!f->pooled)
			code = join(c, &c->types[f->type], depth + 1, err);
		if (f->pooled || f->array || !c->types[f->type].leafless)
			type->leafless = false;
	}
	type->state = JOINED;
	return code;
}

uint32_t pn_jfr_type(struct pn_jfr_chunk *chunk, uint64_t id)
{
	struct pn_slots *slots = &chunk->type_slots;
	uint32_t hash = pn_slots_hash(slots, &id, 1), row;
	size_t at;

	for (at = pn_slots_first(slots, hash);
	     pn_slots_row(&row, slots, &at, hash);)
		if (chunk->types[row].id == id)
			return row;
	return PN_NONE;
}

static int join_all(struct pn_jfr_chunk *c, struct pn_error *err)
{
	size_t i;
	int code = 0;

	for (i = 0; i < c->type_count; i++) {
		uint64_t id = c->types[i].id;

		if (pn_jfr_type(c, id) == PN_NONE)
			pn_slots_add(&c->type_slots,
				     pn_slots_hash(&c->type_slots, &id, 1),
				     (uint32_t)i);
	}
	for (i = 0; !code && i < c->type_count; i++)
		code = join(c, &c->types[i], 0, err);
	return code;
}

int pn_jfr_read_metadata(struct pn_jfr *d, size_t offset, struct pn_error *err)
{
	struct pn_jfr_chunk *c = &d->chunk;
	struct reading r = {.d = d};
	uint64_t size;
	bool right;
	size_t i;

	for (i = 0; i < PN_JFR_POOLS; i++)
		c->pools[i].type = PN_NONE;
	r.b = (struct pn_jfr_bytes){c->bytes + offset, c->bytes + c->size,
				    false};
	size = pn_jfr_number(&r.b);
	if (size <= c->size - offset)
		r.b.end = c->bytes + offset + size;
	right = pn_jfr_number(&r.b) == PN_JFR_METADATA;
	for (i = 0; i < 3; i++) /* when, how long, which one */
		pn_jfr_number(&r.b);
	if (right)
		take_words(&r);
	if (right && !r.b.bad)
		take_element(&r, 0, false, false);
	free(r.words);
	if (!right || r.b.bad)
		return pn_error_set(err, PN_EINVAL,
				    "byte %" PRIu64 ": the metadata of the "
				    "chunk is cut or damaged",
				    c->offset + offset);
	return join_all(c, err);
}
