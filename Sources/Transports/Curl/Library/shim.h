// The parts of libcurl that Swift cannot import: variadic functions, and macros with casts.
#ifndef LOCKSTEP_CURL_SHIM_H
#define LOCKSTEP_CURL_SHIM_H

#include <curl/curl.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#if LIBCURL_VERSION_NUM < 0x075500
#error "Lockstep needs libcurl 7.85 or later."
#endif

// Sets up libcurl without the variable SSLKEYLOGFILE. Otherwise libcurl would write the keys of every connection to the file in
// this variable.
//
// During the call, an empty variable replaces it. Nothing is allocated, freed or moved: another thread that reads the
// environment meanwhile finds one of the two texts, and both stay valid.
static inline CURLcode lockstep_curl_set_up(void) {
    extern char **environ;
    static char hidden[] = "SSLKEYLOGFILE=";
    char *found = NULL;
    for (char **entry = environ; entry && *entry && !found; entry++) {
        if (strncmp(*entry, hidden, sizeof hidden - 1) == 0) {
            found = *entry;
            *entry = hidden;
        }
    }
    CURLcode result = curl_global_init(CURL_GLOBAL_DEFAULT);
    // Another thread may have moved the list, so the position is searched again.
    for (char **entry = environ; found && entry && *entry; entry++) {
        if (*entry == hidden) *entry = found;
    }
    return result;
}

// Whether a readable file is at the path. At a FIFO, libcurl would wait until a writer comes.
static inline int lockstep_curl_can_read(const char *path) {
    struct stat status;
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) return 0;
    int is_file = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
    close(descriptor);
    return is_file;
}

// Whether libcurl uses OpenSSL 3 for TLS, so that a connection can get its settings.
static inline int lockstep_curl_has_openssl(void) {
    const char *version = curl_version_info(CURLVERSION_NOW)->ssl_version;
    return version && strncmp(version, "OpenSSL/3.", 10) == 0;
}

typedef CURLcode (*lockstep_curl_tls_callback)(CURL *easy, void *tls, void *context);

static inline CURLcode lockstep_curl_set_tls(CURL *easy, lockstep_curl_tls_callback tighten) {
    return curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, tighten);
}

static inline CURLcode lockstep_curl_set_number(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode lockstep_curl_set_size(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode lockstep_curl_set_text(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode lockstep_curl_set_pointer(CURL *easy, CURLoption option, const void *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode lockstep_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLMcode lockstep_curl_set_multi_number(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

static inline long lockstep_curl_number(CURL *easy, CURLINFO info) {
    long value = 0;
    curl_easy_getinfo(easy, info, &value);
    return value;
}

static inline void *lockstep_curl_owner(CURL *easy) {
    void *value = NULL;
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, &value);
    return value;
}

typedef size_t (*lockstep_curl_data_callback)(char *bytes, size_t size, size_t count, void *context);
typedef int (*lockstep_curl_send_callback)(void *context, char *, char *, int, int);

// Whether a descriptor is one of the last that this process may open. Connections leave these to everything else: if libdispatch
// cannot open a file of /proc now and then, it ends the process.
static inline int lockstep_curl_is_last_descriptor(int descriptor) {
    struct rlimit limit;
    return getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur > 32 && (rlim_t)descriptor >= limit.rlim_cur - 8;
}

// A socket that child processes do not inherit.
static curl_socket_t lockstep_curl_open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    (void)context;
    (void)purpose;
#if defined(SOCK_CLOEXEC)
    int descriptor = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
#else
    int descriptor = socket(address->family, address->socktype, address->protocol);
#endif
    if (descriptor >= 0 && lockstep_curl_is_last_descriptor(descriptor)) {
        close(descriptor);
        return CURL_SOCKET_BAD;
    }
    if (descriptor >= 0) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    return descriptor;
}

// The first result that is not CURLE_OK, as in all functions that set several options.
static inline CURLcode lockstep_curl_set_callbacks(
    CURL *easy, void *context, lockstep_curl_data_callback header, lockstep_curl_data_callback body, lockstep_curl_send_callback send) {
    CURLcode result = curl_easy_setopt(easy, CURLOPT_PRIVATE, context);
    if (!result) result = curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
    if (!result) result = curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, header);
    if (!result) result = curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
    if (!result) result = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body);
    if (!result) result = curl_easy_setopt(easy, CURLOPT_PREREQDATA, context);
    if (!result) result = curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, send);
    if (!result) result = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, lockstep_curl_open_socket);
    return result;
}

// An abandoned name lookup must not be awaited, because it would delay every other transfer of the thread.
static inline CURLcode lockstep_curl_abandon_lookups(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
    return curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
    (void)easy;
    return CURLE_OK;
#endif
}

static inline CURL *lockstep_curl_message(CURLMsg *message, CURLcode *result) {
    *result = message->data.result;
    return message->easy_handle;
}

typedef int (*lockstep_curl_socket_callback)(void *, curl_socket_t socket, int what, void *context, void *);
typedef int (*lockstep_curl_timer_callback)(void *, long milliseconds, void *context);

static inline CURLMcode lockstep_curl_set_multi_callbacks(
    CURLM *multi, void *context, lockstep_curl_socket_callback watch, lockstep_curl_timer_callback wait) {
    CURLMcode result = curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
    if (!result) result = curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, (curl_socket_callback)watch);
    if (!result) result = curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
    if (!result) result = curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, (curl_multi_timer_callback)wait);
    return result;
}

// Milliseconds of a clock that never jumps.
static inline long long lockstep_curl_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// A pipe that never blocks and that child processes do not inherit; -1 if the system provides none.
static inline int lockstep_curl_pipe(int *reading, int *writing) {
    int ends[2];
    if (pipe(ends) != 0) return -1;
    for (int i = 0; i < 2; i++) {
        fcntl(ends[i], F_SETFD, FD_CLOEXEC);
        fcntl(ends[i], F_SETFL, O_NONBLOCK);
    }
    *reading = ends[0];
    *writing = ends[1];
    return 0;
}

// Whether this process can open one more connection, because libcurl does not report this failure.
static inline int lockstep_curl_has_free_descriptor(void) {
    int descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return errno != EMFILE && errno != ENFILE;
    close(descriptor);
    return !lockstep_curl_is_last_descriptor(descriptor);
}

static inline void lockstep_curl_wake(int writing) {
    char byte = 0;
    // The reader of a full pipe is already awake.
    if (write(writing, &byte, 1) < 0) return;
}

static inline void lockstep_curl_silence(int reading) {
    char bytes[64];
    while (read(reading, bytes, sizeof bytes) == (ssize_t)sizeof bytes) {}
}

static inline size_t lockstep_curl_current_thread(void) { return (size_t)pthread_self(); }

// Signals are for the application's threads. Without SIGPIPE, a write to a closed connection is an ordinary error.
static inline void lockstep_curl_block_signals(void) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
}

#endif
