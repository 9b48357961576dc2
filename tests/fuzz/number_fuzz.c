/* Numbers agree with the C library; texts come back from their escapes. */
#include "base/escape.h"
#include "base/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_read(const char *text, size_t len)
{
	double value, want;
	char *end;
	int64_t i;

	if (pn_number_double(&value, text, len)) {
		want = strtod(text, &end);
		if (end != text + len || memcmp(&want, &value, sizeof(want)))
			abort();
	}
	if (pn_number_int(&i, text, len) && i != strtoll(text, NULL, 10))
		abort();
}

static void check_write(double value)
{
	char text[PN_NUMBER_TEXT];
	double back;
	size_t len = pn_number_write(text, value, false);

	if (len >= PN_NUMBER_TEXT || strlen(text) != len)
		abort();
	if (!isfinite(value))
		return;
	if (!pn_number_double(&back, text, len) ||
	    memcmp(&back, &value, sizeof(back)))
		abort();
}

static void check_escape(const uint8_t *data, size_t size)
{
	struct pn_buf text = {0}, back = {0};

	pn_escape_percent(&text, data, size);
	if (pn_unescape_percent(&back, pn_buf_text(&text), text.len) ||
	    back.len != size || (size && memcmp(back.data, data, size)))
		abort();
	pn_buf_clear(&text);
	pn_escape_terminal(&text, data, size);
	if (memchr(pn_buf_text(&text), 0x1b, text.len))
		abort();
	pn_buf_clear(&back);
	pn_unescape_percent(&back, (const char *)data, size);
	pn_buf_release(&text);
	pn_buf_release(&back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	double value;

	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	check_read(text, size);
	free(text);
	if (size >= sizeof(value)) {
		memcpy(&value, data, sizeof(value));
		check_write(value);
	}
	check_escape(data, size);
	return 0;
}
