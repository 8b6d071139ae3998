import LockstepSystem
import LockstepTestConcurrency
import Testing

/// `lockstep try`, used by keyboard on a terminal of 60 columns.
@Suite("An app in the terminal", .serialized, .limitedConcurrency)
struct TryTests {
    static let providers = ["firebase", "gotrue", "clerk", "memory"]

    /// From the sign-up to the sign-in, and back.
    @Test(arguments: providers) func signUpSignsIn(_ provider: String) async throws {
        try await TerminalApp.run([provider]) { app in
            try app.signUpAndProve("ada@example.com")
            let account = try app.choose("Sign out")
            #expect(account.contains("ada@example.com"))
            try app.choose("Sign in: password")
            // The address is still in its field.
            try app.read(to: "E-mail [ada@example.com]: ")
            try app.press("\n")
            try app.answerUnseen("Password", "not the password")
            #expect(try app.read(to: "Choice: ").contains("! "))
            try app.press("2\n")
            try app.read(to: "E-mail [ada@example.com]: ")
            try app.press("\n")
            try app.answerUnseen("Password", TerminalApp.password)
            try app.read(to: "Signed in\n")
            try app.press(key: "q")
            #expect(try app.end() == 0)
            #expect(app.longLines.isEmpty && !app.shown.contains("\u{1b}") && !app.showsSecrets, "\(app.shown)")
        }
    }

    @Test(arguments: ["gotrue", "clerk", "memory"]) func wrongCodeIsReportedNextToItsField(_ provider: String) async throws {
        // By the platform's default, mails contain no code.
        try await TerminalApp.run([provider] + (provider == "gotrue" ? ["--variant", "confirmed"] : [])) { app in
            try app.signUp("ada@example.com")
            let code = try app.newestCode()
            try app.give(code == "000000" ? "111111" : "000000")
            try app.read(to: "! Code: Incorrect code.")
            try app.give(code)
            try app.read(to: "Signed in\n")
        }
    }

    /// The countdown, and the second message once it is over.
    @Test(arguments: providers) func messageIsSentAgainAfterItsInterval(_ provider: String) async throws {
        try await TerminalApp.run([provider]) { app in
            try app.signUp("ada@example.com")
            let menu = try app.press(key: "t")
            #expect(menu.contains("Send it again in "))
            try app.choose("A minute")
            try app.choose("Send it again")
            #expect(try app.press(key: "i").contains("inbox (2 new)"))
            #expect(try app.read(to: "Message 1 to").contains("Message 2 to ada@example.com"))
        }
    }

    @Test(arguments: providers) func aForgottenPasswordIsReplaced(_ provider: String) async throws {
        try await TerminalApp.run([provider]) { app in
            try app.signUpAndProve("ada@example.com")
            try app.choose("Sign out")
            // Another message to the same address is not sent immediately.
            try app.press(key: "t")
            try app.choose("A minute")
            try app.choose("Forgotten password")
            try app.read(to: "E-mail [ada@example.com]: ")
            try app.press("\n")
            try app.prove()
            try app.choose("Type a new password")
            try app.answerUnseen("New password", "a whole new secret phrase")
            try app.read(to: "Signed in\n")
            try app.choose("Sign out")
            try app.choose("Sign in: password")
            try app.read(to: "]: ")
            try app.press("\n")
            try app.answerUnseen("Password", "a whole new secret phrase")
            try app.read(to: "Signed in\n")
            #expect(!app.showsSecrets)
        }
    }

    @Test(arguments: ["firebase", "gotrue", "memory"]) func aGuestBecomesAUserAndKeepsEverything(_ provider: String) async throws
    {
        try await TerminalApp.run([provider]) { app in
            try app.choose("Continue without an account")
            try app.read(to: "Guest\n")
            try app.choose("Sign out")
            try app.read(to: "will be lost")
            try app.choose("Stay a guest")
            try app.signUpAndProve("ada@example.com", by: "Create an account, and keep everything")
            #expect(app.shown.contains("You now have an account. All your data was kept."))
        }
    }

    /// The user enrolls the factor if the adapter supports this; otherwise the project's administrator does.
    @Test(arguments: providers) func signInAsksForASecondFactor(_ provider: String) async throws {
        try await TerminalApp.run([provider]) { app in
            try app.signUpAndProve("ada@example.com")
            let account = try app.read(to: "q quit\n")
            if account.contains("Second factors") {
                try app.choose("Second factors")
                try app.choose("Add an authenticator app")
                try app.read(to: "Type this key")
                try app.give(try app.authenticatorCode())
                try app.read(to: "Signed in\n")
            } else {
                try app.choose("As an administrator")
                try app.read(to: "Done.")
            }
            try app.choose("Sign out")
            try app.choose("Sign in: password")
            try app.read(to: "]: ")
            try app.press("\n")
            try app.answerUnseen("Password", TerminalApp.password)
            try app.read(to: "Second factor\n")
            let choice = try app.read(to: "Leave\n")
            if !choice.contains("Type the code") {
                try app.choose(choice.contains("Authenticator app") ? "Authenticator app" : "Code by SMS")
            }
            try app.give(choice.contains("SMS") ? try app.newestCode() : try app.authenticatorCode())
            try app.read(to: "Signed in\n")
        }
    }

