import LockstepClerkEmulator
import LockstepCurl
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepTokens

/// A running emulator, and its clients over real sockets.
final class TestEmulator: Sendable {
    let server: EmulatorServer<ClerkEmulator>
    private let transport = CurlTransport()

    static let password = "correct horse battery"
    /// One key for all, because generating one takes longer than most tests.
    private static let key = try? SigningKey.makeRSA(id: "ins_test")

    init(storage: Storage = .memory, hasOwnKey: Bool = false, _ change: (inout ClerkSettings) -> Void = { _ in }) throws {
        var settings = ClerkSettings()
        settings.usesCheapHashes = true
        change(&settings)
        var options = EmulatorOptions()
        options.storage = storage
        server = try ClerkEmulator.start(settings, options, signingKey: hasOwnKey ? nil : Self.key)
    }

    deinit { server.stop() }

    var admin: ClerkAdministrator { server.emulator.admin }

    /// A new device.
    func device() -> Device { Device(self) }

    func send(_ request: HTTPRequest) async throws -> TestResponse {
        let response = try await transport.send(request)
        let answer = TestResponse(status: response.status, json: (try? response.json()) ?? .null, headers: response.headers)
        AnswerCheck(request: request, response: answer).run()
        return answer
    }

    /// A call of the Backend API.
    func backend(_ method: HTTPMethod, _ path: String, _ body: JSON? = nil) async throws -> TestResponse {
        try await send(
            HTTPRequest(
                method, server.base + "/v1" + path,
                headers: ["Authorization": "Bearer " + server.emulator.secretKey.reveal(), "Clerk-API-Version": "2026-05-12"],
                body: body.map { .json($0) } ?? .none))
    }

    func pass(_ seconds: Int) { server.panel.advance(by: .seconds(seconds)) }

    /// The code of the newest mail to an address.
    func code(to address: String) -> String { server.panel.outbox.mails(to: address).first?.code ?? "" }

    /// The link of the newest mail to an address.
    func link(to address: String) -> String { server.panel.outbox.mails(to: address).first?.link ?? "" }
}

/// People and their organizations.
extension TestEmulator {
    static func withOrganizations(_ change: (inout ClerkSettings) -> Void = { _ in }) throws -> TestEmulator {
        try TestEmulator {
            $0.organizations.isEnabled = true
            change(&$0)
        }
    }

    /// A device that is signed in, and the user's id.
    func member(_ email: String) async throws -> (device: Device, id: String) {
        let device = device()
        try await device.signUp(email)
        return (device, try await device.get("/me")["id"])
    }
}
