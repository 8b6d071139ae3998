"""What a person does with the dashboard: with scripts, without them, by keyboard, on a small screen."""
import io, time

import zxingcpp
from axe_playwright_python.sync_playwright import Axe
from PIL import Image

from server import journey
from stage import until


@journey
def a_link_works_once_and_leaves_the_address(site):
    context = site.device()
    page = context.new_page()
    link = site.new_link()
    page.goto(link)
    assert page.url == site.base + "/" and page.title() == "Start – Lockstep", page.url
    cookie = context.cookies()[0]
    assert cookie["httpOnly"] and cookie["sameSite"] == "Strict" and page.evaluate("document.cookie") == "", cookie
    other = site.device().new_page()
    assert other.goto(link).status == 401
    assert "lockstep open" in other.inner_text("main")
    assert other.goto(site.base + "/users").status == 401


@journey
def every_page_is_there_with_and_without_scripts(site):
    for scripts in (True, False):
        for path in site.paths():
            page = site.page(path, scripts)
            assert page.locator("h1").count() == 1 and page.locator("[role=alert]").count() == 0, (path, scripts)
            assert page.locator("main").inner_text().strip(), path
            if scripts:
                assert page.evaluate('''[...document.querySelectorAll("[data-live]")].every((region) => {
                    const keys = [...region.querySelectorAll("details")].map((element) => element.dataset.key)
                    return keys.every(Boolean) && new Set(keys).size === keys.length })'''), f"{path}: details without a key of their own"
            page.close()
    site.check()


@journey
def the_navigation_leads_to_nine_pages(site):
    page = site.page()
    titles = ["Start", "Inbox", "Users", "Sessions", "Requests", "Faults", "Clock", "Settings", "Webhooks"]
    assert page.locator("nav[aria-label=Pages] a").count() == len(titles)
    for title in titles:
        page.click(f"nav[aria-label=Pages] >> text={title}")
        assert page.inner_text("h1").startswith(title) and page.inner_text("[aria-current=page]").startswith(title), title
    page.close()


@journey
def a_code_appears_on_an_open_page(site):
    page = site.page("/inbox")
    page.evaluate("""() => new MutationObserver(() => { window.seen = Date.now() })
        .observe(document.getElementById('messages'), { childList: true, subtree: true })""")
    start = time.time()
    site.sign_up("live@example.com")
    sent = time.time()
    page.wait_for_selector("text=live@example.com")
    seen = page.evaluate("window.seen") / 1000
    print(f"         a change is on an open page {1000 * (seen - sent):.0f} ms after its request ({1000 * (sent - start):.0f} ms)", flush=True)
    assert seen - sent < 0.5, seen - sent
    code = next(mail["code"] for mail in site.messages() if mail["to"] == "live@example.com")
    assert code in page.inner_text("#messages")
    page.close()
    site.check()


