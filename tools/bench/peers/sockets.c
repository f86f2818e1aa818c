// Measures the kernel's part of row 17: it writes an event to each of many sockets and does nothing else. It answers lines as in peer.h, but
// with elapsed time. "port" returns the port of the listener, "accept" accepts a connection, and "write" writes the event to all sockets.
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 8192 };

static int sockets[MOST], count, listening;
static char event[128];

static double now(clockid_t clock) {
	struct timespec t;
	clock_gettime(clock, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static size_t stamp(void) {
	return snprintf(event, sizeof event, "data: {\"etag\": \"1f0c8f6d5b1f0a33\", \"published_at\": %.6f}\n\n", now(CLOCK_REALTIME));
}

static int begin(void) {
	struct rlimit files;
	getrlimit(RLIMIT_NOFILE, &files);
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof at;
	listening = socket(AF_INET, SOCK_STREAM, 0);
	if (bind(listening, (struct sockaddr *)&at, size) || listen(listening, 128) || getsockname(listening, (struct sockaddr *)&at, &size)) return -1;
	return ntohs(at.sin_port);
}

static int accept_one(void) {
	int s = count < MOST ? accept(listening, 0, 0) : -1;
	int at_once = 1;
	setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once); // as Go does
	size_t n = stamp();
	if (s < 0 || write(s, event, n) != (ssize_t)n) return -1;
	sockets[count++] = s;
	return count;
}

static int write_all(void) {
	size_t n = stamp();
	int told = 0;
	for (int i = 0; i < count; i++) told += write(sockets[i], event, n) == (ssize_t)n;
	return told;
}

int main(void) {
	char line[32];
	int port = begin(), result = -1;
	while (fgets(line, sizeof line, stdin)) {
		double start = now(CLOCK_MONOTONIC);
		if (!strcmp(line, "port\n")) result = port;
		else if (!strcmp(line, "accept\n")) result = accept_one();
		else if (!strcmp(line, "write\n")) result = write_all();
		else result = -1;
		double took = now(CLOCK_MONOTONIC) - start;
		if (result < 0) puts("-");
		else printf("%.0f %d\n", took * 1e9, result);
		fflush(stdout);
	}
}
