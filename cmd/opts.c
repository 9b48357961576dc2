/*
 * Option tables: parsing, the -h text, and what completion reads. The manners
 * are those of git's own option parser (gitcli(7)).
 */
#include "opts.h"

#include "base/alloc.h"
#include "base/number.h"
#include "codec/codec.h"
#include "command.h"

#include <stdlib.h>
#include <string.h>

#define HELP_COLUMN 30 /* where the help of an option starts */

#define KEEP 1 /* an option that is not ours stays in argv */

/* One call of opts_parse. */
struct parser {
	const struct command *command;
	char *values;
	int argc, at; /* at: the argument being read */
	char **argv;
};

static bool takes_value(const struct opt *opt)
{
	return opt->kind != OPT_FLAG;
}

static int bad_number(struct parser *p, const struct opt *opt, const char *text)
{
	const char *dashes = opt->name ? "--" : "-";
	const char letter[2] = {opt->letter, '\0'};
	const char *name = opt->name ? opt->name : letter;

	if (opt->kind == OPT_INT)
		usage(p->command,
		      "option '%s%s' needs a whole number of at least %lld, "
		      "not '%s'",
		      dashes, name, (long long)opt->min, text);
	else
		usage(p->command, "option '%s%s' needs a number, not '%s'",
		      dashes, name, text);
	return -1;
}

static void append_value(struct opt_list *list, const char *text)
{
	list->values = pn_realloc_array(list->values, list->count + 1,
					sizeof(*list->values));
	list->values[list->count++] = text;
}

static int store_value(struct parser *p, const struct opt *opt,
		       const char *text)
{
	void *target = p->values + opt->offset;
	int64_t whole;
	double number;

	switch (opt->kind) {
	case OPT_TEXT:
		*(const char **)target = text;
		break;
	case OPT_LIST:
		append_value(target, text);
		break;
	case OPT_INT:
		if (!pn_number_int(&whole, text, strlen(text)) ||
		    whole < opt->min)
			return bad_number(p, opt, text);
		*(int64_t *)target = whole;
		break;
	case OPT_DOUBLE:
		if (!pn_number_double(&number, text, strlen(text)))
			return bad_number(p, opt, text);
		*(double *)target = number;
		break;
	case OPT_FLAG:
	case OPT_END:
		break;
	}
	return 0;
}

/* What a long option's name stands for. */
struct match {
	const struct opt *opt, *other; /* other: a second one that fits */
	bool negated;
};

static void match_name(struct match *match, const struct opt *opts,
		       const char *text, size_t len, bool negated)
{
	for (const struct opt *o = opts; o && o->kind != OPT_END; o++) {
		if (!o->name || strncmp(o->name, text, len) ||
		    (negated && o->kind != OPT_FLAG))
			continue;
		if (!o->name[len]) {
			*match = (struct match){.opt = o, .negated = negated};
			return;
		}
		match->other = match->opt;
		match->opt = o;
		match->negated = negated;
	}
}

static bool is_exact(const struct match *match, size_t len)
{
	return match->opt && strlen(match->opt->name) == len;
}

static int parse_long(struct parser *p)
{
	const char *text = p->argv[p->at] + 2, *value = strchr(text, '=');
	const struct opt *opts = p->command->opts;
	size_t len = value ? (size_t)(value - text) : strlen(text);
	struct match match = {0};

	match_name(&match, opts, text, len, false);
	if (!is_exact(&match, len) && len > 3 && !strncmp(text, "no-", 3))
		match_name(&match, opts, text + 3, len - 3, true);
	if (!match.opt && p->command->pass_unknown)
		return KEEP;
	if (!match.opt || !len) {
		usage(p->command, "unknown option '--%.*s'", (int)len, text);
		return -1;
	}
	if (match.other) {
		usage(p->command,
		      "option '--%.*s' is ambiguous: '--%s' or '--%s'",
		      (int)len, text, match.other->name, match.opt->name);
		return -1;
	}
	if (!takes_value(match.opt)) {
		if (value) {
			usage(p->command, "option '--%.*s' takes no value",
			      (int)len, text);
			return -1;
		}
		*(bool *)(void *)(p->values + match.opt->offset) =
			!match.negated;
		return 0;
	}
	if (!value && match.opt->absent)
		return store_value(p, match.opt, match.opt->absent);
	if (!value && ++p->at == p->argc) {
		usage(p->command, "option '--%s' needs a value",
		      match.opt->name);
		return -1;
	}
	return store_value(p, match.opt, value ? value + 1 : p->argv[p->at]);
}

