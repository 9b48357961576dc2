/*
 * Small profiles, written as text: "main > f > g:h" is a stack from the root
 * to the leaf, where g was inlined into no one and h, after a colon, into g.
 */
#ifndef TESTS_UNIT_STACKS_H
#define TESTS_UNIT_STACKS_H

#include "base/strtab.h"
#include "model/profile.h"

#include <string.h>

#define STACK_FRAMES_MAX 32
#define UNUSED_IN_SOME_TEST __attribute__((unused))

/* The function of this name, added when new; its file is <name>.c. */
UNUSED_IN_SOME_TEST static uint32_t function_of(struct pn_profile *p,
						const char *name)
{
	struct pn_function f = {0};
	char file[64];
	size_t i;

	for (i = 0; i < p->function_count; i++)
		if (!strcmp(pn_profile_text(p, p->functions[i].name), name))
			return (uint32_t)i;
	snprintf(file, sizeof(file), "%s.c", name);
	f.name = f.system_name = pn_strtab_add_text(&p->strings, name);
	f.file = pn_strtab_add_text(&p->strings, file);
	return pn_profile_add_function(p, &f);
}

/* "g:h": lines innermost first, so h, then g. */
UNUSED_IN_SOME_TEST static uint32_t location_of(struct pn_profile *p,
						const char *frame)
{
	struct pn_location location = {.mapping = PN_NONE};
	struct pn_line lines[STACK_FRAMES_MAX] = {{0}};
	size_t n = 0, i;
	char text[128], *name;

	snprintf(text, sizeof(text), "%s", frame);
	for (name = text; name; n++) {
		char *colon = strchr(name, ':');

		if (colon)
			*colon = '\0';
		lines[n].function = function_of(p, name);
		lines[n].line = (int64_t)n + 1;
		name = colon ? colon + 1 : NULL;
	}
	for (i = 0; i < n / 2; i++) {
		struct pn_line line = lines[i];

		lines[i] = lines[n - 1 - i];
		lines[n - 1 - i] = line;
	}
	location.address = p->location_count + 1;
	return pn_profile_add_location(p, &location, lines, n);
}

UNUSED_IN_SOME_TEST static void add_labelled(struct pn_profile *p,
					     const char *stack, uint32_t labels,
					     const union pn_value *values)
{
	uint32_t frames[STACK_FRAMES_MAX];
	size_t n = STACK_FRAMES_MAX;
	char text[512], *frame;

	snprintf(text, sizeof(text), "%s", stack);
	for (frame = text; frame && *frame;) {
		char *next = strstr(frame, " > ");

		if (next) {
			*next = '\0';
			next += 3;
		}
		frames[--n] = location_of(p, frame);
		frame = next;
	}
	pn_profile_add_sample(
		p, pn_profile_add_stack(p, frames + n, STACK_FRAMES_MAX - n),
		labels, values);
}

UNUSED_IN_SOME_TEST static void add_sample(struct pn_profile *p,
					   const char *stack, int64_t value)
{
	union pn_value values[1] = {{.i = value}};

	add_labelled(p, stack, 0, values);
}

#endif
