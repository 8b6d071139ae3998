// The other end of the measured requests: answers each with the same 200, from one thread, as fast as a socket allows,
// so that what is measured is the client. Prints its port, ends with its standard input.
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

static char answer[2048];
static size_t answer_size;

typedef struct {
    int descriptor;
    size_t size;
    char bytes[65536];
} connection;

static void make_answer(void) {
    char body[700];
    memset(body, 'x', sizeof body);
    body[sizeof body - 1] = 0;
    answer_size = (size_t)snprintf(
        answer, sizeof answer,
        "HTTP/1.1 200 OK\r\nDate: Sat, 21 Nov 2026 12:00:00 GMT\r\nContent-Type: application/json; charset=utf-8\r\n"
        "Cache-Control: no-store\r\nX-Request-Id: 5f0c2d1e8b7a4c3d9e6f\r\nVary: Origin\r\nContent-Length: %zu\r\n\r\n{\"token\":\"%s\"}",
        strlen(body) + 12, body);
}

// Takes whole requests from the front of the buffer; how many there were.
static int take_requests(connection *c) {
    int count = 0;
    for (;;) {
        char *end = memmem(c->bytes, c->size, "\r\n\r\n", 4);
        if (!end) return count;
        size_t head = (size_t)(end - c->bytes) + 4, body = 0;
        *end = 0;
        char *field = strcasestr(c->bytes, "\r\nContent-Length:");
        *end = '\r';
        if (field) body = strtoul(field + 17, NULL, 10);
        if (c->size < head + body) return count;
        memmove(c->bytes, c->bytes + head + body, c->size - head - body);
        c->size -= head + body;
        count++;
    }
}

int main(void) {
    make_answer();
    int listener = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    if (bind(listener, (struct sockaddr *)&address, size) || listen(listener, 256)
        || getsockname(listener, (struct sockaddr *)&address, &size))
        return perror("listen"), 1;
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);

    int epoll = epoll_create1(0);
    connection accepting = {.descriptor = listener}, input = {.descriptor = 0};
    epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &(struct epoll_event){.events = EPOLLIN, .data.ptr = &accepting});
    epoll_ctl(epoll, EPOLL_CTL_ADD, 0, &(struct epoll_event){.events = EPOLLIN, .data.ptr = &input});
    struct epoll_event events[128];
    for (;;) {
        int count = epoll_wait(epoll, events, 128, -1);
        for (int i = 0; i < count; i++) {
            connection *c = events[i].data.ptr;
            if (c == &input) return 0;
            if (c == &accepting) {
                connection *fresh = calloc(1, sizeof *fresh);
                fresh->descriptor = accept(listener, NULL, NULL);
                setsockopt(fresh->descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
                epoll_ctl(epoll, EPOLL_CTL_ADD, fresh->descriptor, &(struct epoll_event){.events = EPOLLIN, .data.ptr = fresh});
                continue;
            }
            ssize_t got = recv(c->descriptor, c->bytes + c->size, sizeof c->bytes - c->size, 0);
            if (got <= 0) {
                close(c->descriptor);
                free(c);
                continue;
            }
            c->size += (size_t)got;
            for (int n = take_requests(c); n > 0; n--)
                if (send(c->descriptor, answer, answer_size, MSG_NOSIGNAL) < 0) break;
        }
    }
}
