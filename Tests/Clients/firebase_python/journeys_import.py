"""Users with the hashes of their passwords, as other systems have made them; each signs in with the password afterwards."""
import base64, hashlib, hmac

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from firebase_admin import auth

import moved
from server import journey
from stage import KEY as API_KEY, PROJECT, SIGNER_KEY, refused

PASSWORD, SALT, KEY = b"correct horse", b"NaCl-NaCl", b"secret key"


def firebase_scrypt(password, salt, key, separator, rounds, memory_cost):
    """Firebase's own form of scrypt: the derived key encrypts the signer key (github.com/firebase/scrypt)."""
    derived = hashlib.scrypt(password, salt=salt + separator, n=2**memory_cost, r=rounds, p=1, dklen=64, maxmem=2**26)
    return Cipher(algorithms.AES(derived[:32]), modes.CTR(bytes(16))).encryptor().update(key)


def signs_in(server, algorithm, password_hash, salt=SALT):
    """Holds that a user with that hash is taken, signs in with the password, and with no other."""
    email = server.email()
    record = auth.ImportUserRecord("imported-" + email[:8], email=email, password_hash=password_hash, password_salt=salt)
    result = server.auth.import_users([record], hash_alg=algorithm)
    assert (result.success_count, result.failure_count) == (1, 0), [error.reason for error in result.errors]
    refused("INVALID_LOGIN_CREDENTIALS" if server.mode == "strict" else "INVALID_PASSWORD", server.sign_in, email, "wrong horse")
    for _ in range(2):  # the first sign-in may replace the hash
        session = server.sign_in(email, PASSWORD.decode())
        assert server.auth.verify_id_token(session["idToken"])["uid"] == record.uid


@journey
def imported_with_scrypt_of_firebase(server):
    # The example of github.com/firebase/scrypt, which the vendor's integration tests have, too.
    assert base64.b64encode(firebase_scrypt(b"user1password", base64.b64decode("42xEC+ixf3L2lw=="), base64.b64decode(
        "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA=="), b"\x07", 8, 14)) == (
        b"lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==")
    signs_in(server, auth.UserImportHash.scrypt(KEY, 8, 14, b"\x07"), firebase_scrypt(PASSWORD, SALT, KEY, b"\x07", 8, 14))
    signs_in(server, auth.UserImportHash.scrypt(KEY, 2, 4), firebase_scrypt(PASSWORD, SALT, KEY, b"", 2, 4))


@journey
def imported_with_standard_scrypt(server):
    signs_in(server, auth.UserImportHash.standard_scrypt(memory_cost=1024, parallelization=16, block_size=8, derived_key_length=64),
             hashlib.scrypt(PASSWORD, salt=SALT, n=1024, r=8, p=16, dklen=64))


@journey
def imported_with_bcrypt(server):
    for known in (b"$2b$04$zHIHQtAHQHdqfFXV3t635OOGCUE4aOcJCZsUqjGtx02XvCMem/4tW", b"$2a$04$zHIHQtAHQHdqfFXV3t635OOGCUE4aOcJCZsUqjGtx02XvCMem/4tW"):
        signs_in(server, auth.UserImportHash.bcrypt(), known, salt=None)


@journey
def imported_with_pbkdf(server):
    signs_in(server, auth.UserImportHash.pbkdf_sha1(rounds=1000), hashlib.pbkdf2_hmac("sha1", PASSWORD, SALT, 1000))
    signs_in(server, auth.UserImportHash.pbkdf2_sha256(rounds=100000), hashlib.pbkdf2_hmac("sha256", PASSWORD, SALT, 100000, 64))


@journey
def imported_with_hmac(server):
    # Password first, then the salt: so the vendor's integration tests with production (firebase-admin-node, test/integration/auth.spec.ts).
    for name in ("md5", "sha1", "sha256", "sha512"):
        signs_in(server, getattr(auth.UserImportHash, "hmac_" + name)(KEY), hmac.digest(KEY, PASSWORD + SALT, name))


@journey
def imported_with_plain_digests(server):
    # Salt first, then the password, same source.
    for name in ("sha1", "sha256", "sha512"):
        signs_in(server, getattr(auth.UserImportHash, name)(rounds=1), hashlib.new(name, SALT + PASSWORD).digest())


@journey
def imported_with_md5(server):
    # The digest in hexadecimal, and no rounds at all, same source.
    signs_in(server, auth.UserImportHash.md5(rounds=0), hashlib.md5(SALT + PASSWORD).hexdigest().encode())


@journey
def exported_users_are_imported_elsewhere(server):
    user = server.user(password=PASSWORD.decode())
    exported = next(one for one in server.auth.list_users().iterate_all() if one.uid == user.uid)
    decoded = [base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)) for text in (exported.password_hash, exported.password_salt)]
    signs_in(server, auth.UserImportHash.scrypt(SIGNER_KEY, 8, 1, b"\x07"), decoded[0], decoded[1])


@journey
def imported_with_everything(server):
    admin, email, phone = server.auth, server.email(), "+" + server.phone()
    uid, time = "whole-" + email[:8], 1476235905000
    facebook = auth.UserProvider(uid=uid + "-f", provider_id="facebook.com", email=email, display_name="F", photo_url="https://example.com/f.png")
    twitter = auth.UserProvider(uid=uid + "-t", provider_id="twitter.com", display_name="T")
    record = auth.ImportUserRecord(
        uid, email=email, email_verified=True, display_name="Ada", phone_number=phone, photo_url="https://example.com/a.png", disabled=False,
        user_metadata=auth.UserMetadata(creation_timestamp=time, last_sign_in_timestamp=time + 1000), provider_data=[facebook, twitter],
        custom_claims={"admin": True})
    assert admin.import_users([record]).success_count == 1
    user = admin.get_user(uid)
    assert (user.email, user.email_verified, user.display_name, user.phone_number, user.disabled) == (email, True, "Ada", phone, False)
    assert user.photo_url == "https://example.com/a.png" and user.custom_claims == {"admin": True}
    assert (user.user_metadata.creation_timestamp, user.user_metadata.last_sign_in_timestamp) == (time, time + 1000)
    assert {(one.provider_id, one.uid) for one in user.provider_data} == {("facebook.com", uid + "-f"), ("twitter.com", uid + "-t"), ("phone", phone)}


@journey
def an_import_reports_what_it_leaves_out(server):
    admin, user = server.auth, server.user(display_name="Ada")
    again = auth.ImportUserRecord(user.uid, email=user.email, display_name="Replaced")
    taken = auth.ImportUserRecord("taken-" + user.uid[:6], email=user.email)
    result = admin.import_users([again, taken, auth.ImportUserRecord("fresh-" + user.uid[:6])])
    assert (result.success_count, result.failure_count, [error.index for error in result.errors]) == (1, 2, [0, 1])
    assert admin.get_user(user.uid).display_name == "Ada" and admin.get_user("fresh-" + user.uid[:6])
    refused(auth.UserNotFoundError, admin.get_user, "taken-" + user.uid[:6])


@journey
def moved_users_sign_in_with_their_old_passwords(server):
    users = moved.move(server, {"provider": "firebase", "emulator": server.base, "project": PROJECT, "apiKey": API_KEY})
    there = [user.email for user in server.auth.list_users().iterate_all()]
    for user in users:
        assert there.count(user.email) == 1, user.kind
        user.check(server.sign_in)
