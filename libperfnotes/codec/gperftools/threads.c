/*
 * Where the threads of a server stand ("threadz"): a head for each thread,
 * then its frames, the innermost first, a line each or several; last the
 * frames of the one that created it, and behind all a map of memory. All
 * addresses but the leaf's are where calls return to, so one is taken off.
 * pprof's legacy profiles.
 */
#include "base/alloc.h"
#include "codec/codec.h"
#include "codec/gperftools/gperftools.h"

#include <stdlib.h>
#include <string.h>

#define BEGIN "--- threadz "
#define THREAD "--- Thread "
#define NO_STACKS "---- no stack trace for"
#define SAME "same as previous thread"

struct decoder {
	struct pn_profile *p;
	struct pn_gperftools_text text; /* its lines, for messages */
	struct pn_frames frames;
	/* the thread that is open */
	bool has_thread, is_same;
	struct pn_frame *stack;
	size_t depth, cap;
};

static bool begins(const char *text, size_t len, const char *with)
{
	size_t n = strlen(with);

	return len >= n && !memcmp(text, with, n);
}

static bool contains(const char *text, size_t len, const char *what)
{
	for (; len; text++, len--)
		if (begins(text, len, what))
			return true;
	return false;
}

static void end_thread(struct decoder *d)
{
	union pn_value one = {.i = 1};
	uint32_t *places;
	size_t i, depth = 0;

	if (!d->has_thread)
		return;
	d->has_thread = false;
	if (d->is_same || !d->depth) {
		if (d->p->sample_count)
			d->p->values[d->p->sample_count - 1].i++;
		return;
	}
	places = pn_calloc(d->depth, sizeof(*places));
	for (i = 0; i < d->depth; i++) {
		struct pn_frame *frame = &d->stack[i];

		/* the leaf, of its registers and of the stack */
		if (i == 1 && frame->address + 1 == d->stack[0].address)
			continue;
		places[depth++] = pn_frames_inlined(&d->frames, d->p, frame,
						    frame, frame->name ? 1 : 0);
	}
	pn_profile_add_sample(d->p,
			      pn_frames_stack(&d->frames, d->p, places, depth),
			      0, &one);
	free(places);
}

static bool take_hex(uint64_t *out, const char **text, size_t *len)
{
	static const char digits[] = "0123456789abcdef";
	const char *at;
	size_t n = 2;

	*out = 0;
	for (; n < *len && n < 18; n++) {
		at = memchr(digits, (*text)[n], sizeof(digits) - 1);
		if (!at)
			break;
		*out = *out << 4 | (uint64_t)(at - digits);
	}
	*text += n;
	*len -= n;
	return n > 2;
}

/* "0x40be31: main", or several addresses without names. */
static int read_frames(struct decoder *d, const char *text, size_t len,
		       struct pn_error *err)
{
	struct pn_frame *frame;
	uint64_t address;

	while (len) {
		if (!begins(text, len, "0x")) {
			text++;
			len--;
			continue;
		}
		if (!take_hex(&address, &text, &len))
			continue;
		if (d->depth == PN_MAX_STACK_DEPTH)
			return pn_gperftools_bad_line(
				&d->text, err, "more than 1048576 frames");
		d->stack = pn_grow(d->stack, &d->cap, d->depth + 1,
				   sizeof(*d->stack));
		frame = &d->stack[d->depth];
		memset(frame, 0, sizeof(*frame));
		frame->mapping = PN_NONE;
		frame->address = address - (d->depth++ > 0);
		if (len > 2 && begins(text, len, ": ")) {
			frame->name = frame->system_name = pn_strtab_add(
				&d->p->strings, text + 2, len - 2);
			return 0;
		}
	}
	return 0;
}

/* *in_map: the map begins behind this line. */
static int take_line(bool *in_map, struct decoder *d, const char *text,
		     size_t len, struct pn_error *err)
{
	if (begins(text, len, "---")) {
		end_thread(d);
		*in_map = pn_gperftools_is_map_head(text, len);
		d->has_thread = begins(text, len, THREAD);
		d->is_same = false;
		d->depth = 0;
		if (d->has_thread || *in_map || begins(text, len, BEGIN) ||
		    begins(text, len, NO_STACKS))
			return 0;
		return pn_gperftools_bad_line(
			&d->text, err, "expected '" THREAD "<id> (name: ...'");
	}
	*in_map = pn_gperftools_is_map_head(text, len);
	if (!d->has_thread || *in_map)
		return 0;
	if (contains(text, len, SAME)) {
		d->is_same = true;
		return 0;
	}
	return read_frames(d, text, len, err);
}

static int read_all(struct decoder *d, struct pn_error *err)
{
	bool in_map = false;
	const char *text;
	size_t len;
	int code = pn_lines_next(&text, &len, &d->text.lines, err);

	if (!code && (!text || (!begins(text, len, BEGIN) &&
				!begins(text, len, THREAD))))
		return pn_gperftools_bad_line(&d->text, err,
					      "expected '" BEGIN
					      "<n> ---' or '" THREAD "<id>'");
	while (!code && text) {
		while (len && (*text == ' ' || *text == '\t')) {
			text++;
			len--;
		}
		if (in_map)
			pn_gperftools_map_line(d->p, text, len);
		else
			code = take_line(&in_map, d, text, len, err);
		if (!code)
			code = pn_lines_next(&text, &len, &d->text.lines, err);
	}
	if (code)
		return code;
	end_thread(d);
	pn_gperftools_map_end(d->p);
	d->p->complete = false;
	return 0;
}

static int read_threads(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	struct decoder d = {.p = out};
	int code;

	d.text.lines.in = in;
	pn_profile_add_type(out, "thread", "count");
	out->types[0].better = PN_BETTER_LESS;
	out->period = 1;
	out->period_type = out->types[0];
	code = read_all(&d, err);
	pn_frames_release(&d.frames);
	free(d.stack);
	if (code)
		pn_profile_release(out);
	return code;
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	const char *text = (const char *)bytes;

	return begins(text, len, BEGIN) || begins(text, len, THREAD)
		       ? PN_SNIFF_SURE
		       : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_threads = {
	.name = "threadz",
	.summary = "stacks of a server's threads as text, of pprof's /threadz",
	.languages = "c c++",
	.made_by = "/threadz of a server",
	.sniffed_by = "'" BEGIN "' or '" THREAD "' first",
	.suffix = ".txt",
	.sniff = sniff,
	.read = read_threads,
};
