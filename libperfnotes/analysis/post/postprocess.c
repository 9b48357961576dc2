/* The table of postprocessors, their settings, and how one is applied. */
#include "analysis/post/postprocess.h"

#include "base/alloc.h"
#include "base/number.h"
#include "base/text/similar.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line each, declared here: a new one needs no other file. */
/* clang-format off */
extern const struct pn_postprocessor pn_post_regression_analysis,
	pn_post_moving_average, pn_post_regressogram, pn_post_kernel_regression,
	pn_post_normalizer, pn_post_clusterizer;

const struct pn_postprocessor *const pn_postprocessors[] = {
	&pn_post_regression_analysis,
	&pn_post_moving_average,
	&pn_post_regressogram,
	&pn_post_kernel_regression,
	&pn_post_normalizer,
	&pn_post_clusterizer,
	NULL,
};
/* clang-format on */

static bool same_name(const char *a, const char *b)
{
	for (; *a && *b; a++, b++)
		if (*a != *b && !(*a == '-' && *b == '_') &&
		    !(*a == '_' && *b == '-'))
			return false;
	return *a == *b;
}

struct pn_with_options *pn_post_rows(size_t *count)
{
	const struct pn_postprocessor *const *p = pn_postprocessors;
	struct pn_with_options *rows = NULL;
	size_t cap = 0, n = 0;

	for (; *p; p++) {
		rows = pn_grow(rows, &cap, n + 1, sizeof(*rows));
		rows[n++] = (struct pn_with_options){(*p)->name, (*p)->summary,
						     (*p)->options};
	}
	*count = n;
	return rows;
}

void pn_post_names(struct pn_buf *out, const char *between)
{
	size_t i;

	for (i = 0; pn_postprocessors[i]; i++)
		pn_buf_printf(out, "%s%s", i ? between : "",
			      pn_postprocessors[i]->name);
}

static bool has_key(size_t before, const char *key)
{
	const struct pn_option *o;
	size_t i;

	for (i = 0; i < before; i++)
		for (o = pn_postprocessors[i]->options; o->key; o++)
			if (!strcmp(o->key, key))
				return true;
	return false;
}

void pn_post_keys(struct pn_buf *out, const char *between)
{
	const struct pn_option *o;
	bool any = false;
	size_t i;

	for (i = 0; pn_postprocessors[i]; i++)
		for (o = pn_postprocessors[i]->options; o->key; o++)
			if (!has_key(i, o->key)) {
				pn_buf_printf(out, "%s%s=", any ? between : "",
					      o->key);
				any = true;
			}
}

const struct pn_postprocessor *pn_post_find(const char *name,
					    struct pn_error *err)
{
	struct pn_buf names = {0};
	size_t i;

	for (i = 0; pn_postprocessors[i]; i++)
		if (same_name(pn_postprocessors[i]->name, name))
			return pn_postprocessors[i];
	pn_post_names(&names, ", ");
	pn_similar_say(&names, name, strlen(name));
	pn_error_set(err, PN_ENOTFOUND, "no postprocessor '%s'; there are: %s",
		     name, pn_buf_text(&names));
	pn_buf_release(&names);
	return NULL;
}

static int refuse_key(const struct pn_postprocessor *with, const char *key,
		      struct pn_error *err)
{
	const struct pn_option *o = with->options;
	struct pn_buf keys = {0};

	for (; o->key; o++)
		pn_buf_printf(&keys, "%s%s", keys.len ? ", " : "", o->key);
	pn_similar_say(&keys, key, strlen(key));
	pn_error_set(err, PN_EINVAL, "%s has no option '%s'; there are: %s",
		     with->name, key, pn_buf_text(&keys));
	pn_buf_release(&keys);
	return PN_EINVAL;
}

