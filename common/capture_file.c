/*
 * Capture files through libpcap. It knows the formats; here are the link types, and the line that
 * says what is wrong with a file.
 */
#include "common/capture_file.h"

#include <errno.h>
#include <pcap/pcap.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define ETH_LEN		14u
#define SLL_LEN		16u
#define SLL2_LEN	20u
#define FAMILY_LEN	4u
#define ETHERTYPE_IP4	0x0800u
#define ETHERTYPE_IP6	0x86ddu
#define ETHERTYPE_LEAST 0x0600u /* below it stands a length, or a number of Linux' own */

static const struct {
	int link;
	const char *name;
} links[] = {
	{DLT_EN10MB, "Ethernet"},
	{DLT_RAW, "raw IP"},
	{DLT_IPV4, "raw IPv4"},
	{DLT_IPV6, "raw IPv6"},
	{DLT_NULL, "BSD loopback"},
	{DLT_LOOP, "OpenBSD loopback"},
	{DLT_LINUX_SLL, "Linux cooked v1"},
	{DLT_LINUX_SLL2, "Linux cooked v2"},
};

const char *capture_link_name(int link)
{
	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++)
		if (links[i].link == link)
			return links[i].name;
	return NULL;
}

static FILE *open_regular(const char *path, char *err, size_t errlen)
{
	FILE *file = fopen(path, "rbe");
	struct stat st;

	if (!file || fstat(fileno(file), &st)) {
		snprintf(err, errlen, "%s: %s", path, strerror(errno));
	} else if (!S_ISREG(st.st_mode)) {
		snprintf(err, errlen, "%s is no regular file: it is read more than once", path);
	} else if (!st.st_size) {
		snprintf(err, errlen, "%s is empty, no capture file", path);
	} else {
		return file;
	}
	if (file)
		fclose(file);
	return NULL;
}

/* Libpcap's texts are one line, but for what a file's bytes may put into them. */
static void one_line(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			*text = '?';
}

static int refuse_link(const struct capture_file *c, char *err, size_t errlen)
{
	const char *name = pcap_datalink_val_to_name(c->link),
		   *what = pcap_datalink_val_to_description(c->link);

	snprintf(err, errlen,
		 "%s: link type %d (%s%s%s) cannot be sent on Ethernet; Ethernet, raw IP, Linux "
		 "cooked and loopback captures can",
		 c->path, c->link, name ? name : "unknown", what ? ": " : "", what ? what : "");
	return -EINVAL;
}

int capture_open(struct capture_file *c, const char *path, char *err, size_t errlen)
{
	char why[PCAP_ERRBUF_SIZE] = "";
	int rc = 0;

	*c = (struct capture_file){.path = path};
	c->file = open_regular(path, err, errlen);
	if (!c->file)
		return -EINVAL;
	c->pcap =
		pcap_fopen_offline_with_tstamp_precision(c->file, PCAP_TSTAMP_PRECISION_NANO, why);
	if (!c->pcap) {
		one_line(why);
		snprintf(err, errlen, "%s is no capture file: %s", path, why);
		fclose(c->file);
		return -EINVAL;
	}
	c->link = pcap_datalink(c->pcap);
	if (!capture_link_name(c->link)) {
		rc = refuse_link(c, err, errlen);
	} else if (c->link != DLT_EN10MB) {
		c->converted = malloc(CAPTURE_MAX_FRAME);
		if (!c->converted) {
			snprintf(err, errlen, "no memory to read %s", path);
			rc = -ENOMEM;
		}
	}
	if (rc)
		capture_close(c);
	return rc;
}

void capture_close(struct capture_file *c)
{
	if (c->pcap)
		pcap_close(c->pcap); /* and the file with it */
	free(c->converted);
	*c = (struct capture_file){0};
}

static uint32_t be16(const uint8_t *at)
{
	return (uint32_t)at[0] << 8 | at[1];
}

static uint32_t by_version(const uint8_t *ip)
{
	return ip[0] >> 4 == 4 ? ETHERTYPE_IP4 : ip[0] >> 4 == 6 ? ETHERTYPE_IP6 : 0;
}

