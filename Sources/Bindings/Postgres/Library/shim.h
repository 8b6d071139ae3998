// The parts of libpq and of the system that Swift cannot import: flags that are macros, and a detached thread.
#ifndef LOCKSTEP_POSTGRES_SHIM_H
#define LOCKSTEP_POSTGRES_SHIM_H

#include <errno.h>
#include <fcntl.h>
#include <libpq-fe.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline int lockstep_pg_errno(void) { return errno; }

// A pipe that no child process inherits, and that never blocks its writer.
static inline int lockstep_pg_pipe(int *ends) {
    if (pipe(ends) != 0) return -1;
    for (int end = 0; end < 2; end++) {
        fcntl(ends[end], F_SETFD, FD_CLOEXEC);
        fcntl(ends[end], F_SETFL, O_NONBLOCK);
    }
    return 0;
}

static inline void *lockstep_pg_cancel(void *request) {
    char reason[256];
    PQcancel((PGcancel *)request, reason, sizeof reason);
    PQfreeCancel((PGcancel *)request);
    return NULL;
}

// Asks the server to stop the current statement, and becomes the owner of the request. PQcancel opens a connection and waits
// for it, for minutes if the host is gone. So it runs on a detached thread.
static inline void lockstep_pg_cancel_apart(PGcancel *request) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, lockstep_pg_cancel, request) == 0) pthread_detach(thread);
    else PQfreeCancel(request);
}

static inline void lockstep_pg_ignore(void *nothing, const PGresult *notice) {
    (void)nothing;
    (void)notice;
}

// libpq writes notices to stderr unless a receiver is set.
static inline void lockstep_pg_silence(PGconn *connection) { PQsetNoticeReceiver(connection, lockstep_pg_ignore, NULL); }

#endif
