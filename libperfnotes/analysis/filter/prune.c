/* Cutting stacks below a frame by its simplified name. */
#include "analysis/filter/prune.h"

#include "analysis/filter/filter.h"
#include "analysis/filter/stacks.h"
#include "base/alloc.h"
#include "base/text/regex.h"
#include "model/timeline/ticks.h"

#include <stdlib.h>
#include <string.h>

enum { WHOLE = 1, BENEATH = 2 };

void pn_prune_simplify(struct pn_buf *out, const char *name, size_t len)
{
	static const char *const reserved[] = {"(anonymous namespace)",
					       "operator()"};
	size_t i, r;

	if (len && *name == '.') {
		name++;
		len--;
	}
	for (i = 0; i < len; i++) {
		for (r = 0; r < 2; r++)
			if (len - i >= strlen(reserved[r]) &&
			    !memcmp(name + i, reserved[r], strlen(reserved[r])))
				break;
		if (r < 2)
			i += strlen(reserved[r]) - 1;
		else if (name[i] == '(')
			break;
	}
	pn_buf_add(out, name, i < len ? i : len);
}

/* One flag a function: whether its simplified name matches. */
static unsigned char *functions_matching(const struct pn_profile *p,
					 const struct pn_regex *drop,
					 const struct pn_regex *keep)
{
	unsigned char *flags = pn_calloc(p->function_count + 1, 1);
	struct pn_buf name = {0};
	size_t i;

	for (i = 0; i < p->function_count; i++) {
		uint32_t id = p->functions[i].name;

		if (!id)
			continue;
		pn_buf_clear(&name);
		pn_prune_simplify(&name, pn_profile_text(p, id),
				  pn_strtab_len(&p->strings, id));
		flags[i] = pn_regex_match(drop, pn_buf_text(&name), name.len) &&
			   !(keep && pn_regex_match(keep, pn_buf_text(&name),
						    name.len));
	}
	pn_buf_release(&name);
	return flags;
}

static bool cut_beneath(uint32_t *frames, size_t count, size_t *from,
			size_t *to, const void *context)
{
	const unsigned char *marks = context;
	size_t i;

	for (i = 0; i < count; i++)
		if (marks[frames[i]]) {
			*from = i;
			break;
		}
	*to = count;
	return true;
}

bool pn_prune_from(struct pn_profile *p, const struct pn_regex *regex)
{
	unsigned char *flags = functions_matching(p, regex, NULL);
	unsigned char *marks = pn_calloc(p->location_count + 1, 1);
	bool matched = false;
	size_t i;

	for (i = 0; i < p->location_count; i++) {
		struct pn_location *location = &p->locations[i];
		uint32_t line, first = location->line_first;

		for (line = 0; line < location->line_count; line++)
			if (flags[p->lines[first + line].function])
				break;
		if (line == location->line_count)
			continue;
		location->line_first += line;
		location->line_count -= line;
		marks[i] = BENEATH;
		matched = true;
	}
	pn_stacks_cut(p, cut_beneath, marks);
	free(flags);
	free(marks);
	return matched;
}

/* Frames before the first that does not match stay, or everything would go
 * from a stack whose root matches. */
static bool cut_pruned(uint32_t *frames, size_t count, size_t *from, size_t *to,
		       const void *context)
{
	const unsigned char *marks = context;
	bool found_user = false;
	size_t i;

	*to = count;
	for (i = count; i > 0; i--) {
		unsigned char mark = marks[frames[i - 1]];

		if (mark && found_user) {
			*from = mark == WHOLE ? i : i - 1;
			break;
		}
		found_user = found_user || !mark;
	}
	return true;
}

void pn_prune(struct pn_profile *p, const struct pn_regex *drop,
	      const struct pn_regex *keep)
{
	unsigned char *flags = functions_matching(p, drop, keep);
	unsigned char *marks = pn_calloc(p->location_count + 1, 1);
	size_t i;

	for (i = 0; i < p->location_count; i++) {
		struct pn_location *location = &p->locations[i];
		uint32_t line = location->line_count;
		uint32_t first = location->line_first;

		while (line > 0 && !flags[p->lines[first + line - 1].function])
			line--;
		if (!line)
			continue;
		marks[i] = line == location->line_count ? WHOLE : BENEATH;
		if (marks[i] == BENEATH) {
			location->line_first += line;
			location->line_count -= line;
		}
	}
	pn_stacks_cut(p, cut_pruned, marks);
	free(flags);
	free(marks);
}

static int whole_name_regex(struct pn_regex **out, const struct pn_profile *p,
			    uint32_t text, struct pn_error *err)
{
	struct pn_buf pattern = {0};
	int code;

	pn_buf_printf(&pattern, "^(%s)$", pn_profile_text(p, text));
	code = pn_regex_new(out, pn_buf_text(&pattern), err);
	pn_buf_release(&pattern);
	return code;
}

int pn_filter_drop_frames(struct pn_profile *profile, struct pn_error *err)
{
	struct pn_regex *drop = NULL, *keep = NULL;
	int code;

	if (!profile->drop_frames)
		return 0;
	pn_ticks_spread(profile);
	code = whole_name_regex(&drop, profile, profile->drop_frames, err);
	if (!code && profile->keep_frames)
		code = whole_name_regex(&keep, profile, profile->keep_frames,
					err);
	if (code)
		pn_error_context(err, "the profile's frames to drop");
	else
		pn_prune(profile, drop, keep);
	pn_regex_free(drop);
	pn_regex_free(keep);
	return code;
}
