// These tests speak HTTP, so that they need no module. A vendor's Go client finds the emulator by URL, Keys and Environment.
package lockstep

import (
	"testing"
	"time"
)

func TestGoTrue(t *testing.T) {
	t.Parallel()
	gotrue := Start(t, "gotrue")
	ask := func(method, path string, token any, body any) (int, Object) {
		headers := map[string]string{"apikey": gotrue.Keys["publishable"].(string), "Content-Type": "application/json"}
		if token != nil {
			headers["Authorization"] = "Bearer " + token.(string)
		}
		return Send(t, method, gotrue.URL+"/auth/v1"+path, headers, body)
	}
	email := gotrue.Address()

	ask("POST", "/signup", nil, Object{"email": email, "password": "Correct-Horse-1"})
	code := gotrue.NextMessage(email)["code"]
	_, session := ask("POST", "/verify", nil, Object{"email": email, "token": code, "type": "signup"})
	if _, user := ask("GET", "/user", session["access_token"], nil); user["email"] != email {
		t.Fatalf("signed in as %v", user)
	}

	gotrue.Advance(2 * time.Hour)
	if status, refused := ask("GET", "/user", session["access_token"], nil); status != 403 {
		t.Fatalf("an expired token was accepted: %d %v", status, refused)
	}
	refresh := Object{"refresh_token": session["refresh_token"]}
	if status, fresh := ask("POST", "/token?grant_type=refresh_token", nil, refresh); status != 200 {
		t.Fatalf("not refreshed: %d %v", status, fresh)
	}
}

func TestFirebase(t *testing.T) {
	t.Parallel()
	firebase := Start(t, "firebase")
	user := firebase.User(Object{"displayName": "Ada Lovelace"})
	token := firebase.SignIn(user)["accessToken"]
	address := firebase.URL + "/identitytoolkit.googleapis.com/v1/accounts:"
	json := map[string]string{"Content-Type": "application/json"}
	_, answer := Send(t, "POST", address+"lookup?key=any", json, Object{"idToken": token})
	if found := answer["users"].([]any)[0].(Object); found["displayName"] != "Ada Lovelace" {
		t.Fatalf("found %v", found)
	}

	firebase.Fail("*/accounts:sendOobCode", "retry-after")
	reset := Object{"requestType": "PASSWORD_RESET", "email": user["email"]}
	if status, _ := Send(t, "POST", address+"sendOobCode?key=any", json, reset); status != 429 {
		t.Fatalf("status %d", status)
	}
	Send(t, "POST", address+"sendOobCode?key=any", json, reset)
	if firebase.NextMessage(user["email"].(string))["link"] == "" {
		t.Fatal("the mail has no link")
	}
}

func TestClerk(t *testing.T) {
	t.Parallel()
	clerk := Start(t, "clerk")
	user := clerk.User(Object{"displayName": "Ada Lovelace"})
	headers := map[string]string{"Authorization": "Bearer " + clerk.Keys["secret_key"].(string)}
	_, found := Send(t, "GET", clerk.Keys["bapi"].(string)+"/v1/users/"+user["id"].(string), headers, nil)
	if found["first_name"] != "Ada" || clerk.SignIn(user)["accessToken"] == "" {
		t.Fatalf("found %v", found)
	}
}
