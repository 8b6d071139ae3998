// libxcrypt: crypt(3) and what belongs to it; Swift imports all of it.
#include <crypt.h>
