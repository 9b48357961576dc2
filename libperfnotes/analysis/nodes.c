/* What counts as one thing in a view. */
#include "analysis/nodes.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/slots.h"

#include <stdlib.h>
#include <string.h>

struct builder {
	struct pn_nodes *nodes;
	const struct pn_profile *profile;
	enum pn_granularity granularity;
	bool noinlines;
	struct pn_slots slots; /* of the nodes */
	uint32_t *of_function; /* node of a function, or PN_NONE */
	uint32_t *clean;       /* cleaned file of a function, or PN_NONE */
};

/* Take off the ".." and the name before it, as far as there is one. */
static void climb(struct pn_buf *out, size_t root, size_t *floor)
{
	size_t at = out->len;

	if (at > *floor) {
		while (at > *floor && out->data[at - 1] != '/')
			at--;
		if (at > root)
			at--;
		out->len = at < *floor ? *floor : at;
	} else if (!root) {
		pn_buf_add_text(out, out->len ? "/.." : "..");
		*floor = out->len;
	}
}

void pn_path_clean(struct pn_buf *out, const char *path, size_t len)
{
	static const char *const cwd[] = {"/proc/self/cwd/./",
					  "/proc/self/cwd/"};
	struct pn_buf text = {0};
	size_t i, end, root, floor;

	for (i = 0; i < 2; i++)
		if (len >= strlen(cwd[i]) &&
		    !memcmp(path, cwd[i], strlen(cwd[i]))) {
			path += strlen(cwd[i]);
			len -= strlen(cwd[i]);
			break;
		}
	if (!len)
		return;
	root = floor = path[0] == '/';
	if (root)
		pn_buf_add_byte(&text, '/');
	for (i = 0; i < len; i = end + 1) {
		for (end = i; end < len && path[end] != '/'; end++)
			;
		if (end == i || (end == i + 1 && path[i] == '.'))
			continue;
		if (end == i + 2 && path[i] == '.' && path[i + 1] == '.') {
			climb(&text, root, &floor);
			continue;
		}
		if (text.len > root)
			pn_buf_add_byte(&text, '/');
		pn_buf_add(&text, path + i, end - i);
	}
	if (!text.len)
		pn_buf_add_byte(&text, '.');
	pn_buf_add(out, text.data, text.len);
	pn_buf_release(&text);
}

static uint32_t hash_info(struct builder *b, const struct pn_node_info *info)
{
	const uint64_t words[] = {
		(uint64_t)info->name << 32 | info->file,
		(uint64_t)info->object << 32 | info->apart,
		(uint64_t)info->line,
		(uint64_t)info->column,
		info->address,
	};

	return pn_slots_hash(&b->slots, words, sizeof(words) / sizeof(*words));
}

static bool same_info(const struct pn_node_info *a,
		      const struct pn_node_info *b)
{
	return a->name == b->name && a->file == b->file &&
	       a->object == b->object && a->apart == b->apart &&
	       a->line == b->line && a->column == b->column &&
	       a->address == b->address;
}

static uint32_t node_of(struct builder *b, const struct pn_node_info *info)
{
	struct pn_nodes *nodes = b->nodes;
	uint32_t row, hash = hash_info(b, info);
	size_t at = pn_slots_first(&b->slots, hash);

	while (pn_slots_row(&row, &b->slots, &at, hash))
		if (same_info(&nodes->items[row], info))
			return row;
	row = (uint32_t)nodes->count;
	nodes->items = pn_grow(nodes->items, &nodes->cap, nodes->count + 1,
			       sizeof(*nodes->items));
	nodes->items[nodes->count++] = *info;
	pn_slots_add(&b->slots, hash, row);
	return row;
}

static uint32_t clean_file(struct builder *b, uint32_t function)
{
	const struct pn_profile *p = b->profile;
	uint32_t file = p->functions[function].file;
	struct pn_buf text = {0};

	if (b->clean[function] != PN_NONE)
		return b->clean[function];
	pn_path_clean(&text, pn_profile_text(p, file),
		      pn_strtab_len(&p->strings, file));
	b->clean[function] =
		pn_strtab_add(&b->nodes->files, pn_buf_text(&text), text.len);
	pn_buf_release(&text);
	return b->clean[function];
}

static bool is_graph(const struct pn_profile *p)
{
	return !p->sample_count && p->graph.node_count;
}

static bool keeps_object(const struct pn_node_info *info,
			 enum pn_granularity by)
{
	if (by == PN_BY_PLACES)
		return !info->file;
	return by == PN_BY_BINARY_LINES || by == PN_BY_BINARY_ADDRESSES ||
	       !info->name;
}

static void describe(struct pn_node_info *info, struct builder *b,
		     const struct pn_location *location,
		     const struct pn_line *line)
{
	const struct pn_profile *p = b->profile;
	enum pn_granularity by = b->granularity;

	memset(info, 0, sizeof(*info));
	info->function = PN_NONE;
	if (by == PN_BY_ADDRESSES || by == PN_BY_BINARY_ADDRESSES)
		info->address = location->address;
	if (line && line->function < p->function_count) {
		info->function = line->function;
		if (by != PN_BY_FILES && by != PN_BY_PLACES)
			info->name = p->functions[line->function].name;
		if (by == PN_BY_FUNCTIONS && is_graph(p))
			info->apart = line->function + 1;
		if (by != PN_BY_FUNCTIONS)
			info->file = clean_file(b, line->function);
		if (by >= PN_BY_LINES)
			info->line = line->line;
		if (by == PN_BY_ADDRESSES && !b->noinlines)
			info->column = line->column;
	}
	if (keeps_object(info, by) && location->mapping < p->mapping_count) {
		info->object = p->mappings[location->mapping].file;
		if (by == PN_BY_BINARY_ADDRESSES)
			info->apart = p->mappings[location->mapping].build_id;
	}
}

