/*
 * What change points of histories take, without reading and printing:
 *
 *	histories <file>
 *
 * Each line is one history, numbers with blanks between them. Prints the
 * processor time in milliseconds for 1,000 points.
 */
#include "detect/history/history.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define MOST_POINTS 1000000

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static size_t read_numbers(double *values, const char *line)
{
	size_t count = 0;
	char *end;

	for (; count < MOST_POINTS; count++, line = end) {
		values[count] = strtod(line, &end);
		if (end == line)
			break;
	}
	return count;
}

int main(int argc, char **argv)
{
	double *values = malloc(MOST_POINTS * sizeof(*values));
	FILE *in = argc == 2 ? fopen(argv[1], "r") : NULL;
	char *line = NULL;
	size_t cap = 0, points = 0;
	double spent = 0;

	if (!values || !in) {
		fprintf(stderr, "usage: histories <file of numbers>\n");
		return 129;
	}
	while (getline(&line, &cap, in) > 0) {
		size_t count = read_numbers(values, line);
		struct pn_change_points found;
		double start;

		if (!count)
			continue;
		start = now();
		pn_change_points_of(&found, values, count);
		spent += now() - start;
		points += count;
		pn_change_points_release(&found);
	}
	fclose(in);
	free(line);
	free(values);
	if (!points) {
		fprintf(stderr, "fatal: %s: no numbers\n", argv[1]);
		return 128;
	}
	printf("%.3f\n", spent * 1e3 / (double)points);
	return 0;
}
