/* Graphviz. */
#include "jobs/profiles/graphviz.h"

#include "base/buf.h"
#include "base/process/process.h"
#include "base/replace.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define PICTURE_MAX ((size_t)1 << 28)

/* dot's time hangs on the graph, and grows faster than the square of the edges:
 * of a profile 258 took 15 s, 635 more than 100 s (Graphviz 2.43). Above MANY
 * it is told to leave off earlier: 5 s for those 635. More than TOO_MANY nobody
 * could read. */
#define MANY 200
#define TOO_MANY 1000

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

/* The lines of `graph` that are an edge: "<node> -> <node>...". */
static int count_edges(size_t *out, FILE *graph, struct pn_error *err)
{
	char *line = NULL;
	size_t size = 0;

	*out = 0;
	if (fflush(graph) || fseek(graph, 0, SEEK_SET))
		return pn_error_system(err, "cannot write the graph");
	while (getline(&line, &size, graph) >= 0)
		*out += !strncmp(line + strcspn(line, " \""), " -> ", 4);
	free(line);
	if (ferror(graph))
		return pn_error_system(err, "cannot read the graph");
	return 0;
}

static int run_dot(struct pn_buf *out, FILE *graph, size_t edges,
		   const char *path, struct pn_error *err)
{
	char format[8], said[1024] = "";
	const char *argv[] = {"dot", format, NULL, NULL, NULL, NULL, NULL};
	struct pn_process_options options = {.in = fileno(graph)};
	int status, code;

	snprintf(format, sizeof(format), "-T%s", format_of(path));
	if (edges > MANY) {
		argv[2] = "-Gnslimit=1";
		argv[3] = "-Gnslimit1=1";
		argv[4] = "-Gmclimit=.1";
		argv[5] = "-Gsplines=line";
	}
	if (lseek(options.in, 0, SEEK_SET))
		return pn_error_system(err, "cannot read the graph");
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

/* In a dark theme: what stands on the paper is light, boxes stay as they are.
 */
static const char dark[] =
	"\n<style>@media screen and (prefers-color-scheme: dark) {\n"
	":root { background: #16181b; }\n"
	".graph > polygon { fill: #16181b; }\n"
	".graph > text, .cluster text, .edge text { fill: #e6e6e3; }\n"
	".edge [stroke=\"black\"], .cluster polygon { stroke: #a9a9a5; }\n"
	".edge polygon[fill=\"black\"] { fill: #a9a9a5; }\n"
	"}</style>";

static void write_picture(FILE *to, const struct pn_buf *picture,
			  const char *format)
{
	const char *text = pn_buf_text(picture), *tag = NULL, *end = NULL;
	size_t head;

	if (!strcmp(format, "svg"))
		tag = strstr(text, "<svg");
	if (tag)
		end = strchr(tag, '>');
	head = end ? (size_t)(end - text) + 1 : 0;
	fwrite(text, 1, head, to);
	if (head)
		fputs(dark, to);
	fwrite(text + head, 1, picture->len - head, to);
}

int pn_graphviz(FILE *graph, const char *path, struct pn_error *err)
{
	struct pn_replace file = {0};
	struct pn_buf picture = {0};
	size_t edges;
	int code = count_edges(&edges, graph, err);

	if (!code && edges > TOO_MANY)
		code = pn_error_set(
			err, PN_ELIMIT,
			"cannot draw '%s': dot may not come to an "
			"end for %zu edges (%d at most); hide functions, "
			"or write a file with suffix .dot",
			path, edges, TOO_MANY);
	if (!code)
		code = run_dot(&picture, graph, edges, path, err);
	if (!code)
		code = pn_replace_open(&file, path, err);
	if (!code) {
		write_picture(file.file, &picture, format_of(path));
		if (pn_replace_finish(&file)) {
			code = pn_error_system(err, "cannot write '%s'", path);
			pn_replace_discard(&file);
		}
	}
	pn_buf_release(&picture);
	return code;
}
