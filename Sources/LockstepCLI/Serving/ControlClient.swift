import LockstepCurl
import LockstepHTTP
import LockstepPrimitives

/// The control routes of an emulator that another process serves.
struct ControlClient: Sendable {
    /// The provider's display name.
    let title: String
    let base: String
    private let authorization: String

    /// The emulator for a command line: of the named provider, or the only running emulator.
    ///
    /// - Throws: ``CommandFailure`` if no emulator is running; ``UsageError`` if a provider must be named.
    init(for invocation: Invocation) throws {
        guard invocation.operands.count <= 1 else {
            throw UsageError("lockstep \(invocation.command.name) accepts only one provider.")
        }
        let documents = (try ReadyLines.found(by: invocation) ?? []).flatMap(\.documents)
        let running = Providers.names.filter { name in documents.contains { $0["provider"]?.string == name } }
        guard let only = running.first else {
            throw CommandFailure("no emulator is running. Start one with lockstep serve.")
        }
        guard let name = invocation.operands.first ?? (running.count == 1 ? only : nil) else {
            throw UsageError("several emulators are running. Choose \(running.listedAsChoice).")
        }
        guard let document = documents.first(where: { $0["provider"]?.string == name }) else {
            throw CommandFailure("no \(Providers.title(of: name)) emulator is running. Start one with lockstep serve \(name).")
        }
        self.init(document)
    }

    /// The emulator of a ready line.
    init(_ document: JSON) {
        title = Providers.title(of: document["provider"]?.string ?? "")
        base = document["base"]?.string ?? ""
        authorization = document["control"]?["Authorization"]?.string ?? ""
    }

    /// The id of a user by an id, an e-mail address or a phone number.
    ///
    /// - Throws: ``CommandFailure`` if there is no such user, or more than one.
    func user(named name: String) async throws -> String {
        // Some providers keep a number without its "+".
        let digits = Self.digits(name)
        let query = digits.isEmpty ? name : digits
        func isMeant(_ user: JSON) -> Bool {
            user["id"]?.string == name || user["email"]?.string?.lowercased() == name.lowercased()
                || (user["phone"]?.string).map(Self.digits) == digits && !digits.isEmpty
        }
        var after: String?
        repeat {
            let path = "/users?limit=500&query=\(Percent.encode(query))" + (after.map { "&after=\(Percent.encode($0))" } ?? "")
            let page = try await send(.get, path)
            if let id = page["users"]?.array?.first(where: isMeant)?["id"]?.string { return id }
            after = page["last"]?.string
        } while after != nil
        throw CommandFailure("\(title) has no user \"\(name)\". Create the user, or correct --user.")
    }

    /// The digits of a phone number; empty for anything else.
    private static func digits(_ text: String) -> String {
        let digits = text.hasPrefix("+") ? text.dropFirst() : text[...]
        return digits.count >= 6 && digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? String(digits) : ""
    }

    /// Sends a request to a control route.
    ///
    /// - Returns: The document of the response.
    /// - Throws: ``CommandFailure`` with the route's own sentence if it rejects the request, or if there is no response.
    func send(_ method: HTTPMethod, _ path: String, _ body: JSON? = nil) async throws -> JSON {
        let request = HTTPRequest(
            method, "\(base)/__lockstep\(path)", headers: ["Authorization": authorization], body: body.map { .json($0) } ?? .none,
            deadline: .seconds(30), connectDeadline: .seconds(5), responseLimit: 64 << 20)
        let answer: HTTPResponse
        do {
            answer = try await CurlTransport().send(request)
        } catch {
            throw CommandFailure("\(title) at \(base) does not respond: \(error). Start it again with lockstep serve.")
        }
        let document = (try? JSON.parse(answer.body)) ?? .null
        guard (200...299).contains(answer.status) else {
            let sentence = document["error"]?.string ?? "it returned status \(answer.status)"
            throw CommandFailure("\(title) at \(base): \(sentence)")
        }
        return document
    }
}
