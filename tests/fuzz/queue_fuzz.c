/* The queue's file of any bytes: what is taken names no other place, and a
 * line that is written again reads as the same item. */
#include "jobs/queue/queue.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pn_queue queue = {0}, back = {0};
	struct pn_buf text = {0};
	size_t i;

	pn_buf_add(&text, data, size);
	pn_buf_add(&text, "", 0);
	pn_queue_parse(&queue, (char *)text.data, size);
	if (queue.end > size || pn_queue_commits(&queue) > queue.count)
		abort();
	pn_buf_clear(&text);
	for (i = 0; i < queue.count; i++) {
		const struct pn_queue_item *item = &queue.items[i];

		if (strstr(item->branch, "..") || strchr(item->worktree, '/'))
			abort();
		pn_queue_line(&text, item);
	}
	if (text.len)
		pn_queue_parse(&back, (char *)text.data, text.len);
	if (back.count != queue.count || back.ignored)
		abort();
	for (i = 0; i < back.count; i++)
		if (back.items[i].kind != queue.items[i].kind ||
		    !pn_oid_equal(&back.items[i].commit,
				  &queue.items[i].commit))
			abort();
	pn_queue_release(&queue);
	pn_queue_release(&back);
	pn_buf_release(&text);
	return 0;
}
