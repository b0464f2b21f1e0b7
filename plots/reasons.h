/*
 * Why trials are not valid, in few words for many trials: reasons that differ in their numbers
 * alone are one kind.
 */
#ifndef TANDEM_REASONS_H
#define TANDEM_REASONS_H

#include <jansson.h>

/*
 * Takes the reasons of a trial into kinds, an object of
 *   {"text": the first one's, "count": trials, "trial", "path", "direction", "stream",
 * "frame_size", "rate_requested_pps": of that trial} in the order first seen. Kinds beyond some
 * dozens are not kept.
 */
void reasons_take(json_t *kinds, const json_t *trial);

#endif
