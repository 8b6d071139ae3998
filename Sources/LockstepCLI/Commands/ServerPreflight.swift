import LockstepCurl
import LockstepHTTP
import LockstepPrimitives

/// Checks the server of `--server` before the first contract runs on it.
struct ServerPreflight {
    /// The server's address, without a slash at its end.
    let base: String
    /// The project of `--project`.
    let project: String

    private static let kind = "a Firebase Auth emulator"
    private static let key = "fake-api-key"
    private let transport = CurlTransport()

    /// Asks the server whether it is what the command line says: a Firebase Auth emulator, with that project and key.
    ///
    /// - Throws: ``UsageError`` that says what differs.
    func run() async throws(UsageError) {
        let root = try await answer(HTTPRequest(.get, base + "/", connectDeadline: .seconds(5)))
        guard root["authEmulator"]?["ready"]?.bool == true else {
            let other = await otherKind()
            throw invalid(
                "expected \(Self.kind), found \(other ?? "another kind of server"). Start firebase emulators:start --only auth, or lockstep serve firebase."
            )
        }
        let config = try await answer(HTTPRequest(.get, "\(base)/emulator/v1/projects/\(Percent.encode(project))/config"))
        guard config["signIn"] != nil else {
            throw UsageError("the server at \"\(base)\" has no project \"\(project)\". Give its project with --project.")
        }
        try await checkProject()
    }

    /// Signs a guest up and deletes it: its token names the project that the server's users belong to.
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

    /// The kind of a server that is not Firebase's, for a sentence; `nil` if it does not say.
    private func otherKind() async -> String? {
        if let name = (try? await answer(HTTPRequest(.get, base + "/__lockstep/ready")))?["provider"]?.string {
            return "a \(Providers.title(of: name)) emulator"
        }
        guard let name = (try? await answer(HTTPRequest(.get, base + "/health")))?["name"]?.string else { return nil }
        return "a server of type \"\(name)\""
    }

    /// The JSON of an answer, also of a rejection; `null` for anything else.
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
