// The part of OpenSSL 3's libcrypto that Swift cannot import: one variadic function.
#ifndef LOCKSTEP_CRYPTO_SHIM_H
#define LOCKSTEP_CRYPTO_SHIM_H

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/x509.h>

static inline EVP_PKEY *lockstep_generate_rsa(size_t bits) {
    return EVP_PKEY_Q_keygen(NULL, NULL, "RSA", bits);
}

static inline EVP_PKEY *lockstep_generate_p256(void) {
    return EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256");
}

#endif
