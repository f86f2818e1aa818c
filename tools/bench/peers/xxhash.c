// xxhash: XXH3 of a whole frame.
#include "peer.h"
#include <xxhash.h>

static uint8_t *src;

static long hash(void) { return XXH3_64bits(src, BYTES) & 0xffff; }

static peer_case find(const char *name) {
	if (strcmp(name, "xxh3")) return NULL;
	if (!src) src = picture("dashboard");
	return hash;
}
