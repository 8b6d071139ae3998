// The functions that Swift cannot import: variadic functions, function-like macros, and a signal handler.
#ifndef LOCKSTEP_SYSTEM_SHIM_H
#define LOCKSTEP_SYSTEM_SHIM_H

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#if defined(__linux__)
#include <malloc.h>
#endif
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <arpa/inet.h>
#include <dirent.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <termios.h>
#if defined(__APPLE__)
#include <TargetConditionals.h>
#include <crt_externs.h>
#include <sys/sysctl.h>
#endif
#include <time.h>
#include <unistd.h>

// A descriptor must be hidden from child processes from the start, because another thread may start a child in between.
#if defined(__linux__)
extern int pipe2(int ends[2], int flags);
extern int accept4(int listener, struct sockaddr *address, socklen_t *size, int flags);
#define LOCKSTEP_SOCKET_FLAGS SOCK_CLOEXEC
extern int posix_openpt(int flags);
extern int grantpt(int terminal);
extern int unlockpt(int terminal);
extern int ptsname_r(int terminal, char *name, size_t size);
#else
#define LOCKSTEP_SOCKET_FLAGS 0
#endif

static inline int lockstep_errno(void) { return errno; }

// Whether a group is the private group of its owner, as on systems with a umask of 002. Such a group is the user's primary
// group, has the user's name, and lists no other user. The result is 0 if the system does not know the user or the group.
static inline int lockstep_is_private_group(gid_t number, uid_t owner) {
    struct passwd user, *known_user = NULL;
    struct group group, *known_group = NULL;
    char user_text[4096], group_text[16384];
    if (getpwuid_r(owner, &user, user_text, sizeof user_text, &known_user) != 0 || !known_user) return 0;
    if (user.pw_gid != number) return 0;
    if (getgrgid_r(number, &group, group_text, sizeof group_text, &known_group) != 0 || !known_group) return 0;
    if (strcmp(group.gr_name, user.pw_name) != 0) return 0;
    for (char **member = group.gr_mem; *member; member++)
        if (strcmp(*member, user.pw_name) != 0) return 0;
    return 1;
}

// On Apple's devices, a new file can be read after the first unlock since the start (class C of Data Protection,
// "completeUntilFirstUserAuthentication"), whatever the app's default is. With a stricter class, no lock file could be opened
// on a locked device.
static inline int lockstep_open(const char *path, int flags, mode_t mode) {
#if defined(__APPLE__) && TARGET_OS_IPHONE
    if (flags & O_CREAT) {
        int descriptor = open_dprotected_np(path, flags, 3, 0, mode);
        if (descriptor >= 0 || (errno != ENOTSUP && errno != EOPNOTSUPP && errno != EINVAL && errno != ENOSYS)) return descriptor;
    }
#endif
    return open(path, flags, mode);
}

static inline int lockstep_terminal_columns(int descriptor) {
    struct winsize size;
    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) return 0;
    return size.ws_col;
}

// Shows typed text on a terminal, or only the end of the line. Text that was already typed stays. The result is -1 with errno
// if it is not a terminal.
static inline int lockstep_set_echo(int descriptor, int shows) {
    struct termios settings;
    if (tcgetattr(descriptor, &settings) != 0) return -1;
    if (shows) {
        settings.c_lflag = (settings.c_lflag | ECHO) & ~(tcflag_t)ECHONL;
    } else {
        settings.c_lflag = (settings.c_lflag & ~(tcflag_t)ECHO) | ECHONL;
    }
    return tcsetattr(descriptor, TCSADRAIN, &settings);
}

static inline int lockstep_shows_echo(int descriptor) {
    struct termios settings;
    return tcgetattr(descriptor, &settings) == 0 && (settings.c_lflag & ECHO) != 0;
}

