// libyuv: scaling and conversion. ARGB in libyuv is B G R A in memory, but the order of the channels does not change the time.
#include "peer.h"
#include <libyuv.h>

static uint8_t *src, *dst;
static int w, h;

static long scale(void) {
	ARGBScale(src, WIDTH * 4, WIDTH, HEIGHT, dst, w * 4, w, h, kFilterBilinear);
	return 0;
}

static long xrgb8888(void) { return ABGRToARGB(src, WIDTH * 4, dst, WIDTH * 4, WIDTH, HEIGHT); }
static long rgb565(void) { return ARGBToRGB565(src, WIDTH * 4, dst, WIDTH * 2, WIDTH, HEIGHT); }
static long dithered(void) { return ARGBToRGB565Dither(src, WIDTH * 4, dst, WIDTH * 2, NULL, WIDTH, HEIGHT); }

static peer_case sized(const char *size) {
	if (sscanf(size, "%dx%d", &w, &h) != 2) return NULL;
	free(dst);
	dst = room(4L * w * h);
	return scale;
}

static peer_case find(const char *name) {
	free(src);
	src = picture("dashboard");
	if (!strncmp(name, "scale ", 6)) return sized(name + 6);
	free(dst);
	dst = room(BYTES);
	if (!strcmp(name, "xrgb8888")) return xrgb8888;
	if (!strcmp(name, "rgb565")) return rgb565;
	if (!strcmp(name, "rgb565 dithered")) return dithered;
	return NULL;
}
