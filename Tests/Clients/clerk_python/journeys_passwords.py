"""Passwords, hashes that other systems have made, and second factors."""
import base64, hashlib

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

import moved
from server import authenticator, journey
from stage import PASSWORD, refused

HORSE = "correct horse"
BCRYPT = "$2b$04$zHIHQtAHQHdqfFXV3t635OOGCUE4aOcJCZsUqjGtx02XvCMem/4tW"
SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


@journey
def passwords_are_verified_and_changed(server):
    users, (user, device) = server.clerk.users, server.signed_in()
    email = user.email_addresses[0].email_address
    assert users.verify_password(user_id=user.id, password=PASSWORD).verified
    refused("incorrect_password", users.verify_password, user_id=user.id, password="Wrong-password-1!")
    users.update(user_id=user.id, password="Another-password-1!", sign_out_of_other_sessions=True)
    refused("authentication_invalid", device.session_token)
    refused("form_password_incorrect", server.device().sign_in, email)
    assert server.device().sign_in(email, "Another-password-1!")["status"] == "complete"
    refused("form_password_length_too_short", users.update, user_id=user.id, password="short")
    assert not users.remove_password(user_id=user.id).password_enabled
    refused("no_password_set", users.verify_password, user_id=user.id, password=PASSWORD)
    refused("strategy_for_user_invalid", server.device().sign_in, email, "Another-password-1!")


@journey
def a_compromised_password_is_not_enough(server):
    users, user = server.clerk.users, server.user()
    email = user.email_addresses[0].email_address
    users.set_password_compromised(user_id=user.id, revoke_all_sessions=True)
    refused("form_password_compromised", server.device().sign_in, email)
    users.unset_password_compromised(user_id=user.id)
    assert server.device().sign_in(email)["status"] == "complete"


def digests():
    """One password as each hasher writes it (the specification's `password_hasher`)."""
    password, salt = HORSE.encode(), b"NaCl-NaCl-NaCl-N"
    text, b64 = salt.decode(), lambda data: base64.b64encode(data).decode()
    sha1, sha256, sha512 = (hashlib.pbkdf2_hmac(name, password, salt, 1000) for name in ("sha1", "sha256", "sha512"))
    yield "bcrypt", BCRYPT
    yield "pbkdf2_sha1", f"pbkdf2_sha1$1000${text}${sha1.hex()}"
    yield "pbkdf2_sha256", f"pbkdf2_sha256$1000${b64(salt)}${b64(sha256)}"
    yield "pbkdf2_sha256_django", f"pbkdf2_sha256$1000${text}${b64(sha256)}"
    yield "pbkdf2_sha512", f"pbkdf2_sha512$1000${text}${sha512.hex()}"
    yield "argon2id", Argon2id(salt=salt, length=32, iterations=2, lanes=1, memory_cost=64).derive_phc_encoded(password)
    yield "scrypt_werkzeug", f"scrypt:1024:8:1${text}${hashlib.scrypt(password, salt=salt, n=1024, r=8, p=1, dklen=64).hex()}"
    derived = hashlib.scrypt(password, salt=salt + b"\x07", n=16, r=2, p=1, dklen=64)[:32]
    hashed = Cipher(algorithms.AES(derived), modes.CTR(bytes(16))).encryptor().update(bytes(range(64)))
    yield "scrypt_firebase", f"{b64(hashed)}${b64(salt)}${b64(bytes(range(64)))}${b64(bytes([7]))}$2$4"
    yield "ldap_ssha", "{SSHA}" + b64(hashlib.sha1(password + salt).digest() + salt)
    yield "md5", hashlib.md5(password).hexdigest()
    yield "sha256", hashlib.sha256(password).hexdigest()


@journey
def imported_hashes_sign_in(server):
    for hasher, digest in digests():
        email = server.email()
        user = server.clerk.users.create(email_address=[email], password_digest=digest, password_hasher=hasher)
        assert user.password_enabled, hasher
        refused("form_password_incorrect", server.device().sign_in, email, "wrong horse")
        for _ in range(2):  # the first sign-in may replace the hash
            assert server.device().sign_in(email, HORSE)["status"] == "complete", hasher
        assert server.clerk.users.verify_password(user_id=user.id, password=HORSE).verified


@journey
def wrong_hashes_are_refused(server):
    create = server.clerk.users.create
    refused("form_password_digest_invalid_code", create, email_address=[server.email()], password_digest="no hash", password_hasher="bcrypt")
    refused("form_param_value_invalid", create, email_address=[server.email()], password_digest=BCRYPT, password_hasher="rot13")
    user = server.user()
    server.clerk.users.update(user_id=user.id, password_digest=BCRYPT, password_hasher="bcrypt")
    assert server.clerk.users.verify_password(user_id=user.id, password=HORSE).verified


@journey
def authenticators_are_imported_and_verified(server):
    users = server.clerk.users
    user = server.user(totp_secret=SECRET, backup_codes=["backup-code-1", "backup-code-2"])
    assert user.totp_enabled and user.backup_code_enabled and user.two_factor_enabled
    answer = users.verify_totp(user_id=user.id, code=authenticator(SECRET, server.now()))
    assert answer.verified and answer.code_type == "totp"
    answer = users.verify_totp(user_id=user.id, code="backup-code-1")
    assert answer.verified and answer.code_type == "backup_code"
    refused("totp_incorrect_code", users.verify_totp, user_id=user.id, code="000000")
    email = user.email_addresses[0].email_address
    device = server.device()
    answer = device.sign_in(email)
    assert answer["status"] == "needs_second_factor"
    answer = device.ask("POST", f"/client/sign_ins/{answer['id']}/attempt_second_factor", strategy="totp", code=authenticator(SECRET, server.now()))
    assert answer["response"]["status"] == "complete"
    users.delete_backup_codes(user_id=user.id)
    assert not users.get(user_id=user.id).backup_code_enabled
    users.delete_totp(user_id=user.id)
    assert not users.get(user_id=user.id).two_factor_enabled and server.device().sign_in(email)["status"] == "complete"


@journey
def second_factors_are_taken_away(server):
    users, user = server.clerk.users, server.user(totp_secret=SECRET, backup_codes=["backup-code-1"])
    email = user.email_addresses[0].email_address
    assert server.device().sign_in(email)["status"] == "needs_second_factor"
    users.disable_mfa(user_id=user.id)
    after = users.get(user_id=user.id)
    assert not after.totp_enabled and not after.backup_code_enabled and server.device().sign_in(email)["status"] == "complete"


@journey
def moved_users_sign_in_with_their_old_passwords(server):
    target = {"provider": "clerk", "url": server.vars["bapi"], "key": {"env": "KEY"}, "publicKey": server.vars["publishable_key"]}
    for user in moved.move(server, target, {"externalID": "overwrite"}, KEY=server.vars["secret_key"]):
        assert len(server.clerk.users.list(request={"email_address": [user.email]})) == 1, user.kind
        user.check(lambda email, password: completed(server.device().sign_in(email, password)))


def completed(sign_in):
    assert sign_in["status"] == "complete", sign_in["status"]
