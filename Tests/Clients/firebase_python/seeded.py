"""Signs a seeded user in, and shows the user's address: started by `lockstep exec firebase --seed FILE`, and told nothing but its variables.

The admin client signs nobody in, so a request does; the client verifies the token.
"""
import json, os, urllib.request

import firebase_admin
from firebase_admin import auth

firebase_admin.initialize_app()
user = auth.get_user_by_email("ada@example.com")
host = os.environ["FIREBASE_AUTH_EMULATOR_HOST"]
body = json.dumps({"email": user.email, "password": "Correct-Horse-1", "returnSecureToken": True}).encode()
request = urllib.request.Request(
    f"http://{host}/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=any", body, {"Content-Type": "application/json"})
claims = auth.verify_id_token(json.load(urllib.request.urlopen(request))["idToken"])
assert claims["uid"] == user.uid and claims["plan"] == "pro" and user.display_name == "Ada Lovelace", (claims, user)
print(claims["email"])
