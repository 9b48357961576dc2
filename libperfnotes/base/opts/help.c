/* The -h text, and what completion reads. */
#include "base/opts/walk.h"
#include "base/text/width.h"

#include <string.h>

#define HELP_COLUMN 30	/* where the help of an option starts */
#define HELP_COLUMNS 80 /* of a terminal */

#define NAMES "{names}" /* in a help */

/* Each line of a synopsis is one way to call the command. */
static void print_synopsis(FILE *to, const char *program, const char *synopsis)
{
	const char *lead = "usage:";

	while (*synopsis) {
		size_t len = strcspn(synopsis, "\n");

		fprintf(to, "%s %s %.*s\n", lead, program, (int)len, synopsis);
		synopsis += len + (synopsis[len] == '\n');
		lead = "   or:";
	}
}

void pn_opts_choices(struct pn_buf *out, const struct pn_opt *opt,
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
static void add_help(struct pn_buf *out, const struct pn_opt *opt)
{
	const char *mark = strstr(opt->help, NAMES);

	if (!mark) {
		pn_buf_add_text(out, opt->help);
		return;
	}
	pn_buf_add(out, opt->help, (size_t)(mark - opt->help));
	pn_opts_choices(out, opt, ", ");
	pn_buf_add_text(out, mark + strlen(NAMES));
}

static void print_option(FILE *to, const struct pn_opt *opt)
{
	struct pn_buf line = {0}, wrapped = {0};

	pn_buf_add_text(&line, "    ");
	if (opt->letter)
		pn_buf_printf(&line, "-%c%s", opt->letter,
			      opt->name ? ", " : "");
	if (opt->name)
		pn_buf_printf(&line, "--%s", opt->name);
	if (opt->absent)
		pn_buf_printf(&line, "[=%s]", opt->arg);
	else if (pn_opt_takes_value(opt))
		pn_buf_printf(&line, "%s%s", opt->name ? "=" : " ", opt->arg);
	if (line.len >= HELP_COLUMN) {
		fprintf(to, "%s\n", pn_buf_text(&line));
		pn_buf_clear(&line);
	}
	while (line.len < HELP_COLUMN)
		pn_buf_add_byte(&line, ' ');
	add_help(&line, opt);
	pn_text_wrap(&wrapped, pn_buf_text(&line), line.len, HELP_COLUMNS,
		     HELP_COLUMN);
	fprintf(to, "%s\n", pn_buf_text(&wrapped));
	pn_buf_release(&line);
	pn_buf_release(&wrapped);
}

void pn_opts_help(FILE *to, const struct pn_opt *opts, const char *program,
		  const char *synopsis)
{
	struct pn_opts_walk walk = {.at = opts};
	const struct pn_opt *o;

	print_synopsis(to, program, synopsis);
	fputc('\n', to);
	while ((o = pn_opts_step(&walk)))
		print_option(to, o);
	if (opts)
		fputc('\n', to);
}

static void list_option(FILE *to, const struct pn_opt *opt)
{
	const char *arg = pn_opt_takes_value(opt) && opt->arg ? opt->arg : "";
	struct pn_buf choices = {0}, help = {0};

	pn_opts_choices(&choices, opt, " ");
	add_help(&help, opt);
	if (opt->name)
		fprintf(to, "--%s%s\t%s\t%s\t%s\n", opt->name,
			pn_opt_takes_value(opt) && !opt->absent ? "=" : "", arg,
			pn_buf_text(&choices), pn_buf_text(&help));
	if (opt->letter)
		fprintf(to, "-%c\t%s\t%s\t%s\n", opt->letter, arg,
			pn_buf_text(&choices), pn_buf_text(&help));
	pn_buf_release(&choices);
	pn_buf_release(&help);
}

void pn_opts_list(FILE *to, const struct pn_opt *opts)
{
	struct pn_opts_walk walk = {.at = opts};
	const struct pn_opt *o;

	while ((o = pn_opts_step(&walk)))
		list_option(to, o);
}
