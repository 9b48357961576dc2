/* How quiet it was, as text and as a judgement. */
#include "model/machine/quiet.h"

#include "base/number.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define NICE_STEP 1.25	/* of the scheduler's weight */
#define MOST_STEAL 0.99 /* something ran */

/* One figure and how fine it is kept: text repeats from record to record when
 * it is coarse, and takes no room in a history then. */
static const struct {
	const char *name;
	size_t offset;
	double step;
} parts[] = {
	{"others", offsetof(struct pn_quiet, others), 0.01},
	{"idle", offsetof(struct pn_quiet, idle), 0.01},
	{"steal", offsetof(struct pn_quiet, steal), 0.01},
	{"switches", offsetof(struct pn_quiet, switches), 1},
	{"load", offsetof(struct pn_quiet, load), 0.1},
	{"mhz", offsetof(struct pn_quiet, mhz), 1},
	{"nice", offsetof(struct pn_quiet, nice), 1},
};

#define PARTS (sizeof(parts) / sizeof(*parts))

static double *slot(struct pn_quiet *q, size_t part)
{
	return (double *)(void *)((char *)q + parts[part].offset);
}

static double value_of(const struct pn_quiet *q, size_t part)
{
	return *(const double *)(const void *)((const char *)q +
					       parts[part].offset);
}

void pn_quiet_init(struct pn_quiet *q)
{
	size_t i;

	for (i = 0; i < PARTS; i++)
		*slot(q, i) = NAN;
}

void pn_quiet_write(struct pn_buf *out, const struct pn_quiet *q)
{
	char number[PN_NUMBER_TEXT];
	const char *between = "";
	size_t i;

	for (i = 0; i < PARTS; i++) {
		double value = value_of(q, i);

		if (!isfinite(value))
			continue;
		/* by division, so that 0.07 is written as such */
		value = parts[i].step < 1 ? round(value / parts[i].step) /
						    round(1 / parts[i].step)
					  : round(value);
		pn_number_write(number, value, false);
		pn_buf_printf(out, "%s%s:%s", between, parts[i].name, number);
		between = ",";
	}
}

bool pn_quiet_parse(struct pn_quiet *out, const char *text)
{
	bool any = false;
	size_t i, len, name;
	double value;

	pn_quiet_init(out);
	for (; *text; text += len + (text[len] == ',')) {
		len = strcspn(text, ",");
		name = strcspn(text, ":,");
		if (name + 1 >= len ||
		    !pn_number_double(&value, text + name + 1, len - name - 1))
			continue;
		for (i = 0; i < PARTS; i++) {
			if (strncmp(parts[i].name, text, name) != 0 ||
			    parts[i].name[name])
				continue;
			*slot(out, i) = value;
			any = true;
		}
	}
	return any;
}

/* Comparisons with what is unknown (NaN) are false. */
static bool has_company(const struct pn_quiet *q)
{
	return q->others > PN_QUIET_OTHERS ||
	       (q->others > PN_QUIET_OTHERS_FULL && q->idle < PN_QUIET_IDLE);
}

static bool is_switched(const struct pn_quiet *q)
{
	return isnan(q->others) && q->switches > PN_QUIET_SWITCHES;
}

static bool is_nice(const struct pn_quiet *q)
{
	return isfinite(q->nice) && q->nice != 0;
}

bool pn_quiet_is_noisy(const struct pn_quiet *q)
{
	return has_company(q) || q->steal > PN_QUIET_STEAL || is_switched(q) ||
	       is_nice(q);
}

void pn_quiet_reason(struct pn_buf *out, const struct pn_quiet *q)
{
	size_t before = out->len;

	if (has_company(q))
		pn_buf_printf(out, "other programs used %.0f %% of the machine",
			      q->others * 100);
	if (q->steal > PN_QUIET_STEAL)
		pn_buf_printf(out, "%sits host took %.0f %% of the machine",
			      out->len > before ? ", " : "", q->steal * 100);
	if (is_switched(q))
		pn_buf_printf(out,
			      "%sit was interrupted %.0f times a second by "
			      "other programs",
			      out->len > before ? ", " : "", q->switches);
	if (is_nice(q))
		pn_buf_printf(out, "%sit ran with nice value %.0f",
			      out->len > before ? ", " : "", q->nice);
}

double pn_quiet_stretch(const struct pn_quiet *q, double load,
			double processors)
{
	double nice = isfinite(q->nice) ? q->nice : 0;
	double steal = isfinite(q->steal) ? q->steal : 0;

	return (1 + load * pow(NICE_STEP, nice) / processors) /
	       (1 - fmin(steal, MOST_STEAL));
}

bool pn_quiet_text_is_noisy(const char *text)
{
	struct pn_quiet q;

	return pn_quiet_parse(&q, text) && pn_quiet_is_noisy(&q);
}
