"""Makes vectors.json with the code that such hashes come from: Django, Werkzeug, passlib, argon2-cffi, bcrypt and hashlib.

    python3 -m venv venv && venv/bin/pip install django werkzeug passlib argon2-cffi bcrypt && venv/bin/python make.py

Firebase's own scrypt and GoTrue's text of it: see references.json, whose hashes others have published or recorded.
"""
import base64, hashlib, hmac, json, pathlib, random
import bcrypt
from argon2.low_level import Type, hash_secret, hash_secret_raw
from django.conf import settings
from django.contrib.auth.hashers import BCryptSHA256PasswordHasher, PBKDF2PasswordHasher
from passlib.hash import ldap_salted_sha1, md5_crypt, phpass, sha256_crypt, sha512_crypt
from werkzeug.security import generate_password_hash

settings.configure()
dice = random.Random(20261121)
PASSWORDS = ["Correct-Horse-1", "Grüße 🐎", ""]


def b64(data):
    return base64.b64encode(data).decode()


def url(data):
    return base64.urlsafe_b64encode(data).decode()


class QuickBcrypt(BCryptSHA256PasswordHasher):
    rounds = 4


def symfony(password, salt, iterations):
    salted = password.encode() + b"{" + salt.encode() + b"}"
    digest = hashlib.sha512(salted).digest()
    for _ in range(1, iterations):
        digest = hashlib.sha512(digest + salted).digest()
    return b64(digest)


plain, clerk, firebase = [], [], []
for password in PASSWORDS:
    secret, salt = password.encode(), dice.randbytes(12)
    quick = bcrypt.hashpw(secret, bcrypt.gensalt(4, b"2a")).decode()
    for text in (
        quick, quick.replace("$2a$", "$2b$"), quick.replace("$2a$", "$2y$"), sha256_crypt.using(rounds=1000).hash(password),
        sha512_crypt.hash(password, rounds=5000), md5_crypt.hash(password), phpass.using(rounds=8).hash(password),
        ldap_salted_sha1.hash(password), PBKDF2PasswordHasher().encode(password, "abcDEF", 100),
        QuickBcrypt().encode(password, bcrypt.gensalt(4)), generate_password_hash(password, "scrypt:1024:8:1"),
        hash_secret(secret, salt, 1, 64, 2, 32, Type.ID).decode(), hash_secret(secret, salt, 2, 8, 1, 16, Type.I).decode(),
        hash_secret(secret, salt, 1, 8, 1, 16, Type.D, 0x10).decode(),
    ):
        plain.append({"password": password, "text": text})

    for hasher, digest in {
        "bcrypt": quick,
        "bcrypt_sha256_django": QuickBcrypt().encode(password, bcrypt.gensalt(4)),
        "bcrypt_peppered": bcrypt.hashpw(secret + b"pep$per", bcrypt.gensalt(4)).decode() + "$pep$per",
        "argon2i": hash_secret(secret, salt, 2, 8, 1, 16, Type.I).decode(),
        "argon2id": hash_secret(secret, salt, 1, 64, 2, 32, Type.ID).decode(),
        "scrypt_werkzeug": generate_password_hash(password, "scrypt:1024:8:1"),
        "pbkdf2_sha1": "pbkdf2_sha1$77$salty$" + hashlib.pbkdf2_hmac("sha1", secret, b"salty", 77, 20).hex() + "$20",
        "pbkdf2_sha256": f"pbkdf2_sha256$77${b64(salt)}${b64(hashlib.pbkdf2_hmac('sha256', secret, salt, 77))}",
        "pbkdf2_sha256_django": PBKDF2PasswordHasher().encode(password, "abcDEF", 100),
        "pbkdf2_sha512": "pbkdf2_sha512$77$salty$" + hashlib.pbkdf2_hmac("sha512", secret, b"salty", 77, 64).hex(),
        "pbkdf2_sha512_hex": f"pbkdf2_sha512$77${salt.hex()}$" + hashlib.pbkdf2_hmac("sha512", secret, salt, 77, 64).hex(),
        "phpass": phpass.using(rounds=8).hash(password),
        "md5_phpass": phpass.using(rounds=8).hash(hashlib.md5(secret).hexdigest()),
        "ldap_ssha": ldap_salted_sha1.hash(password),
        "md5": hashlib.md5(secret).hexdigest(),
        "md5_salted": "pinch$" + hashlib.md5(b"pinch" + secret).hexdigest(),
        "sha256": hashlib.sha256(secret).hexdigest(),
        "sha256_salted": "pinch$" + hashlib.sha256(b"pinch" + secret).hexdigest(),
        "sha512_symfony": "sha512_symfony$20$pinch$" + symfony(password, "pinch", 20),
    }.items():
        clerk.append({"password": password, "hasher": hasher, "digest": digest})

    key = dice.randbytes(24)
    for order in ("SALT_AND_PASSWORD", "PASSWORD_AND_SALT"):
        text = salt + secret if order.startswith("SALT") else secret + salt
        for name in ("md5", "sha1", "sha256", "sha512"):
            digest = hashlib.new(name, text).digest()
            for _ in range(2):
                digest = hashlib.new(name, digest).digest()
            firebase.append(({"hashAlgorithm": name.upper(), "rounds": 3, "passwordHashOrder": order}, digest, salt, password))
            firebase.append((
                {"hashAlgorithm": "HMAC_" + name.upper(), "signerKey": url(key), "passwordHashOrder": order},
                hmac.digest(key, text, name), salt, password))
    firebase.append(({"hashAlgorithm": "PBKDF_SHA1", "rounds": 9}, hashlib.pbkdf2_hmac("sha1", secret, salt, 9, 40), salt, password))
    firebase.append(({"hashAlgorithm": "PBKDF2_SHA256", "rounds": "9"}, hashlib.pbkdf2_hmac("sha256", secret, salt, 9), salt, password))
    firebase.append((
        {"hashAlgorithm": "STANDARD_SCRYPT", "cpuMemCost": 16, "parallelization": 2, "blockSize": 3, "dkLen": 48},
        hashlib.scrypt(secret, salt=salt, n=16, r=3, p=2, dklen=48), salt, password))
    firebase.append(({"hashAlgorithm": "BCRYPT"}, quick.encode(), b"", password))
    firebase.append((
        {"hashAlgorithm": "ARGON2", "argon2Parameters": {
            "hashType": "ARGON2_ID", "hashLengthBytes": 24, "iterations": 2, "memoryCostKib": 64, "parallelism": 2, "version": "VERSION_13"}},
        hash_secret_raw(secret, salt, 2, 64, 2, 24, Type.ID), salt, password))

vectors = {
    "plain": plain, "clerk": clerk,
    "firebase": [{"password": p, "body": b, "passwordHash": url(h), "salt": url(s)} for b, h, s, p in firebase],
}
pathlib.Path(__file__).with_name("vectors.json").write_text(json.dumps(vectors, indent=1, ensure_ascii=False) + "\n")
