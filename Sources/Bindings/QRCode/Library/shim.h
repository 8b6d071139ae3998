// libqrencode: QR codes of bytes.
#ifndef LOCKSTEP_QRCODE_SHIM_H
#define LOCKSTEP_QRCODE_SHIM_H

#include <qrencode.h>

#endif
