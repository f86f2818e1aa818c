// libjpeg-turbo: encoding with quality 85 and the default (fast) transform, where the number is the length of the file, and decoding
// of a photo at half its size, as in djpeg -scale 1/2.
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

static tjhandle reader;
static uint8_t *pixels;
static long length;

static long decode(void) {
	int w, h, sub;
	if (tjDecompressHeader2(reader, file, length, &w, &h, &sub)) exit(1);
	w = (w + 1) / 2, h = (h + 1) / 2;
	if (!pixels) pixels = room((size_t)w * h * 4);
	if (tjDecompress2(reader, file, length, pixels, w, 0, h, TJPF_RGBA, 0)) exit(1);
	return w;
}

static peer_case scaled(const char *kind) {
	char path[4096];
	snprintf(path, sizeof path, "%s/%s.jpg", folder, kind);
	FILE *f = fopen(path, "rb");
	if (!f) return NULL;
	if (!reader) reader = tjInitDecompress(), file = tjAlloc(64 << 20);
	length = fread(file, 1, 64 << 20, f);
	fclose(f);
	return decode;
}

static peer_case find(const char *name) {
	char pic[32];
	if (sscanf(name, "scaled %31s", pic) == 1) return scaled(pic);
	int chroma;
	if (sscanf(name, "jpeg %31s %d", pic, &chroma) != 2) return NULL;
	if (!handle) handle = tjInitCompress(), file = tjAlloc(tjBufSize(WIDTH, HEIGHT, TJSAMP_444));
	free(src);
	src = picture(pic);
	sampling = chroma == 420 ? TJSAMP_420 : TJSAMP_444;
	return encode;
}
