/* Roles by name. */
#include "codec/roles.h"

#include <string.h>

static const char *name_of(const struct pn_profile *p, size_t type)
{
	return pn_profile_text(p, p->types[type].type);
}

static bool is_word(const char *name, const char *word)
{
	size_t len = strlen(word);

	return !strncmp(name, word, len) && (!name[len] || name[len] == '_');
}

enum pn_role pn_role_by_name(const struct pn_profile *p, size_t type)
{
	static const char *const levels[] = {"inuse", "leaked", "end"};
	bool peaks = false;
	size_t i;

	if (is_word(name_of(p, type), "peak"))
		return PN_ROLE_PEAK;
	for (i = 0; i < p->type_count; i++)
		peaks |= is_word(name_of(p, i), "peak");
	for (i = 0; peaks && i < sizeof(levels) / sizeof(*levels); i++)
		if (is_word(name_of(p, type), levels[i]))
			return PN_ROLE_GAUGE;
	return PN_ROLE_SUM;
}

void pn_roles_by_name(struct pn_profile *p)
{
	size_t i;

	for (i = 0; i < p->type_count; i++)
		if (p->types[i].role == PN_ROLE_SUM)
			p->types[i].role = (uint8_t)pn_role_by_name(p, i);
}
