/* Names in the index of a pack, which the test writes itself after
 * gitformat-pack(5): each is where it was put, however they are spread. */
#include "base/buf.h"
#include "vcs/objects/pack_index.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define COUNT 3000

static void add_number(struct pn_buf *to, uint32_t value)
{
	const unsigned char bytes[] = {
		(unsigned char)(value >> 24), (unsigned char)(value >> 16),
		(unsigned char)(value >> 8), (unsigned char)value};

	pn_buf_add(to, bytes, sizeof(bytes));
}

/* Head, counts and names: a search looks no further. */
static void write_index(struct pn_buf *to, const struct pn_oid *ids,
			size_t count)
{
	unsigned int first;
	size_t n = 0;

	pn_buf_clear(to);
	pn_buf_add(to, "\377tOc\0\0\0\2", 8);
	for (first = 0; first < 256; first++) {
		while (n < count && ids[n].bytes[0] == first)
			n++;
		add_number(to, (uint32_t)n);
	}
	pn_buf_add(to, ids, count * sizeof(*ids));
}

/* ids[k] is the k-th of those that are there; one more in its last byte is
 * not. */
static void has_those(const struct pn_oid *ids, size_t count)
{
	struct pn_buf bytes = {0};
	struct pn_pack_index index;
	size_t i;

	write_index(&bytes, ids, count);
	index = (struct pn_pack_index){bytes.data, bytes.len};
	for (i = 0; i < count; i++) {
		struct pn_oid other = ids[i];
		uint32_t row;

		assert_int_equal(pn_pack_index_find(&row, &index, &ids[i]), 1);
		assert_int_equal(row, i);
		other.bytes[PN_OID_BYTES - 1]++;
		assert_int_equal(pn_pack_index_find(&row, &index, &other), 0);
	}
	pn_buf_release(&bytes);
}

static void set(struct pn_oid *id, size_t from, uint64_t value)
{
	size_t i;

	for (i = 0; i < 8; i++)
		id->bytes[from + i] = (unsigned char)(value >> (56 - 8 * i));
}

/* Evenly, as hashes are. */
static void finds_what_is_spread(void **state)
{
	static struct pn_oid ids[COUNT];
	size_t i;

	(void)state;
	for (i = 0; i < COUNT; i++)
		set(&ids[i], 0, UINT64_MAX / COUNT * i);
	has_those(ids, COUNT);
}

/* Names that somebody made: all but one behind the same first byte, at the
 * same place, or ever twice as far from each other. */
static void finds_what_is_not(void **state)
{
	static struct pn_oid ids[COUNT];
	size_t i;

	(void)state;
	for (i = 0; i < COUNT; i++)
		set(&ids[i], PN_OID_BYTES - 9, i);
	has_those(ids, COUNT);
	memset(ids, 0xff, sizeof(ids));
	for (i = 0; i < COUNT; i++)
		set(&ids[i], PN_OID_BYTES - 9, i);
	has_those(ids, COUNT);
	ids[COUNT - 1] = ids[0];
	set(&ids[0], 1, 0);
	has_those(ids, COUNT - 1);
	memset(ids, 0, sizeof(ids));
	for (i = 0; i < 60; i++)
		set(&ids[i], 1, i ? UINT64_C(1) << i : 0);
	has_those(ids, 60);
}

static void finds_among_few(void **state)
{
	struct pn_oid ids[3] = {{{0}}};
	size_t count;

	(void)state;
	set(&ids[1], 0, UINT64_C(1) << 63);
	memset(&ids[2], 0xf0, sizeof(ids[2]));
	for (count = 0; count <= 3; count++)
		has_those(ids, count);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_what_is_spread),
		cmocka_unit_test(finds_what_is_not),
		cmocka_unit_test(finds_among_few),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