/* A function that has a name is the same node wherever it stands, unless
 * lines or addresses count: most frames need no hashing. */
static uint32_t node_of_line(struct builder *b,
			     const struct pn_location *location,
			     const struct pn_line *line)
{
	bool simple = b->granularity <= PN_BY_FILEFUNCTIONS && line &&
		      line->function < b->profile->function_count;
	struct pn_node_info info;
	uint32_t node;

	if (simple && b->of_function[line->function] != PN_NONE)
		return b->of_function[line->function];
	describe(&info, b, location, line);
	node = node_of(b, &info);
	if (simple && info.name)
		b->of_function[line->function] = node;
	return node;
}

static void add_location(struct builder *b, uint32_t at, uint32_t *used)
{
	const struct pn_location *location = &b->profile->locations[at];
	const struct pn_line *lines = b->profile->lines;
	uint32_t i = 0, count = location->line_count;

	b->nodes->first[at] = *used;
	if (b->noinlines && count > 1)
		i = count - 1;
	if (!count)
		b->nodes->of[(*used)++] = node_of_line(b, location, NULL);
	for (; i < count; i++)
		b->nodes->of[(*used)++] = node_of_line(
			b, location, &lines[location->line_first + i]);
	b->nodes->single[at] = *used - b->nodes->first[at] == 1
				       ? b->nodes->of[*used - 1]
				       : PN_NODES_SEVERAL;
}

void pn_nodes_init(struct pn_nodes *out, const struct pn_profile *profile,
		   enum pn_granularity granularity, bool noinlines)
{
	struct builder b = {out, profile, granularity, noinlines};
	size_t n = profile->location_count, functions = profile->function_count;
	size_t i, lines = 0;
	uint32_t used = 0;

	memset(out, 0, sizeof(*out));
	out->profile = profile;
	out->granularity = granularity;
	for (i = 0; i < n; i++)
		lines += profile->locations[i].line_count;
	out->first = pn_realloc_array(NULL, n + 1, sizeof(*out->first));
	out->single = pn_realloc_array(NULL, n + 1, sizeof(*out->single));
	out->of = pn_realloc_array(NULL, lines + n + 1, sizeof(*out->of));
	b.of_function =
		pn_realloc_array(NULL, functions + 1, sizeof(*b.of_function));
	b.clean = pn_realloc_array(NULL, functions + 1, sizeof(*b.clean));
	memset(b.of_function, 255, (functions + 1) * sizeof(*b.of_function));
	memset(b.clean, 255, (functions + 1) * sizeof(*b.clean));
	for (i = 0; i < n; i++)
		add_location(&b, (uint32_t)i, &used);
	out->first[n] = used;
	pn_slots_release(&b.slots);
	free(b.of_function);
	free(b.clean);
}

void pn_nodes_release(struct pn_nodes *nodes)
{
	if (!nodes)
		return;
	pn_strtab_release(&nodes->files);
	free(nodes->items);
	free(nodes->first);
	free(nodes->of);
	free(nodes->single);
	memset(nodes, 0, sizeof(*nodes));
}

uint32_t pn_nodes_of_graph(const struct pn_nodes *nodes, size_t at)
{
	uint32_t location = nodes->profile->graph.nodes[at].location;

	return location == PN_NONE ? PN_NONE
				   : nodes->of[nodes->first[location]];
}

static void add_object(struct pn_buf *out, const char *file)
{
	const char *name = pn_file_basename(file);

	pn_buf_printf(out, "[%s]", *name ? name : file);
}

void pn_nodes_name(struct pn_buf *out, const struct pn_nodes *nodes,
		   uint32_t node)
{
	const struct pn_node_info *info = &nodes->items[node];
	const struct pn_strtab *strings = &nodes->profile->strings;
	size_t start = out->len;

	if (info->address)
		pn_buf_printf(out, "%016llx ",
			      (unsigned long long)info->address);
	if (info->name) {
		pn_buf_add(out, pn_strtab_text(strings, info->name),
			   pn_strtab_len(strings, info->name));
		pn_buf_add_byte(out, ' ');
	}
	if (info->file)
		pn_buf_add(out, pn_strtab_text(&nodes->files, info->file),
			   pn_strtab_len(&nodes->files, info->file));
	if (info->line) {
		pn_buf_printf(out, ":%lld", (long long)info->line);
		if (info->column)
			pn_buf_printf(out, ":%lld", (long long)info->column);
	} else if (!info->file && !info->name && info->object) {
		add_object(out, pn_strtab_text(strings, info->object));
	} else if (!info->file && !info->name) {
		pn_buf_add_text(out, "<unknown>");
	}
	if (out->len > start && out->data[out->len - 1] == ' ' && info->name &&
	    !info->file && !info->line)
		out->data[--out->len] = '\0';
}
