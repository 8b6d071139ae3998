/// A small app that calls a vendor's SDK, and the same app after the steps of docs/coming-from.md.
///
/// The SDK's names are stand-ins with its declarations.
struct MovedApp: Sendable {
    /// A line of the app, with the row of the page's table that it follows.
    struct Line: Sendable {
        let row: String
        let before: String
        let after: String

        init(_ row: String, _ before: String, _ after: String) { (self.row, self.before, self.after) = (row, before, after) }
    }

    /// The column of the page's table.
    let vendor: String
    let standIn: String
    let lines: [Line]

    /// The values of the user's own code.
    private static let values = "mail: String, word: String, code: String, url: URL"

    /// The app with the vendor's calls.
    var before: String {
        "import Foundation\n\(standIn)\nfunc app(auth: VendorAuth, \(Self.values)) async throws {\n\(body(\.before))\n}\n"
    }
    /// The app with the calls of Lockstep.
    var after: String {
        "import Foundation\nimport Lockstep\nfunc app(auth: AuthClient, \(Self.values)) async throws {\n\(body(\.after))\n}\n"
    }

    private func body(_ side: KeyPath<Line, String>) -> String {
        lines.map { "    do { \($0[keyPath: side]) }" }.joined(separator: "\n")
    }

    static let all = [supabase, firebase, clerk]

    private static let token = "let token = try await auth.accessToken(); print(token.bearer.count)"
    private static let user = "print(auth.user?.email as Any)"

    // https://github.com/supabase/supabase-swift, Sources/Auth/AuthClient.swift
    private static let supabase = MovedApp(
        vendor: "supabase-swift",
        standIn: """
            struct User: Sendable { var email: String? }
            struct Session: Sendable { var accessToken: String }
            struct AnyJSON: Sendable, ExpressibleByStringLiteral { init(stringLiteral: String) {} }
            struct UserAttributes: Sendable { init(email: String? = nil, password: String? = nil, data: [String: AnyJSON]? = nil) {} }
            enum EmailOTPType: Sendable { case signup, email }
            enum SignOutScope: Sendable { case global, local, others }
            enum AuthChangeEvent: Sendable { case signedIn, signedOut }
            final class VendorAuth: Sendable {
                var currentUser: User? { nil }
                var session: Session { get async throws { Session(accessToken: "") } }
                var authStateChanges: AsyncStream<(event: AuthChangeEvent, session: Session?)> { AsyncStream { $0.finish() } }
                func signUp(email: String, password: String, data: [String: AnyJSON]? = nil) async throws -> User { User() }
                func resend(email: String, type: EmailOTPType) async throws {}
                func refreshSession() async throws -> Session { Session(accessToken: "") }
                func update(user: UserAttributes) async throws -> User { User() }
                func signIn(email: String, password: String) async throws -> Session { Session(accessToken: "") }
                func signInWithOTP(email: String) async throws {}
                func verifyOTP(email: String, token: String, type: EmailOTPType) async throws -> Session { Session(accessToken: "") }
                func signInAnonymously() async throws -> Session { Session(accessToken: "") }
                func session(from url: URL) async throws -> Session { Session(accessToken: "") }
                func resetPasswordForEmail(_ email: String) async throws {}
                func signOut(scope: SignOutScope = .global) async throws {}
            }
            """,
        lines: [
            Line(
                "sign up", "_ = try await auth.signUp(email: mail, password: word)",
                "_ = try await auth.signUp(email: mail, password: word)"),
            Line(
                "sign in", "_ = try await auth.signIn(email: mail, password: word)",
                "_ = try await auth.signIn(email: mail, password: word)"),
            Line(
                "a link by email", "try await auth.signInWithOTP(email: mail)",
                "_ = try await auth.signIn(with: .emailLink(mail))"),
            Line(
                "a code by email",
                "try await auth.signInWithOTP(email: mail); _ = try await auth.verifyOTP(email: mail, token: code, type: .email)",
                "let step = try await auth.signIn(with: .emailCode(mail)); if let flow = step.flow { _ = try await auth.respond(to: flow, with: .code(code)) }"
            ),
            Line(
                "the message again", "try await auth.resend(email: mail, type: .signup)",
                "if let flow = auth.pending?.flow { _ = try await auth.resend(flow) }"),
            Line(
                "a name and data at sign-up", #"_ = try await auth.signUp(email: mail, password: word, data: ["plan": "team"])"#,
                #"_ = try await auth.signUp(with: .password(email: mail, password: word), displayName: "Ada", metadata: ["plan": "team"])"#
            ),
            Line(
                "another name, address or password", "_ = try await auth.update(user: UserAttributes(password: word))",
                "try await auth.account.update(displayName: mail); _ = try await auth.account.changeEmail(to: mail); try await auth.account.changePassword(to: word, current: word)"
            ),
            Line("a new token", "let token = try await auth.refreshSession().accessToken; print(token.count)", token),
            Line("an anonymous user", "_ = try await auth.signInAnonymously()", "_ = try await auth.signIn(with: .anonymous)"),
            Line("the link that opens the app", "_ = try await auth.session(from: url)", "_ = await auth.handle(url)"),
            Line(
                "a forgotten password", "try await auth.resetPasswordForEmail(mail)",
                "_ = try await auth.requestPasswordReset(email: mail)"),
            Line("the user", "print(auth.currentUser?.email as Any)", user),
            Line(
                "changes", "for await (event, session) in auth.authStateChanges { print(event, session as Any) }",
                "for await state in auth.states { print(state.session?.user.id as Any) }"),
            Line("the token", "let token = try await auth.session.accessToken; print(token.count)", token),
            Line("sign out", "try await auth.signOut(scope: .local)", "try await auth.signOut(.local)"),
        ])

