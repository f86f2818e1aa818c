// A measured program answers lines on its standard input. A line names a case; the answer is its processor time in
// nanoseconds and one figure of the result, such as a length in bytes, or "-" for a case it does not know.
// worker.go is the same in Go.
#ifndef PEER_H
#define PEER_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WIDTH = 1920, HEIGHT = 1080, BYTES = WIDTH * HEIGHT * 4 };

// A case does its work once and returns its figure.
typedef long (*peer_case)(void);

// find prepares a case; NULL if there is none of that name.
static peer_case find(const char *name);

// picture reads the raw 1920x1080 RGBA picture of a name from the folder given as the first argument.
static const char *folder;

static inline uint8_t *picture(const char *name) {
	char path[4096];
	snprintf(path, sizeof path, "%s/%s.rgba", folder, name);
	FILE *f = fopen(path, "rb");
	uint8_t *pix = aligned_alloc(64, BYTES);
	if (!f || !pix || fread(pix, 1, BYTES, f) != BYTES) {
		fprintf(stderr, "peer: cannot read %s\n", path);
		exit(1);
	}
	fclose(f);
	return pix;
}

static inline uint8_t *room(size_t n) {
	uint8_t *p = aligned_alloc(64, (n + 63) / 64 * 64);
	if (!p) exit(1);
	memset(p, 1, n); // the pages are there before the clock runs
	return p;
}

// Processor time: waiting for other programs does not count.
static inline double now_ns(void) {
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

int main(int argc, char **argv) {
	char line[256], last[256] = "";
	peer_case c = NULL;
	folder = argc > 1 ? argv[1] : ".";
	while (fgets(line, sizeof line, stdin)) {
		line[strcspn(line, "\n")] = 0;
		if (strcmp(line, last)) {
			c = find(line);
			strcpy(last, line);
		}
		if (!c) {
			puts("-");
		} else {
			// Once to have the caches warm, then for five milliseconds.
			c();
			double start = now_ns(), took;
			long n = 0, figure;
			do {
				figure = c();
				n++;
				took = now_ns() - start;
			} while (took < 5e6);
			printf("%.0f %ld\n", took / n, figure);
		}
		fflush(stdout);
	}
	return 0;
}
#endif
