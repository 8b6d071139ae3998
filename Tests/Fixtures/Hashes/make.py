"""Makes vectors.json with argon2-cffi, bcrypt (Rust) and passlib (Python).

    python3 -m venv venv && venv/bin/pip install argon2-cffi bcrypt passlib && venv/bin/python make.py
"""
import json, pathlib, random
import bcrypt
from argon2.low_level import Type, hash_secret_raw
from passlib.hash import sha256_crypt, sha512_crypt

dice = random.Random(20261121)
argon2 = []
for kind in (Type.D, Type.I, Type.ID):
    for version in (0x10, 0x13):
        for passes, memory, lanes, length in ((1, 8, 1, 4), (3, 64, 2, 32), (2, 100, 4, 99)):
            password, salt = dice.randbytes(dice.choice([0, 1, 30])), dice.randbytes(dice.choice([8, 16, 33]))
            raw = hash_secret_raw(password, salt, passes, memory, lanes, length, kind, version)
            argon2.append({
                "variant": "argon2" + kind.name.lower(), "version": version, "passes": passes, "memory": memory, "lanes": lanes,
                "password": password.hex(), "salt": salt.hex(), "hash": raw.hex()})

crypts = []
for password in ("", "secret", "Grüße aus Strausberg", "x" * 72):
    for prefix in (b"2a", b"2b"):
        crypts.append({"password": password.encode().hex(), "hash": bcrypt.hashpw(password.encode(), bcrypt.gensalt(4, prefix)).decode()})
    crypts.append({"password": password.encode().hex(), "hash": crypts[-1]["hash"].replace("$2b$", "$2y$")})
    for scheme in (sha256_crypt, sha512_crypt):
        crypts.append({"password": password.encode().hex(), "hash": scheme.using(rounds=1000).hash(password)})

target = pathlib.Path(__file__).with_name("vectors.json")
target.write_text(json.dumps({"argon2": argon2, "crypt": crypts}, indent=1) + "\n")