int pn_post_check(const struct pn_post *post, struct pn_error *err)
{
	const struct pn_option *o;
	size_t i;

	for (i = 0; i < post->setting_count; i++) {
		const struct pn_post_setting *s = &post->settings[i];

		for (o = post->with->options; o->key; o++)
			if (!strcmp(o->key, s->key))
				break;
		if (!o->key)
			return refuse_key(post->with, s->key, err);
		if (!*s->value)
			return pn_error_set(err, PN_EINVAL,
					    "%s: option '%s' needs a value: "
					    "%s=%s",
					    post->with->name, o->key, o->key,
					    o->argument);
	}
	if (post->with->check(post, err))
		return pn_error_context(err, "%s", post->with->name);
	return 0;
}

int pn_post_parse(struct pn_post *out, struct pn_arena *arena,
		  const char *const *words, struct pn_error *err)
{
	struct pn_post post = {0};
	struct pn_post_setting *settings;
	const char *word;
	size_t i, len;
	int code;

	post.with = pn_post_find(words[0], err);
	if (!post.with)
		return PN_ENOTFOUND;
	while (words[post.setting_count + 1])
		if (post.setting_count++ == PN_POST_MAX_SETTINGS)
			return pn_error_set(
				err, PN_ELIMIT, "%s: more than %d options",
				post.with->name, PN_POST_MAX_SETTINGS);
	settings = pn_arena_alloc(arena,
				  (post.setting_count + 1) * sizeof(*settings));
	for (i = 0; i < post.setting_count; i++) {
		word = words[i + 1];
		if (word[0] == '-' && word[1] == '-')
			word += 2;
		len = strcspn(word, "=");
		settings[i].key = pn_arena_copy(arena, word, len);
		word += len + (word[len] == '=');
		settings[i].value = pn_arena_copy(arena, word, strlen(word));
	}
	post.settings = settings;
	code = pn_post_check(&post, err);
	if (!code)
		*out = post;
	return code;
}

static void append(struct pn_profile *p, const struct pn_postprocessor *with,
		   const struct pn_buf *params)
{
	struct pn_header *h = &p->header;
	struct pn_step step;

	step.name = pn_strtab_add_text(&p->strings, with->key);
	step.params =
		pn_strtab_add(&p->strings, pn_buf_text(params), params->len);
	h->posts = pn_realloc_array(h->posts, h->post_count + 1,
				    sizeof(*h->posts));
	h->posts[h->post_count++] = step;
}

int pn_post_apply(struct pn_profile *profile, const struct pn_post *post,
		  struct pn_post_notes *notes, struct pn_error *err)
{
	struct pn_json_writer w;
	struct pn_buf params = {0};
	int code = pn_post_check(post, err);

	if (code)
		return code;
	pn_json_writer_init(&w, &params, 0);
	pn_json_open(&w, '{');
	code = post->with->apply(profile, post, &w, notes, err);
	pn_json_close(&w, '}');
	if (code)
		pn_error_context(err, "%s", post->with->name);
	else
		append(profile, post->with, &params);
	pn_buf_release(&params);
	return code;
}

const char *pn_post_text(const struct pn_post *post, const char *key,
			 const char *absent)
{
	size_t i;

	for (i = post->setting_count; i > 0; i--)
		if (!strcmp(post->settings[i - 1].key, key))
			return post->settings[i - 1].value;
	return absent;
}

int pn_post_choice(size_t *out, const struct pn_post *post, const char *key,
		   const char *const *names, size_t absent,
		   struct pn_error *err)
{
	const char *text = pn_post_text(post, key, names[absent]);
	struct pn_buf list = {0};
	size_t i;

	for (i = 0; names[i]; i++)
		if (same_name(names[i], text)) {
			*out = i;
			return 0;
		}
	for (i = 0; names[i]; i++)
		pn_buf_printf(&list, "%s%s", i ? ", " : "", names[i]);
	pn_error_set(err, PN_EINVAL, "no %s '%s'; there are: %s", key, text,
		     pn_buf_text(&list));
	pn_buf_release(&list);
	return PN_EINVAL;
}

int pn_post_count(uint64_t *out, const struct pn_post *post, const char *key,
		  uint64_t least, uint64_t most, struct pn_error *err)
{
	const char *text = pn_post_text(post, key, NULL);
	uint64_t value;

	if (!text)
		return 0;
	if (!pn_number_uint(&value, text, strlen(text)) || value < least ||
	    value > most)
		return pn_error_set(err, PN_EINVAL,
				    "bad %s '%s', need a whole number from "
				    "%llu to %llu",
				    key, text, (unsigned long long)least,
				    (unsigned long long)most);
	*out = value;
	return 0;
}

