internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Journey {
    /// Sign in and out, with everything that can be typed wrong, and over a relaunch.
    static let signIn = Journey("sign-in", "Sign in, relaunch, sign out") { traveller in
        let email = try await traveller.user("grace")
        try await traveller.see("wrong password") {
            try await traveller.app.signIn(with: .password(email: email, password: "not the password 1A")).word
        }
        try await traveller.see("unknown address") {
            try await traveller.app.signIn(with: .password(email: traveller.address("nobody"), password: traveller.password)).word
        }
        try await traveller.see("a protected feature, signed out") {
            _ = try await traveller.app.session(requiring: .verified)
            return "opened"
        }
        try await traveller.see("right password") {
            let step = try await traveller.app.signIn(with: .password(email: email, password: traveller.password))
            guard case .verify(let challenge) = step, let message = try await traveller.message(to: email),
                let code = message.code
            else {
                return step.word
            }
            _ = try await traveller.app.proceed(challenge.flow, with: .code(Secret(code)))
            return "verify (new device), complete"
        }
        try await traveller.see("the protected feature goes on") {
            _ = try await traveller.app.session(requiring: .verified)
            return "opened"
        }
        try await traveller.see("relaunch") {
            await traveller.relaunch()
            return traveller.state
        }
        try await traveller.see("sign out") {
            try await traveller.app.signOut()
            return traveller.state
        }
        try await traveller.see("password switched off") {
            try await traveller.need(traveller.stage.adminAPI, "a side door").switchOff(.password)
            return try await traveller.app.signIn(with: .password(email: email, password: traveller.password)).word
        }
    }

    /// A forgotten password, from the message to the new one.
    static let forgottenPassword = Journey("forgotten-password", "Replace a forgotten password") { traveller in
        let email = try await traveller.user("alan")
        let new: Secret = "another fine Passphrase 42"
        var step: SignInStep?
        try await traveller.see("unknown address") {
            try await traveller.app.requestPasswordReset(email: traveller.address("nobody")).word
        }
        try await traveller.see("ask for the message") {
            step = try await traveller.app.requestPasswordReset(email: email)
            return step?.word ?? ""
        }
        guard case .verify(let challenge) = step else { throw StageError("the reset asked for no proof") }
        traveller.note("proof offered", challenge.accepts.words)
        try await traveller.see("give the proof") {
            step = try await traveller.prove(challenge, by: challenge.accepts.contains(.link) ? .link : .code, to: email)
            return step?.word ?? ""
        }
        try await traveller.see("set the new password") {
            if case .newPassword(let next) = step { step = try await traveller.app.proceed(next.flow, with: .newPassword(new)) }
            return step?.word ?? ""
        }
        try await traveller.app.signOut()
        try await traveller.see("old password") {
            try await traveller.app.signIn(with: .password(email: email, password: traveller.password)).word
        }
        try await traveller.see("new password") {
            try await traveller.app.signIn(with: .password(email: email, password: new)).word
        }
    }

    /// The end of an account, which asks for the password again.
    static let accountDeletion = Journey("delete-account", "Delete the account") { traveller in
        let email = try await traveller.user("edsger")
        _ = try await traveller.app.signIn(with: .password(email: email, password: traveller.password))
        try await traveller.wait(.seconds(25 * 3600))
        try await traveller.see("delete, a day after the sign-in") {
            try await traveller.app.account.delete()
            return traveller.state
        }
        try await traveller.see("password again, wrong") {
            try await traveller.app.account.reauthenticate(
                with: .password(email: email, password: "not the password 1A"), thenRetry: .deleteAccount
            ).word
        }
        traveller.note("state after the wrong one", traveller.state)
        try await traveller.see("password again, right") {
            try await traveller.app.account.reauthenticate(
                with: .password(email: email, password: traveller.password), thenRetry: .deleteAccount)
            return traveller.state
        }
        try await traveller.see("sign in afterwards") {
            try await traveller.app.signIn(with: .password(email: email, password: traveller.password)).word
        }
    }
}
