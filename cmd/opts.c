/*
 * Option tables: parsing, the -h text, and what completion reads. The manners
 * are those of git's own option parser (gitcli(7)). Long, as all that commands
 * would else repeat is here.
 */
#include "opts.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/number.h"
#include "base/text/similar.h"
#include "command.h"

#include <stdlib.h>
#include <string.h>

#define HELP_COLUMN 30 /* where the help of an option starts */

#define NAMES "{names}" /* in a help */

#define KEEP 1 /* an option that is not ours stays in argv */

/* One call of opts_parse. */
struct parser {
	const struct command *command;
	char *values;
	int argc, at; /* at: the argument being read */
	char **argv;
};

/* Over the options of a table and of those that it links to. */
struct walk {
	const struct opt *at;
	const struct opt *after; /* the link that `at` is behind */
	size_t base;		 /* of the linked table's struct */
};

/* The next one; NULL at the end. */
static const struct opt *step(struct walk *w)
{
	while (w->at) {
		if (w->at->kind == OPT_KIND_TABLE) {
			w->after = w->at + 1;
			w->base = w->at->offset;
			w->at = w->at->table;
		} else if (w->at->kind == OPT_KIND_END) {
			w->at = w->after;
			w->after = NULL;
			w->base = 0;
		} else {
			return w->at++;
		}
	}
	return NULL;
}

static bool takes_value(const struct opt *opt)
{
	return opt->kind != OPT_KIND_FLAG;
}

