/* Perfetto's interned data. Within one message frames may stand before the
 * mappings that they name, so it is gone over kind by kind. */
#include "codec/android/interned.h"

#include "base/alloc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Fields of InternedData by number; kinds of keys, too. */
enum kind {
	FUNCTION_NAMES = 5,
	FRAMES = 6,
	CALLSTACKS = 7,
	BUILD_IDS = 16,
	MAPPING_PATHS = 17,
	SOURCE_PATHS = 18,
	MAPPINGS = 19
};
/* Fields of its messages. */
enum { IID = 1 };
enum { STRING = 2 };
enum { BUILD_ID = 2, PATHS = 7 };
enum { FUNCTION_NAME = 2, MAPPING, REL_PC, SOURCE_PATH, LINE_NUMBER };
enum { FRAME_IDS = 2 };

struct key {
	uint64_t number;
	uint32_t sequence, kind;
};

void pn_interned_release(struct pn_interned *d)
{
	pn_frames_release(&d->frames);
	pn_strtab_release(&d->keys);
	free(d->values);
	free(d->stack);
}

static void set(struct pn_interned *d, uint32_t sequence, enum kind kind,
		uint64_t number, uint32_t value)
{
	const struct key key = {number, sequence, kind};
	uint32_t at = pn_strtab_add(&d->keys, &key, sizeof(key));

	d->values = pn_grow(d->values, &d->value_cap, (size_t)at + 1,
			    sizeof(*d->values));
	d->values[at] = value;
}

static uint32_t get(const struct pn_interned *d, uint32_t sequence,
		    enum kind kind, uint64_t number, uint32_t none)
{
	const struct key key = {number, sequence, kind};
	uint32_t at;

	return number && pn_strtab_find(&at, &d->keys, &key, sizeof(key))
		       ? d->values[at]
		       : none;
}

bool pn_interned_stack(uint32_t *out, const struct pn_interned *d,
		       uint32_t sequence, uint64_t number)
{
	*out = get(d, sequence, CALLSTACKS, number, PN_NONE);
	return *out != PN_NONE;
}

/* A build id may be the bytes themselves. */
static uint32_t string_of(struct pn_interned *d, const struct pn_wire_field *f,
			  enum kind kind)
{
	size_t len = (size_t)(f->bytes.end - f->bytes.at), i;
	struct pn_buf hex = {0};
	bool is_text = true;
	uint32_t id;

	for (i = 0; i < len; i++)
		is_text &= f->bytes.at[i] >= ' ' && f->bytes.at[i] < 0x7f;
	if (kind != BUILD_IDS || is_text)
		return pn_strtab_add(&d->p->strings, f->bytes.at, len);
	for (i = 0; i < len && i < 64; i++)
		pn_buf_printf(&hex, "%02x", f->bytes.at[i]);
	id = pn_strtab_add(&d->p->strings, hex.data, hex.len);
	pn_buf_release(&hex);
	return id;
}

static int take_string(struct pn_interned *d, uint32_t sequence, enum kind kind,
		       struct pn_wire wire, struct pn_error *err)
{
	struct pn_wire_field f;
	uint64_t number = 0;
	uint32_t string = 0;

	if (pn_room_take(d->room,
			 PN_ROOM_STRING + (uint64_t)(wire.end - wire.at), err))
		return PN_ELIMIT;
	while (wire.at < wire.end) {
		if (pn_wire_next(&f, &wire, err))
			return PN_EINVAL;
		if (f.number == IID && f.type != PN_WIRE_BYTES)
			number = f.value;
		else if (f.number == STRING && f.type == PN_WIRE_BYTES)
			string = string_of(d, &f, kind);
	}
	set(d, sequence, kind, number, string);
	return 0;
}

/* Paths are told by their parts: "system", "lib64", "libc.so". */
static void add_part(struct pn_interned *d, struct pn_buf *path,
		     uint32_t sequence, uint64_t number)
{
	pn_buf_add_byte(path, '/');
	pn_buf_add_text(path,
			pn_profile_text(d->p, get(d, sequence, MAPPING_PATHS,
						  number, 0)));
}

static int take_mapping(struct pn_interned *d, uint32_t sequence,
			enum kind kind, struct pn_wire wire,
			struct pn_error *err)
{
	struct pn_mapping m = {0};
	struct pn_buf path = {0};
	struct pn_wire_field f;
	uint64_t number = 0, part;
	int code = pn_room_take(d->room, PN_ROOM_MAPPING, err);

	(void)kind;
	while (!code && wire.at < wire.end) {
		code = pn_wire_next(&f, &wire, err);
		if (code)
			break;
		if (f.number == PATHS && f.type == PN_WIRE_BYTES) {
			while (!code && f.bytes.at < f.bytes.end) {
				code = pn_wire_varint(&part, &f.bytes, err);
				if (!code)
					add_part(d, &path, sequence, part);
			}
		} else if (f.type == PN_WIRE_BYTES) {
			continue;
		} else if (f.number == PATHS) {
			add_part(d, &path, sequence, f.value);
		} else if (f.number == IID) {
			number = f.value;
		} else if (f.number == BUILD_ID) {
			m.build_id = get(d, sequence, BUILD_IDS, f.value, 0);
		}
		if (path.len > 1u << 16)
			code = pn_error_set(err, PN_ELIMIT,
					    "byte %" PRIu64
					    ": a path of more than 64 kB",
					    f.offset);
	}
	if (!code) {
		/* "[vdso]" and "/data/a.oat" are one part each */
		const char *text = pn_buf_text(&path);

		if (*text && (text[1] == '/' || text[1] == '['))
			text++;
		code = pn_room_take(d->room, path.len, err);
		m.file = pn_strtab_add_text(&d->p->strings, text);
		set(d, sequence, MAPPINGS, number,
		    pn_profile_add_mapping(d->p, &m));
	}
	pn_buf_release(&path);
	return code;
}

