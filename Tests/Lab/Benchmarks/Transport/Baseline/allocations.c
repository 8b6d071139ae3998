// Preloaded (LD_PRELOAD): counts what is asked of malloc, calloc and realloc, and writes the count to standard error at the end.
#include <stdio.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
static long count;

void *malloc(size_t size) {
    __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
    return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
    __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
    return __libc_realloc(old, size);
}

__attribute__((destructor)) static void tell(void) { fprintf(stderr, "allocations %ld\n", count); }
