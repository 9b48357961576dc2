/* A job file of any keys and values: refused or turned into jobs, and nothing
 * is started. What it says of metrics the same. */
#include "jobs/judge/gates.h"
#include "jobs/matrix/matrix.h"

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pn_matrix matrix = {0};
	struct pn_gates gates = {0};
	struct pn_buf text = {0};
	size_t i;

	if (size > PN_MATRIX_MAX_BYTES)
		return 0;
	if (!pn_gates_parse(&gates, (const char *)data, size, NULL))
		(void)pn_gates_name(&gates, "max-rss of a benchmark/10");
	pn_gates_release(&gates);
	if (pn_matrix_parse_list(&matrix, "jobs", (const char *)data, size,
				 NULL))
		return 0;
	pn_matrix_commands(&text, &matrix);
	/* files of the machine are left out */
	for (i = 0; i < matrix.generator_count; i++)
		matrix.generators[i].path = "/no/such/folder";
	(void)pn_matrix_expand(&matrix, "/no/such/folder", false, NULL, NULL);
	pn_matrix_release(&matrix);
	pn_buf_release(&text);
	return 0;
}
