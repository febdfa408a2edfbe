// SHA-256 of libcrypto. Its state is a plain struct that can be copied, so that the hash of what many texts begin with is
// worked out once. OpenSSL 3 calls these functions deprecated in favour of ones that allocate each state; it keeps them.

#ifndef PALIMPSEST_CCRYPTO_SHIM_H
#define PALIMPSEST_CCRYPTO_SHIM_H

#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/crypto.h>
#include <openssl/sha.h>

#endif
