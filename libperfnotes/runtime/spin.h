/*
 * A lock for a few dozen instructions. It allocates nothing, needs no
 * initialisation, and nobody waits for it in the kernel: who finds it taken
 * for long lets its holder run.
 */
#ifndef PN_RUNTIME_SPIN_H
#define PN_RUNTIME_SPIN_H

struct pn_spin {
	unsigned char taken; /* 0: free */
};

/* Return when it looks free. */
void pn_spin_wait(struct pn_spin *lock);

static inline void pn_spin_lock(struct pn_spin *lock)
{
	while (__atomic_exchange_n(&lock->taken, 1, __ATOMIC_ACQUIRE))
		pn_spin_wait(lock);
}

static inline void pn_spin_unlock(struct pn_spin *lock)
{
	__atomic_store_n(&lock->taken, 0, __ATOMIC_RELEASE);
}

#endif
