/*
 * What a record says of a replay.
 */
#include "common/results.h"
#include "gen/record.h"
#include "gen/replay.h"

#include <inttypes.h>

static const char *const stamps[] = {"tail", "append", "none"};

/* What the file holds, a pass. */
static json_t *file_part(const struct replay *p)
{
	const struct replay_facts *f = &p->facts;
	json_t *o = json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "name", p->path, "link",
			      capture_link_name(f->link), "frames", result_count(f->frames),
			      "bytes", result_count(f->bytes), "smallest",
			      result_count(f->smallest), "largest", result_count(f->largest),
			      "span_s", result_real((double)f->span_ns / 1e9));

	json_object_set_new(o, "stampable", result_count(f->stampable));
	json_object_set_new(o, "padded", result_count(f->padded));
	json_object_set_new(o, "too_long", result_count(f->too_long));
	json_object_set_new(o, "not_ethernet", result_count(f->left_out));
	json_object_set_new(o, "wrong_sums", result_count(f->wrong_sums));
	json_object_set_new(o, "sums_fixed", json_boolean(p->rules.fix_sums));
	json_object_set_new(o, "backwards", result_count(f->backwards));
	json_object_set_new(o, "cut_off", json_boolean(f->cut_off));
	return o;
}

json_t *record_replay(const struct trial_result *r)
{
	const struct replay *p = r->spec.replay;
	uint64_t back = r->foreign - r->stale;
	json_t *o =
		json_pack("{s:o, s:b, s:o}", "file", file_part(p), "preloaded", p->feed.preloaded,
			  "loop", p->feed.passes ? result_count(p->feed.passes) : json_null());

	json_object_set_new(o, "pace",
			    json_string(p->pace == REPLAY_MAX	     ? "max"
					: p->pace == REPLAY_RECORDED ? "recorded"
								     : "rate"));
	json_object_set_new(o, "speed",
			    p->pace == REPLAY_RECORDED ? json_real(p->speed) : json_null());
	json_object_set_new(o, "stamp", json_string(stamps[p->rules.stamp]));
	json_object_set_new(o, "stamped", result_count(r->sent - r->unstamped));
	json_object_set_new(o, "unstamped", result_count(r->unstamped));
	json_object_set_new(o, "unstamped_received", r->tx_only ? json_null() : result_count(back));
	json_object_set_new(o, "shifts", result_count(p->shifts));
	json_object_set_new(o, "shifted_ns",
			    result_count((uint64_t)((double)p->shifted / r->tsc_hz * 1e9)));
	return o;
}

void record_print_replay(const json_t *record, FILE *out)
{
	const json_t *o = json_object_get(record, "replay");

	if (!o)
		return;
	fprintf(out, "  capture       %s: %.0f frames, %.0f stamped, %.0f without a stamp",
		result_str(o, "file.name"), result_num(o, "file.frames"), result_num(o, "stamped"),
		result_num(o, "unstamped"));
	if (json_is_integer(json_object_get(o, "unstamped_received")))
		fprintf(out, " (%.0f such came back)", result_num(o, "unstamped_received"));
	if (result_num(o, "shifts") > 0)
		fprintf(out, ", moved by %.3f ms in %.0f steps", result_num(o, "shifted_ns") / 1e6,
			result_num(o, "shifts"));
	fputc('\n', out);
}
