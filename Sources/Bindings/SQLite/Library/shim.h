#ifndef LOCKSTEP_SQLITE_SHIM_H
#define LOCKSTEP_SQLITE_SHIM_H

#include <sqlite3.h>

// SQLITE_TRANSIENT is a number cast to a function pointer, which Swift cannot import. It makes SQLite copy the given bytes.

static inline int lockstep_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *bytes, int count) {
    return sqlite3_bind_text(statement, index, count == 0 ? "" : bytes, count, SQLITE_TRANSIENT);
}

static inline int lockstep_sqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return count == 0 ? sqlite3_bind_zeroblob(statement, index, 0)
                      : sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

#endif
