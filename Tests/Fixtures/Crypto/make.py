"""Makes vectors.json with PyCryptodome, whose code has nothing in common with libcrypto's.

    python3 -m venv venv && venv/bin/pip install pycryptodome && venv/bin/python make.py
"""
import json, pathlib, random
from Crypto.Cipher import AES
from Crypto.Hash import HMAC, MD5, SHA1, SHA224, SHA256, SHA384, SHA512
from Crypto.Protocol.KDF import PBKDF2, scrypt
from Crypto.PublicKey import ECC, RSA
from Crypto.Signature import DSS, eddsa, pkcs1_15
from Crypto.Util import Counter

dice = random.Random(20261121)
HASHES = {"md5": MD5, "sha1": SHA1, "sha224": SHA224, "sha256": SHA256, "sha384": SHA384, "sha512": SHA512}


def some(count):
    return dice.randbytes(count)


def number(value):
    return value.to_bytes((value.bit_length() + 7) // 8, "big").hex()


digests = []
for name, module in HASHES.items():
    for count in (0, 1, 55, 56, 64, 111, 112, 128, 1000):
        message, key = some(count), some(dice.choice([0, 1, 20, 64, 65, 128, 129, 200]))
        digests.append({
            "hash": name, "message": message.hex(), "digest": module.new(message).hexdigest(), "key": key.hex(),
            "hmac": HMAC.new(key, message, module).hexdigest()})

pbkdf2 = []
for name, module in HASHES.items():
    for password, salt, iterations, length in ((b"", b"salt", 1, 20), ("Grüße".encode(), some(16), 1000, 33), (some(200), some(1), 7, 64)):
        pbkdf2.append({
            "hash": name, "password": password.hex(), "salt": salt.hex(), "iterations": iterations,
            "key": PBKDF2(password, salt, length, iterations, hmac_hash_module=module).hex()})

scrypts = []
for password, salt, n, r, p, length in ((b"", b"", 16, 1, 1, 64), (b"password", b"NaCl", 1024, 8, 16, 64), (some(9), some(10), 2, 3, 2, 31)):
    scrypts.append({
        "password": password.hex(), "salt": salt.hex(), "cost": n, "blockSize": r, "parallelism": p,
        "key": scrypt(password, salt, length, n, r, p).hex()})

ciphers = []
for size in (16, 32):
    for count in (0, 1, 16, 100):
        key, counter, text, nonce, context = some(size), some(16), some(count), some(12), some(count // 2)
        if count == 100:
            counter = b"\xff" * 16  # counts over its end
        stream = AES.new(key, AES.MODE_CTR, counter=Counter.new(128, initial_value=int.from_bytes(counter, "big"), allow_wraparound=True))
        sealed, tag = AES.new(key, AES.MODE_GCM, nonce=nonce).update(context).encrypt_and_digest(text)
        ciphers.append({
            "key": key.hex(), "counter": counter.hex(), "text": text.hex(), "countered": stream.encrypt(text).hex(), "nonce": nonce.hex(),
            "context": context.hex(), "sealed": (sealed + tag).hex()})

message = b"What was agreed, in Strausberg."
rsa, p256, ed25519 = RSA.generate(2048), ECC.generate(curve="P-256"), ECC.generate(curve="Ed25519")
keys = {
    "message": message.hex(),
    "rsa": {
        "pkcs8": rsa.export_key(pkcs=8).decode(), "pkcs1": rsa.export_key().decode(), "public": rsa.public_key().export_key().decode(),
        "modulus": number(rsa.n), "exponent": number(rsa.e),
        "signatures": {name: pkcs1_15.new(rsa).sign(HASHES[name].new(message)).hex() for name in ("sha1", "sha256", "sha384", "sha512")}},
    "weak": RSA.generate(1024).export_key(pkcs=8).decode(),
    "p256": {
        "pkcs8": p256.export_key(format="PEM"), "sec1": p256.export_key(format="PEM", use_pkcs8=False),
        "public": p256.public_key().export_key(format="PEM"), "scalar": p256.d.to_bytes(32).hex(), "x": p256.pointQ.x.to_bytes(32).hex(),
        "y": p256.pointQ.y.to_bytes(32).hex(), "signature": DSS.new(p256, "fips-186-3").sign(SHA256.new(message)).hex()},
    "p384": ECC.generate(curve="P-384").export_key(format="PEM"),
    "ed25519": {
        "pkcs8": ed25519.export_key(format="PEM"), "public": ed25519.public_key().export_key(format="PEM"), "seed": ed25519.seed.hex(),
        "bytes": ed25519.public_key().export_key(format="raw").hex(), "signature": eddsa.new(ed25519, "rfc8032").sign(message).hex()},
}

target = pathlib.Path(__file__).with_name("vectors.json")
target.write_text(json.dumps({"digests": digests, "pbkdf2": pbkdf2, "scrypt": scrypts, "ciphers": ciphers, "keys": keys}, indent=1) + "\n")
