/*
 * A ring of entries that are whole: where one does not fit before the end, it begins anew.
 */
#include "common/capture_ring.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define UNUSED UINT32_MAX

int capture_ring_open(struct capture_ring *r, uint64_t size)
{
	memset(r, 0, sizeof(*r));
	r->bytes = aligned_alloc(64, size);
	if (!r->bytes)
		return -ENOMEM;
	/* Touches every page now, so that the polling thread does not fault later. */
	memset(r->bytes, 0, size);
	r->size = size;
	return 0;
}

void capture_ring_close(struct capture_ring *r)
{
	free(r->bytes);
	r->bytes = NULL;
}

static struct capture_entry *entry_at(const struct capture_ring *r, uint64_t at)
{
	return (struct capture_entry *)(void *)(r->bytes + (at & (r->size - 1)));
}

static bool has_room(struct capture_ring *r, uint64_t need)
{
	if (r->put + need - r->taken_seen <= r->size)
		return true;
	r->taken_seen = __atomic_load_n(&r->taken, __ATOMIC_ACQUIRE);
	return r->put + need - r->taken_seen <= r->size;
}

struct capture_entry *capture_ring_put(struct capture_ring *r, uint32_t len)
{
	/* Entries are multiples of their header, so that before the end there is room for one. */
	uint64_t need = (sizeof(struct capture_entry) * 2 - 1 + len) /
			sizeof(struct capture_entry) * sizeof(struct capture_entry);
	uint64_t to_end = r->size - (r->put & (r->size - 1)), skip = need > to_end ? to_end : 0;
	struct capture_entry *entry;

	if (need > r->size / 2 || !has_room(r, need + skip))
		return NULL;
	if (skip) {
		entry = entry_at(r, r->put);
		entry->size = (uint32_t)skip;
		entry->len = UNUSED;
		r->put += skip;
	}
	entry = entry_at(r, r->put);
	entry->size = (uint32_t)need;
	r->put += need;
	return entry;
}

void capture_ring_show(struct capture_ring *r, uint64_t mark)
{
	r->put = mark;
	__atomic_store_n(&r->shown, mark, __ATOMIC_RELEASE);
}

const struct capture_entry *capture_ring_next(struct capture_ring *r)
{
	while (r->taken != __atomic_load_n(&r->shown, __ATOMIC_ACQUIRE)) {
		const struct capture_entry *entry = entry_at(r, r->taken);

		if (entry->len != UNUSED)
			return entry;
		capture_ring_done(r, entry);
	}
	return NULL;
}

void capture_ring_done(struct capture_ring *r, const struct capture_entry *entry)
{
	__atomic_store_n(&r->taken, r->taken + entry->size, __ATOMIC_RELEASE);
}
