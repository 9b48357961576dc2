/* Files of code that was mapped, as long as they still are what was mapped. */
#ifndef PN_NAMES_BINARY_H
#define PN_NAMES_BINARY_H

/*
 * An fd of the ELF file, for the caller to close. "[vdso]" is the kernel's
 * code in every process, ours too. -1 when it is absent, or when its build id
 * is another one than `build_id` (hex; "" is a file without; NULL: whichever).
 */
int pn_binary_open(const char *path, const char *build_id);

#endif
