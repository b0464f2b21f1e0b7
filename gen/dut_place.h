/*
 * Where the DUT is: --dut unix:PATH for its telemetry socket on this host, --dut
 * ssh://[USER@]HOST[:PORT][/PREFIX] for one on another host, by its EAL file prefix there. Pure.
 */
#ifndef TANDEM_DUT_PLACE_H
#define TANDEM_DUT_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DUT_DEFAULT_PREFIX "tandem-dut"
#define DUT_SSH_WORDS	   32u /* of ssh's command line, the NULL at its end included */

enum dut_way { DUT_NOWHERE, DUT_UNIX, DUT_SSH };

struct dut_place {
	enum dut_way way;
	char path[108];	   /* DUT_UNIX: the socket */
	char host[256];	   /* DUT_SSH: with the user, as ssh takes it */
	char prefix[64];   /* DUT_SSH */
	unsigned int port; /* DUT_SSH; 0: as ssh is configured */
	char text[384];	   /* as given, for records and errors */
};

/* Letters, digits and those of more, at least one, no '-' in front: what is no option and means
 * nothing to a shell. */
bool dut_place_plain(const char *text, const char *more);

/* Reads --dut's argument; a bare path is unix:PATH. 0, or -EINVAL with a line in err. */
int dut_place_parse(struct dut_place *place, const char *text, char *err, size_t errlen);

/*
 * ssh's words that run script on the place's host: ssh, which may hold several words apart by
 * spaces, then options, host and script. buf keeps ssh's words; argv has room for DUT_SSH_WORDS.
 * 0, or -EINVAL with a line in err when there are too many.
 */
int dut_place_ssh(const struct dut_place *place, const char *ssh, const char *script, char *buf,
		  size_t len, const char **argv, char *err, size_t errlen);

#endif
