"""The lines of JavaScript on the providers' pages: each SDK makes a user on the server that the line names."""
from lines import lines
from server import journey
from stage import run

PASSWORD = "Starter-password-1!"


@journey(on=["gotrue"])
def lines_for_supabase_js(server):
    [line] = lines("gotrue", "js", server)
    email = server.email()
    printed = run(line, f"""
        const {{ data, error }} = await supabase.auth.signUp({{ email: "{email}", password: "{PASSWORD}" }})
        console.log(error ?? data.user.email)
        process.exit()""")
    assert printed == email, printed


@journey(on=["firebase"])
def lines_for_firebase(server):
    [line] = lines("firebase", "js", server)
    email = server.email()
    printed = run('console.warn = console.info = () => {}', line, f"""
        const {{ createUserWithEmailAndPassword }} = await import("firebase/auth")
        console.log((await createUserWithEmailAndPassword(auth, "{email}", "{PASSWORD}")).user.email)
        process.exit()""")
    assert printed == email, printed


@journey(on=["clerk"])
def lines_for_clerk_js(server):
    line, _ = lines("clerk", "js", server)
    printed = run('import "./device.mjs"', line, """
        let token = ""
        clerk.__internal_onBeforeRequest((request) => {
          request.credentials = "omit"
          request.url.searchParams.append("_is_native", "1")
          request.headers.set("authorization", token)
        })
        clerk.__internal_onAfterResponse((_, response) => { token = response.headers.get("authorization") ?? token })
        await clerk.load({ standardBrowser: false, telemetry: false })
        const attempt = await clerk.client.signUp.create({ emailAddress: "ada+clerk_test@example.com", password: "%s" })
        console.log(clerk.status, attempt.status)
        process.exit()""" % PASSWORD)
    assert printed == "ready missing_requirements", printed


@journey(on=["clerk"])
def lines_for_clerk_backend(server):
    _, line = lines("clerk", "js", server)
    email = server.email()
    printed = run(line, f"""
        const user = await backend.users.createUser({{ emailAddress: ["{email}"], password: "{PASSWORD}" }})
        console.log((await backend.users.getUser(user.id)).primaryEmailAddress.emailAddress)
        process.exit()""")
    assert printed == email, printed
