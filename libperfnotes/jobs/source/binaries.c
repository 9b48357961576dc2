/* The binaries of a profile. */
#include "jobs/source/binaries.h"

#include <string.h>
#include <sys/stat.h>

static struct pn_code_file *open_at(struct pn_buf *path, const char *id)
{
	struct pn_code_file *code = pn_code_open(pn_buf_text(path), id);

	if (!code)
		pn_buf_clear(path);
	return code;
}

static struct pn_code_file *below(struct pn_buf *path, const char *file,
				  const char *id, const char *folder)
{
	const char *slash = strrchr(file, '/');
	const char *name = slash ? slash + 1 : file;
	struct pn_code_file *code;

	pn_buf_printf(path, "%s/%s", folder, file);
	if ((code = open_at(path, id)))
		return code;
	pn_buf_printf(path, "%s/%s", folder, name);
	if ((code = open_at(path, id)) || strlen(id) < 3 || strchr(id, '/'))
		return code;
	pn_buf_printf(path, "%s/%s/%s", folder, id, name);
	if ((code = open_at(path, id)))
		return code;
	pn_buf_printf(path, "%s/.build-id/%.2s/%s", folder, id, id + 2);
	return open_at(path, id);
}

static void explain(struct pn_buf *why, const char *file, const char *id,
		    const char *where)
{
	struct pn_code_file *other = pn_code_open(file, NULL);

	pn_code_close(other);
	if (other && !*id)
		pn_buf_printf(why,
			      "the profile has no build id of '%s', so that "
			      "nobody knows whether the file here is what was "
			      "measured: --binary-path=%s takes it",
			      file, file);
	else if (other)
		pn_buf_printf(why,
			      "'%s' has another build id than %s, which was "
			      "measured",
			      file, id);
	else
		pn_buf_printf(why, "'%s'%s%s%s is not here%s%s%s", file,
			      *id ? " (build id " : "", id, *id ? ")" : "",
			      where ? ", nor in '" : "", where ? where : "",
			      where ? "'" : "; --binary-path says where");
}

struct pn_code_file *pn_binary_find(struct pn_buf *path, struct pn_buf *why,
				    const char *file, const char *id,
				    const char *where)
{
	struct pn_code_file *code = NULL;
	struct stat st;

	if (where && !stat(where, &st) && S_ISDIR(st.st_mode)) {
		code = below(path, file, id, where);
	} else if (where) {
		pn_buf_add_text(path, where);
		code = open_at(path, *id ? id : NULL);
	}
	if (!code && file[0] == '/') {
		pn_buf_add_text(path, file);
		code = open_at(path, id);
	}
	if (!code)
		explain(why, file, id, where);
	return code;
}