static int bad_number(struct parser *p, const struct opt *opt, const char *text)
{
	const char *dashes = opt->name ? "--" : "-";
	const char letter[2] = {opt->letter, '\0'};
	const char *name = opt->name ? opt->name : letter;

	if (opt->kind == OPT_KIND_INT)
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

/* An option and where its value goes. */
struct target {
	const struct opt *opt;
	size_t at;
};

static int store_value(struct parser *p, const struct target *to,
		       const char *text)
{
	const struct opt *opt = to->opt;
	void *target = p->values + to->at;
	int64_t whole;
	double number;

	switch (opt->kind) {
	case OPT_KIND_TEXT:
		*(const char **)target = text;
		break;
	case OPT_KIND_LIST:
		append_value(target, text);
		break;
	case OPT_KIND_INT:
		if (!pn_number_int(&whole, text, strlen(text)) ||
		    whole < opt->min)
			return bad_number(p, opt, text);
		*(int64_t *)target = whole;
		break;
	case OPT_KIND_DOUBLE:
		if (!pn_number_double(&number, text, strlen(text)))
			return bad_number(p, opt, text);
		*(double *)target = number;
		break;
	case OPT_KIND_FLAG:
	case OPT_KIND_TABLE:
	case OPT_KIND_END:
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
	const struct opt *other; /* a second one that fits */
	bool negated;
};

static void match_name(struct match *match, const struct opt *opts,
		       const char *text, size_t len, bool negated)
{
	struct walk walk = {.at = opts};
	const struct opt *o;

	while ((o = step(&walk))) {
		struct target to = {o, walk.base + o->offset};

		if (!o->name || strncmp(o->name, text, len) ||
		    (negated && o->kind != OPT_KIND_FLAG))
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

const char *opts_similar(const struct command *command, const char *text,
			 size_t len)
{
	char *name = pn_strndup(text, len);
	struct pn_similar similar = {.name = name};
	struct walk walk = {.at = command->opts};
	const struct opt *o;

	while ((o = step(&walk)))
		if (o->name)
			pn_similar_look(&similar, o->name);
	free(name);
	return similar.found;
}

static int unknown_long(struct parser *p, const char *text, size_t len)
{
	const char *near = opts_similar(p->command, text, len);

	if (near)
		usage(p->command,
		      "unknown option '--%.*s'; did you mean '--%s'?", (int)len,
		      text, near);
	else
		usage(p->command, "unknown option '--%.*s'", (int)len, text);
	return -1;
}

/* The one that the text before a "=" names; a negative code with a message
 * printed, or KEEP. */
static int find_long(struct match *match, struct parser *p, const char *text,
		     size_t len)
{
	const struct opt *opts = p->command->opts;

	match_name(match, opts, text, len, false);
	if (!is_exact(match, len) && len > 3 && !strncmp(text, "no-", 3))
		match_name(match, opts, text + 3, len - 3, true);
	if (!match->to.opt && p->command->pass_unknown)
		return KEEP;
	if (!match->to.opt || !len)
		return unknown_long(p, text, len);
	if (!match->other)
		return 0;
	usage(p->command, "option '--%.*s' is ambiguous: '--%s' or '--%s'",
	      (int)len, text, match->other->name, match->to.opt->name);
	return -1;
}

static int parse_long(struct parser *p)
{
	const char *text = p->argv[p->at] + 2, *value = strchr(text, '=');
	size_t len = value ? (size_t)(value - text) : strlen(text);
	struct match match = {0};
	int code = find_long(&match, p, text, len);

	if (code)
		return code;
	if (!takes_value(match.to.opt)) {
		if (value) {
			usage(p->command, "option '--%.*s' takes no value",
			      (int)len, text);
			return -1;
		}
		set_flag(p, &match.to, !match.negated);
		return 0;
	}
	if (!value && match.to.opt->absent)
		return store_value(p, &match.to, match.to.opt->absent);
	if (!value && ++p->at == p->argc) {
		usage(p->command, "option '--%s' needs a value",
		      match.to.opt->name);
		return -1;
	}
	return store_value(p, &match.to, value ? value + 1 : p->argv[p->at]);
}

static struct target find_letter(const struct opt *opts, char letter)
{
	struct walk walk = {.at = opts};
	const struct opt *o;

	while ((o = step(&walk)))
		if (o->letter == letter)
			return (struct target){o, walk.base + o->offset};
	return (struct target){NULL, 0};
}

/* "-sv", "-n5", "-n 5". */
static int parse_short(struct parser *p)
{
	for (const char *c = p->argv[p->at] + 1; *c; c++) {
		struct target to = find_letter(p->command->opts, *c);
		const struct opt *opt = to.opt;

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
			set_flag(p, &to, true);
			continue;
		}
		if (c[1])
			return store_value(p, &to, c + 1);
		if (++p->at == p->argc) {
			usage(p->command, "option '-%c' needs a value", *c);
			return -1;
		}
		return store_value(p, &to, p->argv[p->at]);
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
	struct walk walk = {.at = opts};
	const struct opt *o;

	while ((o = step(&walk))) {
		struct opt_list *list;

		if (o->kind != OPT_KIND_LIST)
			continue;
		list = (void *)((char *)values + walk.base + o->offset);
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

void opts_choices(struct pn_buf *out, const struct opt *opt,
		  const char *between)
{
	const char *at = opt->choices;
	size_t len;

	if (opt->names)
		opt->names(out, between);
	for (; at && *at; at += len + (at[len] == ' ')) {
		len = strcspn(at, " ");
		pn_buf_printf(out, "%s%.*s", at == opt->choices ? "" : between,
			      (int)len, at);
	}
}

/* With the names that it speaks of. */
static void add_help(struct pn_buf *out, const struct opt *opt)
{
	const char *mark = strstr(opt->help, NAMES);

	if (!mark) {
		pn_buf_add_text(out, opt->help);
		return;
	}
	pn_buf_add(out, opt->help, (size_t)(mark - opt->help));
	opts_choices(out, opt, ", ");
	pn_buf_add_text(out, mark + strlen(NAMES));
}

static void print_option(FILE *to, const struct opt *opt)
{
	int width = fprintf(to, "    ");
	struct pn_buf help = {0};

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
	add_help(&help, opt);
	fprintf(to, "%*s%s\n", HELP_COLUMN - width, "", pn_buf_text(&help));
	pn_buf_release(&help);
}

void opts_help(FILE *to, const struct command *command)
{
	struct walk walk = {.at = command->opts};
	const struct opt *o;

	print_synopsis(to, command->synopsis);
	fputc('\n', to);
	while ((o = step(&walk)))
		print_option(to, o);
	if (command->opts)
		fputc('\n', to);
}

static void list_option(FILE *to, const struct opt *opt)
{
	const char *arg = takes_value(opt) && opt->arg ? opt->arg : "";
	struct pn_buf choices = {0}, help = {0};

	opts_choices(&choices, opt, " ");
	add_help(&help, opt);
	if (opt->name)
		fprintf(to, "--%s%s\t%s\t%s\t%s\n", opt->name,
			takes_value(opt) && !opt->absent ? "=" : "", arg,
			pn_buf_text(&choices), pn_buf_text(&help));
	if (opt->letter)
		fprintf(to, "-%c\t%s\t%s\t%s\n", opt->letter, arg,
			pn_buf_text(&choices), pn_buf_text(&help));
	pn_buf_release(&choices);
	pn_buf_release(&help);
}

void opts_list(FILE *to, const struct command *command)
{
	struct walk walk = {.at = command->opts};
	const struct opt *o;

	while ((o = step(&walk)))
		list_option(to, o);
}
