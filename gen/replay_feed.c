/*
 * Chunks of records, filled before or meanwhile.
 */
#include "gen/replay_feed.h"

#include "common/clock.h"
#include "common/units.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#define NAP_NS 200000

/* Touched now, so that the sending thread does not fault; in large pages where there are any. */
static uint8_t *memory_new(size_t size)
{
	uint8_t *bytes =
		mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (bytes == MAP_FAILED)
		return NULL;
	madvise(bytes, size, MADV_HUGEPAGE);
	return memset(bytes, 0, size);
}

static unsigned int chunks_of(const struct replay_feed *f)
{
	return f->preloaded ? 1 : REPLAY_CHUNKS;
}

static size_t memory_of(const struct replay_feed *f)
{
	return f->chunk_size + REPLAY_BLOCK;
}

int replay_feed_open(struct replay_feed *f, const char *path, const struct replay_rules *rules,
		     const struct replay_facts *facts, uint64_t passes, uint64_t preload_limit,
		     char *err, size_t errlen)
{
	*f = (struct replay_feed){.path = path, .rules = rules, .facts = facts, .passes = passes};
	f->preloaded = facts->room <= preload_limit;
	f->chunk_size = f->preloaded ? facts->room : REPLAY_CHUNK_SIZE;
	for (unsigned int i = 0; i < chunks_of(f); i++) {
		f->chunks[i].bytes = memory_new(memory_of(f));
		if (!f->chunks[i].bytes) {
			snprintf(err, errlen, "no memory for %zu bytes of %s: give --preload 0",
				 memory_of(f), path);
			replay_feed_close(f);
			return -ENOMEM;
		}
	}
	return 0;
}

void replay_feed_close(struct replay_feed *f)
{
	for (unsigned int i = 0; i < REPLAY_CHUNKS; i++)
		if (f->chunks[i].bytes)
			munmap(f->chunks[i].bytes, memory_of(f));
	memset(f->chunks, 0, sizeof(f->chunks));
}

static void put_record(struct replay_chunk *chunk, const uint8_t *bytes,
		       const struct replay_frame *frame)
{
	struct replay_record record = {
		.len = (uint16_t)frame->len,
		.stamp_at = (uint16_t)frame->stamp_at,
		.size = replay_record_size(frame->len),
		.gap_ns = frame->gap_ns,
	};

	memcpy(chunk->bytes + chunk->used, &record, sizeof(record));
	memcpy(chunk->bytes + chunk->used + sizeof(record), bytes, frame->len);
	chunk->used += record.size;
}

/* Once through the file; put gets each frame and returns whether to go on. */
static int read_pass(struct replay_feed *f,
		     bool (*put)(struct replay_feed *, const uint8_t *,
				 const struct replay_frame *),
		     char *err, size_t errlen)
{
	uint8_t bytes[FRAME_JUMBO_MAX + 64];
	struct replay_frame frame;
	struct replay_file file;
	bool first = true, more = true;
	int rc = replay_file_open(&file, f->path, f->rules, err, errlen);

	if (rc)
		return rc;
	while (more && (rc = replay_file_next(&file, bytes, &frame, err, errlen)) == 1) {
		if (first)
			frame.gap_ns = replay_loop_gap(f->facts);
		first = false;
		more = put(f, bytes, &frame);
	}
	if (!more)
		rc = 0;
	if (!rc && more && file.facts.frames != f->facts->frames) {
		snprintf(err, errlen, "%s changed while it was replayed", f->path);
		rc = -EIO;
	}
	replay_file_close(&file);
	return rc;
}

static bool preload(struct replay_feed *f, const uint8_t *bytes, const struct replay_frame *frame)
{
	struct replay_chunk *chunk = &f->chunks[0];

	/* The file may have grown meanwhile; its number of frames tells. */
	if (chunk->used + replay_record_size(frame->len) <= f->chunk_size)
		put_record(chunk, bytes, frame);
	return true;
}

static bool stopped(const struct replay_feed *f)
{
	return __atomic_load_n(&f->stop, __ATOMIC_RELAXED);
}

/* The chunk being filled, once the sender has given it back; NULL when told to stop. */
static struct replay_chunk *open_chunk(struct replay_feed *f)
{
	while (!stopped(f)) {
		if (f->filled - __atomic_load_n(&f->taken, __ATOMIC_ACQUIRE) < REPLAY_CHUNKS)
			return &f->chunks[f->filled % REPLAY_CHUNKS];
		clock_sleep(NAP_NS);
	}
	return NULL;
}

