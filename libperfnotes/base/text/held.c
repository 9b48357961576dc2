/* Text that waits in a file. */
#include "base/text/held.h"

static int fail(struct pn_error *err)
{
	return pn_error_system(err,
			       "cannot keep the output in a temporary file");
}

int pn_held_add(struct pn_held *held, struct pn_buf *text, struct pn_error *err)
{
	if (text->len < PN_HELD_BYTES)
		return 0;
	if (!held->file)
		held->file = tmpfile();
	if (!held->file)
		return 0;
	if (fwrite(text->data, 1, text->len, held->file) != text->len)
		return fail(err);
	pn_buf_clear(text);
	return 0;
}

static int print(FILE *from, FILE *to, struct pn_error *err)
{
	char bytes[8192];
	size_t n;

	if (fseek(from, 0, SEEK_SET))
		return fail(err);
	while ((n = fread(bytes, 1, sizeof(bytes), from)) > 0)
		fwrite(bytes, 1, n, to);
	return ferror(from) ? fail(err) : 0;
}

int pn_held_end(struct pn_held *held, FILE *to, int code, struct pn_error *err)
{
	if (held->file && !code)
		code = print(held->file, to, err);
	if (held->file)
		fclose(held->file);
	held->file = NULL;
	return code;
}
