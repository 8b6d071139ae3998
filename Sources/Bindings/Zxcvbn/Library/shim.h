// zxcvbn-c: the estimate of a password's strength; Swift imports all of it.
#ifndef LOCKSTEP_ZXCVBN_SHIM_H
#define LOCKSTEP_ZXCVBN_SHIM_H

// The library brings no file for pkg-config, which would say so before the compiler does.
#if !__has_include(<zxcvbn.h>)
#error "LockstepPasswordStrength needs libzxcvbn. On Debian and Ubuntu: sudo apt-get install libzxcvbn-dev"
#endif
#include <string.h>
#include <zxcvbn.h>

// Not left out by the compiler, as the clearing of memory that is freed next may be.
static inline void lockstep_wipe(void *memory, size_t size) { explicit_bzero(memory, size); }

#endif
