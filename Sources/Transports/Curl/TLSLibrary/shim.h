// Settings of a TLS connection with OpenSSL that libcurl itself does not have.
#ifndef LOCKSTEP_TLS_SHIM_H
#define LOCKSTEP_TLS_SHIM_H

#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#if OPENSSL_VERSION_MAJOR != 3
#error "Lockstep needs OpenSSL 3."
#endif

// Called for each certificate of the chain, the server's own last. A certificate whose host is only in the common name is
// rejected (RFC 9110, section 4.3.4; RFC 6125, section 6.4.4). Without an alternative name, libcurl would compare the common
// name.
static int lockstep_tls_verify(int is_good, X509_STORE_CTX *context) {
    if (!is_good || X509_STORE_CTX_get_error_depth(context) != 0) return is_good;
    X509 *certificate = X509_STORE_CTX_get_current_cert(context);
    GENERAL_NAMES *names = certificate ? X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL) : NULL;
    int has_name = 0;
    for (int i = 0; i < sk_GENERAL_NAME_num(names); i++) {
        int type = sk_GENERAL_NAME_value(names, i)->type;
        if (type == GEN_DNS || type == GEN_IPADD) has_name = 1;
    }
    GENERAL_NAMES_free(names);
    if (!has_name) X509_STORE_CTX_set_error(context, X509_V_ERR_HOSTNAME_MISMATCH);
    return has_name;
}

// `context` is the SSL_CTX of a connection that libcurl is about to open, after libcurl has applied its own settings.
static inline void lockstep_tls_tighten(void *context) {
    SSL_CTX *tls = (SSL_CTX *)context;
    // If SSLKEYLOGFILE was set when libcurl was set up, libcurl writes the keys of every connection to that file.
    SSL_CTX_set_keylog_callback(tls, NULL);
    SSL_CTX_set_verify(tls, SSL_VERIFY_PEER, lockstep_tls_verify);
}

#endif