static const struct opt *find_letter(const struct opt *opts, char letter)
{
	for (const struct opt *o = opts; o && o->kind != OPT_END; o++)
		if (o->letter == letter)
			return o;
	return NULL;
}

/* "-sv", "-n5", "-n 5". */
static int parse_short(struct parser *p)
{
	for (const char *c = p->argv[p->at] + 1; *c; c++) {
		const struct opt *opt = find_letter(p->command->opts, *c);

		if (*c == 'h' && !opt) {
			opts_help(stdout, p->command);
			return -2;
		}
		if (!opt && p->command->pass_unknown && c == p->argv[p->at] + 1)
			return KEEP;
		if (!opt) {
			usage(p->command, "unknown option '-%c'", *c);
			return -1;
		}
		if (!takes_value(opt)) {
			*(bool *)(void *)(p->values + opt->offset) = true;
			continue;
		}
		if (c[1])
			return store_value(p, opt, c + 1);
		if (++p->at == p->argc) {
			usage(p->command, "option '-%c' needs a value", *c);
			return -1;
		}
		return store_value(p, opt, p->argv[p->at]);
	}
	return 0;
}

int opts_parse(const struct command *command, void *values, int argc,
	       char **argv, bool stop_at_first)
{
	struct parser p = {command, values, argc, 0, argv};
	int kept = 0, result = 0;

	for (; p.at < argc && !result; p.at++) {
		char *arg = argv[p.at];

		if (!strcmp(arg, "--")) {
			p.at += !command->keep_dashes;
			break;
		}
		if (arg[0] != '-' || !arg[1]) {
			if (stop_at_first)
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
	return kept;
}

void opts_release(const struct opt *opts, void *values)
{
	for (const struct opt *o = opts; o && o->kind != OPT_END; o++) {
		struct opt_list *list;

		if (o->kind != OPT_LIST)
			continue;
		list = (void *)((char *)values + o->offset);
		free(list->values);
		*list = (struct opt_list){0};
	}
}

/* Each line of a synopsis is one way to call the command. */
static void print_synopsis(FILE *to, const char *synopsis)
{
	const char *lead = "usage:";

	while (*synopsis) {
		size_t len = strcspn(synopsis, "\n");

		fprintf(to, "%s git perf %.*s\n", lead, (int)len, synopsis);
		synopsis += len + (synopsis[len] == '\n');
		lead = "   or:";
	}
}

static void print_option(FILE *to, const struct opt *opt)
{
	int width = fprintf(to, "    ");

	if (opt->letter)
		width += fprintf(to, "-%c%s", opt->letter,
				 opt->name ? ", " : "");
	if (opt->name)
		width += fprintf(to, "--%s", opt->name);
	if (opt->absent)
		width += fprintf(to, "[=%s]", opt->arg);
	else if (takes_value(opt))
		width += fprintf(to, "%s%s", opt->name ? "=" : " ", opt->arg);
	if (width >= HELP_COLUMN) {
		fputc('\n', to);
		width = 0;
	}
	fprintf(to, "%*s%s\n", HELP_COLUMN - width, "", opt->help);
}

void opts_help(FILE *to, const struct command *command)
{
	print_synopsis(to, command->synopsis);
	fputc('\n', to);
	for (const struct opt *o = command->opts; o && o->kind != OPT_END; o++)
		print_option(to, o);
	if (command->opts)
		fputc('\n', to);
}

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

static void put_choices(struct pn_buf *out, const char *choices)
{
	bool read = !strcmp(choices, OPT_FORMATS_READ);
	size_t i;

	if (!read && strcmp(choices, OPT_FORMATS_WRITTEN)) {
		pn_buf_add_text(out, choices);
		return;
	}
	for (i = 0; pn_codecs[i]; i++)
		if (read ? pn_codecs[i]->read != NULL
			 : pn_codecs[i]->write != NULL)
			pn_buf_printf(out, "%s%s", out->len ? " " : "",
				      pn_codecs[i]->name);
}

void opts_list(FILE *to, const struct command *command)
{
	struct pn_buf text = {0};

	for (const struct opt *o = command->opts; o && o->kind != OPT_END;
	     o++) {
		const char *arg = takes_value(o) ? or_empty(o->arg) : "";
		const char *choices;

		pn_buf_clear(&text);
		put_choices(&text, or_empty(o->choices));
		choices = pn_buf_text(&text);
		if (o->name)
			fprintf(to, "--%s%s\t%s\t%s\t%s\n", o->name,
				takes_value(o) && !o->absent ? "=" : "", arg,
				choices, o->help);
		if (o->letter)
			fprintf(to, "-%c\t%s\t%s\t%s\n", o->letter, arg,
				choices, o->help);
	}
	pn_buf_release(&text);
}
