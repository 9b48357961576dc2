/* Filters by regular expressions, in pprof's order. */
#include "analysis/filter/filter.h"

#include "analysis/filter/prune.h"
#include "analysis/filter/stacks.h"
#include "analysis/filter/tagfilter.h"
#include "analysis/filter/tagframes.h"
#include "base/alloc.h"
#include "base/text/regex.h"
#include "model/timeline/ticks.h"

#include <stdlib.h>
#include <string.h>

/* What is known of a location while names are filtered. */
enum mark { MARK_FOCUS = 1, MARK_IGNORE = 2, MARK_GONE = 4, MARK_FROM = 8 };

struct work {
	struct pn_profile *profile;
	struct pn_regex *regex[PN_FILTER_KINDS];
	/* Answers of one expression, 0: not asked, 1: no, 2: yes. */
	unsigned char *functions, *mappings;
	unsigned char *marks; /* one a location, enum mark */
	unsigned int matched; /* bit 1 << kind */
	bool has_gone;
};

const char *pn_filter_name(enum pn_filter_kind kind)
{
	static const char *const names[PN_FILTER_KINDS] = {
		[PN_FILTER_FOCUS] = "focus",
		[PN_FILTER_IGNORE] = "ignore",
		[PN_FILTER_HIDE] = "hide",
		[PN_FILTER_SHOW] = "show",
		[PN_FILTER_SHOW_FROM] = "show_from",
		[PN_FILTER_TAG_FOCUS] = "tagfocus",
		[PN_FILTER_TAG_IGNORE] = "tagignore",
		[PN_FILTER_TAG_SHOW] = "tagshow",
		[PN_FILTER_TAG_HIDE] = "taghide",
		[PN_FILTER_PRUNE_FROM] = "prune_from",
		[PN_FILTER_TAG_ROOT] = "tagroot",
		[PN_FILTER_TAG_LEAF] = "tagleaf",
	};

	return names[kind];
}

bool pn_filter_is_empty(const struct pn_filter *filter)
{
	int kind;

	for (kind = 0; kind < PN_FILTER_KINDS; kind++)
		if (filter->text[kind] && *filter->text[kind])
			return false;
	return !filter->call_graph;
}

int pn_filter_take_graph(struct pn_profile *p, const struct pn_filter *filter,
			 struct pn_error *err)
{
	if (!filter->call_graph)
		return 0;
	if (!p->graph.node_count)
		return pn_error_set(err, PN_EINVAL,
				    "the profile has stacks and no call graph "
				    "of its own");
	p->sample_count = 0;
	return 0;
}

static bool string_matches(const struct pn_profile *p,
			   const struct pn_regex *regex, uint32_t id)
{
	return pn_regex_match(regex, pn_profile_text(p, id),
			      pn_strtab_len(&p->strings, id));
}

static void forget_answers(struct work *w)
{
	memset(w->functions, 0, w->profile->function_count + 1);
	memset(w->mappings, 0, w->profile->mapping_count + 1);
}

static bool function_matches(struct work *w, const struct pn_regex *regex,
			     uint32_t at)
{
	const struct pn_function *function = &w->profile->functions[at];

	if (!w->functions[at])
		w->functions[at] =
			string_matches(w->profile, regex, function->name) ||
					string_matches(w->profile, regex,
						       function->file)
				? 2
				: 1;
	return w->functions[at] == 2;
}

static bool mapping_matches(struct work *w, const struct pn_regex *regex,
			    const struct pn_location *location)
{
	uint32_t at = location->mapping;

	if (at >= w->profile->mapping_count)
		return false;
	if (!w->mappings[at])
		w->mappings[at] = string_matches(w->profile, regex,
						 w->profile->mappings[at].file)
					  ? 2
					  : 1;
	return w->mappings[at] == 2;
}

/* The outermost line that matches, or -1. */
static int64_t last_match(struct work *w, const struct pn_regex *regex,
			  const struct pn_location *location)
{
	const struct pn_line *lines = w->profile->lines;
	int64_t i, first = location->line_first;

	for (i = (int64_t)location->line_count - 1; i >= 0; i--)
		if (function_matches(w, regex, lines[first + i].function))
			return i;
	return -1;
}

