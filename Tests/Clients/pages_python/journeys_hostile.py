"""What the pages must not do: run what a query or a user brings, answer the wrong window, lead to an address that is a script."""
from urllib.parse import parse_qs, urlsplit

from server import journey

SCRIPT = "\"'><img src=x onerror=\"window.hacked=1\"><script>window.hacked=1</script>"
NAMES = ["apiKey", "appName", "authType", "providerId", "redirectUrl", "scopes", "eventId", "customParameters", "tid", "tenantId",
         "clientId", "appId", "apn", "ibi", "error", "v", "fw"]


@journey
def no_parameter_runs(server):
    page = server.device().new_page()
    for name in NAMES:
        page.goto(server.chooser(**{name: SCRIPT}))
        page.wait_for_load_state()
        assert page.evaluate("window.hacked") is None, name
        assert page.locator("img, script:not([src])").count() == 0, name


@journey
def no_account_runs(server):
    email = server.email()
    server.enter_identity(email, "yahoo.com", name=SCRIPT, picture=f"http://127.0.0.1/{SCRIPT}", screen_name=SCRIPT)
    page = server.device().new_page()
    page.goto(server.chooser(providerId="yahoo.com"))
    assert SCRIPT in page.inner_text(".js-reuse-account")
    assert page.evaluate("window.hacked") is None and page.locator("script:not([src])").count() == 0


@journey
def a_redirect_leads_to_pages_only(server):
    page = server.device().new_page()
    for address in ["javascript:window.hacked=1", "data:text/html,<script>1</script>", "file:///etc/passwd", "//x:y:z", "blob:http://x/1", "intent://x#Intent;end"]:
        page.goto(server.chooser(redirectUrl=address))
        make_up(page)
        assert page.inner_text("#error") and page.evaluate("window.hacked") is None, address
    assert app_link(server, redirectUrl="capacitor://localhost/start").scheme == "capacitor"


@journey
def no_web_page_gets_the_answer_of_a_phone(server):
    page = server.device().new_page()
    for query in ({"ibi": "https"}, {"ibi": "intent"}, {"ibi": "x", "clientId": "http"}, {"apn": "x;S.browser_fallback_url=https://evil.example"}, {"apn": "app"}):
        page.goto(server.chooser(redirectUrl="", appName="", **query))
        make_up(page)
        assert page.inner_text("#error"), query


@journey
def no_other_site_embeds_the_pages(server):
    page = server.device().new_page()
    frames = f"<iframe src='{server.base}/emulator/auth/iframe?apiKey=any-key&appName=app'></iframe>"
    page.route("http://evil.example/", lambda route: route.fulfill(body=frames, content_type="text/html"))
    with page.expect_event("requestfailed") as failed:
        page.goto("http://evil.example/")
    assert failed.value.failure and "BLOCKED" in failed.value.failure.upper(), failed.value.failure


@journey
def a_request_without_a_way_back_is_told(server):
    page = server.device().new_page()
    for query in ({"appName": ""}, {"redirectUrl": ""}, {"error": "the app said no"}):
        page.goto(server.chooser(**query))
        assert page.inner_text("#error"), query
    page.goto(server.chooser(authType="signInViaPopup"))
    make_up(page)
    assert page.inner_text("#error"), "a pop-up without an opener"


@journey
def the_frame_takes_messages_of_its_own_origin_only(server):
    page = server.open()
    page.evaluate("press(() => fb.signInWithPopup(auth, provider('google.com')))")
    with page.expect_popup() as popup:
        page.click("button")
    popup.value.wait_for_selector(".js-new-account")
    # All that an outcome has to name, the pop-up's own event id with it.
    event_id = parse_qs(urlsplit(popup.value.url).query)["eventId"][0]
    forged = """async ([base, eventId]) => {
        const claims = JSON.stringify({ sub: 'forged', email: 'forged@example.com', email_verified: true })
        const urlResponse = `${base}/emulator/auth/handler?providerId=google.com&id_token=${encodeURIComponent(claims)}`
        document.querySelector('iframe').contentWindow.postMessage({ eventType: 'sendAuthEvent', data: { storageKey: 'any-key:[DEFAULT]',
          authEvent: { type: 'signInViaPopup', eventId, urlResponse, sessionId: 's', postBody: '', tenantId: null, error: null } } }, '*')
        await new Promise((resolve) => setTimeout(resolve, 500))
        return auth.currentUser?.email ?? null
    }"""
    assert page.evaluate(forged, [server.base, event_id]) is None
    # The pop-up's own is still awaited.
    make_up(popup.value)
    assert page.evaluate("last")["email"].endswith("@example.com")


@journey
def a_phone_gets_its_answer_in_the_form_it_waits_for(server):
    answer = app_link(server, ibi="com.example.app", clientId="a123-abc.apps.googleusercontent.com", redirectUrl="", appName="")
    assert (answer.scheme, answer.netloc, answer.path) == ("com.googleusercontent.apps.a123-abc", "firebaseauth", "/link"), answer
    callback = urlsplit(parse_qs(answer.query)["deep_link_id"][0])
    said = parse_qs(callback.query)
    assert (callback.path, said["authType"], said["eventId"]) == ("/__/auth/callback", ["signInViaRedirect"], ["1"]), callback
    assert parse_qs(urlsplit(said["link"][0]).query)["providerId"] == ["google.com"]
    assert app_link(server, ibi="com.example.app", appId="1:123:ios:abc", appName="").scheme == "app-1-123-ios-abc"
    assert app_link(server, ibi="com.example.app", appName="").scheme == "com.example.app"
    assert "scheme=genericidp;package=com.example.app;" in app_link(server, apn="com.example.app", appName="").geturl()


def make_up(page):
    page.click("#add-account-button")
    page.click("#autogen-button")
    page.click("#sign-in")


def app_link(server, **query):
    """The address of an app that the page leads to; the browser has no app for it, and stays."""
    page, asked = server.device().new_page(), []
    page.goto(server.chooser(**query))
    session = page.context.new_cdp_session(page)
    session.send("Page.enable")
    session.on("Page.frameRequestedNavigation", lambda event: asked.append(event["url"]))
    make_up(page)
    page.wait_for_timeout(500)
    assert asked, "the page went nowhere"
    return urlsplit(asked[0])