static int take_frame(struct pn_interned *d, uint32_t sequence, enum kind kind,
		      struct pn_wire wire, struct pn_error *err)
{
	struct pn_frame frame = {.mapping = PN_NONE};
	struct pn_wire_field f;
	uint64_t number = 0;

	(void)kind;
	if (pn_room_take(d->room, PN_ROOM_FRAME, err))
		return PN_ELIMIT;
	while (wire.at < wire.end) {
		if (pn_wire_next(&f, &wire, err))
			return PN_EINVAL;
		if (f.type == PN_WIRE_BYTES)
			continue;
		if (f.number == IID)
			number = f.value;
		else if (f.number == FUNCTION_NAME)
			frame.name =
				get(d, sequence, FUNCTION_NAMES, f.value, 0);
		else if (f.number == MAPPING)
			frame.mapping =
				get(d, sequence, MAPPINGS, f.value, PN_NONE);
		else if (f.number == REL_PC)
			frame.address = f.value;
		else if (f.number == SOURCE_PATH)
			frame.file = get(d, sequence, SOURCE_PATHS, f.value, 0);
		else if (f.number == LINE_NUMBER && f.value <= INT32_MAX)
			frame.line = (int64_t)f.value;
	}
	set(d, sequence, FRAMES, number,
	    frame.name ? pn_frames_location(&d->frames, d->p, &frame)
		       : pn_frames_inlined(&d->frames, d->p, &frame, NULL, 0));
	return 0;
}

static int add_frame(struct pn_interned *d, size_t *count, uint32_t sequence,
		     uint64_t number, struct pn_error *err)
{
	uint32_t location = get(d, sequence, FRAMES, number, PN_NONE);

	if (*count == PN_MAX_STACK_DEPTH)
		return pn_error_set(err, PN_ELIMIT,
				    "a stack of more than %u frames",
				    PN_MAX_STACK_DEPTH);
	if (location == PN_NONE)
		return pn_error_set(err, PN_EINVAL,
				    "a stack has frame %" PRIu64
				    ", which is not there",
				    number);
	d->stack =
		pn_grow(d->stack, &d->stack_cap, *count + 1, sizeof(*d->stack));
	d->stack[(*count)++] = location;
	return pn_room_take(d->room, sizeof(location) * 2, err);
}

/* Frames are told from the outermost on. */
static int take_stack(struct pn_interned *d, uint32_t sequence, enum kind kind,
		      struct pn_wire wire, struct pn_error *err)
{
	struct pn_wire_field f;
	uint64_t number = 0, frame;
	size_t n = 0, i;
	int code = pn_room_take(d->room, PN_ROOM_STACK, err);

	while (!code && wire.at < wire.end) {
		code = pn_wire_next(&f, &wire, err);
		if (code)
			break;
		if (f.number == IID && f.type != PN_WIRE_BYTES)
			number = f.value;
		if (f.number != FRAME_IDS)
			continue;
		if (f.type != PN_WIRE_BYTES)
			code = add_frame(d, &n, sequence, f.value, err);
		while (!code && f.type == PN_WIRE_BYTES &&
		       f.bytes.at < f.bytes.end) {
			code = pn_wire_varint(&frame, &f.bytes, err);
			if (!code)
				code = add_frame(d, &n, sequence, frame, err);
		}
	}
	for (i = 0; !code && i < n / 2; i++) {
		uint32_t other = d->stack[n - 1 - i];

		d->stack[n - 1 - i] = d->stack[i];
		d->stack[i] = other;
	}
	if (!code)
		set(d, sequence, kind, number,
		    pn_frames_stack(&d->frames, d->p, d->stack, n));
	return code;
}

int pn_interned_take(struct pn_interned *d, uint32_t sequence,
		     struct pn_wire data, struct pn_error *err)
{
	static const struct {
		enum kind kind;
		int (*take)(struct pn_interned *d, uint32_t sequence,
			    enum kind kind, struct pn_wire wire,
			    struct pn_error *err);
	} steps[] = {{FUNCTION_NAMES, take_string}, {BUILD_IDS, take_string},
		     {MAPPING_PATHS, take_string},  {SOURCE_PATHS, take_string},
		     {MAPPINGS, take_mapping},	    {FRAMES, take_frame},
		     {CALLSTACKS, take_stack}};
	struct pn_wire_field f;
	size_t i;
	int code = 0;

	for (i = 0; !code && i < sizeof(steps) / sizeof(*steps); i++) {
		struct pn_wire wire = data;

		while (!code && wire.at < wire.end) {
			code = pn_wire_next(&f, &wire, err);
			if (!code && f.number == (uint32_t)steps[i].kind &&
			    f.type == PN_WIRE_BYTES)
				code = steps[i].take(d, sequence, steps[i].kind,
						     f.bytes, err);
		}
	}
	return code;
}
