"""Makes vectors.json with PyJWT (tokens) and jwcrypto (keys, thumbprints, tokens).

    python3 -m venv venv && venv/bin/pip install 'PyJWT[crypto]' jwcrypto && venv/bin/python make.py
"""
import json, pathlib
import jwt
from jwcrypto import jwk, jws

CLAIMS = {"iss": "https://issuer.test", "sub": "user-1", "aud": "app", "iat": 1767225600, "exp": 1767229200, "name": "Ada <Grüße> & more"}
KEYS = {
    "HS256": jwk.JWK.generate(kty="oct", size=256), "HS384": jwk.JWK.generate(kty="oct", size=384), "HS512": jwk.JWK.generate(kty="oct", size=512),
    "RS256": jwk.JWK.generate(kty="RSA", size=2048), "RS384": jwk.JWK.generate(kty="RSA", size=2048),
    "RS512": jwk.JWK.generate(kty="RSA", size=2048), "ES256": jwk.JWK.generate(kty="EC", crv="P-256"),
    "EdDSA": jwk.JWK.generate(kty="OKP", crv="Ed25519"),
}

vectors = []
for name, key in KEYS.items():
    private = json.loads(key.export(private_key=True)) | {"kid": "key-" + name, "alg": name}
    public = private if name.startswith("HS") else json.loads(key.export_public()) | {"kid": "key-" + name, "alg": name}
    token = jwt.encode(CLAIMS, jwt.PyJWK(private), algorithm=name, headers={"kid": "key-" + name}, sort_headers=True)
    other = jws.JWS(json.dumps(CLAIMS).encode())
    other.add_signature(key, None, json.dumps({"kid": "key-" + name, "alg": name, "typ": "JWT"}), None)
    vectors.append({
        "algorithm": name, "private": private, "public": public, "thumbprint": key.thumbprint(), "token": token,
        "other": other.serialize(compact=True),
        "pem": None if name.startswith("HS") else key.export_to_pem().decode(),
        "privatePEM": None if name.startswith("HS") else key.export_to_pem(private_key=True, password=None).decode()})

target = pathlib.Path(__file__).with_name("vectors.json")
target.write_text(json.dumps({"claims": CLAIMS, "vectors": vectors}, indent=1) + "\n")