    // https://firebase.google.com/docs/reference/swift/firebaseauth/api/reference/Classes/Auth
    private static let firebase = MovedApp(
        vendor: "firebase-ios-sdk",
        standIn: """
            final class User: Sendable {
                var email: String? { nil }
                func getIDToken() async throws -> String { "" }
            }
            struct AuthDataResult: Sendable {}
            typealias AuthStateDidChangeListenerHandle = Int
            final class ActionCodeSettings: Sendable {}
            final class VendorAuth: Sendable {
                var currentUser: User? { nil }
                func createUser(withEmail email: String, password: String) async throws -> AuthDataResult { AuthDataResult() }
                func signIn(withEmail email: String, password: String) async throws -> AuthDataResult { AuthDataResult() }
                func signIn(withEmail email: String, link: String) async throws -> AuthDataResult { AuthDataResult() }
                func signIn(withCustomToken token: String) async throws -> AuthDataResult { AuthDataResult() }
                func sendSignInLink(toEmail email: String, actionCodeSettings: ActionCodeSettings) async throws {}
                func signInAnonymously() async throws -> AuthDataResult { AuthDataResult() }
                func sendPasswordReset(withEmail email: String) async throws {}
                func addStateDidChangeListener(_ listener: @escaping (VendorAuth, User?) -> Void) -> AuthStateDidChangeListenerHandle { 0 }
                func signOut() throws {}
            }
            """,
        lines: [
            Line(
                "sign up", "_ = try await auth.createUser(withEmail: mail, password: word)",
                "_ = try await auth.signUp(email: mail, password: word)"),
            Line(
                "sign in", "_ = try await auth.signIn(withEmail: mail, password: word)",
                "_ = try await auth.signIn(email: mail, password: word)"),
            Line(
                "a link by email", "try await auth.sendSignInLink(toEmail: mail, actionCodeSettings: ActionCodeSettings())",
                "_ = try await auth.signIn(with: .emailLink(mail))"),
            Line("an anonymous user", "_ = try await auth.signInAnonymously()", "_ = try await auth.signIn(with: .anonymous)"),
            Line(
                "a server's token, or its link", "_ = try await auth.signIn(withCustomToken: code)",
                "_ = try await auth.signIn(with: .ticket(Secret(code)))"),
            Line(
                "the link that opens the app", "_ = try await auth.signIn(withEmail: mail, link: url.absoluteString)",
                "_ = await auth.handle(url)"),
            Line(
                "a forgotten password", "try await auth.sendPasswordReset(withEmail: mail)",
                "_ = try await auth.requestPasswordReset(email: mail)"),
            Line("the user", "print(auth.currentUser?.email as Any)", user),
            Line(
                "changes", "_ = auth.addStateDidChangeListener({ _, user in print(user as Any) })",
                "for await state in auth.states { print(state.session?.user.id as Any) }"),
            Line("the token", "let token = try await auth.currentUser?.getIDToken(); print(token as Any)", token),
            Line("sign out", "try auth.signOut()", "try await auth.signOut(.local)"),
        ])

    // https://github.com/clerk/clerk-ios, Sources/ClerkKit
    private static let clerk = MovedApp(
        vendor: "clerk-ios",
        standIn: """
            struct User: Sendable { var id: String }
            struct Session: Sendable { func getToken() async throws -> String? { nil } }
            struct SignUp: Sendable {
                enum Strategy: Sendable { case standard(emailAddress: String, password: String) }
                static func create(strategy: Strategy) async throws -> SignUp { SignUp() }
            }
            struct SignIn: Sendable {
                enum Strategy: Sendable { case identifier(String, password: String), ticket(String) }
                static func create(strategy: Strategy) async throws -> SignIn { SignIn() }
            }
            final class VendorAuth: Sendable {
                var user: User? { nil }
                var session: Session? { nil }
                func signOut() async throws {}
            }
            """,
        lines: [
            Line(
                "sign up", "_ = try await SignUp.create(strategy: .standard(emailAddress: mail, password: word))",
                "_ = try await auth.signUp(email: mail, password: word)"),
            Line(
                "sign in", "_ = try await SignIn.create(strategy: .identifier(mail, password: word))",
                "_ = try await auth.signIn(email: mail, password: word)"),
            Line(
                "a server's token, or its link", "_ = try await SignIn.create(strategy: .ticket(code))",
                "_ = try await auth.signIn(with: .ticket(Secret(code)))"),
            Line("the user", "print(auth.user as Any)", user),
            Line("the token", "let token = try await auth.session?.getToken(); print(token as Any)", token),
            Line("sign out", "try await auth.signOut()", "try await auth.signOut(.local)"),
        ])
}