/* Keep the lines whose match is `want`; true when none is left. */
static bool keep_lines(struct work *w, const struct pn_regex *regex,
		       struct pn_location *location, bool want)
{
	uint32_t i, kept = 0, first = location->line_first;
	struct pn_line *lines = w->profile->lines;

	for (i = 0; i < location->line_count; i++)
		if (function_matches(w, regex, lines[first + i].function) ==
		    want)
			lines[first + kept++] = lines[first + i];
	location->line_count = kept;
	return !kept;
}

static void mark(struct work *w, enum pn_filter_kind kind, size_t at)
{
	struct pn_location *location = &w->profile->locations[at];
	const struct pn_regex *regex = w->regex[kind];
	bool in_mapping = mapping_matches(w, regex, location);
	bool matches = in_mapping || last_match(w, regex, location) >= 0;
	unsigned int bit = 0;

	if (matches)
		w->matched |= 1u << kind;
	if (kind == PN_FILTER_FOCUS && matches)
		bit = MARK_FOCUS;
	if (kind == PN_FILTER_IGNORE && matches)
		bit = MARK_IGNORE;
	if (kind == PN_FILTER_HIDE && matches &&
	    (in_mapping || keep_lines(w, regex, location, false)))
		bit = MARK_GONE;
	if (kind == PN_FILTER_SHOW &&
	    ((w->marks[at] & MARK_GONE) ||
	     (!in_mapping && keep_lines(w, regex, location, true))))
		bit = MARK_GONE;
	w->has_gone = w->has_gone || bit == MARK_GONE;
	w->marks[at] |= (unsigned char)bit;
}

static void mark_all(struct work *w, enum pn_filter_kind kind)
{
	size_t i;

	if (!w->regex[kind])
		return;
	forget_answers(w);
	for (i = 0; i < w->profile->location_count; i++)
		mark(w, kind, i);
}

/* focus, ignore, hide and show on one stack. */
static bool cut_by_name(uint32_t *frames, size_t count, size_t *from,
			size_t *to, const void *context)
{
	const struct work *w = context;
	bool focused = false;
	size_t i, kept = 0;

	for (i = 0; i < count; i++) {
		unsigned char marks = w->marks[frames[i]];

		if (marks & MARK_IGNORE)
			return false;
		focused = focused || !w->regex[PN_FILTER_FOCUS] ||
			  (marks & MARK_FOCUS);
	}
	if (!focused)
		return false;
	for (i = 0; i < count; i++)
		if (!(w->marks[frames[i]] & MARK_GONE))
			frames[kept++] = frames[i];
	*from = 0;
	*to = kept;
	return kept || !w->has_gone;
}

static bool cut_above(uint32_t *frames, size_t count, size_t *from, size_t *to,
		      const void *context)
{
	const struct work *w = context;
	size_t i;

	for (i = count; i > 0; i--)
		if (w->marks[frames[i - 1]] & MARK_FROM) {
			*from = 0;
			*to = i;
			return true;
		}
	return false;
}

static void filter_names(struct work *w)
{
	if (!w->regex[PN_FILTER_FOCUS] && !w->regex[PN_FILTER_IGNORE] &&
	    !w->regex[PN_FILTER_HIDE] && !w->regex[PN_FILTER_SHOW])
		return;
	mark_all(w, PN_FILTER_FOCUS);
	mark_all(w, PN_FILTER_IGNORE);
	mark_all(w, PN_FILTER_HIDE);
	mark_all(w, PN_FILTER_SHOW);
	pn_stacks_cut(w->profile, cut_by_name, w);
}

/* Of inlined lines those below the match stay with it; a match of the mapping
 * keeps all. */
static void show_from(struct work *w)
{
	const struct pn_regex *regex = w->regex[PN_FILTER_SHOW_FROM];
	size_t i;

	if (!regex)
		return;
	forget_answers(w);
	for (i = 0; i < w->profile->location_count; i++) {
		struct pn_location *location = &w->profile->locations[i];
		bool in_mapping = mapping_matches(w, regex, location);
		int64_t last = in_mapping ? -1 : last_match(w, regex, location);

		if (!in_mapping && last < 0)
			continue;
		if (!in_mapping)
			location->line_count = (uint32_t)(last + 1);
		w->marks[i] |= MARK_FROM;
		w->matched |= 1u << PN_FILTER_SHOW_FROM;
	}
	pn_stacks_cut(w->profile, cut_above, w);
}

