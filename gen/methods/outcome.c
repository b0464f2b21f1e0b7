/*
 * Names of outcomes, the same on the screen and in every record.
 */
#include "gen/methods/outcome.h"

const char *outcome_name(enum outcome outcome)
{
	switch (outcome) {
	case OUTCOME_UNFINISHED:
		return "unfinished";
	case OUTCOME_FOUND:
		return "found";
	case OUTCOME_LINE_RATE:
		return "line-rate";
	case OUTCOME_GENERATOR_LIMITED:
		return "generator-limited";
	case OUTCOME_ZERO_LOSS_IMPOSSIBLE:
		return "zero-loss-impossible";
	case OUTCOME_NONE:
		return "none";
	case OUTCOME_INVALID:
		return "invalid";
	case OUTCOME_UNBOUNDED:
		return "unbounded";
	case OUTCOME_NOT_OVERLOADED:
		return "not-overloaded";
	case OUTCOME_NO_RESET_SEEN:
		return "no-reset-seen";
	case OUTCOME_SKIPPED:
		return "skipped";
	}
	return "unknown";
}
