/*
 * The blocks of pcapng that a capture of ours needs: section, interfaces, frames, statistics.
 */
#include "common/capture_write.h"

#include <errno.h>
#include <string.h>

#define BLOCK_SECTION	   0x0a0d0d0au
#define BLOCK_INTERFACE	   1u
#define BLOCK_STATISTICS   5u
#define BLOCK_FRAME	   6u
#define BYTE_ORDER_MAGIC   0x1a2b3c4du
#define NANOSECOND_MAGIC   0xa1b23c4du /* classic */
#define LINK_ETHERNET	   1u
#define OPTION_APPLICATION 4u
#define OPTION_NAME	   2u
#define OPTION_FLAGS	   2u
#define OPTION_RESOLUTION  9u
#define OPTION_RECEIVED	   4u
#define OPTION_DROPPED	   5u
#define BUFFER_SIZE	   (1u << 20)
#define MAX_TEXT	   64u

/* A block that is put together before its length is known. */
struct block {
	uint8_t bytes[512];
	uint32_t n;
};

static void put(struct block *b, const void *bytes, uint32_t n)
{
	memcpy(b->bytes + b->n, bytes, n);
	b->n += n;
	while (b->n % 4)
		b->bytes[b->n++] = 0;
}

static void put32(struct block *b, uint32_t value)
{
	put(b, &value, 4);
}

static void put_option(struct block *b, uint16_t code, const void *value, uint16_t len)
{
	uint16_t head[2] = {code, len};

	put(b, head, 4);
	put(b, value, len);
}

static void put_text(struct block *b, uint16_t code, const char *text)
{
	put_option(b, code, text, (uint16_t)strnlen(text, MAX_TEXT));
}

static void begin(struct block *b, uint32_t type)
{
	b->n = 0;
	put32(b, type);
	put32(b, 0); /* its length, known in the end */
}

static void end(struct block *b, FILE *file)
{
	uint32_t length = b->n + 4;

	memcpy(b->bytes + 4, &length, 4);
	put32(b, length);
	fwrite(b->bytes, 1, b->n, file);
}

static void write_section(FILE *file, const char *program)
{
	static const uint16_t version[2] = {1, 0};
	struct block b;

	begin(&b, BLOCK_SECTION);
	put32(&b, BYTE_ORDER_MAGIC);
	put(&b, version, 4);
	put32(&b, UINT32_MAX); /* length of the section: not said */
	put32(&b, UINT32_MAX);
	put_text(&b, OPTION_APPLICATION, program);
	put32(&b, 0);
	end(&b, file);
}

static void write_interface(FILE *file, uint32_t snaplen, const char *name)
{
	static const uint8_t nanoseconds = 9;
	static const uint16_t link[2] = {LINK_ETHERNET, 0};
	struct block b;

	begin(&b, BLOCK_INTERFACE);
	put(&b, link, 4);
	put32(&b, snaplen);
	put_text(&b, OPTION_NAME, name);
	put_option(&b, OPTION_RESOLUTION, &nanoseconds, 1);
	put32(&b, 0);
	end(&b, file);
}

static void write_classic(FILE *file, uint32_t snaplen)
{
	const uint32_t head[6] = {NANOSECOND_MAGIC, 2 | 4 << 16, 0, 0, snaplen, LINK_ETHERNET};

	fwrite(head, 1, sizeof(head), file);
}

static bool ends_in(const char *text, const char *end_text)
{
	size_t n = strlen(text), m = strlen(end_text);

	return n >= m && !strcmp(text + n - m, end_text);
}

int capture_write_open(struct capture_writer *w, const char *path, uint32_t snaplen,
		       const char *program, const char *const *names, unsigned int n)
{
	*w = (struct capture_writer){.classic = ends_in(path, ".pcap"), .snaplen = snaplen};
	w->file = fopen(path, "wbe");
	if (!w->file)
		return -errno;
	setvbuf(w->file, NULL, _IOFBF, BUFFER_SIZE);
	if (w->classic)
		write_classic(w->file, snaplen);
	else
		write_section(w->file, program);
	for (unsigned int i = 0; i < n && !w->classic; i++)
		write_interface(w->file, snaplen, names[i]);
	if (!fflush(w->file))
		return 0;
	fclose(w->file);
	w->file = NULL;
	return -EIO;
}

bool capture_write(struct capture_writer *w, const struct capture_entry *entry, uint64_t ns)
{
	static const uint8_t zeros[4] = {0};
	uint32_t len = entry->len < w->snaplen ? entry->len : w->snaplen, pad = -len % 4;
	uint32_t length = 28 + len + pad + 8 + 4 + 4;
	const uint32_t classic[4] = {(uint32_t)(ns / 1000000000), (uint32_t)(ns % 1000000000), len,
				     entry->wire_len};
	const uint32_t head[7] = {BLOCK_FRAME,	length, entry->port,	(uint32_t)(ns >> 32),
				  (uint32_t)ns, len,	entry->wire_len};
	const uint32_t tail[4] = {OPTION_FLAGS | 4 << 16, entry->direction, 0, length};

	if (w->classic)
		fwrite(classic, 1, sizeof(classic), w->file);
	else
		fwrite(head, 1, sizeof(head), w->file);
	fwrite(entry + 1, 1, len, w->file);
	if (!w->classic) {
		fwrite(zeros, 1, pad, w->file);
		fwrite(tail, 1, sizeof(tail), w->file);
	}
	return !ferror(w->file);
}

int capture_write_close(struct capture_writer *w, uint64_t ns, uint64_t written, uint64_t dropped)
{
	struct block b;
	int failed;

	if (!w->classic) {
		begin(&b, BLOCK_STATISTICS);
		put32(&b, 0);
		put32(&b, (uint32_t)(ns >> 32));
		put32(&b, (uint32_t)ns);
		put_option(&b, OPTION_RECEIVED, &written, 8);
		put_option(&b, OPTION_DROPPED, &dropped, 8);
		put32(&b, 0);
		end(&b, w->file);
	}
	failed = ferror(w->file);
	if (fclose(w->file))
		return -errno;
	return failed ? -EIO : 0;
}
