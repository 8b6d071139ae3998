import Foundation
import Testing

/// The example of README.md as an app of one backend.
struct ReadmeApp: Sendable, CustomTestStringConvertible {
    let provider: String
    /// README's line of the configuration, with the code that it needs to reach an emulator.
    private let emulated: (from: String, to: String)

    static let all = [
        ReadmeApp(provider: "GoTrue", emulated: ("(", "(")),
        ReadmeApp(provider: "Firebase", emulated: ("key:", "url: emulator, key:")),
        ReadmeApp(provider: "Clerk", emulated: ("key:", "url: emulator, key:")),
    ]

    var product: String { "Lockstep\(provider)" }
    var name: String { "Readme\(provider)" }
    var testDescription: String { provider }

    /// README's example with this backend's line and product in place of GoTrue's.
    func main() throws -> String {
        let page = try String(contentsOf: House.root.appendingPathComponent("README.md"), encoding: .utf8)
        guard let example = Snippet.read(page, of: "README.md").first,
            let ours = Self.line(of: product, in: page), let shown = Self.line(of: "LockstepGoTrue", in: page)
        else { throw CocoaError(.fileReadCorruptFile) }
        let text = example.lines.joined(separator: "\n")
        guard text.contains("    \(shown)\n") else { throw CocoaError(.fileReadCorruptFile) }
        let line = ours.replacingOccurrences(of: emulated.from, with: emulated.to)
        return text.replacingOccurrences(of: "    \(shown)\n", with: "    \(line)\n")
            .replacingOccurrences(of: "import LockstepGoTrue", with: "import \(product)")
                + """

                /// The line as README has it.
                func adapter() throws -> any AuthAdapter { try \(ours.dropLast()).adapter() }

                """
    }

    /// The line of README's table.
    private static func line(of product: String, in page: String) -> String? {
        page.split(separator: "\n").first { $0.hasPrefix("| \(product) | `") }?.split(separator: "`").dropFirst().first
            .map(String.init)
    }

    /// The code of an app around the example: its settings, its screens, and a user who reads mail.
    static let surroundings = #"""
        import Foundation
        import Lockstep
        import LockstepCurl
        import LockstepModels

        private let words = CommandLine.arguments
        /// The address of the emulator and its inbox, and the key that it gives out.
        let (projectURL, inbox, anonKey) = (words[1], words[2], words[3])
        let (emulator, apiKey, publishableKey) = (projectURL, anonKey, words[3])
        let (email, password) = ("ada@example.com", "Correct-Horse-1")
        let screen = Screen()
        let myClient = OwnServer()

        struct Screen: Sendable {
            /// A user who types the code of the message, or opens its link elsewhere.
            @MainActor func show(_ step: Step) async {
                guard case .verify(let model) = step else { fatalError("\(step.name) is due") }
                let mail = await get(inbox + "/api/v1/message/latest")
                print("asked for \(model.challenge.accepts.map(\.rawValue).sorted().joined(separator: ", "))")
                if model.takesCode {
                    guard let code = try? /\b\d{6}\b/.firstMatch(in: mail)?.0 else { fatalError("There is no code in \(mail)") }
                    model.code = String(code)
                    return await model.submit()
                }
                let text = mail.replacing("\\u0026", with: "&").replacing("\\/", with: "/")
                guard let link = try? /http:\/\/127[^\s"\\<]*/.firstMatch(in: text)?.0 else { fatalError("There is no link in \(mail)") }
                _ = await get(String(link))
                await model.check()
            }
            func greet(_ user: User) { print("greeted \(user.displayName ?? "")") }
            func show(_ problem: String) { print("showed \(problem)") }
            /// The example's last line goes on for ever.
            func render(_ state: AuthState) {
                guard case .signedIn(let session) = state else { return print("rendered \(state)") }
                print("signed in as \(session.user.email ?? "")")
                exit(0)
            }
        }

        /// A server that takes any token.
        struct OwnServer: Sendable {
            func send(_ request: AppRequest) async throws -> AppResponse<String> {
                AppResponse(status: request.header("Authorization")?.hasPrefix("Bearer ey") == true ? 200 : 500, content: "orders")
            }
        }

        func get(_ address: String) async -> String {
            guard let response = try? await CurlTransport().send(HTTPRequest(.get, address)) else { fatalError("No answer: \(address)") }
            return String(decoding: response.body, as: UTF8.self)
        }

        // What the interface names can be named, and a password may come as the text that a field holds.
        func use(_ auth: AuthClient, _ flow: Flow, typed: String, token: Secret) async throws {
            let metadata: JSON = ["theme": "dark"]
            let now: Instant = SystemClock().now
            _ = try await auth.signUp(with: .password(email: "ada@example.com", password: typed), displayName: "Ada")
            _ = try await auth.signUp(email: "ada@example.com", password: typed, displayName: "Ada")
            _ = try await auth.signIn(email: "ada@example.com", password: typed)
            if let url = URL(string: "myapp://auth/callback") { _ = await auth.handle(url) }
            _ = try await auth.respond(to: flow, with: .code(typed))
            _ = try await auth.respond(to: flow, with: .newPassword(typed))
            try await auth.account.changePassword(to: typed, current: typed)
            _ = try await auth.account.beginPasswordChange(to: typed)
            _ = try await auth.signIn(with: .idToken(.apple, token: token))
            print(auth.state.session.map { Date($0.lifetime.expiresAt) } as Any, Instant(Date()) > now, metadata)
        }
        """#
}
