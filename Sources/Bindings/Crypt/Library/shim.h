// libxcrypt: crypt(3) and its helpers; Swift imports all of them.
#include <crypt.h>
