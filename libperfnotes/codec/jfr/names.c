/* JFR: texts, and the classes, methods, stacks and threads that have them. */
#include "base/alloc.h"
#include "codec/jfr/jfr.h"
#include "model/timeline/events.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A character of UTF-16 as UTF-8; half of a pair as what stands for itself. */
static void put_char(struct pn_buf *out, uint32_t c)
{
	unsigned char text[3];
	size_t n = 0;

	if (c < 0x80) {
		text[n++] = (unsigned char)c;
	} else if (c < 0x800) {
		text[n++] = (unsigned char)(0xc0 | c >> 6);
		text[n++] = (unsigned char)(0x80 | (c & 0x3f));
	} else {
		if (c > 0xffff || (c >= 0xd800 && c < 0xe000))
			c = 0xfffd;
		text[n++] = (unsigned char)(0xe0 | c >> 12);
		text[n++] = (unsigned char)(0x80 | (c >> 6 & 0x3f));
		text[n++] = (unsigned char)(0x80 | (c & 0x3f));
	}
	pn_buf_add(out, text, n);
}

/* Into d->text; one that is pooled names one that is not. */
static void read_text(struct pn_jfr *d, uint64_t offset)
{
	const struct pn_jfr_chunk *c = &d->chunk;
	struct pn_jfr_bytes b = {c->bytes + offset, c->bytes + c->size, false};
	const struct pn_jfr_constant *constant;
	struct pn_jfr_bytes body;
	enum pn_jfr_coding coding = pn_jfr_text(&body, &b);

	pn_buf_clear(&d->text);
	if (coding == PN_JFR_POOLED) {
		constant = pn_jfr_constant(d, PN_JFR_POOL_STRINGS,
					   pn_jfr_number(&body));
		if (!constant)
			return;
		b.at = c->bytes + constant->offset;
		coding = pn_jfr_text(&body, &b);
	}
	if (coding == PN_JFR_UTF8)
		pn_buf_add(&d->text, body.at, pn_jfr_left(&body));
	while (coding == PN_JFR_LATIN1 && body.at < body.end)
		put_char(&d->text, *body.at++);
	while (coding == PN_JFR_CHARS && body.at < body.end)
		put_char(&d->text, (uint32_t)pn_jfr_number(&body));
}

static uint32_t keep_text(struct pn_jfr *d)
{
	return pn_strtab_add(&d->p->strings, d->text.data, d->text.len);
}

uint32_t pn_jfr_string(struct pn_jfr *d, uint64_t offset)
{
	read_text(d, offset);
	return keep_text(d);
}

static uint32_t symbol(struct pn_jfr *d, uint64_t key)
{
	struct pn_jfr_constant *c =
		pn_jfr_constant(d, PN_JFR_POOL_SYMBOLS, key);
	struct pn_jfr_values v;

	if (!c)
		return 0;
	if (!c->made) {
		pn_jfr_constant_values(&v, d, PN_JFR_POOL_SYMBOLS, key);
		c->made = pn_jfr_string(d, v.of[PN_JFR_STRING]) + 1;
	}
	return c->made - 1;
}

/* "[[I" is int[][], "[La/B;" is a.B[]. */
static void put_class(struct pn_buf *out, const char *name, size_t len)
{
	static const char letters[] = "BCDFIJSZ";
	static const char *const names[] = {"byte",  "char",   "double",
					    "float", "int",    "long",
					    "short", "boolean"};
	size_t dimensions = 0, i;
	const char *letter;

	while (dimensions < len && name[dimensions] == '[')
		dimensions++;
	name += dimensions;
	len -= dimensions;
	letter = dimensions && len == 1 ? strchr(letters, *name) : NULL;
	if (letter && *letter) {
		pn_buf_add_text(out, names[letter - letters]);
		len = 0;
	} else if (dimensions && len > 2 && *name == 'L') {
		name++;
		len -= 2;
	}
	for (i = 0; i < len; i++) {
		/* where a hidden class lies differs from run to run */
		if (len - i > 3 && (name[i] == '/' || name[i] == '+') &&
		    name[i + 1] == '0' && name[i + 2] == 'x')
			break;
		pn_buf_add(out, name[i] == '/' ? "." : &name[i], 1);
	}
	while (dimensions--)
		pn_buf_add_text(out, "[]");
}

uint32_t pn_jfr_class(struct pn_jfr *d, uint64_t key)
{
	struct pn_jfr_constant *c =
		pn_jfr_constant(d, PN_JFR_POOL_CLASSES, key);
	const struct pn_strtab *strings = &d->p->strings;
	struct pn_jfr_values v;
	uint32_t name;

	if (!c)
		return 0;
	if (!c->made) {
		pn_jfr_constant_values(&v, d, PN_JFR_POOL_CLASSES, key);
		name = symbol(d, v.of[PN_JFR_NAME]);
		pn_buf_clear(&d->text);
		put_class(&d->text, pn_strtab_text(strings, name),
			  pn_strtab_len(strings, name));
		c->made = keep_text(d) + 1;
	}
	return c->made - 1;
}

