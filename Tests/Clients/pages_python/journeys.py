"""Sign-in by pop-up and by redirect, as an app has it with `connectAuthEmulator`."""
from server import journey


def press(page, work):
    """Presses the app's button, which does this: the pop-up."""
    page.evaluate(f"press(() => {work})")
    with page.expect_popup() as popup:
        page.click("button")
    return popup.value


def add(page, email, is_verified=True):
    """A new account at the provider."""
    page.click(".js-new-account")
    page.fill("#email-input", email)
    page.fill("#display-name-input", "Ada <b>Lovelace</b>")
    if not is_verified:
        page.uncheck("#email-verified-input")
    page.click("#sign-in")


def last(page):
    return page.evaluate("last")


@journey
def a_pop_up_signs_in_with_a_new_account(server):
    page, email = server.open(), server.email()
    popup = press(page, "fb.signInWithPopup(auth, provider('google.com'))")
    add(popup, email)
    user = last(page)
    assert (user["email"], user["name"], user["verified"], user["providers"]) == (email, "Ada <b>Lovelace</b>", True, ["google.com"]), user
    assert user["operation"] == "signIn"
    popup.wait_for_event("close") if not popup.is_closed() else None


@journey
def a_pop_up_offers_the_accounts_that_there_are(server):
    email = server.email()
    known = server.enter_identity(email, "github.com", name="Grace")
    page = server.open()
    popup = press(page, "fb.signInWithPopup(auth, provider('github.com'))")
    popup.click(f".js-reuse-account:has-text('{email}')")
    user = last(page)
    assert user["uid"] == known["localId"], user


@journey
def a_pop_up_makes_an_account_up(server):
    page = server.open()
    popup = press(page, "fb.signInWithPopup(auth, provider('microsoft.com'))")
    popup.click("#add-account-button")
    popup.click("#autogen-button")
    popup.click("#sign-in")
    user = last(page)
    assert user["email"].endswith("@example.com") and user["name"], user


@journey
def a_pop_up_links_an_account_to_a_guest(server):
    page, email = server.open(), server.email()
    guest = page.evaluate("told(() => fb.signInAnonymously(auth))")
    popup = press(page, "fb.linkWithPopup(auth.currentUser, provider('google.com'))")
    add(popup, email)
    user = last(page)
    assert user["uid"] == guest["uid"] and guest["isAnonymous"] and user["operation"] == "link", user
    assert user["providers"] == ["google.com"], user


@journey
def a_pop_up_proves_the_user_again(server):
    email = server.email()
    server.enter_identity(email)
    page = server.open()
    popup = press(page, "fb.signInWithPopup(auth, provider('google.com'))")
    popup.click(f".js-reuse-account:has-text('{email}')")
    first = last(page)
    popup = press(page, "fb.reauthenticateWithPopup(auth.currentUser, provider('google.com'))")
    popup.click(f".js-reuse-account:has-text('{email}')")
    user = last(page)
    assert user["uid"] == first["uid"] and user["operation"] == "reauthenticate", user


@journey
def a_pop_up_that_is_closed_is_told(server):
    page = server.open()
    popup = press(page, "fb.signInWithPopup(auth, provider('google.com'))")
    popup.wait_for_selector(".js-new-account")
    popup.close()
    assert last(page) == {"code": "auth/popup-closed-by-user"}


@journey
def an_unverified_address_of_another_user_is_refused(server):
    email = server.email()
    server.rest("accounts:signUp", {"email": email, "password": "password-1"})
    page = server.open()
    popup = press(page, "fb.signInWithPopup(auth, provider('github.com'))")
    add(popup, email, is_verified=False)
    assert last(page) == {"code": "auth/account-exists-with-different-credential"}


@journey
def a_pop_up_signs_in_to_a_tenant(server):
    page, email = server.open(tenant="tenant-one"), server.email()
    popup = press(page, "fb.signInWithPopup(auth, provider('google.com'))")
    add(popup, email)
    user = last(page)
    assert user["tenant"] == "tenant-one" and user["email"] == email, user


@journey
def a_pop_up_signs_in_by_saml(server):
    page, email = server.open(), server.email()
    popup = press(page, "fb.signInWithPopup(auth, provider('saml.corp'))")
    add(popup, email)
    user = last(page)
    assert user["email"] == email and user["providers"] == ["saml.corp"], user


@journey
def a_redirect_signs_in(server):
    page, email = server.open(), server.email()
    assert page.evaluate("outcome") is None
    redirect(page, "fb.signInWithRedirect(auth, provider('google.com'))", email)
    user = page.evaluate("outcome")
    assert user["email"] == email and user["operation"] == "signIn", user
    page.reload()
    page.wait_for_function("window.isReady")
    assert page.evaluate("outcome") is None, "an outcome is told once"
    assert page.evaluate("auth.authStateReady().then(() => auth.currentUser.email)") == email


@journey
def a_redirect_links_an_account_to_a_guest(server):
    page, email = server.open(), server.email()
    guest = page.evaluate("told(() => fb.signInAnonymously(auth))")
    redirect(page, "fb.linkWithRedirect(auth.currentUser, provider('apple.com'))", email)
    user = page.evaluate("outcome")
    assert user["uid"] == guest["uid"] and user["operation"] == "link" and user["providers"] == ["apple.com"], user


@journey
def the_variables_of_the_ready_line_lead_the_sdk_here(server):
    context, email = server.device(), server.email()
    defaults = server.ready["environment"]["__FIREBASE_DEFAULTS__"]
    context.add_init_script(f"window.__FIREBASE_DEFAULTS__ = {defaults}")
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{server.app.server_port}/bare")
    page.wait_for_function("window.isReady")
    assert page.evaluate("auth.emulatorConfig.port") == int(server.base.rsplit(":", 1)[1])
    assert page.evaluate(f"told(() => fb.createUserWithEmailAndPassword(auth, '{email}', 'password-1'))")["email"] == email


@journey
def a_redirect_between_two_hosts_is_warned_of(server):
    page = server.open(host="localhost")
    page.evaluate("void fb.signInWithRedirect(auth, provider('google.com'))")
    page.wait_for_url("**/emulator/auth/handler?**")
    assert "127.0.0.1" in page.inner_text(".js-signin-warning")


def redirect(page, work, email):
    page.evaluate(f"void ({work})")
    page.wait_for_url("**/emulator/auth/handler?**")
    add(page, email)
    page.wait_for_url("**/?emulator=**")
    page.wait_for_function("window.isReady")
