/* Makes one write or sync below a folder fail, for programs started with LD_PRELOAD.
 *
 * FAULTS_FOLDER is the folder, FAULTS_CONTROL a file of one `struct control`, shared by processes.
 * A write that fails leaves half of its bytes behind; a sync that fails syncs nothing.
 * With FAULTS_SHADOW, what was synced is copied to that folder: the disk after a loss of power.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

struct control {
    uint64_t calls;     /* writes and syncs so far */
    uint64_t first;     /* the first that fails; 0 for none */
    uint64_t last;      /* the last that fails */
    uint64_t error;     /* its errno */
    uint64_t fired;     /* how many have failed */
};

static struct control *control;
static const char *folder, *shadow;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void set_up(void)
{
    const char *path = getenv("FAULTS_CONTROL");
    folder = getenv("FAULTS_FOLDER");
    shadow = getenv("FAULTS_SHADOW");
    int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (fd < 0 || !folder)
        return;
    void *shared = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (shared != MAP_FAILED)
        control = shared;
    close(fd);
}

/* The name of an open file below the folder; NULL for any other. */
static const char *name_of(int fd, char *path)
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    size_t prefix = strlen(folder);
    if (length <= (ssize_t)prefix)
        return NULL;
    path[length] = 0;
    return strncmp(path, folder, prefix) || path[prefix] != '/' ? NULL : path + prefix + 1;
}

/* Whether this call is one that fails. */
static int fails(int fd)
{
    char path[PATH_MAX];
    int before = errno;
    pthread_once(&once, set_up);
    int counts = control && name_of(fd, path);
    errno = before;
    if (!counts)
        return 0;
    uint64_t number = __atomic_add_fetch(&control->calls, 1, __ATOMIC_SEQ_CST);
    if (!control->first || number < control->first || number > control->last)
        return 0;
    __atomic_add_fetch(&control->fired, 1, __ATOMIC_SEQ_CST);
    return 1;
}

static int failed(void)
{
    errno = (int)control->error;
    return -1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *bytes, size_t size)
{
    if (!fails(fd))
        return REAL(write)(fd, bytes, size);
    REAL(write)(fd, bytes, size / 2);
    return failed();
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t place)
{
    if (!fails(fd))
        return REAL(pwrite)(fd, bytes, size, place);
    REAL(pwrite)(fd, bytes, size / 2, place);
    return failed();
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t place)
{
    return pwrite(fd, bytes, size, place);
}

ssize_t writev(int fd, const struct iovec *parts, int count)
{
    return fails(fd) ? failed() : REAL(writev)(fd, parts, count);
}

ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t place)
{
    return fails(fd) ? failed() : REAL(pwritev)(fd, parts, count, place);
}

ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t place)
{
    return pwritev(fd, parts, count, place);
}

/* Copy a file that was synced to the shadow, whole. */
static int kept(int fd, int result)
{
    char path[PATH_MAX], copy[PATH_MAX], bytes[1 << 16];
    const char *name = result == 0 && shadow ? name_of(fd, path) : NULL;
    if (!name)
        return result;
    snprintf(copy, sizeof copy, "%s/%s", shadow, name);
    int from = open(path, O_RDONLY | O_CLOEXEC);
    int to = open(copy, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    ssize_t size;
    while ((size = read(from, bytes, sizeof bytes)) > 0)
        if (REAL(write)(to, bytes, (size_t)size) != size)
            abort();
    close(from);
    close(to);
    return result;
}

int fsync(int fd)
{
    return fails(fd) ? failed() : kept(fd, REAL(fsync)(fd));
}

int fdatasync(int fd)
{
    return fails(fd) ? failed() : kept(fd, REAL(fdatasync)(fd));
}