    /// By then the sign-in is old, so the app asks for another one if the backend requires it.
    @Test(arguments: providers) func accountIsDeletedAfterASignIn(_ provider: String) async throws {
        // By the platform's default, nobody has to sign in again.
        try await TerminalApp.run([provider] + (provider == "clerk" ? ["--variant", "usual"] : [])) { app in
            try app.signUpAndProve("ada@example.com")
            try app.choose("Delete the account")
            try app.choose("Keep the account")
            try app.press(key: "t")
            try app.choose("An hour")
            try app.choose("Delete the account")
            try app.choose("Delete everything")
            try app.read(to: "Sign in again\n")
            try app.choose("Password")
            try app.answerUnseen("Password", TerminalApp.password)
            try app.read(to: "Sign in\n")
            try app.choose("Sign in: password")
            try app.read(to: ": ")
            try app.press("ada@example.com\n")
            try app.answerUnseen("Password", TerminalApp.password)
            try app.read(to: "! ")
        }
    }

    /// Each change is confirmed once, and a second factor when its code is entered.
    @Test func changeIsConfirmedWhenItIsMade() async throws {
        try await TerminalApp.run(["memory"]) { app in
            try app.signUpAndProve("ada@example.com")
            for name in ["Grace", "Countess"] {
                try app.choose("Change the name")
                try app.read(to: "]: ")
                try app.press(name + "\n")
                #expect(try app.read(to: "q quit\n").firstRange(of: "Saved.") != nil)
            }
            try app.choose("Second factors")
            try app.choose("Add an authenticator app")
            #expect(try app.read(to: "Type this key").firstRange(of: "is added") == nil)
            try app.give(try app.authenticatorCode())
            let account = try app.read(to: "q quit\n")
            #expect(account.firstRange(of: "Your second factor was added.") != nil && account.firstRange(of: "Saved.") == nil)
        }
    }

    /// The platform's sheet and the provider's page, both simulated.
    @Test(arguments: ["gotrue", "clerk", "memory"]) func anIdentityProviderSignsIn(_ provider: String) async throws {
        try await TerminalApp.run([provider]) { app in
            try app.choose("Continue with Apple (system dialog)")
            try app.answer("The email address to use in the dialog (leave it empty to close the dialog)", "grace@example.com")
            try app.read(to: "Signed in\n")
            try app.choose("Sign out")
            try app.choose("Continue with Apple (web page)")
            try app.choose("Decline on the page")
            try app.read(to: "! The sign-in was not completed.")
            try app.choose("Continue with Apple (web page)")
            try app.choose("Approve on the page")
            try app.answer("The email address to use on the page", "grace@example.com")
            try app.read(to: "Signed in\n")
        }
    }

    @Test func weakPasswordIsRejectedOnlyIfTheAppSetsAMinimum() async throws {
        try await TerminalApp.run(["memory", "--minimum-strength", "3"]) { app in
            try app.choose("Create an account")
            try app.read(to: "Name (\"?\" for another) [")
            let name = try app.read(to: "]: ")
            try app.press("?\n")
            try app.read(to: "[")
            #expect(try app.read(to: "]: ") != name)
            try app.press("Grendel\n")
            try app.answer("E-mail", "ada@example.com")
            try app.answerUnseen("Password", "Gr3ndel")
            try app.read(to: "Strength 0 of 4: Very weak. It is based on your name")
            try app.read(to: "! Choose a password with a strength of at least")
            try app.answerUnseen("Password", TerminalApp.password)
            try app.read(to: "Strength 4 of 4: Strong.")
            try app.read(to: "Confirm that it is you\n")
        }
        try await TerminalApp.run(["memory"]) { app in
            try app.choose("Create an account")
            try app.read(to: "]: ")
            try app.press("\n")
            try app.answer("E-mail", "ada@example.com")
            try app.answerUnseen("Password", "monkey123")
            try app.read(to: "Strength 0 of 4")
            try app.choose("Type another one")
            try app.answerUnseen("Password", "monkey123")
            try app.choose("Use it anyway")
            try app.read(to: "Confirm that it is you\n")
        }
    }

    /// A relaunch finds the values of the store: the step, the address, the countdown.
    @Test(arguments: providers) func anInterruptedSignUpContinuesAfterARelaunch(_ provider: String) async throws {
        try await TerminalApp.run([provider]) { app in
            try app.signUp("ada@example.com")
            try app.press(key: "r")
            try app.read(to: "was restarted.")
            #expect(try app.prove().contains("Send it again in "))
            try app.read(to: "Signed in\n")
        }
    }