/* "a.B.f", and with what it takes and gives "a.B.f(I)V". */
static uint32_t add_method(struct pn_jfr *d, const struct pn_jfr_values *v)
{
	const struct pn_strtab *strings = &d->p->strings;
	uint32_t class = pn_jfr_class(d, v->of[PN_JFR_TYPE]);
	uint32_t name = symbol(d, v->of[PN_JFR_NAME]);
	uint32_t descriptor = symbol(d, v->of[PN_JFR_DESCRIPTOR]);
	struct pn_jfr_method method = {0};

	pn_buf_clear(&d->text);
	if (class)
		pn_buf_printf(&d->text, "%s.", pn_strtab_text(strings, class));
	pn_buf_add(&d->text, pn_strtab_text(strings, name),
		   pn_strtab_len(strings, name));
	method.name = keep_text(d);
	pn_buf_add(&d->text, pn_strtab_text(strings, descriptor),
		   pn_strtab_len(strings, descriptor));
	method.system_name = keep_text(d);
	d->methods = pn_grow(d->methods, &d->method_cap, d->method_count + 1,
			     sizeof(*d->methods));
	d->methods[d->method_count] = method;
	return (uint32_t)d->method_count++;
}

static struct pn_jfr_method method_of(struct pn_jfr *d, uint64_t key)
{
	struct pn_jfr_constant *c =
		pn_jfr_constant(d, PN_JFR_POOL_METHODS, key);
	struct pn_jfr_values v;

	if (!c)
		return (struct pn_jfr_method){0};
	if (!c->made) {
		pn_jfr_constant_values(&v, d, PN_JFR_POOL_METHODS, key);
		c->made = add_method(d, &v) + 1;
	}
	return d->methods[c->made - 1];
}

static const struct pn_jfr_type *frame_type(const struct pn_jfr_chunk *c)
{
	const struct pn_jfr_type *type = &c->types[c->pools[0].type];
	size_t i;

	for (i = 0; i < type->count; i++) {
		const struct pn_jfr_field *f = &c->fields[type->first + i];

		if (f->member == PN_JFR_FRAMES && f->array && !f->pooled &&
		    !c->types[f->type].leafless)
			return &c->types[f->type];
	}
	return NULL;
}

/* Frames stand leaf first. */
static int take_frames(size_t *out, struct pn_jfr *d, uint64_t offset,
		       struct pn_error *err)
{
	struct pn_jfr_chunk *c = &d->chunk;
	const struct pn_jfr_type *type = frame_type(c);
	struct pn_jfr_bytes b = {c->bytes + offset, c->bytes + c->size, false};
	struct pn_jfr_values v;
	size_t n = type ? pn_jfr_count(&b) : 0, i;

	if (n > PN_MAX_STACK_DEPTH)
		return pn_error_set(err, PN_ELIMIT,
				    "byte %" PRIu64 ": a stack of more than %u "
				    "frames",
				    c->offset + offset, PN_MAX_STACK_DEPTH);
	d->stack = pn_grow(d->stack, &d->stack_cap, n, sizeof(*d->stack));
	for (i = 0; i < n; i++) {
		struct pn_jfr_method m;
		struct pn_frame frame = {.mapping = PN_NONE};

		pn_jfr_take(&v, &b, c, type);
		m = method_of(d, v.of[PN_JFR_METHOD]);
		frame.name = m.name;
		frame.system_name = m.system_name;
		if (v.of[PN_JFR_LINE] <= INT32_MAX)
			frame.line = (int64_t)v.of[PN_JFR_LINE];
		d->stack[i] = pn_frames_location(&d->frames, d->p, &frame);
	}
	*out = n;
	return 0;
}

int pn_jfr_stack(uint32_t *out, struct pn_jfr *d, uint64_t key,
		 struct pn_error *err)
{
	struct pn_jfr_constant *c = pn_jfr_constant(d, PN_JFR_POOL_STACKS, key);
	struct pn_jfr_values v;
	size_t n = 0;
	int code = 0;

	if (c && c->made) {
		*out = c->made - 1;
		return 0;
	}
	if (c) {
		pn_jfr_constant_values(&v, d, PN_JFR_POOL_STACKS, key);
		if (v.has & 1u << PN_JFR_FRAMES)
			code = take_frames(&n, d, v.of[PN_JFR_FRAMES], err);
	}
	if (code)
		return code;
	*out = pn_frames_stack(&d->frames, d->p, d->stack, n);
	if (c)
		c->made = *out + 1;
	return 0;
}

/* The id is Java's where it has one, else the system's. */
static uint32_t add_thread(struct pn_jfr *d, uint64_t key)
{
	struct pn_jfr_values v;
	struct {
		uint64_t java_id, os_id;
		uint64_t name;
	} id = {0};
	char text[24];
	size_t had = d->threads.count;
	uint32_t at;

	pn_jfr_constant_values(&v, d, PN_JFR_POOL_THREADS, key);
	id.java_id = v.of[PN_JFR_JAVA_ID];
	id.os_id = v.of[PN_JFR_OS_ID];
	id.name = pn_jfr_string(d, v.of[PN_JFR_JAVA_NAME]);
	if (!id.name)
		id.name = pn_jfr_string(d, v.of[PN_JFR_OS_NAME]);
	at = pn_strtab_add(&d->threads, &id, sizeof(id)) - 1;
	if (!had || d->threads.count > had) {
		snprintf(text, sizeof(text), "%" PRIu64,
			 (int64_t)id.java_id > 0 ? id.java_id : id.os_id);
		pn_events_add_thread(d->p, PN_NONE,
				     pn_strtab_add_text(&d->p->strings, text),
				     (uint32_t)id.name);
	}
	return at;
}

uint32_t pn_jfr_thread(uint32_t *name, struct pn_jfr *d, uint64_t key)
{
	struct pn_jfr_constant *c =
		pn_jfr_constant(d, PN_JFR_POOL_THREADS, key);

	*name = 0;
	if (!c)
		return PN_NONE;
	if (!c->made)
		c->made = add_thread(d, key) + 1;
	*name = d->p->events.threads[c->made - 1].name;
	return c->made - 1;
}
