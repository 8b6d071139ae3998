"""Signs a seeded user in, and shows the user's address: started by `lockstep exec gotrue --seed FILE`, and told nothing but its variables."""
import os

from supabase_auth import SyncGoTrueClient

key = os.environ["SUPABASE_ANON_KEY"]
client = SyncGoTrueClient(
    url=os.environ["SUPABASE_URL"] + "/auth/v1", headers={"apikey": key, "Authorization": f"Bearer {key}"}, auto_refresh_token=False)
session = client.sign_in_with_password({"email": "ada@example.com", "password": "Correct-Horse-1"}).session
user = client.get_user(session.access_token).user
assert user.user_metadata["display_name"] == "Ada Lovelace" and user.app_metadata["plan"] == "pro", user
print(user.email)