@journey
def an_open_tab_survives_a_restart(site):
    """Ctrl-C, arrow up, Enter: the tab, its form and a bookmark go on, a foreign page does not."""
    again = site.beside("gotrue")
    context = site.device(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.goto(again.link)
    page.goto(again.base + "/users/new")
    page.fill("input[name=email]", "after@example.com")
    again.restart()
    page.wait_for_selector("#live:has-text('The server was restarted.')")
    page.click("text=Create the user")
    assert "The user was created." in page.inner_text(".notice")
    assert context.new_page().goto(again.base + "/").status == 200
    assert context.new_page().goto(again.link).status == 200, "an old link is no error in a browser with access"
    assert site.device().new_page().goto(again.base + "/").status == 401
    again.run("open", "--forget")
    page.wait_for_selector("#live:has-text('lockstep open')")
    again.restart()
    assert page.goto(again.base + "/").status == 401
    again.stop()


@journey
def a_click_copies_a_code_and_opens_a_link(site):
    site.sign_up("copy@example.com")
    mail = next(mail for mail in site.messages() if mail["to"] == "copy@example.com")
    page = site.page("/inbox", permissions=["clipboard-read", "clipboard-write"])
    row = page.locator("tr", has_text="copy@example.com")
    unread = int(page.title().split("(")[1].split(")")[0])
    assert row.locator(".dot").count() == 1
    row.locator("button.code").click()
    until(lambda: page.evaluate("navigator.clipboard.readText()") == mail["code"])
    # Who has copied a code has seen the message.
    until(lambda: row.locator(".dot").count() == 0)
    until(lambda: unread == 1 or page.title().startswith(f"({unread - 1}) "))
    with page.context.expect_page() as opened:
        row.locator("text=Open link").click()
    assert "/verify?" in opened.value.url or "/callback" in opened.value.url or opened.value.url.startswith("chrome-error"), opened.value.url
    opened.value.close()
    page.close()
    site.problems = []


@journey
def j_and_k_walk_through_the_mails(site):
    for name in ("first", "second"):
        site.sign_up(f"{name}@walk.example.com")
    mails = {mail["to"]: mail for mail in site.messages()}
    page = site.page(f"/inbox/gotrue/{mails['second@walk.example.com']['id']}")
    page.keyboard.press("j")
    page.wait_for_url(f"**/{mails['first@walk.example.com']['id']}")
    assert page.inner_text("h1") == mails["first@walk.example.com"]["subject"]
    page.keyboard.press("k")
    page.wait_for_url(f"**/{mails['second@walk.example.com']['id']}")
    # The frame is as high as the mail.
    frame = next(frame for frame in page.frames if frame != page.main_frame)
    until(lambda: 0 < page.locator("iframe").bounding_box()["height"] - frame.evaluate("document.body.offsetHeight") < 80)
    for part in ("Text", "Source"):
        page.click(f"nav[aria-label=Parts] >> text={part}")
        assert "/verify?" in page.inner_text("pre >> nth=0"), part
    page.close()
    site.check()


@journey
def the_timeline_moves(site):
    """An event is on the open start page within a quarter of a second; the page does not grow."""
    page = site.page("/")
    page.evaluate("""() => new MutationObserver(() => { window.seen ??= Date.now() })
        .observe(document.getElementById('timeline'), { childList: true, subtree: true })""")
    site.sign_up("moving@example.com")
    sent = time.time()
    row = page.locator("#timeline tr", has_text="moving@example.com")
    row.wait_for()
    code = next(mail["code"] for mail in site.messages() if mail["to"] == "moving@example.com")
    assert "signed up" in row.inner_text() and code in row.inner_text(), row.inner_text()
    delay = page.evaluate("window.seen") / 1000 - sent
    print(f"         an event is on the open page {1000 * delay:.0f} ms after its request", flush=True)
    assert delay < 0.5, delay
    row.locator("a.name").click()
    page.wait_for_url("**/users/gotrue/*")
    assert page.locator("#life tbody tr").count() == 1 and code in page.inner_text("#user")
    page.close()
    still = site.page("/", scripts=False)
    assert code in still.inner_text("#timeline")
    still.close()
    site.check()


@journey
def silence_is_explained(site):
    for _ in range(2):
        site.sign_up("silent@example.com")
        mail = next(mail for mail in site.messages() if mail["to"] == "silent@example.com")
        site.send("GET", mail["link"])
    page = site.page("/")
    assert "the address exists, and the server hides that" in page.inner_text("#timeline tr >> nth=2")
    page.close()


@journey
def users_are_filtered_and_sorted_in_one_table(site):
    site.user("firebase", email="zeta@table.example.com", emailConfirmed=True)
    site.user("clerk", email="alpha@table.example.com", emailConfirmed=True, disabled=True)
    page = site.page("/users?query=table.example.com")
    names = lambda: page.locator("#users a.name").all_inner_texts()
    assert names() == ["alpha@table.example.com", "zeta@table.example.com"] and "2 of " in page.inner_text("h1")
    page.click("th >> text=User")
    page.click("th >> text=User")
    assert names() == ["zeta@table.example.com", "alpha@table.example.com"], names()
    page.select_option("select[name=state]", "disabled")
    page.wait_for_url("**state=disabled**")
    assert names() == ["alpha@table.example.com"] and "1 of " in page.inner_text("h1")
    page.close()


@journey
def a_rejected_form_keeps_its_values(site):
    for scripts in (True, False):
        page = site.page("/users/new", scripts)
        page.fill("input[name=email]", "no address")
        page.fill("input[name=displayName]", "Ada")
        page.click("text=Create the user")
        assert page.locator("[aria-invalid=true]").get_attribute("name") == "email" and page.input_value("input[name=displayName]") == "Ada"
        page.fill("input[name=email]", f"corrected{scripts}@example.com")
        page.click("text=Create the user")
        assert "The user was created." in page.inner_text(".notice")
        page.close()


@journey
def three_columns_fill_side_by_side(site):
    for scripts in (True, False):
        page = site.page("/side-by-side", scripts)
        page.click("main >> text=Run a sign-up on all")
        if scripts:
            page.wait_for_selector("#columns >> text=Done")
        else:
            until(lambda: page.click("text=Refresh") or page.locator("text=Done:").count() == 1)
        cells = page.locator("#columns tbody td").all_inner_texts()
        assert len(cells) == 5 * 4 and all(cell.strip() not in ("", "…", "–") for cell in cells), cells
        assert page.locator("#columns .bad").count() == 0
        page.close()
    site.check()


@journey
def ctrl_k_finds_and_acts(site):
    user = site.user("clerk", email="findable@example.com")
    page = site.page("/inbox", scripts=False)
    page.click("header >> text=Find")
    assert page.inner_text("[aria-current=page]").startswith("Find"), page.inner_text("[aria-current=page]")
    page.close()
    page = site.page("/inbox")
    page.keyboard.press("Control+k")
    page.wait_for_url("**/find")
    page.keyboard.type("findable")
    page.locator("#found >> text=findable@example.com").click()
    page.wait_for_url(f"**/users/clerk/{user}")
    page.keyboard.press("Control+k")
    page.wait_for_url("**/find")
    page.keyboard.type("advance one hour")
    page.click("#found button >> text=Advance one hour")
    assert "The clock was changed." in page.inner_text(".notice")
    with page.expect_navigation():
        page.click("#bar button >> nth=0")
    page.close()


@journey
def a_request_fails_next_time_and_is_shared_as_markdown(site):
    site.sign_up("again@example.com")
    number = site.call("gotrue", "GET", "/requests")["last"]
    page = site.page(f"/requests/gotrue/{number}", permissions=["clipboard-read", "clipboard-write"])
    page.click("text=Copy as Markdown")
    until(lambda: "auth/v1/signup" in page.evaluate("navigator.clipboard.readText()"))
    text = page.evaluate("navigator.clipboard.readText()")
    assert "```sh" in text and "Correct-Horse-1" not in text, text
    page.click("text=Fail this request next time")
    assert "POST" in page.inner_text("#bar") and "Lost answer" in page.inner_text("#bar")
    with page.expect_navigation():
        page.click("#bar >> text=Remove")
    page.close()


@journey
def a_bar_shows_faults_and_clocks_on_every_page(site):
    for provider in site.ready:
        site.call(provider, "DELETE", "/faults")
        site.call(provider, "POST", f"/clock?now={int(time.time() * 1000)}")
        site.call(provider, "POST", "/clock?now=running")
    page = site.page("/users")
    assert page.locator("#bar > div").count() == 0, page.inner_text("#bar")
    site.call("gotrue", "POST", "/faults", {"effect": "close", "path": "/bar*"})
    site.call("clerk", "POST", "/clock?seconds=86400")
    page.wait_for_selector("#bar >> text=Clerk is off")
    assert "POST" not in page.inner_text("#bar") and "/bar*" in page.inner_text("#bar")
    page.close()
    page = site.page("/users?query=nobody", scripts=False)
    page.click("#bar >> text=Remove")
    page.click("#bar >> text=Reset")
    assert page.locator("#bar > div").count() == 0 and "/users?query=nobody" in page.url, page.url
    page.close()


@journey
def without_scripts_a_button_refreshes(site):
    page = site.page("/inbox", scripts=False)
    site.sign_up("still@example.com")
    assert page.locator("text=still@example.com").count() == 0
    page.click("text=Refresh")
    assert page.locator("text=still@example.com").count() == 1
    page.close()


@journey
def what_a_person_types_is_not_replaced(site):
    page = site.page("/users/new")
    page.fill("input[name=email]", "half a wo")
    site.sign_up("typing@example.com")
    page.wait_for_selector("#pages .count")
    until(lambda: page.title().startswith("("))
    assert page.input_value("input[name=email]") == "half a wo"
    page.close()


@journey
def a_search_follows_what_is_typed(site):
    for name in ("needle", "straw"):
        site.user("clerk", email=f"{name}@example.com")
    page = site.page("/users")
    page.keyboard.press("/")
    page.keyboard.type("needle")
    page.wait_for_selector("text=straw@example.com", state="detached")
    assert "query=needle" in page.url and page.locator("text=needle@example.com").count() == 1
    page.keyboard.press("Escape")
    page.wait_for_selector("text=straw@example.com")
    assert "query" not in page.url and page.input_value("input[type=search]") == ""
    page.close()


@journey
def a_change_waits_while_a_button_is_pressed(site):
    user = site.user("clerk", email="pressed@example.com")
    page = site.page("/users")
    page.hover("main a.name >> text=pressed@example.com")
    page.mouse.down()
    with page.expect_response(page.url):
        site.user("clerk", email="above@example.com")
    page.wait_for_timeout(300)
    assert page.locator("text=above@example.com").count() == 0
    page.mouse.up()
    page.wait_for_url(f"**/users/clerk/{user}")
    page.close()


@journey
def an_open_row_stays_open_where_it_moves(site):
    site.call("clerk", "PATCH", "/settings", {"WEBHOOK_URL": f"http://127.0.0.1:{site.foreign.server_port}/hook"})
    site.user("clerk", email="first-row@example.com")
    page = site.page("/deliveries")
    page.click("summary:has-text('Body') >> nth=0")
    opened = "[...document.querySelectorAll('details[open] pre')].map((element) => element.textContent)"
    before = page.evaluate(opened)
    assert len(before) == 1 and "first-row" in before[0], before
    site.user("clerk", email="second-row@example.com")
    page.wait_for_selector("tbody:has-text('second-row')")
    assert page.evaluate(opened) == before
    site.call("clerk", "PATCH", "/settings", {"WEBHOOK_URL": None})
    page.close()


@journey
def a_user_is_made_edited_signed_in_and_deleted_without_scripts(site):
    for provider in ("firebase", "gotrue", "clerk"):
        page = site.page("/users", scripts=False)
        page.click("text=New user")
        page.select_option("select[name=provider]", provider)
        page.fill("input[name=email]", f"form@{provider}.example.com")
        page.fill("input[name=password]", "Correct-Horse-1")
        page.click("text=Create the user")
        assert "The user was created." in page.inner_text(".notice")
        page.click("summary:has-text('Edit')")
        page.fill("input[name=displayName]", "Ada Lovelace")
        page.click("text=Save the changes")
        assert "Ada Lovelace" in page.inner_text("#user")
        page.click("button:has-text('Sign in as this user')")
        assert page.text_content("#access-token").count(".") == 2
        page.click("text=Back to the user")
        page.click("summary:has-text('Delete')")
        page.click("button:has-text('Delete')")
        assert "The user was deleted." in page.inner_text(".notice")
        page.close()
    site.check()


@journey
def a_qr_code_and_the_code_of_now_are_shown(site):
    user = site.user("gotrue", email="factor@example.com", emailConfirmed=True)
    page = site.page(f"/users/gotrue/{user}")
    page.click("summary:has-text('Add a second factor')")
    page.click("text=Add the factor")
    factor = site.call("gotrue", "GET", f"/users/{user}/factors")["factors"][0]
    code = site.call("gotrue", "GET", f"/users/{user}/factors/{factor['id']}/code")["code"]
    assert code in page.inner_text("#factors")
    picture = Image.open(io.BytesIO(page.locator("svg.qr").screenshot()))
    assert [barcode.text for barcode in zxingcpp.read_barcodes(picture)] == [factor["uri"]]
    # The code changes by the time alone, without any change of the user.
    site.call("gotrue", "POST", f"/clock?now={int(time.time() * 1000) + 90_000}")
    later = site.call("gotrue", "GET", f"/users/{user}/factors/{factor['id']}/code")["code"]
    page.wait_for_selector(f"#factors >> text={later}")
    site.call("gotrue", "POST", "/clock?now=running")
    site.call("gotrue", "POST", "/clock?seconds=-90")
    page.close()


@journey
def a_fault_a_clock_and_a_setting_are_changed(site):
    page = site.page("/faults", scripts=False)
    page.click("button:has-text('Hotel network')")
    page.goto(site.base + "/faults?query=no such fault")
    assert page.locator("#faults tbody tr").count() == 0
    page.click("text=Show all")
    assert page.locator("#faults tbody tr").count() >= 3
    status, _, body = site.send("GET", site.ready["gotrue"]["base"] + "/health")
    assert b"terms" in body, body
    page.click("text=Remove all faults")
    assert site.send("GET", site.ready["gotrue"]["base"] + "/health")[0] == 200
    page.goto(site.base + "/clock")
    page.click("button:has-text('+1 day') >> nth=0")
    assert "in 23 hours" in page.inner_text("#times") or "in 24 hours" in page.inner_text("#times"), page.inner_text("#times")
    page.goto(site.base + "/settings?provider=gotrue&query=PASSWORD_MIN_LENGTH&name=GOTRUE_PASSWORD_MIN_LENGTH")
    page.fill("textarea[name=value]", "9")
    page.click("text=Change the setting")
    assert "The setting was changed." in page.inner_text(".notice")
    page.close()
    site.check()


@journey
def copy_puts_the_text_on_the_clipboard(site):
    page = site.page("/", permissions=["clipboard-read", "clipboard-write"])
    page.click("[data-copy=gotrue-address]")
    page.wait_for_selector("[data-copy=gotrue-address] >> text=Copied")
    assert page.evaluate("navigator.clipboard.readText()") == site.ready["gotrue"]["base"]
    page.close()
    still = site.page("/", scripts=False)
    assert not still.locator("[data-copy=gotrue-address]").is_visible()
    still.close()


@journey
def every_page_is_used_by_keyboard_alone(site):
    page = site.page("/users")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    for path in site.paths():
        page.goto(site.base + path)
        page.evaluate("document.querySelectorAll('details').forEach((element) => { element.open = true })")
        wanted = page.evaluate("""() => [...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]')]
            .filter((element) => element.checkVisibility() && !element.disabled).length""")
        reached = set()
        for _ in range(wanted + 10):
            page.keyboard.press("Tab")
            place = page.evaluate("""() => { const element = document.activeElement
                if (!element || element === document.body || element.tagName === 'IFRAME') return -1
                window.order ??= [...document.querySelectorAll('*')]
                const style = getComputedStyle(element)
                return style.outlineStyle === 'none' ? -2 : window.order.indexOf(element) }""")
            assert place != -2, f"{path}: the focus is invisible"
            reached.add(place)
        assert len(reached - {-1}) >= wanted, (path, len(reached), wanted)
    page.close()


@journey
def nothing_is_wider_than_320_pixels(site):
    for path in site.paths():
        page = site.page(path, viewport={"width": 320, "height": 640})
        width = page.evaluate("document.scrollingElement.scrollWidth")
        assert width <= 320, (path, width)
        page.close()


@journey
def axe_finds_nothing(site):
    for scheme in ("light", "dark"):
        for path in site.paths():
            page = site.page(path, color_scheme=scheme, reduced_motion="reduce")
            page.evaluate("document.querySelectorAll('details').forEach((element) => { element.open = true })")
            results = Axe().run(page)
            found = [(rule["id"], [node["html"][:120] for node in rule["nodes"]][:3]) for rule in results.response["violations"]]
            assert not found, (scheme, path, found)
            page.close()
    page = site.device().new_page()
    page.goto(site.base + "/")
    assert not Axe().run(page).response["violations"]


@journey
def the_first_view_is_fast(site):
    page = site.page("/users")
    start = time.time()
    page.goto(site.base + "/users")
    timing = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? performance.timing.domContentLoadedEventEnd - performance.timing.navigationStart")
    print(f"         first view of the users: {timing:.0f} ms (loaded in {1000 * (time.time() - start):.0f} ms)", flush=True)
    assert timing < 1000, timing
    page.close()


@journey
def a_light_and_a_dark_page_differ(site):
    colors = {site.page("/", color_scheme=scheme).evaluate("getComputedStyle(document.body).backgroundColor") for scheme in ("light", "dark")}
    assert len(colors) == 2, colors
