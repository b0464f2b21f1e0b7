/*
 * A store of held items, each with a key: the lowest key comes out first, and of equal keys the one
 * that went in first.
 *
 * The delay stage keys its frames by the time at which they are released, the reorder stage by the
 * count of frames that must have passed. Bounded, and allocated once.
 */
#ifndef TANDEM_DUT_HOLD_H
#define TANDEM_DUT_HOLD_H

#include <stdbool.h>
#include <stdint.h>

struct hold_entry {
	uint64_t key, order;
	void *item;
};

struct hold {
	uint32_t n, room;
	uint64_t order; /* of the next that goes in */
	struct hold_entry *heap;
};

/* 0, or -ENOMEM. A store with no room is valid and always full. */
int hold_open(struct hold *h, uint32_t room);

/* Frees the store; what items it still held is the caller's business. */
void hold_close(struct hold *h);

/* False, with nothing done, when the store is full. */
bool hold_put(struct hold *h, uint64_t key, void *item);

/* Takes out the first item; NULL when the store is empty. */
void *hold_take(struct hold *h);

static inline uint32_t hold_free(const struct hold *h)
{
	return h->room - h->n;
}

/* True when an item's key is at most key. */
static inline bool hold_due(const struct hold *h, uint64_t key)
{
	return h->n > 0 && h->heap[0].key <= key;
}

#endif
