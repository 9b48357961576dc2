/* The costs of functions as a filter gets them. */
#include "detect/functions/table.h"

#include "base/alloc.h"
#include "detect/input.h"

#include <stdlib.h>
#include <string.h>

enum { UID, BASELINE, TARGET, BASELINE_CALLS, TARGET_CALLS, FIELDS };

static const char *const names[FIELDS] = {
	"uid", "baseline", "target", "baseline_calls", "target_calls",
};

void pn_function_table_release(struct pn_function_table *table)
{
	if (!table)
		return;
	free(table->functions);
	pn_strtab_release(&table->uids);
	pn_arena_release(&table->arena);
	memset(table, 0, sizeof(*table));
}

const char *pn_function_table_uid(const struct pn_function_table *table,
				  size_t function, size_t *len)
{
	*len = pn_strtab_len(&table->uids, (uint32_t)function + 1);
	return pn_strtab_text(&table->uids, (uint32_t)function + 1);
}

/* Where the values of a field belong. */
static const double **place(struct pn_function_costs *function, int field)
{
	switch (field) {
	case BASELINE:
		return &function->baseline;
	case TARGET:
		return &function->target;
	case BASELINE_CALLS:
		return &function->baseline_calls;
	default:
		return &function->target_calls;
	}
}

static int add_function(struct pn_function_table *table, const char *uid,
			size_t len, struct pn_error *err)
{
	uint32_t id;

	if (!len)
		return pn_error_set(err, PN_EINVAL, "a function has no name");
	if (table->count == PN_FUNCTION_TABLE_MAX)
		return pn_error_set(err, PN_ELIMIT, "more than %d functions",
				    PN_FUNCTION_TABLE_MAX);
	if (!table->count)
		pn_strtab_add(&table->uids, "", 0);
	id = pn_strtab_add(&table->uids, uid, len);
	if (id != table->count + 1)
		return pn_error_set(err, PN_EINVAL, "'%.*s' is there twice",
				    (int)(len < 200 ? len : 200), uid);
	table->functions = pn_grow(table->functions, &table->cap,
				   table->count + 1, sizeof(*table->functions));
	memset(&table->functions[table->count], 0, sizeof(*table->functions));
	table->count++;
	return 0;
}

/* The values of the function that was added last. */
static int set_values(struct pn_function_table *table, int field,
		      const struct pn_numbers *numbers, struct pn_error *err)
{
	size_t *runs = &table->runs[field == TARGET || field == TARGET_CALLS];
	double *values;

	if (!numbers->count)
		return 0;
	if (*runs && numbers->count != *runs)
		return pn_error_set(
			err, PN_EINVAL,
			"'%.200s' has %zu values of \"%s\", others "
			"have %zu",
			pn_strtab_text(&table->uids, (uint32_t)table->count),
			numbers->count, names[field], *runs);
	*runs = numbers->count;
	table->values += numbers->count;
	if (table->values > PN_FUNCTION_TABLE_MAX_VALUES)
		return pn_error_set(err, PN_ELIMIT, "more than %d values",
				    PN_FUNCTION_TABLE_MAX_VALUES);
	values =
		pn_arena_alloc(&table->arena, numbers->count * sizeof(*values));
	memcpy(values, numbers->values, numbers->count * sizeof(*values));
	*place(&table->functions[table->count - 1], field) = values;
	return 0;
}

/* One line, without its end. */
static int parse_line(struct pn_function_table *out, struct pn_numbers *work,
		      const char *text, size_t len, size_t line,
		      struct pn_error *err)
{
	const char *tab;
	size_t size;
	int field, code = 0;

	for (field = 0; !code && field < FIELDS && text; field++) {
		tab = memchr(text, '\t', len);
		size = tab ? (size_t)(tab - text) : len;
		if (field == UID) {
			code = add_function(out, text, size, err);
		} else {
			code = pn_numbers_words(work, text, size, line, err);
			if (code)
				return code; /* has the line */
			code = set_values(out, field, work, err);
		}
		len -= tab ? size + 1 : size;
		text = tab ? tab + 1 : NULL;
	}
	if (!code && (field <= TARGET || text))
		code = pn_error_set(err, PN_EINVAL,
				    "need a name and two lists of values, and "
				    "at most two of calls, parted by tabs");
	return code ? pn_error_context(err, "line %zu", line) : 0;
}

