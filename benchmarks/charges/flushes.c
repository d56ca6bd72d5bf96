/* Has every flush of a file to the disk take a millisecond longer, as on a disk that does. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

static int after_a_millisecond(const char *name, int file) {
    struct timespec millisecond = {0, 1000000};
    int (*flush)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    nanosleep(&millisecond, 0);
    return flush(file);
}

int fsync(int file) { return after_a_millisecond("fsync", file); }

int fdatasync(int file) { return after_a_millisecond("fdatasync", file); }
