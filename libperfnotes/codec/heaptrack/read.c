/* Lines of one letter and numbers in hex. */
#include "codec/heaptrack/heaptrack.h"

#include "base/alloc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define VERSION_MAX 3
#define SIZED 3 /* the version from which strings say their length */
#define VERSION_SWAPPED 0x010200 /* wrote no version of the format: it is 1 */

static int bad_line(const struct pn_heaptrack *h, struct pn_error *err,
		    const char *what)
{
	return pn_error_set(err, PN_EINVAL, "line %" PRIu64 ": %s",
			    h->lines.number, what);
}

/* A blank and a number; false when there is none. At most INT64_MAX. */
static bool take(int64_t *out, const char **text, size_t *len)
{
	const char *at = *text;
	size_t n = 1;
	uint64_t value = 0;

	if (*len < 2 || *at != ' ')
		return false;
	for (; n < *len && at[n] != ' '; n++) {
		char c = at[n];

		if (n > 16)
			return false;
		if (c >= '0' && c <= '9')
			value = value << 4 | (uint64_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			value = value << 4 | (uint64_t)(c - 'a' + 10);
		else
			return false;
	}
	if (n == 1 || value > INT64_MAX)
		return false;
	*out = (int64_t)value;
	*text += n;
	*len -= n;
	return true;
}

/* A number from 1 (0: none) of a table. */
static bool take_index(uint32_t *out, const char **text, size_t *len,
		       size_t count)
{
	int64_t value;

	if (!take(&value, text, len) || (uint64_t)value > count)
		return false;
	*out = (uint32_t)value;
	return true;
}

static int read_version(struct pn_heaptrack *h, const char *text, size_t len,
			struct pn_error *err)
{
	int64_t writer;

	if (!take(&writer, &text, &len))
		return bad_line(h, err,
				"expected heaptrack's 'v <version> <format>'");
	if (!take(&h->version, &text, &len))
		h->version = writer == VERSION_SWAPPED ? 1 : 0;
	if (h->version < 1 || h->version > VERSION_MAX)
		return bad_line(h, err,
				"this version of heaptrack's format is not "
				"known, expected 1 to 3");
	return 0;
}

static int read_command(struct pn_heaptrack *h, const char *text, size_t len,
			struct pn_error *err)
{
	struct pn_header *header = &h->p->header;
	const char *blank;
	size_t word;

	if (h->has_command)
		return bad_line(h, err, "a second command");
	h->has_command = true;
	if (len) { /* the blank behind the X */
		text++;
		len--;
	}
	blank = len ? memchr(text, ' ', len) : NULL;
	word = blank ? (size_t)(blank - text) : len;
	header->cmd = pn_strtab_add(&h->p->strings, text, word);
	if (blank)
		header->args = pn_strtab_add(&h->p->strings, blank + 1,
					     len - word - 1);
	return 0;
}

static int read_string(struct pn_heaptrack *h, const char *text, size_t len,
		       struct pn_error *err)
{
	int64_t size;

	if (h->version >= SIZED &&
	    (!take(&size, &text, &len) || (uint64_t)size + 1 != len + !len))
		return bad_line(h, err,
				"expected 's <length> <text>' and a text as "
				"long as that");
	if (len) {
		text++;
		len--;
	}
	h->strings = pn_grow(h->strings, &h->string_cap, h->string_count + 1,
			     sizeof(*h->strings));
	h->strings[h->string_count++] =
		pn_strtab_add(&h->p->strings, text, len);
	return 0;
}

static uint32_t string_of(const struct pn_heaptrack *h, uint32_t index)
{
	return index ? h->strings[index - 1] : 0;
}

/* The module of a location, as a mapping. */
static uint32_t mapping_of(struct pn_heaptrack *h, uint32_t index)
{
	struct pn_mapping mapping = {.file = string_of(h, index)};
	size_t had = h->module_cap;

	if (!index)
		return PN_NONE;
	h->modules = pn_grow(h->modules, &h->module_cap, (size_t)index,
			     sizeof(*h->modules));
	if (h->module_cap > had)
		memset(h->modules + had, 0,
		       (h->module_cap - had) * sizeof(*h->modules));
	if (!h->modules[index - 1])
		h->modules[index - 1] =
			pn_profile_add_mapping(h->p, &mapping) + 1;
	return h->modules[index - 1] - 1;
}

/* One group "function file line", or a function alone at the end. */
static bool take_frame(struct pn_heaptrack *h, struct pn_frame *out,
		       const char **text, size_t *len)
{
	uint32_t name, file = 0;

	memset(out, 0, sizeof(*out));
	out->mapping = PN_NONE;
	if (!take_index(&name, text, len, h->string_count) ||
	    (*len && (!take_index(&file, text, len, h->string_count) ||
		      !take(&out->line, text, len))))
		return false;
	out->name = string_of(h, name);
	out->file = string_of(h, file);
	return true;
}

/* Who asked for memory is above these. */
static bool is_operator_new(const char *name)
{
	return !strcmp(name, "operator new(unsigned long)") ||
	       !strcmp(name, "operator new[](unsigned long)") ||
	       !strcmp(name, "operator new(unsigned int)") ||
	       !strcmp(name, "operator new[](unsigned int)");
}

static int read_location(struct pn_heaptrack *h, const char *text, size_t len,
			 struct pn_error *err)
{
	struct pn_frame location = {.mapping = PN_NONE};
	struct pn_heaptrack_location *added;
	uint32_t module;
	int64_t ip;
	size_t count = 0;
	const char *name = "";

	if (!take(&ip, &text, &len) ||
	    !take_index(&module, &text, &len, h->string_count))
		return bad_line(h, err,
				"expected 'i <address> <module> [<function> "
				"<file> <line>]...' with strings from before");
	for (; len; count++) {
		h->inlined = pn_grow(h->inlined, &h->inlined_cap, count + 1,
				     sizeof(*h->inlined));
		if (!take_frame(h, &h->inlined[count], &text, &len))
			return bad_line(h, err,
					"expected a function, a file and a "
					"line, all from before");
	}
	location.address = (uint64_t)ip;
	location.mapping = mapping_of(h, module);
	if (count)
		name = pn_profile_text(h->p, h->inlined[0].name);
	h->locations = pn_grow(h->locations, &h->location_cap,
			       h->location_count + 1, sizeof(*h->locations));
	added = &h->locations[h->location_count++];
	added->allocates = is_operator_new(name);
	added->location = pn_frames_inlined(&h->frames, h->p, &location,
					    h->inlined, count);
	return 0;
}

static int read_trace(struct pn_heaptrack *h, const char *text, size_t len,
		      struct pn_error *err)
{
	struct pn_heaptrack_trace trace = {0};

	if (!take_index(&trace.location, &text, &len, h->location_count) ||
	    !take_index(&trace.parent, &text, &len, h->trace_count) ||
	    !trace.location || len)
		return bad_line(h, err,
				"expected 't <place> <parent>', both from "
				"before");
	h->traces = pn_grow(h->traces, &h->trace_cap, h->trace_count + 1,
			    sizeof(*h->traces));
	h->traces[h->trace_count++] = trace;
	return 0;
}

static int read_info(struct pn_heaptrack *h, const char *text, size_t len,
		     struct pn_error *err)
{
	struct pn_heaptrack_info info;

	if (!take(&info.bytes, &text, &len) ||
	    !take_index(&info.trace, &text, &len, h->trace_count) || len)
		return bad_line(h, err,
				"expected 'a <bytes> <trace>' with a trace "
				"from before");
	h->infos = pn_grow(h->infos, &h->info_cap, h->info_count + 1,
			   sizeof(*h->infos));
	h->infos[h->info_count++] = info;
	return 0;
}

/* Before a trace changes: what it held at the last peak is settled. */
static void settle(struct pn_heaptrack *h, struct pn_heaptrack_trace *trace)
{
	if (trace->peak == h->peak)
		return;
	trace->peak = h->peak;
	trace->peak_bytes = trace->held_bytes;
}

/* "+ info", "- info". */
static int read_change(struct pn_heaptrack *h, bool allocated, const char *text,
		       size_t len, struct pn_error *err)
{
	const struct pn_heaptrack_info *info;
	struct pn_heaptrack_trace *trace;
	int64_t index, bytes;

	if (!take(&index, &text, &len) || len ||
	    (uint64_t)index >= h->info_count)
		return bad_line(h, err,
				"expected '+' or '-' and an allocation from "
				"before");
	info = &h->infos[index];
	trace = info->trace ? &h->traces[info->trace - 1] : &h->unknown;
	bytes = allocated ? info->bytes : -info->bytes;
	settle(h, trace);
	if (__builtin_add_overflow(h->held_bytes, bytes, &h->held_bytes) ||
	    __builtin_add_overflow(trace->held_bytes, bytes,
				   &trace->held_bytes))
		return bad_line(h, err, "more than 2^63 bytes");
	trace->held += allocated ? 1 : -1;
	trace->allocations += allocated;
	trace->temporary += !allocated && h->last == (uint32_t)index;
	/* heaptrack counts so: what is freed first of all, or after another,
	 * is taken for temporary when it is the allocation 0 */
	h->last = allocated ? (uint32_t)index : 0;
	h->moved = true;
	if (h->held_bytes > h->most)
		h->most = h->held_bytes;
	if (h->held_bytes > h->peak_bytes) {
		h->peak_bytes = h->held_bytes;
		h->peak++;
	}
	return 0;
}

static int read_number(struct pn_heaptrack *h, char letter, const char *text,
		       size_t len, struct pn_error *err)
{
	int64_t value;

	if (!take(&value, &text, &len))
		return bad_line(h, err, "expected a number in hex");
	if (letter == 'I') {
		h->page_bytes = value;
	} else if (letter == 'c') {
		pn_heaptrack_curve_add(&h->heap, value, h->most);
		h->most = h->held_bytes;
		h->moved = false;
		h->ms = value;
	} else {
		pn_heaptrack_curve_add(&h->rss, h->ms, value);
		if (value > h->resident)
			h->resident = value;
	}
	return 0;
}

static int read_line(void *to, const char *text, size_t len,
		     struct pn_error *err)
{
	struct pn_heaptrack *h = to;

	char letter;

	if (!len || *text == '#')
		return 0;
	letter = *text++;
	len--;
	if (!h->version && letter != 'v')
		return bad_line(h, err,
				"expected heaptrack's 'v <version> <format>'");
	switch (letter) {
	case 'v':
		return read_version(h, text, len, err);
	case 'X':
		return read_command(h, text, len, err);
	case 's':
		return read_string(h, text, len, err);
	case 'i':
		return read_location(h, text, len, err);
	case 't':
		return read_trace(h, text, len, err);
	case 'a':
		return read_info(h, text, len, err);
	case '+':
	case '-':
		return read_change(h, letter == '+', text, len, err);
	case 'I':
	case 'c':
	case 'R':
		return read_number(h, letter, text, len, err);
	case 'A': /* attached: what was before is not of interest */
	case 'S': /* leaks that a report leaves out */
		return 0;
	case 'm':
	case 'x':
		return bad_line(h, err,
				"this is raw data of heaptrack: give the "
				"output of 'heaptrack_interpret'");
	default:
		return bad_line(h, err,
				"expected a line of heaptrack: one of "
				"v X I s i t a + - c R and numbers");
	}
}

int pn_heaptrack_read(struct pn_heaptrack *h, struct pn_error *err)
{
	int code = pn_lines_each(&h->lines, h, read_line, err);

	if (code)
		return code;
	return h->version
		       ? 0
		       : bad_line(
				 h, err,
				 "expected heaptrack's 'v <version> <format>'");
}

void pn_heaptrack_release(struct pn_heaptrack *h)
{
	pn_frames_release(&h->frames);
	free(h->strings);
	free(h->modules);
	free(h->locations);
	free(h->traces);
	free(h->infos);
	free(h->inlined);
}
