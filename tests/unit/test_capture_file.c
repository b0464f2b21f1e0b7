/*
 * Capture files read: every kind of pcap, pcapng, all links that become Ethernet, those that do
 * not, files that are cut, bent or none.
 */
#include "tests/unit/unit.h"

#include "common/capture_file.h"
#include "tests/unit/capture_make.h"
#include "tests/unit/folder.h"

#include <pcap/dlt.h>
#include <unistd.h>

#define BASE_NS 1700000000123456789ull

static char path[128], err[512];

static void open_ok(struct capture_file *c, const char *name)
{
	snprintf(path, sizeof(path), "%s", folder_path(name));
	if (capture_open(c, path, err, sizeof(err)))
		fail_msg("%s", err);
}

/* Refused with one line that names the file and says `what`. */
static void open_bad(const char *name, const char *what)
{
	struct capture_file c;

	snprintf(path, sizeof(path), "%s", folder_path(name));
	assert_true(capture_open(&c, path, err, sizeof(err)) < 0);
	assert_non_null(strstr(err, path));
	if (!strstr(err, what))
		fail_msg("'%s' is not in: %s", what, err);
	assert_null(strchr(err, '\n'));
}

static void test_every_kind_of_pcap(void **state)
{
	uint8_t frame[1514];

	(void)state;
	for (unsigned int bits = 0; bits < 8; bits++) {
		const struct capture_kind kind = {.nanoseconds = bits & 1,
						  .swapped = bits & 2,
						  .modified = bits & 4 && !(bits & 1),
						  .link = DLT_EN10MB};
		FILE *out = capture_begin("a.pcap", &kind);
		struct capture_file c;
		struct capture_frame f;

		for (uint32_t i = 0; i < 3; i++) {
			capture_ipv4(frame, 60 + 7 * i, 17, i);
			capture_put(out, &kind, BASE_NS + i * 1000, frame, 60 + 7 * i, 60 + 7 * i);
		}
		fclose(out);
		open_ok(&c, "a.pcap");
		for (uint32_t i = 0; i < 3; i++) {
			capture_ipv4(frame, 60 + 7 * i, 17, i);
			assert_int_equal(capture_next(&c, &f, err, sizeof(err)), 1);
			assert_int_equal(f.len, 60 + 7 * i);
			assert_int_equal(f.wire_len, 60 + 7 * i);
			assert_memory_equal(f.bytes, frame, f.len);
			assert_false(f.made_macs);
			assert_true(f.ns == (kind.nanoseconds ? BASE_NS : BASE_NS / 1000 * 1000) +
						    i * 1000);
		}
		assert_int_equal(capture_next(&c, &f, err, sizeof(err)), 0);
		assert_false(c.cut_off);
		assert_int_equal(c.frames, 3);
		assert_int_equal(c.left_out, 0);
		capture_close(&c);
	}
}

static void test_cut_by_snaplen(void **state)
{
	const struct capture_kind kind = {.snaplen = 40, .link = DLT_EN10MB};
	FILE *out = capture_begin("a.pcap", &kind);
	struct capture_file c;
	struct capture_frame f;
	uint8_t frame[40] = {0};

	(void)state;
	capture_put(out, &kind, BASE_NS, frame, 40, 1400);
	fclose(out);
	open_ok(&c, "a.pcap");
	assert_int_equal(capture_next(&c, &f, err, sizeof(err)), 1);
	assert_int_equal(f.len, 40);
	assert_int_equal(f.wire_len, 1400);
	capture_close(&c);
}

/* Cut anywhere: what is whole comes out, the rest is said to be missing; a header that is cut is no
 * file. */
static void test_cut_off(void **state)
{
	const struct capture_kind kind = {.link = DLT_EN10MB};
	FILE *out = capture_begin("a.pcap", &kind);
	uint8_t frame[60];

	(void)state;
	capture_ipv4(frame, 60, 17, 0);
	capture_put(out, &kind, BASE_NS, frame, 60, 60);
	capture_put(out, &kind, BASE_NS, frame, 60, 60);
	fclose(out);
	for (int len = 24 + 2 * 76; len >= 0; len--) {
		struct capture_file c;
		struct capture_frame f;
		int whole = (len - 24) / 76, n = 0;

		assert_int_equal(truncate(folder_path("a.pcap"), len), 0);
		if (len < 24) {
			open_bad("a.pcap", len ? "no capture file" : "is empty");
			continue;
		}
		open_ok(&c, "a.pcap");
		while (capture_next(&c, &f, err, sizeof(err)) == 1)
			n++;
		assert_int_equal(n, whole);
		assert_int_equal(c.cut_off, (len - 24) % 76 != 0);
		capture_close(&c);
	}
}

static void test_damaged(void **state)
{
	const struct capture_kind kind = {.link = DLT_EN10MB};
	FILE *out = capture_begin("a.pcap", &kind);
	struct capture_file c;
	struct capture_frame f;
	uint8_t frame[60];

	(void)state;
	capture_ipv4(frame, 60, 17, 0);
	capture_put(out, &kind, BASE_NS, frame, 60, 60);
	/* A length that no frame has. */
	capture_put(out, &kind, BASE_NS, frame, 0, 60);
	fseek(out, -8, SEEK_END);
	fwrite("\xff\xff\xff\x7f", 1, 4, out);
	fseek(out, 0, SEEK_END);
	for (int i = 0; i < 10; i++)
		fwrite(frame, 1, 60, out);
	fclose(out);
	open_ok(&c, "a.pcap");
	assert_int_equal(capture_next(&c, &f, err, sizeof(err)), 1);
	assert_true(capture_next(&c, &f, err, sizeof(err)) < 0);
	assert_non_null(strstr(err, "frame 2"));
	capture_close(&c);
}

