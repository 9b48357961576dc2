/* Commands that go by another name elsewhere. */
#ifndef PN_RENDER_MEANT_H
#define PN_RENDER_MEANT_H

/* What a word of other tools, or of git itself, is called here; NULL: it is
 * none of those. Four letters of a word will do. */
const char *pn_command_meant(const char *word);

#endif
