// SPDX-License-Identifier: Apache-2.0
// Steps the wall clock of the process it is preloaded into (LD_PRELOAD). The file named by HOLDFAST_CLOCK_OFFSET holds the
// offset in ns, 8 bytes, and is mapped: whoever writes it steps the clock of the running process.
// The monotonic clocks stay as they are. The kernel is asked directly: looking up libc's own functions allocates memory, and
// an allocator that asks for the time while it starts would end up here again.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static volatile const long long *offset;

__attribute__((constructor)) static void map_offset(void) {
  const char *file = getenv("HOLDFAST_CLOCK_OFFSET");
  int fd = file ? open(file, O_RDONLY | O_CLOEXEC) : -1;
  if (fd < 0) return;
  void *page = mmap(NULL, sizeof *offset, PROT_READ, MAP_SHARED, fd, 0);
  if (page != MAP_FAILED) offset = page;
  close(fd);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  int failed = syscall(SYS_clock_gettime, clock, now);
  if (!failed && offset && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    long long nanos = now->tv_sec * 1000000000LL + now->tv_nsec + *offset;
    now->tv_sec = nanos / 1000000000LL;
    now->tv_nsec = nanos % 1000000000LL;
  }
  return failed;
}

struct timeval_of_libc { long seconds, micros; };

int gettimeofday(struct timeval_of_libc *now, void *zone) {
  struct timespec exact;
  (void) zone; // obsolete
  if (clock_gettime(CLOCK_REALTIME, &exact)) return -1;
  *now = (struct timeval_of_libc) {exact.tv_sec, exact.tv_nsec / 1000};
  return 0;
}

time_t time(time_t *seconds) {
  struct timespec exact;
  if (clock_gettime(CLOCK_REALTIME, &exact)) return -1;
  if (seconds) *seconds = exact.tv_sec;
  return exact.tv_sec;
}
