/* Names have their module in front: there are many of "main". */
#include "codec/haskell/centres.h"
#include "base/number.h"

#include <string.h>

void pn_centres_release(struct pn_centres *centres)
{
	pn_frames_release(&centres->frames);
	pn_call_tree_release(&centres->tree);
}

void pn_centres_add_types(struct pn_centres *centres)
{
	struct pn_profile *p = centres->p;
	size_t i;

	pn_profile_add_type(p, "entries", "count");
	pn_profile_add_type(p, "allocated", "bytes");
	pn_profile_add_type(p, "time", "nanoseconds");
	for (i = 0; i < 3; i++)
		p->types[i].better = PN_BETTER_LESS;
	p->period_type = p->types[2];
	p->period = centres->tick_ns;
}

/* "5:1-31" or "(7,1)-(9,56)": the line where it begins. */
static int64_t line_of(struct pn_scan s)
{
	const char *at;
	uint64_t line;

	(void)pn_scan_text(&s, "(");
	for (at = s.at; at < s.end && *at >= '0' && *at <= '9';)
		at++;
	return pn_number_uint(&line, s.at, (size_t)(at - s.at)) &&
			       line <= INT32_MAX
		       ? (int64_t)line
		       : 0;
}

uint32_t pn_centres_location(struct pn_centres *centres, struct pn_scan name,
			     struct pn_scan module, struct pn_scan place)
{
	struct pn_profile *p = centres->p;
	struct pn_frame frame = {.mapping = PN_NONE};
	struct pn_buf text = {0};
	struct pn_scan file;

	pn_buf_add(&text, module.at, pn_scan_left(&module));
	if (text.len)
		pn_buf_add_byte(&text, '.');
	pn_buf_add(&text, name.at, pn_scan_left(&name));
	frame.name = pn_strtab_add(&p->strings, text.data, text.len);
	pn_buf_release(&text);
	if (!pn_scan_begins(&place, "<") && pn_scan_until(&file, &place, ":")) {
		frame.file = pn_strtab_add(&p->strings, file.at,
					   pn_scan_left(&file));
		frame.start_line = frame.line = line_of(place);
	}
	return pn_frames_location(&centres->frames, p, &frame);
}

int pn_centres_add(struct pn_centres *centres, uint32_t node, int64_t entries,
		   int64_t bytes, int64_t ticks, struct pn_error *err)
{
	union pn_value row[3] = {{.i = entries}, {.i = bytes}, {.i = 0}};
	uint32_t stack;
	int code;

	if (!entries && !bytes && !ticks)
		return 0;
	if (__builtin_mul_overflow(ticks, centres->tick_ns, &row[2].i))
		return pn_error_set(err, PN_ERANGE, "time: more than 2^63 ns");
	code = pn_call_tree_stack(&stack, &centres->tree, centres->p, node,
				  err);
	return code ? code : pn_frames_add_sample(centres->p, stack, row, err);
}
