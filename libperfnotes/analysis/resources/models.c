/* Models as resources: labels of samples that have nothing else. */
#include "analysis/resources/listing.h"

#include "base/alloc.h"
#include "base/json/tree.h"
#include "base/number.h"

#include <stdlib.h>

struct labels {
	struct pn_label items[PN_MAX_LABELS];
	size_t count;
};

static void set_value(struct pn_label *label, struct pn_profile *out,
		      const struct pn_json_tree *v, size_t item)
{
	enum pn_json_event event = pn_json_tree_event(v, item);
	struct pn_buf json = {0};
	const char *text;
	size_t len;

	text = pn_json_tree_text(v, item, &len);
	if (event == PN_JSON_NUMBER &&
	    pn_number_int(&label->value.i, text, len)) {
		label->kind = PN_LABEL_INT;
	} else if (event == PN_JSON_NUMBER &&
		   pn_number_double(&label->value.d, text, len)) {
		label->kind = PN_LABEL_DOUBLE;
	} else if (event == PN_JSON_STRING) {
		label->kind = PN_LABEL_STRING;
		label->value.s = pn_strtab_add(&out->strings, text, len);
	} else {
		label->kind = PN_LABEL_JSON;
		pn_json_tree_write(&json, v, item, PN_JSON_COMPACT);
		label->value.s =
			pn_strtab_add(&out->strings, json.data, json.len);
	}
	pn_buf_release(&json);
}

static int add_model(struct pn_profile *out, const struct pn_json_tree *v,
		     struct labels *labels, struct pn_error *err)
{
	size_t at = 1, len;
	const char *name;

	if (pn_json_tree_event(v, 0) != PN_JSON_OBJECT)
		return pn_error_set(err, PN_EINVAL, "a model is no object");
	for (labels->count = 0; pn_json_tree_event(v, at) == PN_JSON_KEY;
	     at = pn_json_tree_end(v, at + 1)) {
		struct pn_label *label = &labels->items[labels->count];

		if (labels->count == PN_MAX_LABELS)
			return pn_error_set(err, PN_ELIMIT,
					    "a model has more than %u members",
					    PN_MAX_LABELS);
		*label = (struct pn_label){0};
		name = pn_json_tree_text(v, at, &len);
		label->key = pn_strtab_add(&out->strings, name, len);
		set_value(label, out, v, at + 1);
		labels->count++;
	}
	pn_profile_add_sample(
		out, 0,
		pn_profile_add_label_set(out, labels->items, labels->count),
		NULL);
	return 0;
}

int pn_models_as_resources(struct pn_profile *out,
			   const struct pn_profile *profile,
			   struct pn_error *err)
{
	const struct pn_strtab *strings = &profile->strings;
	struct labels *labels = pn_calloc(1, sizeof(*labels));
	struct pn_json_tree value = {0};
	size_t i;
	int code = 0;

	pn_strtab_add(&out->strings, "", 0);
	pn_profile_add_label_set(out, NULL, 0);
	pn_profile_add_stack(out, NULL, 0);
	for (i = 0; i < profile->header.model_count && !code; i++) {
		uint32_t id = profile->header.models[i];

		pn_json_tree_clear(&value);
		code = pn_json_tree_parse(&value, pn_strtab_text(strings, id),
					  pn_strtab_len(strings, id), err);
		if (!code)
			code = add_model(out, &value, labels, err);
	}
	pn_json_tree_release(&value);
	free(labels);
	return code;
}
