/* Parameters of a command. */
#include "collect/parameter.h"

#include "base/alloc.h"
#include "base/number.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DIGITS 9 /* behind the point: 10^9 times a value fits int64_t */

void pn_parameter_release(struct pn_parameter *parameter)
{
	size_t i;

	for (i = 0; i < parameter->count; i++)
		free(parameter->values[i]);
	free(parameter->values);
	free(parameter->name);
	*parameter = (struct pn_parameter){0};
}

static int add_value(struct pn_parameter *parameter, const char *text,
		     size_t len, struct pn_error *err)
{
	if (parameter->count == PN_PARAMETER_MAX_VALUES)
		return pn_error_set(err, PN_ELIMIT,
				    "parameter '%s' has more than %d values",
				    parameter->name, PN_PARAMETER_MAX_VALUES);
	parameter->values =
		pn_grow(parameter->values, &parameter->cap,
			parameter->count + 1, sizeof(*parameter->values));
	parameter->values[parameter->count++] = pn_strndup(text, len);
	return 0;
}

/* Takes the name off; *rest is what follows its comma. */
static int parse_name(struct pn_parameter *out, const char **rest,
		      const char *text, const char *shape, struct pn_error *err)
{
	size_t len = strcspn(text, ",{}");

	if (!len || text[len] != ',')
		return pn_error_set(err, PN_EINVAL,
				    "bad parameter '%s': want %s", text, shape);
	out->name = pn_strndup(text, len);
	*rest = text + len + 1;
	return 0;
}

int pn_parameter_parse_list(struct pn_parameter *out, const char *text,
			    struct pn_error *err)
{
	struct pn_parameter parameter = {0};
	struct pn_buf value = {0};
	const char *at;
	int code = parse_name(&parameter, &at, text, "<name>,<a>,<b>...", err);

	while (!code) {
		if (*at == '\\' && at[1] == ',') {
			pn_buf_add_byte(&value, ',');
			at += 2;
			continue;
		}
		if (*at && *at != ',') {
			pn_buf_add_byte(&value, (unsigned char)*at++);
			continue;
		}
		code = add_value(&parameter, pn_buf_text(&value), value.len,
				 err);
		pn_buf_clear(&value);
		if (!*at++)
			break;
	}
	pn_buf_release(&value);
	if (code)
		pn_parameter_release(&parameter);
	else
		*out = parameter;
	return code;
}

/* How many digits a number has behind its point; all of it in *len. */
static int count_digits(const char *text, size_t *len)
{
	const char *point;

	*len = strcspn(text, ",");
	point = memchr(text, '.', *len);
	return point ? (int)(text + *len - point - 1) : 0;
}

/* A decimal number times 10^digits. */
static bool parse_scaled(int64_t *out, const char *text, size_t len, int digits)
{
	char plain[40];
	size_t used = 0, i;
	int behind = -1;

	if (!len || len + (size_t)digits + 1 > sizeof(plain))
		return false;
	for (i = 0; i < len; i++) {
		if (text[i] == '.' && behind < 0) {
			behind = 0;
			continue;
		}
		plain[used++] = text[i];
		behind += behind >= 0;
	}
	for (behind = behind < 0 ? 0 : behind; behind < digits; behind++)
		plain[used++] = '0';
	return pn_number_int(out, plain, used) &&
	       *out >= -INT64_C(1000000000000000) &&
	       *out <= INT64_C(1000000000000000);
}

static void write_scaled(struct pn_buf *out, int64_t value, int digits)
{
	int64_t unit = 1;
	int i;

	for (i = 0; i < digits; i++)
		unit *= 10;
	if (value < 0)
		pn_buf_add_byte(out, '-');
	value = value < 0 ? -value : value;
	pn_buf_printf(out, "%" PRId64, value / unit);
	if (digits)
		pn_buf_printf(out, ".%0*" PRId64, digits, value % unit);
}