/* The graph's nodes that stay, renumbered; edges of others go. */
static void filter_graph(struct work *w)
{
	struct pn_profile *p = w->profile;
	struct pn_graph *g = &p->graph;
	size_t i, width = p->type_count, runs = pn_profile_runs(p);
	int kind;

	for (kind = PN_FILTER_FOCUS; kind <= PN_FILTER_SHOW; kind++)
		mark_all(w, (enum pn_filter_kind)kind);
	for (i = 0; i < g->node_count; i++) {
		uint32_t location = g->nodes[i].location;
		unsigned char marks =
			location == PN_NONE ? 0 : w->marks[location];
		bool focused =
			!w->regex[PN_FILTER_FOCUS] || (marks & MARK_FOCUS);

		if (focused && !(marks & (MARK_IGNORE | MARK_GONE)))
			continue;
		/* a node without a location is no row of any view */
		g->nodes[i].location = PN_NONE;
		memset(g->self + i * width, 0, width * sizeof(*g->self));
		memset(g->total + i * width, 0, width * sizeof(*g->total));
		if (g->self_by_run)
			memset(g->self_by_run + i * runs * width, 0,
			       runs * width * sizeof(*g->self_by_run));
	}
}

static int filter_tags(struct work *w, const struct pn_filter *filter,
		       struct pn_error *err)
{
	struct pn_profile *p = w->profile;
	int kind, code = 0;

	for (kind = PN_FILTER_TAG_FOCUS; kind <= PN_FILTER_TAG_IGNORE; kind++) {
		const char *text = filter->text[kind];
		unsigned char *sets;
		size_t i;

		if (!text || !*text)
			continue;
		sets = pn_calloc(p->label_set_count + 1, 1);
		code = pn_tagfilter_match(sets, p, text, err);
		for (i = 0; !code && i < p->sample_count; i++)
			if (sets[p->samples[i].labels])
				w->matched |= 1u << kind;
		if (kind == PN_FILTER_TAG_IGNORE)
			for (i = 0; i <= p->label_set_count; i++)
				sets[i] = !sets[i];
		if (!code)
			pn_samples_keep(p, NULL, sets);
		free(sets);
		if (code)
			break;
	}
	return code;
}

static bool is_set(const struct pn_filter *filter, int kind)
{
	return filter->text[kind] && *filter->text[kind];
}

/* Whether labels of this key stay. */
static bool keeps_key(struct work *w, uint32_t key)
{
	const struct pn_regex *show = w->regex[PN_FILTER_TAG_SHOW];
	const struct pn_regex *hide = w->regex[PN_FILTER_TAG_HIDE];
	bool shown = show && string_matches(w->profile, show, key);
	bool hidden = hide && string_matches(w->profile, hide, key);

	if (shown)
		w->matched |= 1u << PN_FILTER_TAG_SHOW;
	if (hidden)
		w->matched |= 1u << PN_FILTER_TAG_HIDE;
	return (!show || shown) && !hidden;
}

/* Sets keep their numbers: two may come to say the same. */
static void filter_keys(struct work *w)
{
	struct pn_profile *p = w->profile;
	uint32_t i, set, first = 0, used = 0;
	unsigned char *keys; /* 0: not asked, 1: goes, 2: stays */

	if (!w->regex[PN_FILTER_TAG_SHOW] && !w->regex[PN_FILTER_TAG_HIDE])
		return;
	keys = pn_calloc(p->strings.count + 1, 1);
	for (set = 0; set < p->label_set_count; set++) {
		uint32_t end = p->label_set_start[set + 1];

		p->label_set_start[set] = used;
		for (i = first; i < end; i++) {
			uint32_t key = p->labels[i].key;

			if (!keys[key])
				keys[key] = keeps_key(w, key) ? 2 : 1;
			if (keys[key] == 2)
				p->labels[used++] = p->labels[i];
		}
		first = end;
	}
	if (p->label_set_count)
		p->label_set_start[p->label_set_count] = used;
	p->label_count = used;
	free(keys);
}