// Creates a terminal with this number of characters per line, and writes the path of the program's end; -1 with errno on
// failure.
static inline int lockstep_open_terminal(int columns, char *path, size_t size) {
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal < 0) return -1;
    struct winsize dimensions = {.ws_row = 24, .ws_col = (unsigned short)columns};
    if (fcntl(terminal, F_SETFD, FD_CLOEXEC) != 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0
        || ptsname_r(terminal, path, size) != 0 || ioctl(terminal, TIOCSWINSZ, &dimensions) != 0) {
        int code = errno;
        close(terminal);
        errno = code;
        return -1;
    }
    return terminal;
}

// The flag with which a started program leads a new session. The first terminal that it opens becomes the session's terminal.
static inline short lockstep_spawn_session_flag(void) {
#if defined(POSIX_SPAWN_SETSID)
    return POSIX_SPAWN_SETSID;
#else
    // Declared only for programs that request GNU's extensions.
    return 0x80;
#endif
}

static inline void lockstep_describe_error(int code, char *buffer, size_t size) {
    if (strerror_r(code, buffer, size) != 0) snprintf(buffer, size, "error %d", code);
}

// The exit status of a child as a shell reports it: its own, or 128 plus the signal that ended it.
static inline int lockstep_exit_status(int status) {
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    if (WIFSIGNALED(status)) return 128 + WTERMSIG(status);
    return -1;
}

#if defined(__APPLE__)
// A library that is loaded cannot name `environ` there.
static inline char **lockstep_environment(void) { return *_NSGetEnviron(); }
#else
extern char **environ;

static inline char **lockstep_environment(void) { return environ; }
#endif

// When this returns, the written bytes are on the disk. On Apple systems, fsync() only reaches the drive, whose cache loses its
// content without power. F_FULLFSYNC also flushes the drive (fcntl(2)). File systems without F_FULLFSYNC use fsync().
static inline int lockstep_sync(int descriptor) {
#if defined(F_FULLFSYNC)
    if (fcntl(descriptor, F_FULLFSYNC) == 0) return 0;
    if (errno != ENOTSUP && errno != EOPNOTSUPP && errno != EINVAL && errno != ENOTTY) return -1;
#endif
    return fsync(descriptor);
}

// The kernel's id of the machine's current boot, which ends with NUL; -1 if the kernel does not provide it in this way.
static inline int lockstep_boot_session(char *name, size_t size) {
#if defined(__APPLE__)
    return sysctlbyname("kern.bootsessionuuid", name, &size, NULL, 0);
#else
    (void)name;
    (void)size;
    return -1;
#endif
}

static inline int lockstep_pipe(int *ends) {
#if defined(__linux__)
    return pipe2(ends, O_CLOEXEC);
#else
    if (pipe(ends) != 0) return -1;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return 0;
#endif
}

#if defined(__APPLE__) && !TARGET_OS_IPHONE
// The start time of a process, in microseconds since 1970; 0 if the process does not exist or has ended.
static inline long long lockstep_process_start(int id) {
    struct kinfo_proc process;
    size_t size = sizeof process;
    int name[4] = {CTL_KERN, KERN_PROC, KERN_PROC_PID, id};
    if (sysctl(name, 4, &process, &size, NULL, 0) != 0 || size == 0 || process.kp_proc.p_stat == SZOMB) return 0;
    return (long long)process.kp_proc.p_starttime.tv_sec * 1000000 + process.kp_proc.p_starttime.tv_usec;
}
#elif defined(__APPLE__)
static inline long long lockstep_process_start(int id) {
    (void)id;
    return 0;
}
#endif

// The processor time of this process in nanoseconds.
static inline long long lockstep_processor_time(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (long long)time.tv_sec * 1000000000 + time.tv_nsec;
}

// The processor time of this thread in nanoseconds.
static inline long long lockstep_thread_processor_time(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (long long)time.tv_sec * 1000000000 + time.tv_nsec;
}

