/* One profile, or the difference of two, as the page that a report of a
 * repository is. */
#include "render/header.h"
#include "render/report/parts.h"
#include "render/rows.h"

#include <stdlib.h>
#include <string.h>

#define FRAMES 40000 /* of each graph */

/* Profiles, the newer first; what they are made of. */
struct made {
	struct pn_reported reported;
	struct pn_reported_profile profiles[2];
	struct pn_flame flames[2];
	struct pn_buf titles[2];
};

static int add(struct made *m, const struct pn_view_input *in,
	       const struct pn_report *report, const char *title, size_t len,
	       struct pn_error *err)
{
	struct pn_flame_options options = {.frames_max = FRAMES};
	const struct pn_routine_texts none = {.routines = NULL};
	size_t i = m->reported.profile_count;
	int code;

	pn_buf_add(&m->titles[i], title, len);
	code = pn_flame_init(&m->flames[i], report, NULL, &options, err);
	if (code)
		return code;
	m->profiles[i] = (struct pn_reported_profile){
		SIZE_MAX, pn_buf_text(&m->titles[i]), report, &m->flames[i],
		in->source[i] ? *in->source[i] : none};
	m->reported.profile_count++;
	return 0;
}

/* "a to b" is of two. */
static int add_pair(struct made *m, const struct pn_view_input *in,
		    struct pn_error *err)
{
	const char *title = in->title ? in->title : "old to new";
	const char *to = strstr(title, " to ");
	size_t len = to ? (size_t)(to - title) : strlen(title);
	int code;

	to = to ? to + strlen(" to ") : title;
	code = add(m, in, in->diff->after, to, strlen(to), err);
	return code ? code : add(m, in, in->diff->before, title, len, err);
}

static int html(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	const char *title = in->title ? in->title : "profile";
	struct made m = {{.url = ""}};
	struct pn_buf header = {0};
	size_t i;
	int code;

	/* only the graph's own page scales one side */
	if (in->diff && in->diff->factor != 1)
		return pn_view_flamegraph.html(out, in, err);
	code = in->diff ? add_pair(&m, in, err)
			: add(&m, in, in->report, title, strlen(title), err);
	m.reported.profiles = m.profiles;
	m.reported.diff = in->diff;
	m.reported.name = title;
	if (!code) {
		pn_report_header(&header, in->report, false);
		pn_page_of_profiles(out, &m.reported, pn_buf_text(&header));
	}
	for (i = 0; i < 2; i++) {
		pn_flame_release(&m.flames[i]);
		pn_buf_release(&m.titles[i]);
	}
	pn_buf_release(&header);
	return code;
}

static int text(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	return pn_view_flamegraph.text(out, in, err);
}

static int json(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	return pn_view_flamegraph.json(out, in, err);
}

const struct pn_view pn_view_page = {
	.name = "page",
	.summary = "flame graph, sandwich and functions as a page",
	.needs = PN_VIEW_WEIGHTS,
	.by_way = true,
	.of_pair = true,
	.lists_sources = true,
	.text = text,
	.json = json,
	.html = html,
};
