/* The clock, and RFC 3339 times in UTC with nanoseconds. */
#include "base/file.h"

#include <string.h>
#include <time.h>

#define NS_PER_S INT64_C(1000000000)
#define DAY_S INT64_C(86400)
#define EPOCH_DAY 719468	      /* days from 0000-03-01 to 1970-01-01 */
#define ERA_DAYS 146097		      /* of 400 Gregorian years */
#define FIRST_S INT64_C(-62167219200) /* 0000-01-01T00:00:00 */
#define LAST_S INT64_C(253402300799)  /* 9999-12-31T23:59:59 */

static const char form[] = "0000-00-00T00:00:00.000000000Z";

struct date {
	int64_t year;
	unsigned int month, day; /* from 1 */
};

int64_t pn_time_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

int64_t pn_time_monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

static int64_t floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

/* Both ways count from March, so that the leap day is a year's last: Howard
 * Hinnant, chrono-Compatible Low-Level Date Algorithms, 2013. */
static struct date date_of_day(int64_t day)
{
	struct date d;
	int64_t era;
	unsigned int in_era, in_year, year, month;

	day += EPOCH_DAY;
	era = floor_div(day, ERA_DAYS);
	in_era = (unsigned int)(day - era * ERA_DAYS);
	year = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) /
	       365;
	in_year = in_era - (365 * year + year / 4 - year / 100);
	month = (5 * in_year + 2) / 153;
	d.day = in_year - (153 * month + 2) / 5 + 1;
	d.month = month < 10 ? month + 3 : month - 9;
	d.year = (int64_t)year + era * 400 + (d.month <= 2);
	return d;
}

static int64_t day_of_date(struct date d)
{
	int64_t year = d.year - (d.month <= 2);
	int64_t era = floor_div(year, 400);
	unsigned int in_era = (unsigned int)(year - era * 400);
	unsigned int month = d.month > 2 ? d.month - 3 : d.month + 9;
	unsigned int in_year = (153 * month + 2) / 5 + d.day - 1;

	return era * ERA_DAYS + in_era * 365 + in_era / 4 - in_era / 100 +
	       in_year - EPOCH_DAY;
}

/* The last `count` decimal digits of `value`. */
static void put_digits(char *to, int count, unsigned int value)
{
	for (; count--; value /= 10)
		to[count] = (char)('0' + value % 10);
}

static void write_time(char out[PN_TIME_TEXT], int64_t s, unsigned int ns)
{
	int64_t day = floor_div(s, DAY_S);
	unsigned int in_day = (unsigned int)(s - day * DAY_S);
	struct date d = date_of_day(day);

	memcpy(out, form, sizeof(form));
	put_digits(out, 4, (unsigned int)d.year);
	put_digits(out + 5, 2, d.month);
	put_digits(out + 8, 2, d.day);
	put_digits(out + 11, 2, in_day / 3600);
	put_digits(out + 14, 2, in_day / 60 % 60);
	put_digits(out + 17, 2, in_day % 60);
	put_digits(out + 20, 9, ns);
}

void pn_time_write(char out[PN_TIME_TEXT], int64_t time_ns)
{
	int64_t s = floor_div(time_ns, NS_PER_S);
	int64_t rest = time_ns % NS_PER_S; /* s * NS_PER_S may overflow */

	write_time(out, s, (unsigned int)(rest < 0 ? rest + NS_PER_S : rest));
}

void pn_time_write_s(char out[PN_TIME_TEXT], int64_t time_s)
{
	if (time_s < FIRST_S)
		time_s = FIRST_S;
	if (time_s > LAST_S)
		time_s = LAST_S;
	write_time(out, time_s, 0);
}

/* `count` digits; -1 when one of them is none. */
static int64_t digits(const char *text, int count)
{
	int64_t value = 0;

	while (count--) {
		if (*text < '0' || *text > '9')
			return -1;
		value = value * 10 + (*text++ - '0');
	}
	return value;
}

static unsigned int days_in_month(int64_t year, int64_t month)
{
	static const unsigned char days[] = {31, 28, 31, 30, 31, 30,
					     31, 31, 30, 31, 30, 31};
	bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

	return days[month - 1] + (month == 2 && leap);
}

/* s and ns as one number, where 64 bits hold it. */
static bool join(int64_t *out, int64_t s, int64_t ns)
{
	if (s < 0) { /* both parts below zero: the smallest fits then */
		s++;
		ns -= NS_PER_S;
	}
	if (s > INT64_MAX / NS_PER_S || s < INT64_MIN / NS_PER_S ||
	    (s == INT64_MAX / NS_PER_S && ns > INT64_MAX % NS_PER_S) ||
	    (s == INT64_MIN / NS_PER_S && ns < INT64_MIN % NS_PER_S))
		return false;
	*out = s * NS_PER_S + ns;
	return true;
}

int pn_time_parse(int64_t *out_ns, const char *text, size_t len)
{
	int64_t year, month, day, hour, minute, second, ns, s;
	size_t i;

	if (len != sizeof(form) - 1)
		return PN_EINVAL;
	for (i = 0; i < len; i++)
		if (form[i] == '0' ? digits(text + i, 1) < 0
				   : text[i] != form[i])
			return PN_EINVAL;
	year = digits(text, 4);
	month = digits(text + 5, 2);
	day = digits(text + 8, 2);
	hour = digits(text + 11, 2);
	minute = digits(text + 14, 2);
	second = digits(text + 17, 2);
	ns = digits(text + 20, 9);
	if (month < 1 || month > 12 || day < 1 ||
	    day > days_in_month(year, month) || hour > 23 || minute > 59 ||
	    second > 59)
		return PN_EINVAL;
	s = day_of_date((struct date){year, (unsigned int)month,
				      (unsigned int)day}) *
		    DAY_S +
	    hour * 3600 + minute * 60 + second;
	if (!join(&ns, s, ns))
		return PN_ERANGE;
	*out_ns = ns;
	return 0;
}