    /// An app first meets a new project of the platform.
    @Test(arguments: [("gotrue", "hosted"), ("clerk", "hosted"), ("firebase", "protected")])
    func defaultVariantIsThePlatforms(_ provider: String, _ variant: String) async throws {
        try await TerminalApp.run([provider]) { app in
            let start = try app.read(to: "Choice: ").replacing("\n", with: " ")
            #expect(start.contains("variant \(variant): "), "\(start)")
        }
    }

    /// The backend may reject a password that the meter accepts: only the password is asked again.
    @Test func rejectedPasswordLeavesTheFormOpen() async throws {
        try await TerminalApp.run(["clerk"]) { app in
            try app.choose("Create an account")
            try app.read(to: "Name (\"?\" for another) [")
            try app.press("\n")
            try app.answer("E-mail", "ada@example.com")
            try app.answerUnseen("Password", "xq7")
            try app.choose("Use it anyway")
            try app.read(to: "! Password: ")
            try app.answerUnseen("Password", TerminalApp.password)
            try app.prove()
            try app.read(to: "Signed in\n")
            let time = try app.press(key: "t")
            #expect(time.contains("let time pass"))
            try app.choose("A minute")
            try app.read(to: "It is now ")
            #expect(try app.read(to: "later.").contains("a minute") && !app.showsSecrets)
        }
    }

    @Test func fieldIsCheckedWhenTheUserLeavesIt() async throws {
        try await TerminalApp.run(["memory"]) { app in
            try app.choose("Create an account")
            try app.read(to: "]: ")
            try app.press("\n")
            try app.answer("E-mail", "ada")
            // What was rejected is not offered again, here and when the user comes back.
            #expect(try app.read(to: "E-mail (- to go back): ").contains("! E-mail: Invalid e-mail address."))
            try app.press("-\n")
            try app.choose("Create an account")
            try app.read(to: "]: ")
            try app.press("\n")
            try app.read(to: "E-mail (- to go back): ")
            try app.press("-\n")
            try app.choose("Sign in: password")
            try app.answer("E-mail", "ada@example.com")
            try app.answerUnseen("Password", "")
            try app.read(to: "! Password: Fill in this field.")
            try app.answerUnseen("Password", "not the password")
            try app.read(to: "! ")
        }
    }

    /// This includes the password, which is never shown.
    @Test func inputStaysAfterAnError() async throws {
        try await TerminalApp.run(["memory"]) { app in
            try app.choose("Sign in: password")
            try app.answer("E-mail", "ada@example.com")
            try app.answerUnseen("Password", "not the password")
            try app.read(to: "! ")
            try app.choose("Sign in: password")
            try app.read(to: "E-mail [ada@example.com]: ")
            try app.press("grace@example.com\n")
            try app.read(to: "Password (not shown; press Enter to keep it): ")
            try app.press("\n")
            try app.read(to: "! ")
            try app.choose("Create an account")
            try app.read(to: "]: ")
            try app.press("Grace\n")
            try app.read(to: "E-mail [grace@example.com]: ")
            try app.press("-\n")
            try app.choose("Create an account")
            try app.read(to: "Name (\"?\" for another) [Grace]: ")
            #expect(!app.showsSecrets)
        }
    }

    /// A letter within a screen shows its purpose and answers no question.
    @Test func letterKeysAnswerNoQuestion() async throws {
        try await TerminalApp.run(["memory"]) { app in
            try app.signUpAndProve("ada@example.com")
            try app.press(key: "t")
            try app.press(key: "i")
            try app.read(to: "Message 1 to ada@example.com")
            try app.choose("Back")
            try app.choose("Delete the account")
            for letter in ["d", "i"] {
                let menu = try app.press(key: letter)
                #expect(menu.contains("Keep the account") && menu.contains("q quit"), "\(menu)")
            }
            try app.choose("Keep the account")
            try app.choose("Second factors")
            try app.press(key: "r")
            try app.read(to: "was restarted.")
            try app.read(to: "Signed in\n")
            try app.choose("Delete the account")
            try app.press(key: "q")
            #expect(try app.end() == 0)
        }
    }

    @Test(arguments: ["firebase", "gotrue", "clerk"]) func detailsShowRequestsAndClaims(_ provider: String) async throws {
        try await TerminalApp.run([provider]) { app in
            try app.press(key: "d")
            try app.read(to: "Nobody is signed in, so there is no access token.")
            try app.signUpAndProve("ada@example.com")
            try app.press(key: "d")
            try app.read(to: "The last requests")
            let requests = try app.read(to: "The claims of the access token:")
            #expect(requests.contains("  POST /") && requests.contains(" 200\n"), "\(requests)")
            let claims = try app.read(to: "Choice: ")
            #expect(claims.contains("\"sub\": "), "\(claims)")
            #expect(!app.shown.contains("eyJ") && !app.showsSecrets)
        }
    }
}