int pn_filter_add_tags(struct pn_profile *profile,
		       const struct pn_filter *filter, const char *unit,
		       unsigned int *unmatched, struct pn_error *err)
{
	const char *root = filter->text[PN_FILTER_TAG_ROOT];
	const char *leaf = filter->text[PN_FILTER_TAG_LEAF];
	bool found_root = false, found_leaf = false;
	int code;

	if (!is_set(filter, PN_FILTER_TAG_ROOT) &&
	    !is_set(filter, PN_FILTER_TAG_LEAF))
		return 0;
	if (!profile->sample_count && profile->graph.node_count)
		return pn_error_set(err, PN_EINVAL,
				    "tagroot and tagleaf need stacks: the "
				    "profile is a call graph without");
	pn_ticks_spread(profile);
	code = pn_tagframes_add(profile, root, leaf, unit, &found_root,
				&found_leaf, err);
	if (!code && !found_root && is_set(filter, PN_FILTER_TAG_ROOT))
		*unmatched |= 1u << PN_FILTER_TAG_ROOT;
	if (!code && !found_leaf && is_set(filter, PN_FILTER_TAG_LEAF))
		*unmatched |= 1u << PN_FILTER_TAG_LEAF;
	return code;
}

/* Everything that can fail, before anything is changed. */
static int compile(struct work *w, const struct pn_filter *filter,
		   struct pn_error *err)
{
	unsigned char *sets = pn_malloc(w->profile->label_set_count + 1);
	bool graph = !w->profile->sample_count && w->profile->graph.node_count;
	int kind, code = 0;

	for (kind = 0; kind <= PN_FILTER_PRUNE_FROM && !code; kind++) {
		if (!is_set(filter, kind))
			continue;
		if (graph && kind > PN_FILTER_SHOW)
			code = pn_error_set(err, PN_EINVAL,
					    "it needs stacks: the profile is "
					    "a call graph without");
		else if (kind == PN_FILTER_TAG_FOCUS ||
			 kind == PN_FILTER_TAG_IGNORE)
			code = pn_tagfilter_match(sets, w->profile,
						  filter->text[kind], err);
		else
			code = pn_regex_new(&w->regex[kind], filter->text[kind],
					    err);
		if (code)
			pn_error_context(
				err, "%s",
				pn_filter_name((enum pn_filter_kind)kind));
	}
	free(sets);
	return code;
}

int pn_filter_apply(struct pn_profile *profile, const struct pn_filter *filter,
		    unsigned int *unmatched, struct pn_error *err)
{
	struct work w = {.profile = profile};
	int kind, code;

	/* of stacks that are shortened or gone no tick could tell */
	if (!pn_filter_is_empty(filter))
		pn_ticks_spread(profile);
	code = compile(&w, filter, err);
	if (code)
		goto out;
	w.functions = pn_calloc(profile->function_count + 1, 1);
	w.mappings = pn_calloc(profile->mapping_count + 1, 1);
	w.marks = pn_calloc(profile->location_count + 1, 1);
	if (!profile->sample_count && profile->graph.node_count) {
		filter_graph(&w);
	} else {
		filter_names(&w);
		show_from(&w);
		code = filter_tags(&w, filter, err);
		filter_keys(&w);
		if (w.regex[PN_FILTER_PRUNE_FROM] &&
		    pn_prune_from(profile, w.regex[PN_FILTER_PRUNE_FROM]))
			w.matched |= 1u << PN_FILTER_PRUNE_FROM;
		/* what samples do not say any more no graph says for them */
		if (!pn_filter_is_empty(filter))
			profile->graph.node_count = profile->graph.edge_count =
				profile->graph.cost_count = 0;
	}
	if (unmatched) {
		*unmatched = 0;
		for (kind = 0; kind <= PN_FILTER_PRUNE_FROM; kind++)
			if (is_set(filter, kind) && !(w.matched & 1u << kind))
				*unmatched |= 1u << kind;
	}
out:
	for (kind = 0; kind < PN_FILTER_KINDS; kind++)
		pn_regex_free(w.regex[kind]);
	free(w.functions);
	free(w.mappings);
	free(w.marks);
	return code;
}
