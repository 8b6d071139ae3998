internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Journey {
    /// A journey that changes the password, with its effects on two devices.
    static let passwordChange = Journey("change-password", "Change the password") { driver in
        let email = try await driver.user("joan")
        let new: Secret = "another fine Passphrase 42"
        try await driver.enter(email)
        let other = driver.anotherDevice()
        try await driver.enter(email, other)
        // Backends compare whole seconds.
        try await driver.wait(.seconds(2))
        var current = driver.password
        try await driver.see("with a wrong current password") {
            try await driver.app.account.changePassword(to: new, current: "not the password 1A")
            current = new
            return "changed"
        }
        try await driver.see("without the current password") {
            let unasked: Secret = "a fine Passphrase 41"
            try await driver.app.account.changePassword(to: unasked)
            current = unasked
            return "changed"
        }
        try await driver.see("with the right current password") {
            try await driver.app.account.changePassword(to: new, current: current)
            current = new
            return "changed"
        }
        try await driver.wait(.seconds(3601))
        try await driver.see("this device, an hour later") { try await driver.renewed(driver.app) }
        try await driver.see("the other device, an hour later") { try await driver.renewed(other) }
        guard driver.app.state.session != nil else { return }
        try await driver.wait(.seconds(25 * 3600))
        try await driver.see("a day after the sign-in, without the current password") {
            let unasked: Secret = "a third fine Passphrase 43"
            try await driver.app.account.changePassword(to: unasked)
            current = unasked
            return "changed"
        }
        try await driver.see("a day after the sign-in") {
            try await driver.app.account.changePassword(to: "a fourth fine Passphrase 44", current: current)
            return "changed"
        }
    }

    /// A journey that changes the address, from the call to the sign-in with it.
    static let emailChange = Journey("change-email", "Change the e-mail address") { driver in
        let (old, new) = (try await driver.user("radia"), driver.address("radia-new"))
        try await driver.enter(old)
        // The code of a new device has gone to the old address before.
        var earlier: [String: Int] = [:]
        for address in [new, old] { earlier[address] = try await driver.messages(to: address).count }
        var step: AuthStep?
        let asked = try await driver.see("request the change") {
            step = try await driver.app.account.changeEmail(to: new)
            return step?.word ?? ""
        }
        guard asked == "verify" else { return }
        var proofs: [SentMessage] = []
        var words: [String] = []
        for (address, name) in [(new, "new"), (old, "old")] {
            guard let message = try await driver.messages(to: address).dropFirst(earlier[address] ?? 0).last else { continue }
            proofs.append(message)
            words.append("the \(name) address: \(message.words)")
        }
        driver.note("messages", words.joined(separator: "; "))
        try await driver.see("address before verification") {
            try await driver.app.refreshUser().email == old ? "the old address" : "the new address"
        }
        try await driver.see("every address verified") {
            for proof in proofs {
                if proof.link != nil {
                    step = try await driver.open(try await driver.delivered(proof))
                } else if let code = proof.code, let flow = step?.flow {
                    step = try await driver.app.respond(to: flow, with: .code(Secret(code)))
                }
            }
            return driver.state
        }
        try await driver.see("sign in with the new address") {
            let app = driver.anotherDevice()
            return try await driver.enter(new, app).session == nil ? app.state.word : "signedIn"
        }
    }

    /// A journey on several devices of a user, which shows what a sign-out on one of them ends.
    static let devices = Journey("devices", "Sign out on one of several devices") { driver in
        let email = try await driver.user("frances")
        let (one, two) = (driver.app, driver.anotherDevice())
        try await driver.enter(email, one)
        try await driver.enter(email, two)
        let (token, refresh) = (one.state.session?.accessToken, one.state.session?.refreshToken)
        try await one.signOut()
        try await driver.seeIfPossible("access token after the sign-out") {
            guard let token, let admin = driver.environment.administrator else { return "not measured" }
            return try await admin.accepts(accessToken: token) ? "accepted" : "rejected"
        }
        try await driver.seeIfPossible("refresh token after the sign-out") {
            guard let refresh, let admin = driver.environment.administrator else { return "not measured" }
            return try await admin.accepts(refreshToken: refresh) ? "accepted" : "rejected"
        }
        try await driver.wait(.seconds(3601))
        try await driver.see("the other device") { try await driver.renewed(two) }
        try await driver.enter(email, one)
        try await driver.see("sign out other devices") {
            try await one.signOut(.others)
            try await driver.wait(.seconds(3601))
            return try await driver.renewed(two)
        }
        try await driver.see("sign out everywhere") {
            try await one.signOut(.everywhere)
            return one.state.word
        }
    }
}

extension JourneyDriver {
    /// Returns the client's state after it has requested a token.
    func renewed(_ client: AuthClient) async throws -> String {
        do throws(AuthError) {
            _ = try await client.accessToken()
            return client.state.word
        } catch {
            return client.state.session == nil ? "signedOut, \(error.code)" : "\(client.state.word), \(error.code)"
        }
    }
}
