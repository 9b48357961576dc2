/* What was found, as a profile and as bytes. */
#include "storage/lookup/lookup.h"

#include "base/reader/reader.h"
#include "base/reader/whole.h"
#include "storage/body_store.h"

#define WHOLE_MAX ((uint64_t)64 << 20)

static int load_file(struct pn_profile *out, const char **format,
		     const char *path, bool busy, const struct pn_codec *codec,
		     struct pn_error *err)
{
	const struct pn_codec *used;
	struct pn_reader *in = NULL;
	int code = busy ? pn_reader_open_whole(&in, path, 0, WHOLE_MAX, err)
			: pn_reader_open(&in, path, 0, err);

	if (!code)
		code = pn_codec_read(out, codec, &used, in, err);
	pn_reader_free(in);
	if (!code && format)
		*format = used->name;
	return code;
}

int pn_lookup_load(struct pn_profile *out, const char **format,
		   const struct pn_lookup *lookup, const struct pn_found *found,
		   const struct pn_codec *codec, struct pn_error *err)
{
	if (found->kind == PN_FOUND_SERIES && found->records->count > 1)
		return pn_error_set(err, PN_EAMBIGUOUS,
				    "'%s' is %zu profiles, need one",
				    found->name, found->records->count);
	if (found->entry) {
		int code = pn_body_store_load(out, lookup->repo, found->entry,
					      err);

		if (code)
			return code;
		pn_body_store_label(out, found->entry);
		if (format)
			*format = pn_entry_field(found->entry, "format");
		return 0;
	}
	if (pn_pending_is(found->path))
		return pn_pending_load(out, format, found->path, err);
	return load_file(out, format, found->path, lookup->busy, codec, err);
}

int pn_lookup_bytes(struct pn_buf *out, const struct pn_lookup *lookup,
		    const struct pn_found *found, struct pn_error *err)
{
	struct pn_reader *in = NULL;
	int code;

	if (found->kind == PN_FOUND_SERIES && found->records->count > 1)
		return pn_error_set(err, PN_EAMBIGUOUS,
				    "'%s' is %zu profiles, need the id of one "
				    "for its bytes",
				    found->name, found->records->count);
	if (found->entry)
		return pn_body_store_read(out, lookup->repo, found->entry, err);
	code = pn_reader_open(&in, found->path, 0, err);
	if (!code)
		code = pn_reader_rest(out, in, PN_BODY_MAX_BYTES, err);
	pn_reader_free(in);
	return code;
}
