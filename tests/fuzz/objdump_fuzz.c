/* What a disassembler says of a hostile binary. */
#include "jobs/source/objdump.h"

#include "base/buf.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Each instruction is a line of its own, and its texts are of that length. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pn_assembly_routine routine = {.name = "f"};
	struct pn_arena arena = {0};
	struct pn_buf text = {0};
	size_t i;

	pn_buf_add(&text, data, size);
	pn_buf_add_byte(&text, '\0');
	pn_objdump_parse(&routine, &arena, (char *)text.data);
	if (routine.count > size / 3)
		abort();
	for (i = 0; i < routine.count; i++)
		if (strlen(routine.items[i].text) > size ||
		    strlen(routine.items[i].function) > size ||
		    strchr(routine.items[i].file, '/') ||
		    routine.items[i].line < 0)
			abort();
	pn_arena_release(&arena);
	pn_buf_release(&text);
	return 0;
}
