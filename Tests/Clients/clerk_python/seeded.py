"""Signs a seeded user in, and shows the user's address: started by `lockstep exec clerk --seed FILE`, and told nothing but its variables."""
import os

from clerk_backend_api import Clerk
from clerk_backend_api.security import VerifyTokenOptions, verify_token

key, url = os.environ["CLERK_SECRET_KEY"], os.environ["CLERK_API_URL"]
clerk = Clerk(bearer_auth=key, server_url=url + "/v1")
[user] = clerk.users.list(request={"email_address": ["ada@example.com"]})
assert clerk.users.verify_password(user_id=user.id, password="Correct-Horse-1").verified
session = clerk.sessions.create(request={"user_id": user.id})
token = clerk.sessions.create_token(session_id=session.id).jwt
assert verify_token(token, VerifyTokenOptions(secret_key=key, api_url=url))["sub"] == user.id
assert user.first_name == "Ada" and user.public_metadata["plan"] == "pro", user
print(user.email_addresses[0].email_address)
