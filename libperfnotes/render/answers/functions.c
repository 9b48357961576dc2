/* git perf detect functions: which ones got slower or faster. */
#include "detect/functions/functions.h"
#include "base/buf.h"
#include "detect/functions/table.h"
#include "detect/input.h"
#include "model/symbols.h"
#include "render/answers/answer.h"
#include "render/judged/functions.h"

/* Names by which a function is found under another one. */
static void set_names(struct pn_function_table *table)
{
	struct pn_buf normal = {0};
	size_t i, len;

	for (i = 0; i < table->count; i++) {
		const char *uid = pn_function_table_uid(table, i, &len);

		pn_buf_clear(&normal);
		pn_symbol_normal(&normal, uid, len);
		table->functions[i].name = pn_arena_copy(
			&table->arena, pn_buf_text(&normal), normal.len);
	}
	pn_buf_release(&normal);
}

static int judge(struct pn_buf *out, struct pn_function_table *table,
		 const struct pn_answer_ask *ask, struct pn_error *err)
{
	struct pn_functions_rule rule;
	struct pn_functions found = {0};
	int code;

	set_names(table);
	pn_functions_rule_init(&rule);
	rule.exact = ask->counts;
	code = pn_functions_compare(&found, table->functions, table->count,
				    table->runs, &rule, err);
	if (!code)
		(ask->json ? pn_functions_json : pn_functions_text)(out, &found,
								    table);
	pn_functions_release(&found);
	return code;
}

static int run(struct pn_buf *out, bool *have, struct pn_lines *in,
	       const struct pn_answer_ask *ask, struct pn_error *err)
{
	struct pn_function_table table = {0};
	struct pn_buf text = {0};
	int code = pn_reader_rest(&text, in->in, PN_INPUT_MAX_BYTES, err);

	*have = true;
	if (!code)
		code = pn_function_table_parse(&table, pn_buf_text(&text),
					       text.len, err);
	if (!code)
		code = judge(out, &table, ask, err);
	pn_function_table_release(&table);
	pn_buf_release(&text);
	return code;
}

const struct pn_answer pn_answer_functions = {
	.name = "functions",
	.has_counts = true,
	.run = run,
};
