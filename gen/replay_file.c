/*
 * From a frame of the file to one that is sent.
 */
#include "gen/replay_file.h"

#include "common/units.h"
#include "gen/replay_feed.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define TAG_LEN 4u

int replay_file_open(struct replay_file *f, const char *path, const struct replay_rules *rules,
		     char *err, size_t errlen)
{
	int rc = capture_open(&f->capture, path, err, errlen);

	f->rules = rules;
	f->facts = (struct replay_facts){.smallest = UINT32_MAX, .link = f->capture.link};
	f->last_ns = 0;
	return rc;
}

void replay_file_close(struct replay_file *f)
{
	capture_close(&f->capture);
}

/* A frame's length on the wire, no FCS, or 0 where it is too long to be sent. */
static uint32_t wire_length(const struct replay_file *f, const struct capture_frame *in)
{
	uint32_t type = (uint32_t)in->bytes[12] << 8 | in->bytes[13];
	uint32_t limit = f->rules->max_frame - FRAME_FCS;

	if (type == 0x8100 || type == 0x88a8 || type == 0x9100)
		limit += TAG_LEN;
	return in->wire_len <= limit ? in->wire_len : 0;
}

static void put_macs(const struct replay_rules *rules, const struct capture_frame *in,
		     uint8_t *bytes)
{
	if (!in->made_macs)
		return;
	memcpy(bytes, rules->dst_mac, 6);
	memcpy(bytes + 6, rules->src_mac, 6);
}

static void count(struct replay_file *f, const struct replay_frame *frame)
{
	struct replay_facts *facts = &f->facts;
	uint32_t size = frame->len + FRAME_FCS;

	facts->frames++;
	facts->bytes += size;
	facts->stampable += frame->stamp_at != 0;
	facts->span_ns += frame->gap_ns;
	facts->room += replay_record_size(frame->len);
	if (size > facts->largest)
		facts->largest = size;
	if (size < facts->smallest)
		facts->smallest = size;
}

static uint64_t gap(struct replay_file *f, uint64_t ns)
{
	uint64_t last = f->last_ns;

	if (f->facts.frames && ns < last) {
		f->facts.backwards++;
		return 0;
	}
	f->last_ns = ns;
	return f->facts.frames ? ns - last : 0;
}

static void prepare(struct replay_file *f, const struct capture_frame *in, uint8_t *bytes,
		    struct replay_frame *frame)
{
	const struct replay_rules *rules = f->rules;
	struct frame_parts parts;

	memcpy(bytes, in->bytes, in->len);
	put_macs(rules, in, bytes);
	frame->len = in->wire_len;
	if (in->wire_len > in->len) {
		pad_cut_frame(bytes, in->len, in->wire_len);
		f->facts.padded++;
	}
	frame_parts_find(bytes, frame->len, &parts);
	if (sums_are_wrong(&parts, bytes, frame->len)) {
		f->facts.wrong_sums++;
		if (rules->fix_sums)
			sums_put(&parts, bytes, frame->len);
	}
	rewrite_frame(&rules->rewrite, &parts, bytes);
	frame->stamp_at = stamp_room(rules->stamp, &parts, bytes, &frame->len,
				     rules->max_frame - FRAME_FCS + (parts.tagged ? TAG_LEN : 0));
	frame->gap_ns = gap(f, in->ns);
	count(f, frame);
}

int replay_file_next(struct replay_file *f, uint8_t *bytes, struct replay_frame *frame, char *err,
		     size_t errlen)
{
	struct capture_frame in;
	int rc;

	while ((rc = capture_next(&f->capture, &in, err, errlen)) == 1) {
		if (wire_length(f, &in)) {
			prepare(f, &in, bytes, frame);
			return 1;
		}
		f->facts.too_long++;
	}
	f->facts.left_out = f->capture.left_out;
	f->facts.cut_off = f->capture.cut_off;
	return rc;
}

int replay_scan(const char *path, const struct replay_rules *rules, struct replay_facts *facts,
		char *err, size_t errlen)
{
	static uint8_t bytes[FRAME_JUMBO_MAX + 64];
	struct replay_frame frame;
	struct replay_file f;
	int rc = replay_file_open(&f, path, rules, err, errlen);

	if (rc)
		return rc;
	while ((rc = replay_file_next(&f, bytes, &frame, err, errlen)) == 1)
		;
	*facts = f.facts;
	if (!rc && !facts->frames) {
		snprintf(err, errlen,
			 "%s holds no frame that can be sent (%" PRIu64 " longer than %u bytes, "
			 "%" PRIu64 " that are no Ethernet%s)",
			 path, facts->too_long, rules->max_frame, facts->left_out,
			 facts->cut_off ? ", cut off in its first frame" : "");
		rc = -EINVAL;
	}
	replay_file_close(&f);
	return rc;
}
