/* Paths of calls as functions. A path is its number: that of its callers' path
 * and a function of the profile. */
#include "analysis/merge/call_tree.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "model/timeline/ticks.h"

#include <stdlib.h>
#include <string.h>

/* Calls that are told apart by all above them share nothing: a few stacks of
 * inlined calls can ask for billions. */
#define LINES_MAX (2u << 20)

struct work {
	struct pn_profile *p;
	size_t function_count;	 /* of the profile as it came */
	struct pn_strtab paths;	 /* keys, as bytes; id 0 is the root */
	struct pn_strtab places; /* a location at the end of a path */
	uint32_t *function;	 /* of each path, as it came */
	uint32_t *location;	 /* of each place, the new one */
	size_t path_cap, place_cap;
	size_t line_count; /* added */
};

static uint32_t path_of(struct work *w, uint32_t callers, uint32_t function)
{
	const uint32_t key[2] = {callers, function};
	uint32_t id = pn_strtab_add(&w->paths, key, sizeof(key));

	w->function = pn_grow(w->function, &w->path_cap, (size_t)id + 1,
			      sizeof(*w->function));
	w->function[id] = function;
	return id;
}

/* The location with each line's function replaced by its path: those become
 * functions when all are known. */
static uint32_t place_of(struct work *w, uint32_t *path, uint32_t at)
{
	struct pn_location l = w->p->locations[at];
	struct pn_line *lines = pn_calloc(l.line_count, sizeof(*lines));
	uint32_t key[2] = {0, at}, i, id;
	size_t had = w->places.count;

	for (i = l.line_count; i-- > 0;) {
		lines[i] = w->p->lines[l.line_first + i];
		*path = path_of(w, *path, lines[i].function);
		lines[i].function = *path;
	}
	key[0] = *path;
	id = pn_strtab_add(&w->places, key, sizeof(key));
	w->location = pn_grow(w->location, &w->place_cap, (size_t)id + 1,
			      sizeof(*w->location));
	if (w->places.count != had) {
		w->line_count += l.line_count;
		w->location[id] =
			pn_profile_add_location(w->p, &l, lines, l.line_count);
	}
	free(lines);
	return w->location[id];
}

static int split_stack(struct work *w, size_t stack, struct pn_error *err)
{
	struct pn_profile *p = w->p;
	uint32_t path = 0;
	size_t i;

	for (i = p->stack_start[stack + 1]; i-- > p->stack_start[stack];) {
		if (p->locations[p->frames[i]].line_count)
			p->frames[i] = place_of(w, &path, p->frames[i]);
		if (w->line_count > LINES_MAX)
			return pn_error_set(err, PN_ELIMIT,
					    "the call tree has more than %u "
					    "calls",
					    LINES_MAX);
	}
	return 0;
}

/* How many paths end in each function. */
static uint32_t *count_paths(const struct work *w)
{
	uint32_t *count = pn_calloc(w->function_count + 1, sizeof(*count));
	size_t id;

	for (id = 1; id < w->paths.count; id++)
		count[w->function[id]]++;
	return count;
}

/* A function for each path: path 1 is the first one behind those that came. */
static void add_functions(struct work *w)
{
	uint32_t *count = count_paths(w);
	uint32_t *met = pn_calloc(w->function_count + 1, sizeof(*met));
	struct pn_buf name = {0};
	size_t id;

	for (id = 1; id < w->paths.count; id++) {
		uint32_t at = w->function[id];
		struct pn_function f = w->p->functions[at];

		if (count[at] > 1) {
			pn_buf_clear(&name);
			pn_buf_printf(&name, "%s [%u/%u]",
				      pn_profile_text(w->p, f.name), ++met[at],
				      count[at]);
			f.name = pn_strtab_add(&w->p->strings, name.data,
					       name.len);
		}
		pn_profile_add_function(w->p, &f);
	}
	pn_buf_release(&name);
	free(count);
	free(met);
}

int pn_call_tree(struct pn_profile *profile, struct pn_error *err)
{
	struct work w = {.p = profile,
			 .function_count = profile->function_count};
	size_t i, lines = profile->line_count;
	int code = 0;

	if (!profile->sample_count)
		return pn_error_set(err, PN_EINVAL,
				    "a call tree needs stacks: the profile has "
				    "none");
	pn_ticks_clear(profile); /* functions are what is told apart */
	pn_strtab_add(&w.paths, "", 0);
	pn_strtab_add(&w.places, "", 0);
	for (i = 0; !code && i < profile->stack_count; i++)
		code = split_stack(&w, i, err);
	if (!code)
		add_functions(&w);
	for (i = lines; !code && i < profile->line_count; i++)
		profile->lines[i].function += (uint32_t)w.function_count - 1;
	pn_strtab_release(&w.paths);
	pn_strtab_release(&w.places);
	free(w.function);
	free(w.location);
	return code;
}
