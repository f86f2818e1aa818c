// libyuv: scaling and conversion. Its ARGB is B G R A in memory; the order makes no difference to the time.
#include "peer.h"
#include <libyuv.h>

static uint8_t *src, *dst;
static int w, h;
static enum FilterMode filter;

static long scale(void) {
	ARGBScale(src, WIDTH * 4, WIDTH, HEIGHT, dst, w * 4, w, h, filter);
	return 0;
}

// flat scales a white picture and returns the darkest value of the result.
static long flat(void) {
	scale();
	int least = 255;
	for (long i = 0; i < 4L * w * h; i++)
		if (dst[i] < least) least = dst[i];
	return least;
}

static long xrgb8888(void) { return ABGRToARGB(src, WIDTH * 4, dst, WIDTH * 4, WIDTH, HEIGHT); }
static long rgb565(void) { return ARGBToRGB565(src, WIDTH * 4, dst, WIDTH * 2, WIDTH, HEIGHT); }
static long dithered(void) { return ARGBToRGB565Dither(src, WIDTH * 4, dst, WIDTH * 2, NULL, WIDTH, HEIGHT); }

static peer_case sized(const char *size, enum FilterMode f, peer_case c) {
	if (sscanf(size, "%dx%d", &w, &h) != 2) return NULL;
	free(dst);
	dst = room(4L * w * h);
	filter = f;
	return c;
}

static peer_case find(const char *name) {
	free(src);
	src = picture("dashboard");
	if (!strncmp(name, "scale ", 6)) return sized(name + 6, kFilterBilinear, scale);
	if (!strncmp(name, "box ", 4)) return sized(name + 4, kFilterBox, scale);
	if (!strncmp(name, "flat ", 5)) {
		memset(src, 255, BYTES);
		return sized(name + 5, kFilterBilinear, flat);
	}
	free(dst);
	dst = room(BYTES);
	if (!strcmp(name, "xrgb8888")) return xrgb8888;
	if (!strcmp(name, "rgb565")) return rgb565;
	if (!strcmp(name, "rgb565 dithered")) return dithered;
	return NULL;
}