static int add_scan(struct pn_parameter *parameter, const int64_t number[3],
		    int digits, struct pn_error *err)
{
	struct pn_buf text = {0};
	int64_t value;
	int code = 0;

	for (value = number[0];
	     !code && (number[2] > 0 ? value <= number[1] : value >= number[1]);
	     value += number[2]) {
		pn_buf_clear(&text);
		write_scaled(&text, value, digits);
		code = add_value(parameter, pn_buf_text(&text), text.len, err);
	}
	pn_buf_release(&text);
	return code;
}

/* Up to three numbers with commas between; numbers[2] stays 0 without a
 * step. */
static bool parse_numbers(int64_t numbers[3], int *digits, const char *text)
{
	const char *at = text;
	size_t len, i, count = 0;
	int have;

	for (*digits = 0; at; count++, at = at[len] ? at + len + 1 : NULL) {
		have = count_digits(at, &len);
		*digits = have > *digits ? have : *digits;
	}
	if (count < 2 || count > 3 || *digits > MAX_DIGITS)
		return false;
	for (at = text, i = 0; i < count; i++, at += len + 1) {
		count_digits(at, &len);
		if (!parse_scaled(&numbers[i], at, len, *digits))
			return false;
	}
	if (count == 3)
		return numbers[2] != 0;
	for (numbers[2] = 1, have = 0; have < *digits; have++)
		numbers[2] *= 10;
	if (numbers[1] < numbers[0])
		numbers[2] = -numbers[2];
	return true;
}

int pn_parameter_parse_scan(struct pn_parameter *out, const char *text,
			    struct pn_error *err)
{
	static const char shape[] = "<name>,<min>,<max>[,<step>]";
	struct pn_parameter parameter = {0};
	int64_t numbers[3] = {0};
	const char *at;
	int code, digits;

	code = parse_name(&parameter, &at, text, shape, err);
	if (!code && !parse_numbers(numbers, &digits, at))
		code = pn_error_set(err, PN_EINVAL,
				    "bad parameter '%s': want %s, numbers with "
				    "at most %d digits behind the point",
				    text, shape, MAX_DIGITS);
	code = code ? code : add_scan(&parameter, numbers, digits, err);
	if (!code && !parameter.count)
		code = pn_error_set(err, PN_EINVAL,
				    "bad parameter '%s': the step leads away "
				    "from the maximum",
				    text);
	if (code)
		pn_parameter_release(&parameter);
	else
		*out = parameter;
	return code;
}

size_t pn_parameter_combinations(const struct pn_parameter *parameters,
				 size_t count, size_t limit)
{
	size_t i, total = 1;

	for (i = 0; i < count; i++) {
		if (parameters[i].count > limit / total)
			return 0;
		total *= parameters[i].count;
	}
	return total;
}

const char *pn_parameter_value(const struct pn_parameter *parameters,
			       size_t count, size_t combination, size_t which)
{
	while (--count > which)
		combination /= parameters[count].count;
	return parameters[which].values[combination % parameters[which].count];
}

/* The parameter whose {NAME} begins at `text`, or count. */
static size_t find_name(const char *text, const struct pn_parameter *parameters,
			size_t count)
{
	size_t i, len;

	for (i = 0; i < count; i++) {
		len = strlen(parameters[i].name);
		if (!strncmp(text + 1, parameters[i].name, len) &&
		    text[len + 1] == '}')
			return i;
	}
	return count;
}

void pn_parameter_replace(struct pn_buf *out, bool *used, const char *text,
			  const struct pn_parameter *parameters, size_t count,
			  size_t combination)
{
	size_t len, which;

	for (;; text += len) {
		len = strcspn(text, "{");
		pn_buf_add(out, text, len);
		text += len;
		if (!*text)
			return;
		which = find_name(text, parameters, count);
		if (which == count) {
			pn_buf_add_byte(out, '{');
			len = 1;
			continue;
		}
		pn_buf_add_text(out, pn_parameter_value(parameters, count,
							combination, which));
		len = strlen(parameters[which].name) + 2;
		if (used)
			used[which] = true;
	}
}
