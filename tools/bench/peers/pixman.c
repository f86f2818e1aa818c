// pixman: bilinear scaling.
#include "peer.h"
#include <pixman.h>

static uint8_t *src, *dst;
static pixman_image_t *from, *to;
static int w, h;

static long scale(void) {
	pixman_image_composite32(PIXMAN_OP_SRC, from, NULL, to, 0, 0, 0, 0, 0, 0, w, h);
	return 0;
}

static peer_case find(const char *name) {
	if (sscanf(name, "scale %dx%d", &w, &h) != 2) return NULL;
	if (!src) src = picture("dashboard");
	free(dst);
	dst = room(4L * w * h);
	from = pixman_image_create_bits(PIXMAN_a8r8g8b8, WIDTH, HEIGHT, (uint32_t *)src, WIDTH * 4);
	to = pixman_image_create_bits(PIXMAN_a8r8g8b8, w, h, (uint32_t *)dst, w * 4);
	pixman_transform_t t;
	pixman_transform_init_scale(&t, pixman_double_to_fixed((double)WIDTH / w), pixman_double_to_fixed((double)HEIGHT / h));
	pixman_image_set_transform(from, &t);
	pixman_image_set_filter(from, PIXMAN_FILTER_BILINEAR, NULL, 0);
	return scale;
}