// Opens /dev/null in place of each closed standard stream: readable for the input, not writable for the others.
static inline void lockstep_hold_standard_streams(void) {
    for (int number = 0; number <= 2; number++) {
        if (fcntl(number, F_GETFD) != -1 || errno != EBADF) continue;
        // This is the lowest free number, because all numbers below it are open by now.
        int descriptor = open("/dev/null", O_RDONLY);
        if (descriptor > 2) close(descriptor);
    }
}

static inline void lockstep_return_free_memory(void) {
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
}

// MARK: Limits

static inline unsigned long long lockstep_open_file_limit(void) {
    struct rlimit limit;
    return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? (unsigned long long)limit.rlim_cur : 0;
}

// Raises the soft limit to the requested and allowed value; never lowers it.
static inline void lockstep_raise_open_file_limit(unsigned long long wanted) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    rlim_t reachable = (rlim_t)wanted < limit.rlim_max ? (rlim_t)wanted : limit.rlim_max;
    if (limit.rlim_cur >= reachable) return;
    limit.rlim_cur = reachable;
    setrlimit(RLIMIT_NOFILE, &limit);
}

// Whether a new socket has one of the last descriptors that this process may open. Sockets leave these to everything else: if
// libdispatch cannot open a file of /proc now and then, it ends the process.
static inline int lockstep_is_last_descriptor(int descriptor) {
    struct rlimit limit;
    return getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur > 32 && (rlim_t)descriptor >= limit.rlim_cur - 8;
}

// The hard limit does not change, so a program that is started for a user can get the original limit.
static inline void lockstep_forbid_core_dumps(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_CORE, &limit) != 0) return;
    limit.rlim_cur = 0;
    setrlimit(RLIMIT_CORE, &limit);
}

static inline unsigned long long lockstep_core_dump_limit(void) {
    struct rlimit limit;
    return getrlimit(RLIMIT_CORE, &limit) == 0 ? (unsigned long long)limit.rlim_cur : 0;
}

#include "program.h"

// MARK: Sockets

// A TCP socket that listens on a port of 127.0.0.1; for 0, the kernel chooses the port. The result is -1 with errno on failure.
// With a negative backlog, it reserves the port without listening, so that connections are rejected.
static inline int lockstep_listen_loopback(int port, int backlog, int *chosen) {
    int descriptor = socket(AF_INET, SOCK_STREAM | LOCKSTEP_SOCKET_FLAGS, 0);
    if (descriptor < 0) return -1;
    fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    int yes = 1;
    // Two sockets that do not listen could share a port if both may reuse it.
    if (backlog >= 0) setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    struct sockaddr_in address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_port = htons((unsigned short)port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (bind(descriptor, (struct sockaddr *)&address, sizeof address) != 0 || (backlog >= 0 && listen(descriptor, backlog) != 0)
        || getsockname(descriptor, (struct sockaddr *)&address, &size) != 0) {
        int code = errno;
        close(descriptor);
        errno = code;
        return -1;
    }
    *chosen = ntohs(address.sin_port);
    return descriptor;
}

static inline void lockstep_set_up_connection(int descriptor) {
    int yes = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
#if defined(SO_NOSIGPIPE)
    setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof yes);
#endif
}

// A TCP connection to a port of 127.0.0.1; -1 with errno on failure.
static inline int lockstep_connect_loopback(int port) {
    int descriptor = socket(AF_INET, SOCK_STREAM | LOCKSTEP_SOCKET_FLAGS, 0);
    if (descriptor < 0) return -1;
    if (lockstep_is_last_descriptor(descriptor)) {
        close(descriptor);
        errno = EMFILE;
        return -1;
    }
    fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    struct sockaddr_in address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_port = htons((unsigned short)port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) {
        int code = errno;
        close(descriptor);
        errno = code;
        return -1;
    }
    lockstep_set_up_connection(descriptor);
    return descriptor;
}

