/*
 * The postprocessor normalizer: amounts as shares of the largest one of the
 * same type (Perun's resources have a label "type"), so that profiles of
 * machines that differ in speed can be laid side by side.
 */
#include "analysis/post/postprocess.h"
#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct pn_option options[] = {
	{"of", "<key>", "value type (amount, else the default one)"},
	{0},
};

static int check(const struct pn_post *post, struct pn_error *err)
{
	(void)post;
	(void)err;
	return 0;
}

/* The string of the sample's label "type", 0 without. */
static uint32_t type_of(const struct pn_profile *p, uint32_t key, size_t sample)
{
	const uint32_t *start = p->label_set_start + p->samples[sample].labels;
	uint32_t i;

	for (i = start[0]; key && i < start[1]; i++)
		if (p->labels[i].key == key &&
		    p->labels[i].kind == PN_LABEL_STRING)
			return p->labels[i].value.s;
	return 0;
}

/* By the string of the type; 0 where nothing is above it. */
static double *largest(const struct pn_profile *p, size_t column, uint32_t key)
{
	double *largest = pn_calloc(p->strings.count + 1, sizeof(*largest));
	size_t i;

	for (i = 0; i < p->sample_count; i++) {
		double value = pn_profile_number(p, p->values, i, column);
		double *most = &largest[type_of(p, key, i)];

		if (pn_profile_is_present(p, i, column) && isfinite(value) &&
		    value > *most)
			*most = value;
	}
	return largest;
}

static int apply(struct pn_profile *p, const struct pn_post *post,
		 struct pn_json_writer *params, struct pn_post_notes *notes,
		 struct pn_error *err)
{
	size_t column = 0, i, odd = 0;
	uint32_t key = 0;
	double *most, scaled;
	int code = pn_post_column(&column, p, post, err);

	if (code)
		return code;
	if (!pn_strtab_find(&key, &p->strings, "type", 4))
		key = 0;
	most = largest(p, column, key);
	for (i = 0; i < p->sample_count; i++) {
		double value = pn_profile_number(p, p->values, i, column);
		double by = most[type_of(p, key, i)];

		/* of a type that is all zeros each one is the largest */
		scaled = by > 0 ? value / by : value == 0 ? 1 : value;
		if (!pn_profile_is_present(p, i, column))
			value = scaled = 0;
		odd += !isfinite(scaled);
		p->values[i * p->type_count + column].d =
			isfinite(scaled) ? scaled : value;
	}
	free(most);
	p->types[column].number = PN_NUMBER_DOUBLE;
	p->types[column].unit = 0;
	pn_json_member(params, "of_key",
		       pn_profile_text(p, p->types[column].type));
	if (odd)
		pn_post_note(notes,
			     "%zu values are not finite: left as they are",
			     odd);
	return 0;
}

const struct pn_postprocessor pn_post_normalizer = {
	.name = "normalizer",
	.key = "normalizer",
	.summary = "amounts as shares of the largest of their type",
	.options = options,
	.check = check,
	.apply = apply,
};
