import Lockstep
import LockstepContracts
import LockstepModels
import LockstepPrimitives

/// The environment of the app: the inbox, the authenticator app, the clock and the requests.
extension TryApp {
    /// All messages, newest first.
    func messages() async throws -> [SentMessage] {
        try await project.controls?.outbox?.messages().reversed() ?? []
    }

    func showInbox() async throws {
        let all = try await messages()
        readMessages = all.count
        try dialogue.heading("Inbox")
        guard !all.isEmpty else { return try dialogue.say("No messages.") }
        var choices: [Dialogue.Choice] = []
        // The newest are what is looked for.
        for (index, message) in all.prefix(5).enumerated() {
            let number = all.count - index
            try dialogue.say("Message \(number) to \(message.recipient)" + (message.channel == .sms ? ", by SMS:" : ":"))
            if let code = message.code { try dialogue.show("Code: \(code)") }
            if let link = message.link {
                try dialogue.show("Link: \(link)")
                choices.append(choice("Open the link in message \(number) on this device") { try await self.open(link) })
                choices.append(
                    choice("Open the link in message \(number) on another device") { try await self.openElsewhere(link) })
            }
        }
        guard !choices.isEmpty else { return }
        try await ask(among: choices + [choice("Back") {}])
    }

    private func open(_ link: String) async throws {
        guard let browser = project.controls?.browser else { return }
        let url: String?
        do {
            url = try await browser.follow(link)
        } catch {
            return try dialogue.complain("The link cannot be opened: \(error)")
        }
        guard let url else { return try dialogue.say("The link opened a page and did not return to the app.") }
        if await !auth.handle(url) { try dialogue.complain("The link belongs to another app.") }
        throw Dialogue.Ending.back
    }

    private func openElsewhere(_ link: String) async throws {
        do {
            try await project.controls?.browser?.confirm(link)
            try dialogue.say("The link was opened on another device.")
        } catch {
            return try dialogue.complain("The link cannot be opened: \(error)")
        }
        // The user comes back to the app.
        await auth.becameActive()
        throw Dialogue.Ending.back
    }

    /// The codes that an authenticator app shows now for the factors of this run.
    func showFactorCodes() async throws {
        for factor in factors {
            if let code = try await factor.code?() { try dialogue.show("Code: \(code.reveal())") }
            if let phone = factor.phone { try dialogue.say("Codes for \(phone) are in the inbox.") }
            if let backup = factor.backupCodes.first { try dialogue.show("Backup code: \(backup.reveal())") }
        }
        try dialogue.say("A code from an authenticator app is valid for 30 seconds and works once.")
    }

    func letTimePass() async throws {
        let times: [(String, Duration)] = [
            ("Half a minute", .seconds(30)), ("A minute", .seconds(60)), ("An hour", .seconds(3600)), ("A day", .seconds(86_400)),
        ]
        try await ask(
            among: times.map { label, time in choice(label) { try await self.pass(time, label.lowercasedFirst) } } + [
                choice("Back") {}
            ])
    }

    private func pass(_ time: Duration, _ words: String) async throws {
        guard let controls = project.controls else { return }
        try await controls.backendClock?.advance(by: time)
        controls.clock.advance(by: time)
        try dialogue.say("It is now \(controls.clock.now.rfc3339.dropFirst(11).prefix(8)) (UTC), \(words) later.")
        // As long as that, the app was in the background.
        await auth.becameActive()
        throw Dialogue.Ending.back
    }

    // MARK: Details

    /// Shows the last requests of the app, and the claims of the user's access token.
    func showDetails() async throws {
        try dialogue.heading("Details")
        let requests = project.requests().suffix(10)
        try dialogue.say(
            requests.isEmpty ? "The app has not sent any requests." : "The last requests (the newest is at the end):")
        for request in requests { try dialogue.show(request) }
        guard auth.client.state.session != nil else {
            return try dialogue.say("Nobody is signed in, so there is no access token.")
        }
        let token: Secret
        do throws(AuthError) {
            token = try await auth.client.accessToken()
        } catch {
            return try dialogue.complain("There is no valid access token. " + words.sentence(for: error))
        }
        guard let claims = CompactToken.unverifiedClaims(of: token.reveal()) else {
            return try dialogue.say("The access token has no claims.")
        }
        try dialogue.say("The claims of the access token:")
        for line in JSON.object(claims).text(.indented).split(separator: "\n") { try dialogue.show(String(line)) }
    }
}
