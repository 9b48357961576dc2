/*
 * Print what the functions of a profile cost, heaviest first. It may be of any
 * format that git-perf reads.
 *
 *	top FILE
 */
#include <perfnotes/perfnotes.h>

static int print_report(struct pn_profile *profile, struct pn_error *err)
{
	struct pn_report_options options = {
		.node_fraction = PN_REPORT_NODE_FRACTION,
		.node_count = 20,
	};
	struct pn_buf cost = {0}, share = {0};
	struct pn_report report;
	size_t i;
	int code = pn_report_init(&report, profile, &options, err);

	if (code)
		return code;
	for (i = 0; i < report.row_count; i++) {
		/* in a unit that suits it, and of the profile's total */
		pn_report_value(&cost, &report, report.rows[i].flat);
		pn_report_share(&share, &report, report.rows[i].flat);
		printf("%10s %6s  %s\n", pn_buf_text(&cost),
		       pn_buf_text(&share), report.rows[i].name);
		pn_buf_clear(&cost);
		pn_buf_clear(&share);
	}
	pn_buf_release(&cost);
	pn_buf_release(&share);
	pn_report_release(&report);
	return 0;
}

int main(int argc, char **argv)
{
	struct pn_reader *reader = NULL;
	struct pn_profile profile;
	struct pn_error err;
	int code;

	if (argc != 2) {
		fprintf(stderr, "usage: top FILE\n");
		return 129;
	}
	pn_profile_init(&profile);
	code = pn_reader_open(&reader, argv[1], 0, &err);
	if (!code)
		code = pn_codec_read(&profile, NULL, NULL, reader, &err);
	if (!code)
		code = print_report(&profile, &err);
	if (code)
		fprintf(stderr, "top: %s\n", err.message);
	pn_profile_release(&profile);
	pn_reader_free(reader);
	return code ? 1 : 0;
}
