// A program that is measured reads lines from its standard input and writes an answer to each. A line is the name of a case. The answer
// is the processor time in nanoseconds and one number of the result, such as its length in bytes. For an unknown case, it is "-".
// worker.go does the same in Go.
#ifndef PEER_H
#define PEER_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WIDTH = 1920, HEIGHT = 1080, BYTES = WIDTH * HEIGHT * 4 };

// A case does its work once and returns the number.
typedef long (*peer_case)(void);

// find prepares the case with a name. It returns NULL if there is no such case.
static peer_case find(const char *name);

// picture reads a raw RGBA picture of 1920x1080 pixels by its name. `folder` is the program's first argument.
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
	memset(p, 1, n); // writes to all pages, so that page faults are not measured
	return p;
}

// Processor time, because the time in which the process waits must not count.
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
			// One run fills the caches. Then the work is repeated for five milliseconds.
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