struct other_link {
	uint32_t link, header;
	const char *bytes;
	bool source; /* the sender's MAC is known */
};

/* What a raw packet, or one behind another header, looks like on Ethernet. */
static void test_other_links(void **state)
{
	static const struct other_link links[] = {
		{101, 0, "", false}, /* raw IP as it stands in files */
		{228, 0, "", false},
		{0, 4, "\2\0\0\0", false},
		{0, 4, "\0\0\0\2", false},
		{108, 4, "\0\0\0\2", false},
		{113, 16, "\0\0\0\1\0\6\2\3\4\5\6\7\0\0\x08\0", true},
		{276, 20, "\x08\0\0\0\0\0\0\1\0\1\0\6\2\3\4\5\6\7\0\0", true},
	};
	uint8_t frame[100], packet[120];

	(void)state;
	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++) {
		const struct capture_kind kind = {.link = links[i].link};
		FILE *out = capture_begin("a.pcap", &kind);
		uint32_t len = links[i].header + 86;
		struct capture_file c;
		struct capture_frame f;

		capture_ipv4(frame, 100, 17, (uint32_t)i);
		memcpy(packet, links[i].bytes, links[i].header);
		memcpy(packet + links[i].header, frame + 14, 86);
		capture_put(out, &kind, BASE_NS, packet, len, len);
		capture_put(out, &kind, BASE_NS, packet, links[i].header ? 3 : 0, len);
		fclose(out);
		open_ok(&c, "a.pcap");
		assert_int_equal(capture_next(&c, &f, err, sizeof(err)), 1);
		assert_int_equal(f.len, 100);
		assert_int_equal(f.wire_len, 100);
		assert_memory_equal(f.bytes + 12, frame + 12, 88);
		assert_true(f.made_macs);
		assert_int_equal(!memcmp(f.bytes + 6, "\2\3\4\5\6\7", 6), links[i].source);
		assert_int_equal(capture_next(&c, &f, err, sizeof(err)), 0);
		assert_int_equal(c.left_out, 1);
		capture_close(&c);
	}
}

static void test_refused(void **state)
{
	const struct capture_kind wlan = {.link = 105}, usb = {.link = 189}, none = {.link = 3999};

	(void)state;
	fclose(capture_begin("a.pcap", &wlan));
	open_bad("a.pcap", "802.11");
	fclose(capture_begin("a.pcap", &usb));
	open_bad("a.pcap", "USB");
	fclose(capture_begin("a.pcap", &none));
	open_bad("a.pcap", "link type 3999 (unknown)");
	folder_put("a.pcap", "w", "this is a text, not a capture file");
	open_bad("a.pcap", "no capture file");
	open_bad("missing.pcap", "No such file");
	open_bad(".", "no regular file");
}

static void test_pcapng(void **state)
{
	/* Two interfaces, one of nanoseconds, a frame each of an odd length. */
	static const uint8_t bytes[] =
		"\x0a\x0d\x0d\x0a\x1c\0\0\0\x4d\x3c\x2b\x1a\1\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff"
		"\x1c\0\0\0"
		"\1\0\0\0\x14\0\0\0\1\0\0\0\0\0\4\0\x14\0\0\0"
		"\1\0\0\0\x20\0\0\0\1\0\0\0\0\0\4\0\x09\0\1\0\x09\0\0\0\0\0\0\0\x20\0\0\0"
		"\6\0\0\0\x30\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\0\x0f\0\0\0\x0f\0\0\0"
		"abcdefabcdef\x08\0x\0"
		"\x30\0\0\0"
		"\6\0\0\0\x30\0\0\0\1\0\0\0\0\0\0\0\x58\x1b\0\0\x0f\0\0\0\x0f\0\0\0"
		"abcdefabcdef\x08\0y\0"
		"\x30\0\0\0";
	FILE *out = fopen(folder_path("a.pcapng"), "w");
	struct capture_file c;
	struct capture_frame f;

	(void)state;
	assert_non_null(out);
	fwrite(bytes, 1, sizeof(bytes) - 1, out);
	fclose(out);
	open_ok(&c, "a.pcapng");
	assert_int_equal(capture_next(&c, &f, err, sizeof(err)), 1);
	assert_int_equal(f.len, 15);
	assert_int_equal(f.bytes[14], 'x');
	assert_int_equal(f.ns, 7000); /* microseconds without the option */
	assert_int_equal(capture_next(&c, &f, err, sizeof(err)), 1);
	assert_int_equal(f.bytes[14], 'y');
	assert_int_equal(f.ns, 7000);
	assert_int_equal(capture_next(&c, &f, err, sizeof(err)), 0);
	capture_close(&c);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, folder_setup, folder_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_every_kind_of_pcap),
		IN_FOLDER(test_cut_by_snaplen),
		IN_FOLDER(test_cut_off),
		IN_FOLDER(test_damaged),
		IN_FOLDER(test_other_links),
		IN_FOLDER(test_refused),
		IN_FOLDER(test_pcapng),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
