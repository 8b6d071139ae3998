#ifndef LOCKSTEP_MICROHTTPD_SHIM_H
#define LOCKSTEP_MICROHTTPD_SHIM_H

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

// Variadic functions, which Swift cannot call.

// From version 1.0, the library rejects headers and chunks with ambiguous framing. Earlier versions have no option for this, and
// their own rejections of a request are malformed: two responses, or none. So they check as little as possible.
#if MHD_VERSION >= 0x01000000
#define LOCKSTEP_MHD_DISCIPLINE MHD_OPTION_CLIENT_DISCIPLINE_LVL, 1
#else
#define LOCKSTEP_MHD_DISCIPLINE MHD_OPTION_STRICT_FOR_CLIENT, 0
#endif

// Whether the library parses headers in their memory and silently leaves out parts, as versions before 1.0 do.
static inline int lockstep_mhd_keeps_heads_in_place(void) { return MHD_VERSION < 0x01000000; }

// Starts a daemon with one epoll thread, and without a socket that listens.
static inline struct MHD_Daemon *lockstep_mhd_start(
    MHD_AccessHandlerCallback handle, void *context, void *(*begin)(void *, const char *, struct MHD_Connection *),
    MHD_RequestCompletedCallback completed, MHD_NotifyConnectionCallback notify,
    size_t (*keep)(void *, struct MHD_Connection *, char *), size_t memory, unsigned int timeout, unsigned int connections) {
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_SUPPRESS_DATE_NO_CLOCK, 0,
        NULL, NULL, handle, context, MHD_OPTION_URI_LOG_CALLBACK, begin, context, MHD_OPTION_UNESCAPE_CALLBACK, keep, NULL,
        MHD_OPTION_NOTIFY_COMPLETED, completed, context, MHD_OPTION_NOTIFY_CONNECTION, notify, context,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory, MHD_OPTION_CONNECTION_TIMEOUT, timeout,
        MHD_OPTION_CONNECTION_LIMIT, connections, LOCKSTEP_MHD_DISCIPLINE, MHD_OPTION_END);
}

// Hands a connection to a daemon, which closes it, also if the result is MHD_NO.
static inline enum MHD_Result lockstep_mhd_add(struct MHD_Daemon *daemon, int socket) {
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    memset(&address, 0, sizeof address);
    address.ss_family = AF_INET;
    // The other end may already be gone. The daemon notices that itself.
    if (getpeername(socket, (struct sockaddr *)&address, &length) != 0) length = sizeof(struct sockaddr_in);
    return MHD_add_connection(daemon, socket, (struct sockaddr *)&address, length);
}

// Prevents the library from parsing the query and the cookies of a request. They are read elsewhere, and each part would need 64
// bytes of the connection's memory. If the memory is full, versions before 1.0 continue with the request that they have rejected:
// the client gets no response, or two.
//
// It is called with the target before the library parses it. The library ends the query at the first NUL, and reads the cookies of
// the first header with this name only. The result is the number of headers before those of the client.
static inline int lockstep_mhd_keep_unparsed(struct MHD_Connection *connection, const char *target) {
    char *query = target == NULL ? NULL : (char *)strchr(target, '?');
    if (query != NULL) query[1] = '\0';
    return MHD_set_connection_value(connection, MHD_HEADER_KIND, "Cookie", "") == MHD_YES;
}

static inline int lockstep_mhd_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? -1 : info->connect_fd;
}

// The bytes of received headers, from the first byte of the method to the end of the empty line.
static inline size_t lockstep_mhd_head_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info == NULL ? 0 : info->header_size;
}

// The value that the notification of a new connection has stored in its context.
static inline void *lockstep_mhd_peer(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info == NULL ? NULL : info->socket_context;
}

// Socket calls whose arguments are unions and casts in C.

// The IP address of the other end as text; empty if it has none.
static inline void lockstep_socket_peer(int socket, char *text, socklen_t capacity) {
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    text[0] = '\0';
    if (getpeername(socket, (struct sockaddr *)&address, &length) != 0) return;
    if (address.ss_family == AF_INET) inet_ntop(AF_INET, &((struct sockaddr_in *)&address)->sin_addr, text, capacity);
    if (address.ss_family == AF_INET6) inet_ntop(AF_INET6, &((struct sockaddr_in6 *)&address)->sin6_addr, text, capacity);
}

// The address to which the other end connected, as text; empty if there is none.
static inline void lockstep_socket_here(int socket, char *text, socklen_t capacity) {
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    text[0] = '\0';
    if (getsockname(socket, (struct sockaddr *)&address, &length) != 0) return;
    if (address.ss_family == AF_INET) inet_ntop(AF_INET, &((struct sockaddr_in *)&address)->sin_addr, text, capacity);
    if (address.ss_family == AF_INET6) inet_ntop(AF_INET6, &((struct sockaddr_in6 *)&address)->sin6_addr, text, capacity);
}

// The lowest number that the next file or socket can get: all numbers below it are in use. -1 if this process may not open any
// more.
static inline int lockstep_next_descriptor(int any) {
    int next = fcntl(any, F_DUPFD_CLOEXEC, 0);
    if (next >= 0) close(next);
    return next;
}

// A descriptor with which any thread ends a wait of another one; -1 if the system provides none.
static inline int lockstep_wake_descriptor(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

static inline void lockstep_wake(int descriptor) { (void)!eventfd_write(descriptor, 1); }

static inline void lockstep_silence(int descriptor) {
    eventfd_t count;
    (void)!eventfd_read(descriptor, &count);
}

// The next connection to a listening socket, or errno with a minus sign.
static inline int lockstep_socket_accept(int listener) {
    int descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    return descriptor < 0 ? -errno : descriptor;
}

// A listening socket on an IPv4 address, or errno with a minus sign; EINVAL if the address is invalid.
static inline int lockstep_socket_listen(const char *host, uint16_t port, int backlog) {
    struct sockaddr_in address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    if (inet_pton(AF_INET, host, &address.sin_addr) != 1) return -EINVAL;
    int one = 1;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (listener < 0) return -errno;
    if (setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) != 0
        || bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, backlog) != 0) {
        int reason = errno;
        close(listener);
        return -reason;
    }
    return listener;
}

// The port of a listening socket; 0 if it has none.
static inline uint16_t lockstep_socket_port(int listener) {
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    return getsockname(listener, (struct sockaddr *)&address, &length) == 0 ? ntohs(address.sin_port) : 0;
}

// Whether the other end has closed its half.
static inline int lockstep_socket_is_closed(int socket) {
    char byte;
    ssize_t count = recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return count == 0 || (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

#endif