/*
 * The EtherType of a frame of another link, whose own header has *skip bytes; 0 where there is
 * none. An address family of the loopbacks is taken by the packet itself: IPv6 has three of them,
 * in either byte order.
 */
static uint32_t ethertype_of(int link, const uint8_t *bytes, uint32_t len, uint32_t *skip)
{
	uint32_t protocol;

	switch (link) {
	case DLT_LINUX_SLL:
		*skip = SLL_LEN;
		protocol = len >= SLL_LEN ? be16(bytes + 14) : 0;
		return protocol >= ETHERTYPE_LEAST ? protocol : 0;
	case DLT_LINUX_SLL2:
		*skip = SLL2_LEN;
		protocol = len >= SLL2_LEN ? be16(bytes) : 0;
		return protocol >= ETHERTYPE_LEAST ? protocol : 0;
	case DLT_NULL:
	case DLT_LOOP:
		*skip = FAMILY_LEN;
		break;
	default:
		*skip = 0;
	}
	return len > *skip ? by_version(bytes + *skip) : 0;
}

/* Linux' cooked headers keep the sender's address. */
static void copy_source(int link, const uint8_t *bytes, uint8_t *mac)
{
	if (link == DLT_LINUX_SLL && be16(bytes + 4) == 6)
		memcpy(mac, bytes + 6, 6);
	else if (link == DLT_LINUX_SLL2 && bytes[11] == 6)
		memcpy(mac, bytes + 12, 6);
}

/* False where it cannot be made an Ethernet frame. */
static bool convert(struct capture_file *c, struct capture_frame *f)
{
	static const uint8_t macs[12] = {0x02, 0, 0, 0, 0, 1, 0x02, 0, 0, 0, 0, 2};
	uint32_t skip, ethertype = ethertype_of(c->link, f->bytes, f->len, &skip);

	if (!ethertype || f->wire_len < f->len)
		return false;
	memcpy(c->converted, macs, sizeof(macs));
	copy_source(c->link, f->bytes, c->converted + 6);
	c->converted[12] = (uint8_t)(ethertype >> 8);
	c->converted[13] = (uint8_t)ethertype;
	memcpy(c->converted + ETH_LEN, f->bytes + skip, f->len - skip);
	f->bytes = c->converted;
	f->len = f->len - skip + ETH_LEN;
	f->wire_len = f->wire_len - skip + ETH_LEN;
	f->made_macs = true;
	return true;
}

/* Reads one record; the same returns as capture_next. */
static int read_record(struct capture_file *c, struct capture_frame *f, char *err, size_t errlen)
{
	struct pcap_pkthdr *header;
	const unsigned char *bytes;
	int rc = pcap_next_ex(c->pcap, &header, &bytes);

	if (rc == 1) {
		c->frames++;
		*f = (struct capture_frame){
			.bytes = bytes,
			.len = header->caplen,
			.wire_len = header->len,
			/* Libpcap's field of microseconds holds nanoseconds, as was asked for. */
			.ns = (uint64_t)header->ts.tv_sec * 1000000000ull +
			      (uint64_t)header->ts.tv_usec,
		};
		return 1;
	}
	if (rc == PCAP_ERROR_BREAK)
		return 0;
	if (feof(c->file)) {
		c->cut_off = true;
		return 0;
	}
	snprintf(err, errlen, "%s: frame %llu: %s", c->path, (unsigned long long)c->frames + 1,
		 pcap_geterr(c->pcap));
	one_line(err);
	return -EINVAL;
}

int capture_next(struct capture_file *c, struct capture_frame *f, char *err, size_t errlen)
{
	int rc;

	while ((rc = read_record(c, f, err, errlen)) == 1) {
		/* A length on the wire below the captured one cannot be. */
		if (f->wire_len < f->len)
			f->wire_len = f->len;
		if (f->len <= CAPTURE_MAX_FRAME - ETH_LEN &&
		    (c->link == DLT_EN10MB ? f->len >= ETH_LEN : convert(c, f)))
			return 1;
		c->left_out++;
	}
	return rc;
}
