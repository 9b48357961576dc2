/* The error of a call. */
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#undef pn_error_set
#undef pn_error_system
#undef pn_error_context

int pn_error_set(struct pn_error *err, int code, const char *format, ...)
{
	va_list args;

	if (!err)
		return code;
	err->code = code;
	va_start(args, format);
	vsnprintf(err->message, sizeof(err->message), format, args);
	va_end(args);
	return code;
}

int pn_error_system(struct pn_error *err, const char *format, ...)
{
	int saved = errno;
	va_list args;
	size_t used;

	if (!err)
		return PN_EIO;
	err->code = PN_EIO;
	va_start(args, format);
	vsnprintf(err->message, sizeof(err->message), format, args);
	va_end(args);
	used = strlen(err->message);
	snprintf(err->message + used, sizeof(err->message) - used, ": %s",
		 strerror(saved));
	return PN_EIO;
}

int pn_error_context(struct pn_error *err, const char *format, ...)
{
	char joined[PN_ERROR_MAX];
	va_list args;
	size_t used;

	if (!err)
		return PN_EIO;
	va_start(args, format);
	vsnprintf(joined, sizeof(joined), format, args);
	va_end(args);
	used = strlen(joined);
	snprintf(joined + used, sizeof(joined) - used, ": %s", err->message);
	memcpy(err->message, joined, sizeof(joined));
	return err->code;
}
