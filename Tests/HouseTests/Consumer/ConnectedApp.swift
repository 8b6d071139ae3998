import Foundation
import Testing

/// The code of a provider's page that connects an app to `lockstep serve`, as a program.
struct ConnectedApp: Sendable, CustomTestStringConvertible {
    let provider: String
    /// The options of `lockstep serve` that the page names.
    var options: [String] = []

    static let all = [
        // The verifier rejects the unsigned tokens of the default mode.
        ConnectedApp(provider: "Firebase", options: ["--mode", "strict"]), ConnectedApp(provider: "GoTrue"),
        ConnectedApp(provider: "Clerk"),
    ]

    var testDescription: String { provider }
    var name: String { "Connected\(provider)" }
    var page: String { "docs/\(provider.lowercased())-emulator.md" }
    var products: [String] {
        ["LockstepCurl", "Lockstep\(provider)", "Lockstep\(provider)Directory", "LockstepVerifier"]
    }

    /// The page's lines.
    func lines() throws -> Snippet {
        let blocks = try Snippet.all().filter { $0.page == page && $0.lines.contains { $0.contains("SessionVerifier.") } }
        return try #require(blocks.count == 1 ? blocks[0] : nil, "\(page) has \(blocks.count) blocks with a verifier")
    }

    /// The page's code for a server on free ports.
    ///
    /// It creates a user, who signs in and is verified.
    func main() throws -> String {
        let lines = try lines()
        let code = lines.code.map { line in
            let address = #""http://127\.0\.0\.1:460[1-3]"#
            var line = line.replacingOccurrences(of: address, with: #""\\(base)"#, options: .regularExpression)
            // Keys of Clerk differ from port to port.
            line = line.replacingOccurrences(of: #""pk_test_\w+""#, with: "words[2]", options: .regularExpression)
            return line.replacingOccurrences(of: #""sk_test_\w+""#, with: "Secret(words[3])", options: .regularExpression)
        }
        return """
            \(lines.imports.joined(separator: "\n"))

            let words = CommandLine.arguments
            let base = words[1]
            #sourceLocation(file: "\(House.root.path)/\(page)", line: \(lines.line))
            \(code.joined(separator: "\n"))
            #sourceLocation()
            var new = NewDirectoryUser(email: "ada@example.com", password: .text("Correct-Horse-1"))
            new.isEmailConfirmed = true
            let user = try await directory.create(new)
            let auth = AuthClient(adapter: adapter, store: MemorySessionStore())
            _ = try await auth.signIn(with: .password(email: "ada@example.com", password: "Correct-Horse-1"))
            let session = try await verifier.verify(try await auth.accessToken())
            print(session.userID == user.id ? "verified" : "verified another user")

            """
    }
}
