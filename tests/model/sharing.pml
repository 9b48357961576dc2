/*
 * The rules by which profiles are shared (libperfnotes/storage/FORMAT.md),
 * for Spin: two clones and a server.
 *
 * Sets are bits, one for each record: its line, its tombstone, its body. What
 * commands do is atomic here where the program compares and swaps a ref, and in
 * steps where others may come between: what was fetched is old when it is
 * united, a push that the server took may never be known to who sent it.
 *
 * Checked in every order of STEPS steps, and behind each of them, when all have
 * pulled and pushed: a record that nobody tried to remove is in every clone, and
 * so is its body; one that was removed is in none; all clones are equal.
 *
 * FAULT breaks one rule, so that the model is seen to miss it:
 *	1 gc drops tombstones		4 an inbox is emptied by who did not
 *	2 a push that does not compare	  take it in
 *	3 a newer epoch takes the place	5 what one side does not have the
 *	  of what is here		  other side drops
 * HARM: a plain git forces an old state upon the server, in place of clones that
 * die behind a push and are made anew.
 */
#ifndef STEPS
#define STEPS 8
#endif
#ifndef FAULT
#define FAULT 0
#endif
#define CLONES 2
#define RECORDS 3
#define EPOCHS 3

/* line, tombstone, body: sets of records */
typedef notes {
	byte line;
	byte tomb;
	byte body;
	byte epoch
};

notes here[CLONES];    /* refs/notes/perf of each clone */
notes tracked[CLONES]; /* what it has fetched ... */
byte tracked_tip[CLONES];
byte base[CLONES];     /* the server's tip that its own has behind it */
bool clean[CLONES];    /* all that it has was taken by the server */
notes server;
byte tip; /* of the server: each move is another one */
notes inbox;
bool has_inbox;
bool taken[CLONES]; /* the inbox is part of what a clone has */
notes old;	    /* what a plain git remembers */

/* what people were told */
byte next_record, added, tried, removed;

#define LIVE(n) (n.line & ~n.tomb)

inline copy(to, from)
{
	to.line = from.line;
	to.tomb = from.tomb;
	to.body = from.body;
	to.epoch = from.epoch
}

/* Lines and tombstones of both; a body that is here or there, as long as a
 * live line needs it. The later epoch leaves dead lines behind. */
inline unite(to, from)
{
	to.line = to.line | from.line;
	to.tomb = to.tomb | from.tomb;
	to.body = (to.body | from.body) & to.line & ~to.tomb;
	if
	:: to.epoch > 0 || from.epoch > 0 -> to.line = to.line & ~to.tomb
	:: else
	fi
}

/* Only the remote's own notes begin an epoch here. */
inline pull(c)
{
	if
	:: FAULT == 3 && tracked[c].epoch > here[c].epoch ->
		copy(here[c], tracked[c])
	:: FAULT == 5 && tracked[c].epoch > here[c].epoch ->
		here[c].line = tracked[c].line;
		unite(here[c], tracked[c])
	:: else ->
		unite(here[c], tracked[c])
	fi;
	if
	:: tracked[c].epoch > here[c].epoch ->
		here[c].epoch = tracked[c].epoch
	:: else
	fi;
	base[c] = tracked_tip[c]
}

inline fetch(c)
{
	copy(tracked[c], server);
	tracked_tip[c] = tip
}

inline fold(c)
{
	if
	:: has_inbox ->
		unite(here[c], inbox);
		taken[c] = true
	:: else
	fi
}

/* Whoever has sent another inbox meanwhile has a new one: nobody has taken it
 * in. */
inline leave(c)
{
	if
	:: !has_inbox ->
		copy(inbox, here[c]);
		has_inbox = true;
		taken[0] = false;
		taken[1] = false;
		clean[c] = true
	:: else
	fi
}

/* The server moves from the tip that is known, or not at all. */
inline push(c, told)
{
	if
	:: base[c] == tip || FAULT == 2 ->
		copy(server, here[c]);
		tip++;
		if
		:: has_inbox && (taken[c] || FAULT == 4) ->
			has_inbox = false;
			inbox.line = 0;
			inbox.tomb = 0;
			inbox.body = 0;
			inbox.epoch = 0
		:: else
		fi;
		if
		:: told ->
			base[c] = tip;
			clean[c] = true
		:: else /* killed before it knew */
		fi
	:: else
	fi
}

inline add(c)
{
	here[c].line = here[c].line | (1 << next_record);
	here[c].body = here[c].body | (1 << next_record);
	added = added | (1 << next_record);
	next_record++;
	clean[c] = false
}

inline remove(c, r)
{
	here[c].tomb = here[c].tomb | (1 << r);
	here[c].body = here[c].body & ~(1 << r);
	tried = tried | (1 << r);
	removed = removed | (1 << r);
	clean[c] = false
}

inline compact(c)
{
	here[c].line = LIVE(here[c]);
	here[c].epoch++;
	if
	:: FAULT == 1 -> here[c].tomb = 0
	:: else
	fi;
	clean[c] = false
}

/* A clone whose all was taken: the disk is lost, somebody clones again. */
inline die(c)
{
	here[c].line = 0;
	here[c].tomb = 0;
	here[c].body = 0;
	here[c].epoch = 0;
	tracked[c].line = 0;
	tracked[c].tomb = 0;
	tracked[c].body = 0;
	tracked[c].epoch = 0;
	tracked_tip[c] = 255;
	base[c] = 255;
	taken[c] = false
}

inline check(c)
{
	assert((added & ~tried & ~LIVE(here[c])) == 0);
	assert((added & ~tried & ~here[c].body) == 0);
	assert((removed & LIVE(here[c])) == 0);
	assert(LIVE(here[c]) == LIVE(here[0]))
}

inline settle()
{
	byte round = 0;

	do
	:: round < 2 * CLONES ->
		fetch(round % CLONES);
		pull(round % CLONES);
		fold(round % CLONES);
		push(round % CLONES, true);
		round++
	:: else -> break
	od;
	fetch(0);
	pull(0);
	fetch(1);
	pull(1);
	check(0);
	check(1)
}

inline step(c)
{
	if
	:: next_record < RECORDS -> add(c)
	:: LIVE(here[c]) & 1 -> remove(c, 0)
	:: LIVE(here[c]) & 2 -> remove(c, 1)
	:: true -> fetch(c)
	:: tracked_tip[c] != 255 -> pull(c)
	:: true -> fetch(c); pull(c); fold(c)
	:: true -> push(c, true)
	:: true -> push(c, false)
	:: true -> leave(c)
	:: here[c].line && here[c].epoch + 1 < EPOCHS -> compact(c)
#ifdef HARM
	:: copy(old, server)
	:: copy(server, old); tip++
#else
	:: clean[c] -> die(c)
#endif
	fi
}

init {
	byte n = 0, c;

	atomic {
		tracked_tip[0] = 255;
		tracked_tip[1] = 255
	}
	do
	:: n < STEPS ->
		atomic {
			if
			:: c = 0
			:: c = 1
			fi;
			step(c);
			n++
		}
	:: atomic { true -> settle(); break }
	od
}
