"""What pages, mails and values must not do: run, leave their frame, reach the dashboard from another origin."""
from server import journey
from stage import ForeignPage, SCRIPT, VISIBLE


@journey
def hostile_values_are_text_on_every_page(site):
    long = SCRIPT + "<b>" * 300_000
    users = {
        "firebase": site.user("firebase", email="evil@example.com", displayName=SCRIPT, photoURL="javascript:window.hacked=1"),
        "gotrue": site.user("gotrue", email="evil@example.com", displayName=long[:200_000], userMetadata={SCRIPT: long[:200_000]}),
        "clerk": site.user("clerk", email="evil@example.com", displayName=SCRIPT, privateMetadata={"x": SCRIPT}),
    }
    site.send("GET", site.ready["gotrue"]["base"] + "/%3Cscript%3Ewindow.hacked=1%3C/script%3E?q=%3Cimg%20src=x%20onerror=window.hacked=1%3E",
              headers={"X-Hostile": "<script>window.hacked=1</script>", "User-Agent": "\"><svg onload=window.hacked=1>"})
    site.call("gotrue", "PATCH", "/settings", {"GOTRUE_MAILER_SUBJECTS_CONFIRMATION": SCRIPT.replace("\u0001", "") + "{{ .Token }}"})
    site.sign_up("hostile@example.com")
    site.call("clerk", "POST", "/faults", {"effect": "close", "path": "/" + SCRIPT, "method": "GET"})
    mail = next(mail for mail in site.messages() if mail["to"] == "hostile@example.com")
    number = site.call("gotrue", "GET", "/requests")["last"]
    paths = [f"/users/{provider}/{user}" for provider, user in users.items()] + [
        "/", "/inbox", f"/inbox/gotrue/{mail['id']}", "/users", "/users?query=evil", "/requests", f"/requests/gotrue/{number}",
        f"/requests/gotrue/{number - 1}", "/faults", "/settings?provider=gotrue&query=SUBJECTS_CONFIRMATION&name=GOTRUE_MAILER_SUBJECTS_CONFIRMATION",
        "/sessions?query=evil", "/?done=%3Cscript%3Ewindow.hacked=1%3C/script%3E",
    ]
    page = site.page()
    for path in paths:
        page.goto(site.base + path)
        page.evaluate("document.querySelectorAll('details').forEach((element) => { element.open = true })")
        assert page.evaluate("window.hacked") is None, path
        assert page.locator("main img, main script, main svg:not(.qr), a[href^='javascript:' i]").count() == 0, path
        assert page.evaluate("document.documentElement.outerHTML.length") < 600_000, path
    page.goto(site.base + f"/users/gotrue/{users['gotrue']}")
    assert VISIBLE in page.inner_text("main") and "\u202e" not in page.content()
    # The live part is replaced by a script: the values stay text there, too.
    site.call("gotrue", "PATCH", f"/users/{users['gotrue']}", {"displayName": "<img src=x onerror=window.hacked=1> live"})
    page.wait_for_selector("#user >> text=onerror=window.hacked=1> live")
    assert page.evaluate("window.hacked") is None and page.locator("main img").count() == 0
    page.close()
    site.call("gotrue", "PATCH", "/settings", {"GOTRUE_MAILER_SUBJECTS_CONFIRMATION": "Confirm: {{ .Token }}"})
    site.call("clerk", "DELETE", "/faults")
    site.check()


@journey
def an_unchanged_form_does_not_write_a_hidden_character_back(site):
    user = site.user("gotrue", email="bidi@example.com", displayName="a\u202eb", userMetadata={"long": "x" * 30_000})
    page = site.page(f"/users/gotrue/{user}", scripts=False)
    page.click("summary:has-text('Edit')")
    page.fill("input[name=phone]", "+15550123")
    page.click("text=Save the changes")
    assert page.inner_text(".notice") == "The user was changed."
    values = site.call("gotrue", "GET", f"/users/{user}")
    assert values["phone"].lstrip("+") == "15550123" and values["displayName"] == "a\u202eb", values["displayName"]
    assert values["userMetadata"]["long"] == "x" * 30_000
    page.close()


