internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Journey {
    /// A journey with sign-in and sign-out, wrong input, and a relaunch.
    static let signIn = Journey("sign-in", "Sign in, relaunch, sign out") { driver in
        let email = try await driver.user("grace")
        try await driver.see("wrong password") {
            try await driver.app.signIn(with: .password(email: email, password: "not the password 1A")).word
        }
        try await driver.see("unknown address") {
            try await driver.app.signIn(with: .password(email: driver.address("nobody"), password: driver.password)).word
        }
        try await driver.see("open a protected feature while signed out") {
            _ = try await driver.app.session(requiring: .verified)
            return "opened"
        }
        try await driver.see("right password") {
            let step = try await driver.app.signIn(with: .password(email: email, password: driver.password))
            guard case .verify(let challenge) = step, let message = try await driver.message(to: email),
                let code = message.code
            else {
                return step.word
            }
            _ = try await driver.app.respond(to: challenge.flow, with: .code(Secret(code)))
            return "verify (new device), complete"
        }
        try await driver.see("open the protected feature after the sign-in") {
            _ = try await driver.app.session(requiring: .verified)
            return "opened"
        }
        try await driver.see("relaunch") {
            await driver.relaunch()
            return driver.state
        }
        try await driver.see("sign out") {
            try await driver.app.signOut()
            return driver.state
        }
        try await driver.seeIfPossible("sign in while passwords are off") {
            try await driver.need(driver.environment.administrator, "an admin API").switchOff(.password)
            return try await driver.app.signIn(with: .password(email: email, password: driver.password)).word
        }
    }

    /// A journey with a forgotten password, from the message to the new password.
    static let forgottenPassword = Journey("forgotten-password", "Reset a forgotten password") { driver in
        let email = try await driver.user("alan")
        let new: Secret = "another fine Passphrase 42"
        var step: AuthStep?
        try await driver.see("unknown address") {
            try await driver.app.requestPasswordReset(email: driver.address("nobody")).word
        }
        try await driver.see("request the message") {
            step = try await driver.app.requestPasswordReset(email: email)
            return step?.word ?? ""
        }
        guard case .verify(let challenge) = step else { throw EnvironmentError("the reset required no verification") }
        driver.note("message", try await driver.message(to: email)?.words ?? "none")
        try await driver.see("verify") {
            step = try await driver.prove(challenge, by: challenge.accepts.contains(.link) ? .link : .code, to: email)
            return step?.word ?? ""
        }
        try await driver.see("set the new password") {
            if case .newPassword(let next) = step { step = try await driver.app.respond(to: next.flow, with: .newPassword(new)) }
            return step?.word ?? ""
        }
        try await driver.app.signOut()
        try await driver.see("old password") {
            try await driver.app.signIn(with: .password(email: email, password: driver.password)).word
        }
        try await driver.see("new password") {
            try await driver.app.signIn(with: .password(email: email, password: new)).word
        }
    }

    /// A journey that deletes the account, which requires the password again.
    static let accountDeletion = Journey("delete-account", "Delete the account") { driver in
        let email = try await driver.user("edsger")
        try await driver.enter(email)
        try await driver.wait(.seconds(25 * 3600))
        try await driver.see("delete the account a day after the sign-in") {
            try await driver.app.account.delete()
            return driver.state
        }
        guard driver.app.state.session != nil else { return try await afterDeletion(email, driver) }
        try await driver.see("confirm with a wrong password") {
            try await driver.app.account.reauthenticate(
                with: .password(email: email, password: "not the password 1A"), thenRetry: .deleteAccount
            ).word
        }
        driver.note("state after the wrong password", driver.state)
        try await driver.see("confirm with the right password") {
            try await driver.app.account.reauthenticate(
                with: .password(email: email, password: driver.password), thenRetry: .deleteAccount)
            return driver.state
        }
        try await afterDeletion(email, driver)
    }

    private static func afterDeletion(_ email: String, _ driver: JourneyDriver) async throws {
        try await driver.see("sign in afterwards") {
            try await driver.app.signIn(with: .password(email: email, password: driver.password)).word
        }
    }
}
