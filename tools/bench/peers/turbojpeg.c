// libjpeg-turbo: quality 85, its default (fast) transform. The figure is the file's length.
#include "peer.h"
#include <turbojpeg.h>

static uint8_t *src;
static unsigned char *file;
static int sampling;
static tjhandle handle;

static long encode(void) {
	unsigned long n = tjBufSize(WIDTH, HEIGHT, sampling);
	if (tjCompress2(handle, src, WIDTH, WIDTH * 4, HEIGHT, TJPF_RGBA, &file, &n, sampling, 85, TJFLAG_NOREALLOC)) exit(1);
	return n;
}

static peer_case find(const char *name) {
	char pic[32];
	int chroma;
	if (sscanf(name, "jpeg %31s %d", pic, &chroma) != 2) return NULL;
	if (!handle) handle = tjInitCompress(), file = tjAlloc(tjBufSize(WIDTH, HEIGHT, TJSAMP_444));
	free(src);
	src = picture(pic);
	sampling = chroma == 420 ? TJSAMP_420 : TJSAMP_444;
	return encode;
}
