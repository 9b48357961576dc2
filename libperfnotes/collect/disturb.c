/* Settings of a machine that disturb measurements. */
#include "collect/disturb.h"

#include "base/buf.h"
#include "base/file.h"

#include <ctype.h>
#include <string.h>

#define FACT_MAX (16u << 20) /* /proc/cpuinfo of 4096 cores has 6 MB */

#define CPU "/sys/devices/system/cpu/"

static bool read_fact(struct pn_buf *out, const char *root, const char *path)
{
	struct pn_buf name = {0};
	int code;

	pn_buf_clear(out);
	pn_buf_printf(&name, "%s%s", root, path);
	code = pn_file_read(out, pn_buf_text(&name), FACT_MAX, NULL);
	pn_buf_release(&name);
	return !code && out->len;
}

/* The digit that a file begins with; -1 without. */
static int read_digit(const char *root, const char *path)
{
	struct pn_buf text = {0};
	int digit = -1;

	if (read_fact(&text, root, path) &&
	    isdigit((unsigned char)*pn_buf_text(&text)))
		digit = *pn_buf_text(&text) - '0';
	pn_buf_release(&text);
	return digit;
}

/* A word of letters. */
static void copy_word(char out[PN_DISTURB_TEXT], const char *text)
{
	size_t n = 0;

	while (n + 1 < PN_DISTURB_TEXT &&
	       (isalnum((unsigned char)text[n]) || text[n] == '_')) {
		out[n] = text[n];
		n++;
	}
	out[n] = '\0';
}

/* Intel's driver says when there is none, others when there is. */
static int read_turbo(const char *root)
{
	int none = read_digit(root, CPU "intel_pstate/no_turbo");

	return none >= 0 ? !none : read_digit(root, CPU "cpufreq/boost");
}

void pn_disturb_read(struct pn_disturb *out, const char *root)
{
	struct pn_buf text = {0};
	const char *chosen;

	memset(out, 0, sizeof(*out));
	pn_quiet_init(&out->quiet);
	if (read_fact(&text, root, CPU "cpu0/cpufreq/scaling_governor"))
		copy_word(out->governor, pn_buf_text(&text));
	/* "always [madvise] never" */
	if (read_fact(&text, root,
		      "/sys/kernel/mm/transparent_hugepage/"
		      "enabled") &&
	    (chosen = strchr(pn_buf_text(&text), '[')))
		copy_word(out->huge_pages, chosen + 1);
	out->turbo = read_turbo(root);
	out->threads = read_digit(root, CPU "smt/active");
	out->randomized = read_digit(root, "/proc/sys/kernel/"
					   "randomize_va_space");
	out->is_virtual = -1;
	if (read_fact(&text, root, "/proc/cpuinfo") &&
	    strstr(pn_buf_text(&text), "\nflags"))
		out->is_virtual =
			strstr(pn_buf_text(&text), " hypervisor") != NULL;
	pn_buf_release(&text);
}
