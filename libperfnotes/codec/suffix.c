/* Formats by the names of files. */
#include "codec/suffix.h"

#include "base/file.h"
#include "codec/rows.h"

#include <string.h>

/* The only written format whose files end like this; NULL: none, several. */
static const struct pn_codec *of_suffix(const char *name)
{
	const struct pn_codec *found = NULL;
	size_t i;

	for (i = 0; pn_codecs[i]; i++) {
		if (!pn_codecs[i]->write ||
		    !pn_file_ends_with(name, pn_codecs[i]->suffix))
			continue;
		if (found)
			return NULL;
		found = pn_codecs[i];
	}
	return found;
}

/* Python, Go and gperftools call theirs x.prof. */
const struct pn_codec *pn_codec_of_output(const char *output)
{
	const struct pn_codec *codec;
	const char *name = pn_file_basename(output);

	if (pn_file_ends_with(name, ".pprof"))
		return &pn_codec_pprof;
	if (pn_file_ends_with(name, ".collapsed"))
		return &pn_codec_collapsed;
	if (!strncmp(name, "callgrind.out", strlen("callgrind.out")))
		return &pn_codec_callgrind;
	codec = of_suffix(name);
	return codec == &pn_codec_pstats ? NULL : codec;
}

static int refuse_picture(const char *output, struct pn_error *err)
{
	static const char *const suffixes[] = {
		".html", ".htm", ".svg", ".svgz", ".png",  ".jpg",
		".jpeg", ".gif", ".bmp", ".webp", ".tiff", ".pdf",
		".ps",	 ".eps", ".dot", ".gv"};
	struct pn_buf names = {0};
	size_t i, count = sizeof(suffixes) / sizeof(*suffixes);

	for (i = 0; i < count; i++)
		if (pn_file_ends_with(output, suffixes[i]))
			break;
	if (i == count)
		return 0;
	pn_codec_names_written(&names, ", ");
	pn_error_set(
		err, PN_EINVAL,
		"no format is written as '%s': there are %s; --to=<format> "
		"says which it is to be",
		output, pn_buf_text(&names));
	pn_buf_release(&names);
	return PN_EINVAL;
}

int pn_codec_choose(const struct pn_codec **out, const char *asked,
		    const char *output, const char *own, struct pn_error *err)
{
	const struct pn_codec *codec = NULL;

	if (!asked && output && refuse_picture(output, err))
		return PN_EINVAL;
	if (asked && !(codec = pn_codec_find_writer(asked, err)))
		return PN_EINVAL;
	if (!codec && output)
		codec = pn_codec_of_output(output);
	if (!codec)
		codec = pn_codec_find_writer(own, NULL);
	*out = codec ? codec : &pn_codec_pprof;
	return 0;
}
