/* Text that waits in a file. */
#include "base/text/held.h"

void pn_held_add(struct pn_held *held, struct pn_buf *text)
{
	if (held->full || text->len < PN_HELD_BYTES)
		return;
	if (!held->file) {
		held->file = tmpfile();
		/* or a write that failed would be tried again */
		held->full =
			!held->file || setvbuf(held->file, NULL, _IONBF, 0);
	}
	if (held->full)
		return;
	held->full = fwrite(text->data, 1, text->len, held->file) != text->len;
	if (held->full)
		return; /* a part of it may be written, and is not counted */
	held->len += text->len;
	pn_buf_clear(text);
}

static int print(struct pn_held *held, FILE *to, struct pn_error *err)
{
	size_t n, left = held->len;
	char bytes[8192];

	clearerr(held->file);
	if (fseek(held->file, 0, SEEK_SET) && left)
		return pn_error_system(err, "cannot go back in the output");
	for (; left; left -= n) {
		n = left < sizeof(bytes) ? left : sizeof(bytes);
		if (fread(bytes, 1, n, held->file) != n)
			return pn_error_system(err,
					       "cannot read the output from a "
					       "temporary file");
		fwrite(bytes, 1, n, to);
	}
	return 0;
}

int pn_held_end(struct pn_held *held, FILE *to, int code, struct pn_error *err)
{
	if (held->file && !code)
		code = print(held, to, err);
	if (held->file)
		fclose(held->file);
	*held = (struct pn_held){NULL, 0, false};
	return code;
}
