/* Parsing by an option table. */
#include "base/opts/opts.h"

#include "base/alloc.h"
#include "base/number.h"
#include "base/opts/walk.h"
#include "base/text/similar.h"

#include <stdlib.h>
#include <string.h>

#define KEEP 2 /* an option that is not ours stays among the words */

/* One call of pn_opts_parse. */
struct parser {
	const struct pn_opts_syntax *syntax;
	char *values;
	int argc, at; /* at: the word being read */
	char **argv;
	struct pn_error *err;
};

static int bad_number(struct parser *p, const struct pn_opt *opt,
		      const char *text)
{
	const char *dashes = opt->name ? "--" : "-";
	const char letter[2] = {opt->letter, '\0'};
	const char *name = opt->name ? opt->name : letter;

	if (opt->kind == PN_OPT_INT)
		return pn_error_set(
			p->err, PN_EINVAL,
			"option '%s%s' needs a whole number of at least "
			"%lld, not '%s'",
			dashes, name, (long long)opt->min, text);
	return pn_error_set(p->err, PN_EINVAL,
			    "option '%s%s' needs a number, not '%s'", dashes,
			    name, text);
}

static void append_value(struct pn_opt_list *list, const char *text)
{
	list->values = pn_realloc_array(list->values, list->count + 1,
					sizeof(*list->values));
	list->values[list->count++] = text;
}

/* An option and where its value goes. */
struct target {
	const struct pn_opt *opt;
	size_t at;
};

int pn_opts_check_name(const char *value, struct pn_error *err)
{
	return *value ? 0 : pn_error_set(err, PN_EINVAL, "the name is empty");
}

static int store_value(struct parser *p, const struct target *to,
		       const char *text)
{
	const struct pn_opt *opt = to->opt;
	void *target = p->values + to->at;
	int64_t whole;
	double number;

	if (opt->check && opt->check(text, p->err))
		return PN_EINVAL;
	switch (opt->kind) {
	case PN_OPT_TEXT:
		*(const char **)target = text;
		break;
	case PN_OPT_LIST:
		append_value(target, text);
		break;
	case PN_OPT_INT:
		if (!pn_number_int(&whole, text, strlen(text)) ||
		    whole < opt->min)
			return bad_number(p, opt, text);
		*(int64_t *)target = whole;
		break;
	case PN_OPT_DOUBLE:
		if (!pn_number_double(&number, text, strlen(text)))
			return bad_number(p, opt, text);
		*(double *)target = number;
		break;
	case PN_OPT_FLAG:
	case PN_OPT_TABLE:
	case PN_OPT_END:
		break;
	}
	return 0;
}

static void set_flag(struct parser *p, const struct target *to, bool value)
{
	*(bool *)(void *)(p->values + to->at) = value;
}

/* What a long option's name stands for. */
struct match {
	struct target to;
	const struct pn_opt *other; /* a second one that fits */
	bool negated;
};

static void match_name(struct match *match, const struct pn_opt *opts,
		       const char *text, size_t len, bool negated)
{
	struct pn_opts_walk walk = {.at = opts};
	const struct pn_opt *o;

	while ((o = pn_opts_step(&walk))) {
		struct target to = {o, walk.base + o->offset};

		if (!o->name || strncmp(o->name, text, len) ||
		    (negated && o->kind != PN_OPT_FLAG))
			continue;
		if (!o->name[len]) {
			*match = (struct match){.to = to, .negated = negated};
			return;
		}
		match->other = match->to.opt;
		match->to = to;
		match->negated = negated;
	}
}

static bool is_exact(const struct match *match, size_t len)
{
	return match->to.opt && strlen(match->to.opt->name) == len;
}

const char *pn_opts_similar(const struct pn_opt *opts, const char *text,
			    size_t len)
{
	char *name = pn_strndup(text, len);
	struct pn_similar similar = {.name = name};
	struct pn_opts_walk walk = {.at = opts};
	const struct pn_opt *o;

	while ((o = pn_opts_step(&walk)))
		if (o->name)
			pn_similar_look(&similar, o->name);
	free(name);
	return similar.found;
}

static int unknown_long(struct parser *p, const char *text, size_t len)
{
	const char *near = pn_opts_similar(p->syntax->opts, text, len);

	if (near)
		return pn_error_set(
			p->err, PN_EINVAL,
			"unknown option '--%.*s'; did you mean '--%s'?",
			(int)len, text, near);
	return pn_error_set(p->err, PN_EINVAL, "unknown option '--%.*s'",
			    (int)len, text);
}

/* The one that the text before a "=" names; a negative code, or KEEP. */
static int find_long(struct match *match, struct parser *p, const char *text,
		     size_t len)
{
	const struct pn_opt *opts = p->syntax->opts;

	match_name(match, opts, text, len, false);
	if (!is_exact(match, len) && len > 3 && !strncmp(text, "no-", 3))
		match_name(match, opts, text + 3, len - 3, true);
	if (!match->to.opt && p->syntax->pass_unknown)
		return KEEP;
	if (!match->to.opt || !len)
		return unknown_long(p, text, len);
	if (!match->other)
		return 0;
	return pn_error_set(p->err, PN_EINVAL,
			    "option '--%.*s' is ambiguous: '--%s' or '--%s'",
			    (int)len, text, match->other->name,
			    match->to.opt->name);
}