static void publish(struct replay_feed *f)
{
	struct replay_chunk *next;

	__atomic_store_n(&f->filled, f->filled + 1, __ATOMIC_RELEASE);
	next = open_chunk(f);
	if (next)
		next->used = 0;
}

static bool read_ahead(struct replay_feed *f, const uint8_t *bytes,
		       const struct replay_frame *frame)
{
	struct replay_chunk *chunk = &f->chunks[f->filled % REPLAY_CHUNKS];

	if (chunk->used + replay_record_size(frame->len) > f->chunk_size) {
		publish(f);
		chunk = &f->chunks[f->filled % REPLAY_CHUNKS];
	}
	if (stopped(f))
		return false;
	put_record(chunk, bytes, frame);
	return true;
}

static void *reader_run(void *feed)
{
	struct replay_feed *f = feed;
	int rc = 0;

	for (uint64_t pass = 0; !rc && !stopped(f) && (!f->passes || pass < f->passes); pass++)
		rc = read_pass(f, read_ahead, f->err, sizeof(f->err));
	f->failed = rc != 0;
	if (f->chunks[f->filled % REPLAY_CHUNKS].used && !stopped(f))
		__atomic_store_n(&f->filled, f->filled + 1, __ATOMIC_RELEASE);
	__atomic_store_n(&f->done, true, __ATOMIC_RELEASE);
	return NULL;
}

static bool is_ahead(const struct replay_feed *f)
{
	return __atomic_load_n(&f->done, __ATOMIC_ACQUIRE) ||
	       __atomic_load_n(&f->filled, __ATOMIC_ACQUIRE) >= REPLAY_CHUNKS;
}

int replay_feed_start(struct replay_feed *f, bool reload, char *err, size_t errlen)
{
	int rc;

	f->pass = f->filled = f->taken = 0;
	f->done = f->failed = f->stop = false;
	if (f->preloaded) {
		if (f->loaded && !reload)
			return 0;
		f->chunks[0].used = 0;
		rc = read_pass(f, preload, err, errlen);
		f->loaded = !rc;
		return rc;
	}
	f->chunks[0].used = 0;
	rc = pthread_create(&f->reader, NULL, reader_run, f);
	if (rc) {
		snprintf(err, errlen, "thread that reads %s: %s", f->path, strerror(rc));
		return -rc;
	}
	f->running = true;
	while (!is_ahead(f))
		clock_sleep(NAP_NS);
	return 0;
}

int replay_feed_stop(struct replay_feed *f, char *err, size_t errlen)
{
	if (!f->running)
		return 0;
	__atomic_store_n(&f->stop, true, __ATOMIC_RELAXED);
	pthread_join(f->reader, NULL);
	f->running = false;
	if (!f->failed)
		return 0;
	snprintf(err, errlen, "%s", f->err);
	return -EIO;
}

/* The one chunk, once a pass. */
static enum replay_next next_pass(struct replay_feed *f, const uint8_t **begin, const uint8_t **end)
{
	if (f->passes && f->pass == f->passes)
		return REPLAY_END;
	f->pass++;
	*begin = f->chunks[0].bytes;
	*end = *begin + f->chunks[0].used;
	return REPLAY_CHUNK;
}

enum replay_next replay_feed_next(struct replay_feed *f, bool in_hand, const uint8_t **begin,
				  const uint8_t **end)
{
	bool done;

	if (f->preloaded)
		return next_pass(f, begin, end);
	if (in_hand)
		__atomic_store_n(&f->taken, f->taken + 1, __ATOMIC_RELEASE);
	/* In this order: what was filled before it was done is seen then. */
	done = __atomic_load_n(&f->done, __ATOMIC_ACQUIRE);
	if (f->taken == __atomic_load_n(&f->filled, __ATOMIC_ACQUIRE))
		return done ? REPLAY_END : REPLAY_STARVED;
	*begin = f->chunks[f->taken % REPLAY_CHUNKS].bytes;
	*end = *begin + f->chunks[f->taken % REPLAY_CHUNKS].used;
	return REPLAY_CHUNK;
}