static int parse_lines(struct pn_function_table *out, const char *text,
		       size_t len, struct pn_error *err)
{
	struct pn_numbers work = {0};
	size_t line = 0, size;
	const char *lf;
	int code = 0;

	while (!code && len) {
		lf = memchr(text, '\n', len);
		size = lf ? (size_t)(lf - text) : len;
		line++;
		if (size && !(size == 1 && *text == '\r'))
			code = parse_line(out, &work, text, size, line, err);
		len -= lf ? size + 1 : size;
		text += lf ? size + 1 : size;
	}
	pn_numbers_release(&work);
	return code;
}

static size_t member(const struct pn_json_tree *v, size_t object,
		     const char *name)
{
	size_t at;

	for (at = object + 1; pn_json_tree_event(v, at) == PN_JSON_KEY;
	     at = pn_json_tree_end(v, at + 1))
		if (pn_json_tree_is(v, at, name))
			return at + 1;
	return SIZE_MAX;
}

static int parse_object(struct pn_function_table *out, struct pn_numbers *work,
			const struct pn_json_tree *v, size_t at,
			struct pn_error *err)
{
	size_t item = SIZE_MAX, len;
	const char *uid;
	int field, code;

	if (pn_json_tree_event(v, at) == PN_JSON_OBJECT)
		item = member(v, at, names[UID]);
	if (item == SIZE_MAX || pn_json_tree_event(v, item) != PN_JSON_STRING)
		return pn_error_set(err, PN_EINVAL,
				    "function %zu: expected an object with a "
				    "string \"uid\"",
				    out->count + 1);
	uid = pn_json_tree_text(v, item, &len);
	code = add_function(out, uid, len, err);
	for (field = BASELINE; !code && field < FIELDS; field++) {
		item = member(v, at, names[field]);
		if (item == SIZE_MAX ||
		    pn_json_tree_event(v, item) == PN_JSON_NULL)
			continue;
		code = pn_numbers_item(work, v, item, names[field], err);
		if (!code)
			code = set_values(out, field, work, err);
	}
	return code;
}

static int parse_json(struct pn_function_table *out, const char *text,
		      size_t len, struct pn_error *err)
{
	struct pn_json_tree v = {0};
	struct pn_numbers work = {0};
	size_t at = 0;
	int code = pn_json_tree_parse(&v, text, len, err);

	if (!code && pn_json_tree_event(&v, 0) == PN_JSON_OBJECT)
		at = member(&v, 0, "functions");
	if (!code &&
	    (at == SIZE_MAX || pn_json_tree_event(&v, at) != PN_JSON_ARRAY))
		code = pn_error_set(err, PN_EINVAL,
				    "no list \"functions\" in the object");
	for (at++; !code && pn_json_tree_event(&v, at) != PN_JSON_ARRAY_END;
	     at = pn_json_tree_end(&v, at))
		code = parse_object(out, &work, &v, at, err);
	pn_numbers_release(&work);
	pn_json_tree_release(&v);
	return code;
}

/* A name may begin with a bracket, too; a tab follows it. */
static bool is_json(const char *text, size_t len)
{
	const char *lf = memchr(text, '\n', len);
	size_t first = lf ? (size_t)(lf - text) : len;

	return pn_numbers_is_json(text, len) && !memchr(text, '\t', first);
}

int pn_function_table_parse(struct pn_function_table *out, const char *text,
			    size_t len, struct pn_error *err)
{
	int code = is_json(text, len) ? parse_json(out, text, len, err)
				      : parse_lines(out, text, len, err);

	if (code)
		pn_function_table_release(out);
	return code;
}
