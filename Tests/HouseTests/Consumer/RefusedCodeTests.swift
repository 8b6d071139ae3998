import Foundation
import Testing

/// Code that must not compile, and what the compiler says about it: names of the vendors' SDKs, and secrets in texts.
@Suite("Code that the compiler refuses")
struct RefusedCodeTests {
    /// A line of an app, and the words in the compiler's message that name the replacement.
    private static let lines: [(code: String, words: String)] = [
        // supabase-swift
        ("_ = try await auth.signInWithOTP(email: mail)", ".emailCode(_:)"),
        ("_ = try await auth.verifyOTP(email: mail, token: mail, type: .signup)", "respond(to: challenge.flow"),
        ("_ = try await auth.verifyOTP(phone: mail, token: mail, type: .sms)", "respond(to: challenge.flow"),
        ("_ = try await auth.verifyOTP(tokenHash: mail, type: .recovery)", ".ticket(_:)"),
        ("_ = try await auth.update(user: UserAttributes(password: mail))", "account.changePassword"),
        ("_ = try await auth.refreshSession()", "accessToken()"),
        ("_ = try await auth.session.accessToken", "accessToken()"),
        ("_ = auth.currentSession?.accessToken", "state.session"),
        ("for await (event, session) in auth.authStateChanges { print(event, session as Any) }", "states"),
        ("_ = try await auth.resetPasswordForEmail(mail)", "requestPasswordReset(email:)"),
        ("_ = try await auth.signInAnonymously()", ".anonymous"),
        // firebase-ios-sdk
        ("_ = auth.currentUser", "'user'"),
        ("_ = try await user.getIDToken()", "accessToken()"),
        ("auth.addStateDidChangeListener { _, user in print(user as Any) }", "states"),
        ("_ = try await auth.createUser(withEmail: mail, password: mail)", "signUp(email:password:)"),
        ("_ = try await auth.signIn(withEmail: mail, password: mail)", "signIn(email:password:)"),
        ("_ = try await auth.sendPasswordReset(withEmail: mail)", "requestPasswordReset(email:)"),
        // clerk-ios
        ("_ = try await session.getToken()", "accessToken()"),
        // A secret would be `<redacted>` in the text.
        (#"print("Bearer \(secret)")"#, "appendInterpolation"),
    ]

    @Test func compilerNamesTheReplacement() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("lockstep-refused-code-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let values = "auth: AuthClient, user: User, session: Session, secret: Secret, mail: String"
        let functions = Self.lines.enumerated().map { "func use\($0)(\(values)) async throws { \($1.code) }" }
        let file = folder.appendingPathComponent("App.swift")
        // The app still has the vendor's own types.
        let text = "import Lockstep\nstruct UserAttributes { var password: String }\n" + functions.joined(separator: "\n")
        try text.write(to: file, atomically: true, encoding: .utf8)
        let (status, output) = try Compiler.typeCheck([file.path], module: "App", isOfPackage: false)
        #expect(status != 0)
        for (number, line) in Self.lines.enumerated() {
            let errors = output.split(separator: "\n").filter { $0.contains("App.swift:\(number + 3):") && $0.contains("error:") }
            #expect(errors.contains { $0.contains(line.words) }, "\(line.code): \(errors)")
        }
        // The compiler shows both choices, whose names say what to write.
        #expect(output.contains("useBearer") && output.contains("orReveal"))
    }
}
