#ifndef LOCKSTEP_MICROHTTPD_SHIM_H
#define LOCKSTEP_MICROHTTPD_SHIM_H

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

// Variadic functions, which Swift cannot call.

// From version 1.0, the library rejects headers and chunks with ambiguous framing. Earlier versions have no option for this.
#if MHD_VERSION >= 0x01000000
#define LOCKSTEP_MHD_DISCIPLINE MHD_OPTION_CLIENT_DISCIPLINE_LVL, 1
#else
#define LOCKSTEP_MHD_DISCIPLINE MHD_OPTION_STRICT_FOR_CLIENT, 1
#endif

// Whether the library parses headers in their memory and silently leaves out parts, as versions before 1.0 do.
static inline int lockstep_mhd_keeps_heads_in_place(void) { return MHD_VERSION < 0x01000000; }

// Starts a daemon with one epoll thread that responds on `listener`. The daemon then owns `listener`.
static inline struct MHD_Daemon *lockstep_mhd_start(
    int listener, MHD_AccessHandlerCallback handle, void *context, void *(*begin)(void *, const char *, struct MHD_Connection *),
    MHD_RequestCompletedCallback completed, MHD_NotifyConnectionCallback notify,
    size_t (*keep)(void *, struct MHD_Connection *, char *), size_t memory, unsigned int timeout, unsigned int connections) {
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_SUPPRESS_DATE_NO_CLOCK, 0, NULL, NULL, handle, context,
        MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_URI_LOG_CALLBACK, begin, context, MHD_OPTION_UNESCAPE_CALLBACK, keep, NULL,
        MHD_OPTION_NOTIFY_COMPLETED, completed, context, MHD_OPTION_NOTIFY_CONNECTION, notify, context,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory, MHD_OPTION_CONNECTION_TIMEOUT, timeout,
        MHD_OPTION_CONNECTION_LIMIT, connections, LOCKSTEP_MHD_DISCIPLINE, MHD_OPTION_END);
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

// The maximum number of files that this process may have open.
static inline unsigned long lockstep_descriptor_limit(void) {
    struct rlimit limit;
    return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? (unsigned long)limit.rlim_cur : 256;
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
