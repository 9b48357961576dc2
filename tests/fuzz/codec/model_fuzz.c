/*
 * A Perun profile of any resources and models, with each postprocessor applied
 * to it: a valid profile or a word, models that JSON can say, and in bounded
 * time. The first byte chooses the postprocessor.
 */
#include "codec/rows.h"
#include "codec_fuzz.h"

#include "analysis/models.h"
#include "analysis/post/postprocess.h"
#include "base/json/tree.h"

#include <string.h>

static const char *const calls[][4] = {
	{"regression-analysis", NULL},
	{"regression-analysis", "method=bisection", NULL},
	{"regression-analysis", "method=iterative", "steps=4", NULL},
	{"regression-analysis", "method=initial-guess", NULL},
	{"regression-analysis", "method=interval", "steps=2", NULL},
	{"moving-average", NULL},
	{"moving-average", "method=smm", "window=4", NULL},
	{"moving-average", "method=ema", "min-periods=2", NULL},
	{"regressogram", NULL},
	{"regressogram", "bins=auto", "statistic=median", NULL},
	{"kernel-regression", NULL},
	{"kernel-regression", "method=local-linear", "kernel=tricube", NULL},
	{"normalizer", NULL},
	{"clusterizer", "strategy=sliding-window", NULL},
};

/* null stands where a number was none. */
static void check_numbers(const char *model)
{
	struct pn_json_tree value = {0};
	size_t i;

	if (pn_json_tree_parse(&value, model, strlen(model), NULL))
		abort();
	for (i = 0; i < value.count; i++)
		if (pn_json_tree_event(&value, i) == PN_JSON_NULL)
			abort();
	pn_json_tree_release(&value);
}

static void look_at(const struct pn_profile *p, size_t first)
{
	struct pn_table table = {0};
	struct pn_json_writer w;
	struct pn_buf out = {0};
	size_t i;

	if (!pn_table_of_models(&table, p, 0, NULL))
		pn_table_release(&table);
	pn_json_writer_init(&w, &out, 0);
	if (pn_models_write(&w, p, first, NULL))
		abort(); /* what we wrote ourselves */
	for (i = first; i < p->header.model_count; i++)
		check_numbers(pn_profile_text(p, p->header.models[i]));
	pn_buf_clear(&out);
	pn_json_writer_init(&w, &out, 0);
	(void)pn_models_write(&w, p, 0, NULL);
	pn_buf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pn_post_notes notes = {0};
	struct pn_arena arena = {0};
	struct pn_error err = {0};
	struct pn_profile p;
	struct pn_post post;
	size_t models;

	if (!size || fuzz_read(&p, &pn_codec_perun, data + 1, size - 1))
		return 0;
	models = p.header.model_count;
	if (pn_post_parse(&post, &arena,
			  calls[*data % (sizeof(calls) / sizeof(*calls))],
			  &err))
		abort();
	if (pn_post_apply(&p, &post, &notes, &err)) {
		if (!*err.message || p.header.model_count != models)
			abort();
	} else {
		look_at(&p, models);
	}
	if (pn_profile_check(&p, NULL))
		abort();
	fuzz_way_back(&pn_codec_body, &p, p.complete);
	pn_post_notes_release(&notes);
	pn_arena_release(&arena);
	pn_profile_release(&p);
	return 0;
}
