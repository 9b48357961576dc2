/* Graphviz. */
#include "jobs/profiles/graphviz.h"

#include "base/process/process.h"

#include <string.h>
#include <strings.h>
#include <unistd.h>

#define PICTURE_MAX ((size_t)1 << 28)

static const char *const formats[] = {"svg", "png", "pdf", "ps", "gif", "jpg"};

static const char *format_of(const char *path)
{
	const char *dot = path ? strrchr(path, '.') : NULL;
	size_t i;

	for (i = 0; dot && i < sizeof(formats) / sizeof(formats[0]); i++)
		if (!strcasecmp(dot + 1, formats[i]))
			return formats[i];
	return NULL;
}

bool pn_graphviz_draws(const char *path)
{
	return format_of(path) != NULL;
}

int pn_graphviz(struct pn_buf *out, FILE *graph, const char *path,
		struct pn_error *err)
{
	char format[8], said[1024] = "";
	const char *const argv[] = {"dot", format, NULL};
	struct pn_process_options options = {.in = fileno(graph)};
	int status, code;

	snprintf(format, sizeof(format), "-T%s", format_of(path));
	if (fflush(graph) || lseek(options.in, 0, SEEK_SET))
		return pn_error_system(err, "cannot write the graph");
	code = pn_process_capture(out, said, &status, argv, &options,
				  PICTURE_MAX, err);
	if (code == PN_ENOTFOUND)
		return pn_error_set(err, PN_ENOTFOUND,
				    "cannot draw '%s': Graphviz's dot is not "
				    "installed; a file with suffix .dot needs "
				    "none",
				    path);
	if (!code && status)
		return pn_error_set(err, PN_EIO,
				    "cannot draw '%s': dot ended with status "
				    "%d: %.*s",
				    path, status, (int)strcspn(said, "\n"),
				    said);
	return code;
}