static inline int lockstep_accept(int listener) {
#if defined(__linux__)
    int descriptor = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
#else
    int descriptor = accept(listener, NULL, NULL);
#endif
    if (descriptor < 0) return -1;
    fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    lockstep_set_up_connection(descriptor);
    return descriptor;
}

// Sends as many bytes as fit, and never raises SIGPIPE: because of a flag of the call or, on Apple systems, an option of the
// socket.
static inline ssize_t lockstep_send(int descriptor, const void *bytes, size_t count) {
#if defined(MSG_NOSIGNAL)
    return send(descriptor, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
#else
    return send(descriptor, bytes, count, MSG_DONTWAIT);
#endif
}

// Writes to a file or pipe, and never raises SIGPIPE. The signal is blocked on this thread, and a signal from the write is
// discarded. Otherwise, writing to the input of a program that has ended would also end this process.
static inline ssize_t lockstep_write(int descriptor, const void *bytes, size_t count) {
    sigset_t broken_pipe, before, pending;
    sigemptyset(&broken_pipe);
    sigaddset(&broken_pipe, SIGPIPE);
    sigemptyset(&pending);
    sigpending(&pending);
    int was_pending = sigismember(&pending, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken_pipe, &before);
    ssize_t written = write(descriptor, bytes, count);
    int code = errno;
    if (written < 0 && code == EPIPE && !was_pending) {
        int number;
        sigpending(&pending);
        if (sigismember(&pending, SIGPIPE)) sigwait(&broken_pipe, &number);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = code;
    return written;
}

// Makes the next close() send RST instead of FIN.
static inline int lockstep_reset_on_close(int descriptor) {
    struct linger linger = {1, 0};
    return setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
}

// Makes the receive buffer small, so that a peer's writes soon block.
static inline int lockstep_limit_receive_buffer(int descriptor, int size) {
    return setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
}

// MARK: Signals

// A handler may only make async-signal-safe calls, so it writes the number of the signal into a pipe.
static volatile int lockstep_signal_pipe = -1;

// The highest bit means that the terminal has sent the signal to all programs in the foreground.
static inline void lockstep_signal_handler(int number, siginfo_t *information, void *context) {
    (void)context;
    int code = errno;
#if defined(__linux__)
    int is_from_terminal = information->si_code == SI_KERNEL;
#else
    int is_from_terminal = information->si_pid == 0;
#endif
    unsigned char byte = (unsigned char)(number | (is_from_terminal ? 0x80 : 0));
    if (lockstep_signal_pipe >= 0 && write(lockstep_signal_pipe, &byte, 1) < 0) { /* a full pipe has woken its reader already */ }
    errno = code;
}

// Makes the handler write to this pipe; 0 if another pipe is in use.
static inline int lockstep_claim_signal_pipe(int descriptor) {
    return __sync_bool_compare_and_swap(&lockstep_signal_pipe, -1, descriptor);
}

static inline void lockstep_release_signal_pipe(void) { __sync_lock_test_and_set(&lockstep_signal_pipe, -1); }

static inline void lockstep_ignore_broken_pipes(void) { signal(SIGPIPE, SIG_IGN); }

/* Whether the process ignores the end of its terminal: nohup has started it, and it must continue. */
static inline int lockstep_ignores_hang_up(int number) {
    struct sigaction action;
    return number == SIGHUP && sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

static inline int lockstep_catch_signal(int number) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = lockstep_signal_handler;
    action.sa_flags = SA_RESTART | SA_SIGINFO;
    sigemptyset(&action.sa_mask);
    if (lockstep_ignores_hang_up(number)) return 0;
    return sigaction(number, &action, NULL);
}

static inline int lockstep_restore_signal(int number) {
    struct sigaction action;
    if (lockstep_ignores_hang_up(number)) return 0;
    memset(&action, 0, sizeof action);
    action.sa_handler = SIG_DFL;
    sigemptyset(&action.sa_mask);
    return sigaction(number, &action, NULL);
}

#endif
