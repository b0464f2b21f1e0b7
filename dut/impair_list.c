/*
 * Reading the list of impairments: one parser a kind, in a table.
 */
#include "dut/impair_list.h"
#include "common/units.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ITEM	128u
#define MAX_CHANCE_TEXT 20u
#define MAX_BLOCK	1000000000u
#define MAX_BUCKET	100000000u
#define DEFAULT_BUCKET	4096u
#define MAX_DELAY_NS	10000000000ull
#define MAX_PERIOD_NS	3600000000000ull
#define MAX_OUTAGE_NS	3600000000000ull

/* Room for held frames. No embedded link carries more frames a second than this; beyond the most,
 * the receive side is held back. */
#define DELAY_PPS	 15e6
#define MIN_DELAY_ROOM	 2048u
#define MAX_DELAY_ROOM	 65536u
#define MIN_REORDER_ROOM 256u
#define MAX_REORDER_ROOM 16384u

__attribute__((format(printf, 3, 4))) static int refuse(char *err, size_t errlen,
							const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(err, errlen, format, args);
	va_end(args);
	return -EINVAL;
}

/* Decimal digits with at most one point among them: neither sign nor exponent, nan nor hex. */
static int parse_chance(const char *text, uint64_t *chance, char *err, size_t errlen)
{
	size_t whole = strspn(text, "0123456789"), fraction = 0, len = whole;
	double p;

	if (text[len] == '.') {
		fraction = strspn(text + len + 1, "0123456789");
		len += 1 + fraction;
	}
	if (!whole || text[len] || len > MAX_CHANCE_TEXT || (len > whole && !fraction))
		return refuse(err, errlen, "'%s' is no probability; write 0.001", text);
	p = strtod(text, NULL);
	if (p <= 0 || p > 1)
		return refuse(err, errlen, "a probability of %s is not above 0 and at most 1",
			      text);
	*chance = (uint64_t)(p * (double)CHANCE_ALWAYS);
	return 0;
}

static int parse_rate(struct impair_list *list, char *value, char *err, size_t errlen)
{
	char *bucket = strchr(value, ':');
	struct rate rate;

	list->bucket = DEFAULT_BUCKET;
	if (bucket) {
		*bucket++ = '\0';
		if (count_parse(bucket, 1, MAX_BUCKET, &list->bucket, err, errlen))
			return -EINVAL;
	}
	if (rate_parse(value, &rate, err, errlen))
		return -EINVAL;
	if (rate.kind != RATE_PPS || rate.value < 1)
		return refuse(err, errlen,
			      "'%s': a policer counts frames; give at least 1pps, as in 200kpps",
			      value);
	list->pps = rate.value;
	return 0;
}

static int parse_drop(struct impair_list *list, char *value, char *err, size_t errlen)
{
	char *slash = strchr(value, '/');
	uint64_t n, of;

	if (!slash)
		return parse_chance(value, &list->drop, err, errlen);
	*slash++ = '\0';
	if (count_parse(slash, 1, MAX_BLOCK, &of, err, errlen) ||
	    count_parse(value, 1, of, &n, err, errlen))
		return -EINVAL;
	list->drop_n = (uint32_t)n;
	list->drop_of = (uint32_t)of;
	return 0;
}

static int parse_corrupt(struct impair_list *list, char *value, char *err, size_t errlen)
{
	return parse_chance(value, &list->corrupt, err, errlen);
}

static int parse_dup(struct impair_list *list, char *value, char *err, size_t errlen)
{
	return parse_chance(value, &list->dup, err, errlen);
}

static int parse_reorder(struct impair_list *list, char *value, char *err, size_t errlen)
{
	char *depth = strchr(value, ':');
	uint64_t n;

	if (!depth)
		return refuse(err, errlen, "'%s' has no depth; write 0.002:5", value);
	*depth++ = '\0';
	if (parse_chance(value, &list->reorder, err, errlen) ||
	    count_parse(depth, 1, IMPAIR_MAX_DEPTH, &n, err, errlen))
		return -EINVAL;
	if (list->reorder == CHANCE_ALWAYS)
		return refuse(err, errlen,
			      "a probability of 1 leaves no frame to pass the held ones");
	list->depth = (uint32_t)n;
	return 0;
}

static int parse_time(const char *text, uint64_t max_ns, uint64_t *ns, char *err, size_t errlen)
{
	if (duration_parse(text, ns, err, errlen))
		return -EINVAL;
	if (*ns == 0 || *ns > max_ns)
		return refuse(err, errlen, "a time of '%s' is not above 0 and at most %llus", text,
			      (unsigned long long)(max_ns / 1000000000u));
	return 0;
}

static int parse_delay(struct impair_list *list, char *value, char *err, size_t errlen)
{
	char *dots = strstr(value, "..");

	if (dots)
		*dots = '\0';
	if (parse_time(value, MAX_DELAY_NS, &list->delay_min_ns, err, errlen))
		return -EINVAL;
	list->delay_max_ns = list->delay_min_ns;
	if (dots && parse_time(dots + 2, MAX_DELAY_NS, &list->delay_max_ns, err, errlen))
		return -EINVAL;
	if (list->delay_max_ns < list->delay_min_ns)
		return refuse(err, errlen, "'%s..%s': the longest delay comes last", value,
			      dots + 2);
	return 0;
}

