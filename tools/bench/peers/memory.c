// memcpy of a whole frame, row by row.
#include "peer.h"

static uint8_t *src, *dst;

static long copy(void) {
	for (int y = 0; y < HEIGHT; y++) memcpy(dst + y * WIDTH * 4, src + y * WIDTH * 4, WIDTH * 4);
	return dst[BYTES - 1];
}

static peer_case find(const char *name) {
	if (strcmp(name, "memcpy")) return NULL;
	if (!src) src = picture("dashboard"), dst = room(BYTES);
	return copy;
}
