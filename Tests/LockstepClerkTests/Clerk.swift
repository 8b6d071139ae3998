import Foundation
import Lockstep
import LockstepEmulatorTestSupport
import LockstepHTTP
import LockstepPrimitives
import LockstepTestSupport

@testable import LockstepClerk

/// Shared values of the tests: an instance's address, an adapter with a playback, recorded responses.
enum Clerk {
    static let url = "http://127.0.0.1:4011"
    /// `127.0.0.1:4011$` in base64.
    static let key = "pk_test_MTI3LjAuMC4xOjQwMTEk"
    static let clock = ManualClock(base: FixedClock())

    static func adapter(_ playback: Playback, callback: String? = "app://auth/callback") throws -> ClerkAdapter {
        ClerkAdapter(
            try ClerkConfiguration(url: url, key: key, callback: callback), transport: playback, clock: clock,
            randomness: SeededRandomness(seed: 1))
    }

    static func memory(_ kind: Flow.Kind = .signIn, _ capability: Capability = .password) -> FlowMemory {
        FlowMemory(of: Flow(id: "f", kind: kind, capability: capability, startedAt: clock.now))
    }

    /// An error in Clerk's format.
    static func refusal(_ status: Int, _ codes: String..., parameter: String? = nil, wait: String? = nil) -> HTTPResponse {
        let errors = codes.map { code -> JSON in
            [
                "message": "m", "long_message": "Words.", "code": .string(code),
                "meta": parameter.map { ["param_name": .string($0)] } ?? [:],
            ]
        }
        return .json(status, ["errors": .array(errors), "clerk_trace_id": "t"], wait: wait)
    }

    /// A session token for a minute, issued at the date of the playback's responses.
    static var token: String {
        let claims: JSON = [
            "sub": "USER_ID", "sid": "SESSION_ID", "iss": "https://clerk.example.com", "iat": 1_767_225_600, "exp": 1_767_225_660,
            "fva": [0, -1], "v": 2, "sts": "active",
        ]
        return [JSON.object(["alg": "RS256"]), claims].map { Base64.encode($0.bytes(), .url) }.joined(separator: ".") + ".x"
    }

    /// A recorded response of Clerk (Tests/Fixtures/Recordings/clerk), by the conversation and its index there, from 0.
    ///
    /// Times and tokens are placeholders in the recordings. This function fills them in.
    static func recorded(_ conversation: String, _ place: Int) throws -> JSON {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let data = try Data(contentsOf: folder.appendingPathComponent("Fixtures/Recordings/clerk/\(conversation).json"))
        let text = String(decoding: data, as: UTF8.self)
            .replacing(#/"%%DATETIME -?\d+%%"/#, with: "1767226200000")
            .replacing("%%EMAIL%%", with: "ada@example.com").replacing("%%PHONE%%", with: "+15551230000")
            .replacing("%%FIRSTNAME%%", with: "Ada").replacing("%%LASTNAME%%", with: "Lovelace")
            .replacing("e30=.e30=.e30=", with: token)
        guard let response = try JSON.parse(Array(text.utf8)).array?[place]["body"] else {
            throw AuthError(.invalidInput, "There is no such recording.")
        }
        return response
    }

    static func playback(_ conversation: String, _ places: Int...) throws -> Playback {
        Playback(try places.map { .json(try recorded(conversation, $0)) })
    }
}
