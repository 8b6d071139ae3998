// The reference implementation of Argon2; Swift imports all of it.
#include <argon2.h>
