import LockstepCurl
import LockstepHTTP
import LockstepPrimitives

/// A check of the `--server` before the first contract runs on it.
struct ServerPreflight {
    /// The server's address, without a trailing slash.
    let base: String
    /// The project of `--project`.
    let project: String

    private static let kind = "a Firebase Auth emulator"
    private static let key = "fake-api-key"
    private let transport = CurlTransport()

    /// Checks that the server matches the command line: a Firebase Auth emulator with this project and key.
    ///
    /// - Throws: ``UsageError`` with the difference.
    func run() async throws(UsageError) {
        let root = try await answer(HTTPRequest(.get, base + "/", connectDeadline: .seconds(5)))
        guard root["authEmulator"]?["ready"]?.bool == true else {
            let other = await otherKind()
            throw invalid(
                "expected \(Self.kind), found \(other ?? "another kind of server"). Run firebase emulators:start --only auth, or lockstep serve firebase."
            )
        }
        let config = try await answer(HTTPRequest(.get, "\(base)/emulator/v1/projects/\(Percent.encode(project))/config"))
        guard config["signIn"] != nil else {
            throw UsageError("the server at \"\(base)\" has no project \"\(project)\". Set --project to the id of its project.")
        }
        try await checkProject()
    }

    /// Signs up an anonymous user and deletes it.
    ///
    /// Its token contains the project of the server's users.
    private func checkProject() async throws(UsageError) {
        let accounts = base + "/identitytoolkit.googleapis.com/v1/accounts"
        let body: JSON = ["returnSecureToken": true]
        let signUp = try await answer(HTTPRequest(.post, "\(accounts):signUp?key=\(Self.key)", body: .json(body)))
        guard let token = signUp["idToken"]?.string else {
            guard let message = signUp["error"]?["message"]?.string, message.hasPrefix("API_KEY") || message.contains("API key")
            else { return }  // A project without guests: its contracts say more.
            throw UsageError(
                "the server at \"\(base)\" rejects the API key \"\(Self.key)\": \(message). Use an emulator's project.")
        }
        _ = try await answer(HTTPRequest(.post, "\(accounts):delete?key=\(Self.key)", body: .json(["idToken": .string(token)])))
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        let claims = parts.count == 3 ? Base64.decode(String(parts[1]), .url).flatMap { try? JSON.parse($0) } : nil
        guard let found = claims?["aud"]?.string, found != project else { return }
        throw UsageError("the server at \"\(base)\" has the project \"\(found)\", not \"\(project)\". Add --project \(found).")
    }

    /// Returns the kind of a different server for a sentence; `nil` if it is unknown.
    private func otherKind() async -> String? {
        if let name = (try? await answer(HTTPRequest(.get, base + "/__lockstep/ready")))?["provider"]?.string {
            return "a \(Providers.title(of: name)) emulator"
        }
        guard let name = (try? await answer(HTTPRequest(.get, base + "/health")))?["name"]?.string else { return nil }
        return "a server of type \"\(name)\""
    }

    /// Returns the JSON of a response, including errors; `null` for anything else.
    private func answer(_ request: HTTPRequest) async throws(UsageError) -> JSON {
        do throws(HTTPFailure) {
            let response = try await transport.send(request)
            return (try? JSON.parse(response.body)) ?? .null
        } catch let failure {
            switch failure.code {
            case .nameNotResolved: throw invalid("this host does not exist. Correct the address.")
            case .cannotConnect: throw invalid("no server is listening there. Start the server, or correct the address.")
            case .timedOut: throw invalid("the server did not respond in time. Check the server, or correct the address.")
            default: throw invalid("the server returned an unusable response (\(failure.message)). Check the address.")
            }
        }
    }

    private func invalid(_ reason: String) -> UsageError { UsageError("invalid value \"\(base)\" for --server: \(reason)") }
}