static int parse_stall(struct impair_list *list, char *value, char *err, size_t errlen)
{
	char *period = strchr(value, '/');

	if (!period)
		return refuse(err, errlen, "'%s' has no period; write 20ms/1s", value);
	*period++ = '\0';
	if (parse_time(value, MAX_PERIOD_NS, &list->stall_ns, err, errlen) ||
	    parse_time(period, MAX_PERIOD_NS, &list->stall_period_ns, err, errlen))
		return -EINVAL;
	if (list->stall_ns >= list->stall_period_ns)
		return refuse(err, errlen, "a stall of %s every %s leaves no time to forward",
			      value, period);
	return 0;
}

/* From the very first frame on, FROM is 0. */
static int parse_outage(struct impair_list *list, char *value, char *err, size_t errlen)
{
	char *to = strstr(value, "..");

	if (!to)
		return refuse(err, errlen, "'%s' has no end; write 2s..2.3s", value);
	*to = '\0';
	to += 2;
	if (duration_parse(value, &list->outage_from_ns, err, errlen) ||
	    parse_time(to, MAX_OUTAGE_NS, &list->outage_to_ns, err, errlen))
		return -EINVAL;
	if (list->outage_from_ns >= list->outage_to_ns)
		return refuse(err, errlen, "'%s..%s': the end comes after the beginning", value,
			      to);
	return 0;
}

static const struct {
	const char *name;
	enum impair_kind kind;
	int (*parse)(struct impair_list *list, char *value, char *err, size_t errlen);
} kinds[] = {
	{"outage", IMPAIR_OUTAGE, parse_outage}, {"rate", IMPAIR_RATE, parse_rate},
	{"drop", IMPAIR_DROP, parse_drop},	 {"corrupt", IMPAIR_CORRUPT, parse_corrupt},
	{"dup", IMPAIR_DUP, parse_dup},		 {"reorder", IMPAIR_REORDER, parse_reorder},
	{"delay", IMPAIR_DELAY, parse_delay},	 {"stall", IMPAIR_STALL, parse_stall},
};

/* One impairment, "name=value". */
static int parse_item(struct impair_list *list, char *item, char *err, size_t errlen)
{
	char *value = strchr(item, '='), why[256];

	if (value)
		*value++ = '\0';
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(item, kinds[i].name) != 0)
			continue;
		if (!value || !*value)
			return refuse(err, errlen, "%s needs a value, as in %s=...", item, item);
		if (list->kinds & kinds[i].kind)
			return refuse(err, errlen, "%s is given twice", item);
		list->kinds |= kinds[i].kind;
		if (kinds[i].parse(list, value, why, sizeof(why)) == 0)
			return 0;
		return refuse(err, errlen, "%s: %s", item, why);
	}
	return refuse(err, errlen,
		      "'%s' is no impairment; there are outage, rate, drop, corrupt, dup, reorder, "
		      "delay and stall",
		      item);
}

int impair_list_parse(struct impair_list *list, const char *text, char *err, size_t errlen)
{
	struct impair_list parsed = *list;
	size_t used = strlen(parsed.text), len = strlen(text);

	if (used + len + 2 > sizeof(parsed.text))
		return refuse(err, errlen, "a list of impairments has at most %u characters",
			      IMPAIR_LIST_TEXT - 2);
	snprintf(parsed.text + used, sizeof(parsed.text) - used, "%s%s", used ? "," : "", text);
	for (const char *at = text, *end; at; at = *end ? end + 1 : NULL) {
		char item[MAX_ITEM];
		size_t n = strcspn(at, ",");

		end = at + n;
		if (n == 0)
			return refuse(err, errlen, "'%s' has an empty place", text);
		if (n >= sizeof(item))
			return refuse(err, errlen, "'%.20s...' is too long for an impairment", at);
		memcpy(item, at, n);
		item[n] = '\0';
		if (parse_item(&parsed, item, err, errlen))
			return -EINVAL;
	}
	*list = parsed;
	return 0;
}

static uint32_t bounded(double wanted, uint32_t min, uint32_t max)
{
	if (wanted < min)
		return min;
	return wanted > max ? max : (uint32_t)wanted;
}

uint32_t impair_reorder_room(const struct impair_list *list)
{
	double p = (double)list->reorder / (double)CHANCE_ALWAYS;

	if (!(list->kinds & IMPAIR_REORDER))
		return 0;
	/* On average so many wait for their depth; chance piles up more now and then. */
	return bounded(4 * list->depth * p / (1 - p), MIN_REORDER_ROOM, MAX_REORDER_ROOM);
}

uint32_t impair_delay_room(const struct impair_list *list)
{
	if (!(list->kinds & IMPAIR_DELAY))
		return 0;
	return bounded(2 * (double)list->delay_max_ns / 1e9 * DELAY_PPS, MIN_DELAY_ROOM,
		       MAX_DELAY_ROOM);
}
