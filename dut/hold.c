/*
 * A binary heap. Fixed delays come in order already, so that putting one in costs one comparison.
 */
#include "dut/hold.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int hold_open(struct hold *h, uint32_t room)
{
	*h = (struct hold){.room = room};
	if (room == 0)
		return 0;
	h->heap = malloc(room * sizeof(*h->heap));
	if (!h->heap) {
		h->room = 0;
		return -ENOMEM;
	}
	/* Touches every page now, so that the polling thread does not fault later. */
	memset(h->heap, 0, room * sizeof(*h->heap));
	return 0;
}

void hold_close(struct hold *h)
{
	free(h->heap);
	*h = (struct hold){0};
}

static bool before(const struct hold_entry *a, const struct hold_entry *b)
{
	return a->key < b->key || (a->key == b->key && a->order < b->order);
}

bool hold_put(struct hold *h, uint64_t key, void *item)
{
	struct hold_entry entry = {.key = key, .order = h->order, .item = item};
	uint32_t at = h->n;

	if (h->n == h->room)
		return false;
	h->order++;
	h->n++;
	while (at > 0) {
		uint32_t parent = (at - 1) / 2;

		if (!before(&entry, &h->heap[parent]))
			break;
		h->heap[at] = h->heap[parent];
		at = parent;
	}
	h->heap[at] = entry;
	return true;
}

void *hold_take(struct hold *h)
{
	struct hold_entry last;
	void *first;
	uint32_t at = 0;

	if (h->n == 0)
		return NULL;
	first = h->heap[0].item;
	last = h->heap[--h->n];
	for (;;) {
		uint32_t child = 2 * at + 1;

		if (child >= h->n)
			break;
		if (child + 1 < h->n && before(&h->heap[child + 1], &h->heap[child]))
			child++;
		if (!before(&h->heap[child], &last))
			break;
		h->heap[at] = h->heap[child];
		at = child;
	}
	if (h->n > 0)
		h->heap[at] = last;
	return first;
}