int pn_post_number(double *out, const struct pn_post *post, const char *key,
		   double least, bool or_equal, struct pn_error *err)
{
	const char *text = pn_post_text(post, key, NULL);
	double value;

	if (!text)
		return 0;
	if (!pn_number_double(&value, text, strlen(text)) || !isfinite(value) ||
	    value < least || (value == least && !or_equal))
		return pn_error_set(
			err, PN_EINVAL, "bad %s '%s', need a number %s %g", key,
			text, or_equal ? "of at least" : "above", least);
	*out = value;
	return 0;
}

int pn_post_points(struct pn_points_list *out, const struct pn_profile *profile,
		   const struct pn_post *post, struct pn_json_writer *params,
		   struct pn_post_notes *notes, struct pn_error *err)
{
	const char *of = pn_post_text(post, "of", NULL);
	const char *per = pn_post_text(post, "depending-on", NULL);
	int code = pn_points_gather(out, profile, of, per, err);
	size_t i;

	if (code)
		return code;
	for (i = 0; i < out->count; i++)
		pn_points_sort(&out->items[i]);
	pn_json_member(params, "of_key", out->of);
	pn_json_member(params, "per_key", out->per);
	if (out->left_out)
		pn_post_note(notes,
			     "%zu of the profile's resources have no usable "
			     "'%s' and '%s' (a number up to %g): left out",
			     out->left_out, out->of, out->per,
			     PN_POINTS_MAX_VALUE);
	return 0;
}

int pn_post_each_points(struct pn_profile *profile, const struct pn_post *post,
			struct pn_json_writer *params,
			struct pn_post_notes *notes,
			const struct pn_post_each *each, struct pn_error *err)
{
	struct pn_points_list list = {0};
	size_t i;
	int code = pn_post_points(&list, profile, post, params, notes, err);

	if (code)
		return code;
	each->write_params(params, each->settings);
	for (i = 0; i < list.count; i++)
		each->add(profile, &list.items[i], &list, each->settings,
			  notes);
	pn_points_release(&list);
	return 0;
}

int pn_post_column(size_t *out, const struct pn_profile *p,
		   const struct pn_post *post, struct pn_error *err)
{
	const char *name = pn_post_text(post, "of", NULL);
	struct pn_buf names = {0};
	size_t i, len;

	for (i = 0; i < p->type_count; i++) {
		const char *type = pn_profile_text(p, p->types[i].type);

		len = strlen(type);
		if (!strcmp(type, name ? name : "amount") ||
		    (name && !strncmp(type, name, len) && name[len] == '/' &&
		     !strcmp(pn_profile_text(p, p->types[i].unit),
			     name + len + 1)))
			break;
		pn_buf_printf(&names, "%s%s", names.len ? ", " : "", type);
	}
	if (i == p->type_count && !name)
		i = pn_profile_default_type(p);
	if (!p->sample_count || i >= p->type_count)
		pn_error_set(err, PN_ENOTFOUND,
			     p->sample_count
				     ? "no value type '%s'; there are: %s"
				     : "the profile has no samples",
			     name ? name : "amount", pn_buf_text(&names));
	else
		*out = i;
	pn_buf_release(&names);
	return p->sample_count && i < p->type_count ? 0 : PN_ENOTFOUND;
}

void pn_post_note(struct pn_post_notes *notes, const char *format, ...)
{
	char line[PN_ERROR_MAX];
	va_list args;

	if (notes->count++ >= PN_POST_MAX_NOTES)
		return;
	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	notes->lines[notes->count - 1] =
		pn_arena_copy(&notes->arena, line, strlen(line));
}

void pn_post_notes_release(struct pn_post_notes *notes)
{
	if (!notes)
		return;
	pn_arena_release(&notes->arena);
	memset(notes, 0, sizeof(*notes));
}
