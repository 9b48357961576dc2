/* Call graphs of tables of names. */
#include "codec/tables/named.h"

#include "base/reader/lines.h"

#include "model/graph/graph.h"

void pn_named_release(struct pn_named *named)
{
	pn_strtab_release(&named->keys);
	pn_strtab_release(&named->pairs);
}

/* The number of something, from 0 on; *added when it is new. */
static uint32_t number(bool *added, struct pn_strtab *tab, const void *key,
		       size_t len)
{
	size_t had;
	uint32_t id;

	if (!tab->count)
		pn_strtab_add(tab, "", 0);
	had = tab->count;
	id = pn_strtab_add(tab, key, len);
	*added = tab->count > had;
	return id - 1;
}

uint32_t pn_named_node(struct pn_named *named, const void *key, size_t len,
		       const char *name, size_t name_len)
{
	struct pn_profile *p = named->p;
	struct pn_function function = {0};
	struct pn_location location = {.mapping = PN_NONE};
	struct pn_line line = {0};
	bool added;
	uint32_t node = number(&added, &named->keys, key, len);

	if (!added)
		return node;
	function.name = pn_strtab_add(&p->strings, name, name_len);
	line.function = pn_profile_add_function(p, &function);
	return pn_graph_add_node(
		p, pn_profile_add_location(p, &location, &line, 1), -1, -1);
}

size_t pn_named_edge(struct pn_named *named, uint32_t caller, uint32_t callee)
{
	const uint32_t pair[2] = {caller, callee};
	struct pn_edge edge = {.caller = caller,
			       .callee = callee,
			       .calls = -1,
			       .primitive = -1};
	bool added;
	uint32_t at = number(&added, &named->pairs, pair, sizeof(pair));

	return added ? pn_graph_add_edge(named->p, &edge) : at;
}

int pn_named_add(int64_t *to, int64_t value, struct pn_error *err)
{
	if (__builtin_add_overflow(*to, value, to))
		return pn_error_set(err, PN_ERANGE,
				    "values of one function beyond 63 bits");
	return 0;
}

int pn_named_read(struct pn_named *named, struct pn_reader *in, void *to,
		  int (*take)(void *to, const char *text, size_t len,
			      struct pn_error *err),
		  const char *expected, struct pn_error *err)
{
	struct pn_profile *p = named->p;
	int code;

	pn_profile_add_type(p, "time", "nanoseconds");
	p->types[0].better = PN_BETTER_LESS;
	code = pn_lines_read(in, to, take, err);
	if (!code && !p->graph.node_count)
		code = pn_error_set(err, PN_EINVAL, "expected %s", expected);
	p->complete = false;
	pn_named_release(named);
	return code;
}
