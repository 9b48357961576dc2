/* The list that a run in place follows, in memory and in its file. */
#include "vcs/inplace/plan.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

void pn_plan_release(struct pn_plan *plan)
{
	free(plan->items);
	pn_arena_release(&plan->arena);
	memset(plan, 0, sizeof(*plan));
}

void pn_plan_add(struct pn_plan *plan, enum pn_plan_kind kind,
		 unsigned int mode, const char *path)
{
	plan->items = pn_grow(plan->items, &plan->cap, plan->count + 1,
			      sizeof(*plan->items));
	plan->items[plan->count].kind = kind;
	plan->items[plan->count].mode = mode;
	plan->items[plan->count++].path =
		pn_arena_copy(&plan->arena, path, strlen(path));
}

bool pn_plan_has(const struct pn_plan *plan, enum pn_plan_kind kind,
		 const char *path)
{
	size_t i;

	for (i = 0; plan && i < plan->count; i++)
		if (plan->items[i].kind == kind &&
		    !strcmp(plan->items[i].path, path))
			return true;
	return false;
}

bool pn_plan_is_own(const char *path)
{
	static const char *const names[] = {PN_PLAN_OWN "aside-",
					    PN_PLAN_OWN "leftovers-"};
	size_t i, len, id = strcspn(path, "/");

	for (i = 0; i < 2; i++) {
		len = strlen(names[i]);
		if (!strncmp(path, names[i], len) && id == len + 16 &&
		    strspn(path + len, "0123456789abcdef") == 16)
			return true;
	}
	return false;
}

void pn_seen_release(struct pn_seen *seen)
{
	free(seen->files);
	memset(seen, 0, sizeof(*seen));
}

static bool has_mode(enum pn_plan_kind kind)
{
	return kind == PN_PLAN_DIR || kind == PN_PLAN_MODE;
}

void pn_plan_write(struct pn_buf *out, const struct pn_plan *plan)
{
	size_t i;

	for (i = 0; i < plan->count; i++) {
		const struct pn_plan_item *item = &plan->items[i];

		pn_buf_add_byte(out, (unsigned char)item->kind);
		if (has_mode(item->kind))
			pn_buf_printf(out, "%04o ", item->mode);
		pn_buf_add_text(out, item->path);
		pn_buf_add_byte(out, '\0');
	}
}

static int parse_item(struct pn_plan *plan, const char *at)
{
	enum pn_plan_kind kind = (enum pn_plan_kind)(unsigned char)*at;
	unsigned int mode = 0;

	if (!*at || !strchr("RTDAMPNKO", *at))
		return PN_EINVAL;
	at++;
	if (has_mode(kind)) {
		for (; *at >= '0' && *at <= '7'; at++)
			mode = mode * 8 + (unsigned int)(*at - '0');
		if (*at++ != ' ')
			return PN_EINVAL;
	}
	if (!*at || *at == '/')
		return PN_EINVAL;
	pn_plan_add(plan, kind, mode & 07777, at);
	return 0;
}

int pn_plan_parse(struct pn_plan *plan, const char *at, const char *end,
		  struct pn_error *err)
{
	for (; at < end; at += strlen(at) + 1)
		if (parse_item(plan, at))
			return pn_error_set(err, PN_EINVAL,
					    "the plan of the run in place is "
					    "damaged at '%s'",
					    at);
	return 0;
}
