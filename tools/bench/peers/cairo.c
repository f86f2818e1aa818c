// cairo's image backend. A case creates a shape and fills or strokes it.
#include "peer.h"
#include <cairo.h>
#include <math.h>

static cairo_t *c;
static double xs[101], ys[101];

static void color(void) { cairo_set_source_rgba(c, 20 / 160.0, 120 / 160.0, 60 / 160.0, 160 / 255.0); }

static long area(void) {
	color();
	cairo_move_to(c, 0, 300);
	for (int i = 0; i < 101; i++) cairo_line_to(c, xs[i], ys[i]);
	cairo_line_to(c, 600, 300);
	cairo_close_path(c);
	cairo_fill(c);
	return 0;
}

static long ring(void) {
	color();
	cairo_new_sub_path(c);
	cairo_arc(c, 100, 100, 100, 0, 2 * M_PI);
	cairo_new_sub_path(c);
	cairo_arc_negative(c, 100, 100, 80, 2 * M_PI, 0);
	cairo_fill(c);
	return 0;
}

static long line(void) {
	color();
	for (int i = 0; i < 101; i++) cairo_line_to(c, xs[i], ys[i]);
	cairo_set_line_width(c, 3);
	cairo_set_line_cap(c, CAIRO_LINE_CAP_ROUND);
	cairo_set_line_join(c, CAIRO_LINE_JOIN_ROUND);
	cairo_stroke(c);
	return 0;
}

static peer_case find(const char *name) {
	if (!c) {
		c = cairo_create(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, 600, 300));
		for (int i = 0; i < 101; i++) xs[i] = 6 * i, ys[i] = 150 - 100 * sin(i * 0.13) + 15 * sin(i * 1.7);
	}
	if (!strcmp(name, "area")) return area;
	if (!strcmp(name, "ring")) return ring;
	if (!strcmp(name, "line")) return line;
	return NULL;
}