@journey
def a_mail_runs_nothing_and_loads_nothing(site):
    template = ("<script>parent.hacked=1;top.hacked=1</script><img src='{foreign}/pixel.png'><link rel=stylesheet href='{foreign}/x.css'>"
                "<form action='{foreign}/form'><button id=b>Send</button></form><a id=a href='{foreign}/top' target=_top>top</a>"
                "<a id=i href='{foreign}/self'>self</a><p style='color:red'>Shown</p><iframe src='{foreign}/inner'></iframe>{{{{ .Token }}}}")
    foreign = f"http://127.0.0.1:{site.foreign.server_port}"
    page = site.page("/inbox")
    mail = hostile_mail(site, template.format(foreign=foreign))
    ForeignPage.asked.clear()
    page.goto(site.base + f"/inbox/gotrue/{mail['id']}")
    frame = next(frame for frame in page.frames if frame != page.main_frame)
    frame.wait_for_selector("text=Shown", state="attached")
    assert page.evaluate("window.hacked") is None
    box = page.locator("iframe").first
    assert box.get_attribute("sandbox") == "allow-same-origin"
    for selector in ("#b", "#a", "#i"):
        try:
            frame.locator(selector).click(timeout=2000)
        except Exception:
            pass  # a frame that has gone to an error page has no such element
        assert page.url.startswith(site.base), page.url
    page.wait_for_timeout(300)
    assert not ForeignPage.asked, ForeignPage.asked
    page.close()
    # The frame's own policy is what is broken here, and no page's.
    site.problems = []


@journey
def a_script_address_in_a_mail_is_text(site):
    mail = hostile_mail(site, "javascript:window.hacked=1 data:text/html,x {{ .Token }}")
    page = site.page(f"/inbox/gotrue/{mail['id']}")
    assert page.locator("a[href^='javascript:' i], a[href^='data:' i]").count() == 0
    page.close()


@journey
def pages_of_other_ports_reach_nothing(site):
    """The browser has the dashboard's cookie, and sends it to each port of the host."""
    context = site.page("/").context
    moved = lambda: site.call("gotrue", "GET", "/clock")["now"]
    for host in ("127.0.0.1", "localhost"):
        page = context.new_page()
        blocked = []
        page.on("response", lambda response: blocked.append(response.status) if response.url.startswith(site.base) else None)
        page.goto(f"http://{host}:{site.foreign.server_port}/?target={site.base}")
        before = moved()
        page.evaluate("document.getElementById('form').submit()")
        results = page.evaluate("""async (base) => {
            const tries = { read: fetch(base + '/users', { credentials: 'include' }).then((answer) => answer.text()),
                blind: fetch(base + '/users', { mode: 'no-cors', credentials: 'include' }).then((answer) => answer.type),
                write: fetch(base + '/clock', { method: 'POST', mode: 'no-cors', credentials: 'include', body: new URLSearchParams({ action: '3600' }) }).then((answer) => answer.type) }
            const results = {}
            for (const [name, work] of Object.entries(tries)) results[name] = await work.catch((error) => 'error')
            return { ...results, loaded: window.loaded }
        }""", site.base)
        assert results["read"] == "error" and results.get("loaded") is None, results
        page.wait_for_timeout(200)
        assert all(status == 403 for status in blocked) and blocked, blocked
        after = moved()
        assert after[:13] == before[:13] or after > before and after[:10] == before[:10], (before, after)
        frame = next((frame for frame in page.frames if frame.name == "frame"), None)
        assert frame is None or "Lockstep" not in (frame.title() or ""), "the dashboard stands in a frame"
        # A link on a page of another port does not open the dashboard either.
        page.evaluate(f"location.href = '{site.base}/users'")
        page.wait_for_selector("[role=alert]")
        page.close()
    site.problems = []


@journey
def another_name_is_not_served(site):
    context = site.device()
    page = context.new_page()
    port = site.base.rsplit(":", 1)[1]
    status, _, _ = site.send("GET", site.base + "/", headers={"Host": f"evil.example:{port}"})
    assert status == 421, status
    assert page.goto(f"http://localhost:{port}/").status == 401
    site.problems = []


def hostile_mail(site, template):
    """A mail whose page is a template of the project, as a team could have written it."""
    address = f"mail{next(site.count)}@example.com"
    site.template(template)
    site.sign_up(address)
    site.template("")
    return next(mail for mail in site.messages() if mail["to"] == address)