static int parse_long(struct parser *p)
{
	const char *text = p->argv[p->at] + 2, *value = strchr(text, '=');
	size_t len = value ? (size_t)(value - text) : strlen(text);
	struct match match = {0};
	int code = find_long(&match, p, text, len);

	if (code)
		return code;
	if (!pn_opt_takes_value(match.to.opt)) {
		if (value)
			return pn_error_set(p->err, PN_EINVAL,
					    "option '--%.*s' takes no value",
					    (int)len, text);
		set_flag(p, &match.to, !match.negated);
		return 0;
	}
	if (!value && match.to.opt->absent)
		return store_value(p, &match.to, match.to.opt->absent);
	if (!value && ++p->at == p->argc)
		return pn_error_set(p->err, PN_EINVAL,
				    "option '--%s' needs a value",
				    match.to.opt->name);
	return store_value(p, &match.to, value ? value + 1 : p->argv[p->at]);
}

static struct target find_letter(const struct pn_opt *opts, char letter)
{
	struct pn_opts_walk walk = {.at = opts};
	const struct pn_opt *o;

	while ((o = pn_opts_step(&walk)))
		if (o->letter == letter)
			return (struct target){o, walk.base + o->offset};
	return (struct target){NULL, 0};
}

/* "-sv", "-n5", "-n 5". */
static int parse_short(struct parser *p)
{
	for (const char *c = p->argv[p->at] + 1; *c; c++) {
		struct target to = find_letter(p->syntax->opts, *c);
		const struct pn_opt *opt = to.opt;

		if (*c == 'h' && !opt)
			return PN_OPTS_HELP;
		if (!opt && p->syntax->pass_unknown && c == p->argv[p->at] + 1)
			return KEEP;
		if (!opt)
			return pn_error_set(p->err, PN_EINVAL,
					    "unknown option '-%c'", *c);
		if (!pn_opt_takes_value(opt)) {
			set_flag(p, &to, true);
			continue;
		}
		if (c[1])
			return store_value(p, &to, c + 1);
		if (++p->at == p->argc)
			return pn_error_set(p->err, PN_EINVAL,
					    "option '-%c' needs a value", *c);
		return store_value(p, &to, p->argv[p->at]);
	}
	return 0;
}

int pn_opts_parse(int *left, const struct pn_opts_syntax *syntax, void *values,
		  int argc, char **argv, struct pn_error *err)
{
	struct parser p = {syntax, values, argc, 0, argv, err};
	int kept = 0, result = 0;

	for (; p.at < argc && !result; p.at++) {
		char *arg = argv[p.at];

		if (!strcmp(arg, "--")) {
			p.at += !syntax->keep_dashes;
			break;
		}
		if (arg[0] != '-' || !arg[1]) {
			if (syntax->stop_at_first)
				break;
			argv[kept++] = arg;
			continue;
		}
		result = arg[1] == '-' ? parse_long(&p) : parse_short(&p);
		if (result == KEEP) {
			argv[kept++] = arg;
			result = 0;
		}
	}
	if (result)
		return result;
	while (p.at < argc)
		argv[kept++] = argv[p.at++];
	*left = kept;
	return 0;
}

void pn_opts_release(const struct pn_opt *opts, void *values)
{
	struct pn_opts_walk walk = {.at = opts};
	const struct pn_opt *o;

	while ((o = pn_opts_step(&walk))) {
		struct pn_opt_list *list;

		if (o->kind != PN_OPT_LIST)
			continue;
		list = (void *)((char *)values + walk.base + o->offset);
		free(list->values);
		*list = (struct pn_opt_list){0};
	}
}

static bool has_other(const struct pn_opt *opt, const void *a, const void *b)
{
	switch (opt->kind) {
	case PN_OPT_FLAG:
		return *(const bool *)a != *(const bool *)b;
	case PN_OPT_TEXT:
		return *(const char *const *)a != *(const char *const *)b;
	case PN_OPT_INT:
		return *(const int64_t *)a != *(const int64_t *)b;
	case PN_OPT_DOUBLE:
		return *(const double *)a != *(const double *)b;
	case PN_OPT_LIST:
		return ((const struct pn_opt_list *)a)->count !=
		       ((const struct pn_opt_list *)b)->count;
	default:
		return false;
	}
}

const char *pn_opts_differing(const struct pn_opt *opts, const void *a,
			      const void *b)
{
	struct pn_opts_walk walk = {.at = opts};
	const struct pn_opt *o;

	while ((o = pn_opts_step(&walk))) {
		size_t at = walk.base + o->offset;

		if (has_other(o, (const char *)a + at, (const char *)b + at))
			return o->name;
	}
	return NULL;
}

bool pn_opts_differ(const struct pn_opt *opts, const void *a, const void *b)
{
	return pn_opts_differing(opts, a, b) != NULL;
}

/* Whether a word stands in a message by itself or in quotes: "-2" does not in
 * 'release-2'. */
static bool is_named(const char *message, const char *word)
{
	static const char edges[] = " ',;:";
	const char *at = message;
	size_t len = strlen(word);

	for (; (at = strstr(at, word)); at++)
		if ((at == message || strchr(edges, at[-1])) &&
		    strchr(edges, at[len])) /* or the end */
			return true;
	return false;
}

bool pn_opts_refused(struct pn_error *err, const struct pn_opt *opts, int argc,
		     char *const *argv)
{
	const char *near = NULL;
	bool refused = false;
	size_t len;
	int i;

	for (i = 0; !near && i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (argv[i][0] != '-' || !argv[i][1] ||
		    !is_named(err->message, argv[i]))
			continue;
		refused = true;
		if (argv[i][1] == '-')
			near = pn_opts_similar(opts, argv[i] + 2,
					       strcspn(argv[i], "=") - 2);
	}
	len = strlen(err->message);
	if (near)
		snprintf(err->message + len, sizeof(err->message) - len,
			 "; did you mean '--%s'?", near);
	return refused;
}
