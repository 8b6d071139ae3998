import LockstepClerkEmulator
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// The test repeats every recorded conversation.
///
/// The responses have every recorded key, of the same type and with the same meaning.
@Suite(.limitedConcurrency)
struct RecordingTests {
    @Test(arguments: Recording.all)
    func responsesMatchTheRecording(recording: Recording) async throws {
        let rerun = try await Rerun(recording)
        for (index, exchange) in recording.exchanges.enumerated() {
            let answer = try await rerun.answer(exchange)
            guard exchange.method != "HEAD" else { continue }
            var likeness = Likeness()
            likeness.compare(exchange.body, answer.json)
            #expect(likeness.differences.isEmpty, "\(index + 1) \(exchange.method) \(exchange.path)")
        }
    }

    @Test(arguments: [
        (##"{"a": null}"##, ##"{"a": 1}"##), (##"{"a": 1}"##, ##"{"a": 1, "b": null}"##), (##"{"a": 1}"##, ##"{}"##),
        (##"{"a": "x"}"##, ##"{"a": null}"##), (##"{"status": "complete"}"##, ##"{"status": "abandoned"}"##),
    ])
    func differenceInAResponseIsFound(recorded: String, answer: String) throws {
        var likeness = Likeness()
        likeness.compare(try JSON.parse(recorded), try JSON.parse(answer))
        #expect(likeness.differences.count == 1)
    }

    @Test func recordingsArePresent() {
        #expect(Recording.all.reduce(0) { $0 + $1.exchanges.count } == 176)
    }
}

/// One conversation with an instance that has the settings of the recorded one.
private final class Rerun {
    private let emulator: TestEmulator
    private let device: Device
    private let email: String
    private let phone = "+15555550123"
    private let identifiesByPhone: Bool
    private let provesByPhone: Bool
    /// The ids of this run for those of the recording.
    private var ids: [String: String] = [:]
    private var addresses = 0

    init(_ recording: Recording) async throws {
        let asksForTrust = recording.name.contains("client_trust")
        // As in the recordings, links are mailed and codes to a test address are not.
        email = recording.name.contains("email_link") ? "ada@example.com" : "ada+clerk_test@example.com"
        identifiesByPhone = recording.exchanges.contains { $0.body["response"]?["identifier"] == "%%PHONE%%" }
        provesByPhone = recording.exchanges.contains { $0.fields.contains { $0.name == "phone_number_id" } }
        emulator = try TestEmulator { settings in asksForTrust ? Self.setUpSmall(&settings) : Self.setUpLarge(&settings) }
        device = emulator.device()
        guard recording.name.contains("sign_in") else { return }
        var user: JSONObject = ["email_address": [.string(email)], "password": .string(Self.password), "first_name": "Ada"]
        user["last_name"] = "Lovelace"
        if !asksForTrust {
            user["create_organizations_limit"] = 0
            user["legal_accepted_at"] = "2026-01-02T03:04:05Z"
            user["phone_number"] = [.string(phone)]
            user["username"] = "userfortests"
        }
        #expect(try await emulator.backend(.post, "/users", .object(user)).status == 200)
    }

    private static let password = "Correct-horse-7"

    private static func setUpLarge(_ settings: inout ClerkSettings) {
        settings.phoneNumber = .required
        settings.firstName = .required
        settings.lastName = .required
        settings.requiresLegalConsent = true
        settings.emailVerification = [.code, .link]
        settings.providers = [
            "apple", "box", "facebook", "github", "google", "linkedin_oidc", "notion", "tiktok", "vercel", "x",
        ].map { IdentityProvider(name: $0, issuer: "https://\($0).example.com") }
        // Two more were known there and disabled.
        settings.providers += [
            IdentityProvider(name: "custom_spung", issuer: "https://spung.example.com"),
            IdentityProvider(name: "twitter", issuer: "https://twitter.example.com"),
        ].map {
            var provider = $0
            provider.allowsRedirect = false
            return provider
        }
    }

    private static func setUpSmall(_ settings: inout ClerkSettings) {
        settings.phoneNumber = .off
        settings.username = .off
        settings.emailSignIn = [.code]
        settings.isSingleSession = true
        settings.asksNewClients = true
        settings.secondFactors = []
        settings.providers = [IdentityProvider(name: "google", issuer: "https://accounts.google.com")]
    }

    func answer(_ exchange: Recording.Exchange) async throws -> TestResponse {
        if exchange.path == "/client", exchange.body["response"]?["sign_in"]?["status"] == "complete" {
            _ = try await emulator.send(HTTPRequest(.get, emulator.link(to: email)))
        }
        var path = exchange.path
        for (recorded, own) in ids { path = path.replacing(recorded, with: own) }
        let parts = path.split(separator: "?", maxSplits: 1).map(String.init)
        let form = HTTPForm(exchange.fields.map { (name: $0.name, value: value($0.name, $0.value)) })
        let answer = try await device.call(
            HTTPMethod(rawValue: exchange.method), parts[0], form, query: parts.count == 2 ? "&\(parts[1])" : "")
        remember(exchange.body["response"], answer.response)
        if let session = answer.client["sessions"]?[0]?["id"]?.string { ids["SESSION_ID"] = session }
        return answer
    }

    private func remember(_ recorded: JSON?, _ own: JSON) {
        if let name = recorded?["id"]?.string, let id = own["id"]?.string { ids[name] = id }
        for factor in own["supported_first_factors"]?.array ?? [] {
            let name = provesByPhone ? "phone_number_id" : "email_address_id"
            if let id = factor[name]?.string { ids["IDENTIFIER_ID"] = id }
        }
    }

    private func value(_ name: String, _ recorded: String?) -> String {
        if let recorded { return ids[recorded] ?? recorded }
        switch name {
        case "identifier": return identifiesByPhone ? phone : email
        case "password": return Self.password
        case "email_address":
            addresses += 1
            return "ada\(addresses)+clerk_test@example.com"
        case "phone_number":
            addresses += 1
            return "+1555555013\(addresses)"
        case "username": return "userfortests"
        default: return "Ada"
        }
    }
}
