import Lockstep
import LockstepEmulatorTestSupport
import LockstepHTTP
import LockstepPrimitives
import LockstepTestSupport

@testable import LockstepFirebase

/// Shared values of the tests: a project, its responses, an API with a playback.
enum Firebase {
    static let emulator = "http://127.0.0.1:9099"
    static let links = "app://auth/action"
    static let clock = ManualClock(base: FixedClock())

    static func adapter(
        _ playback: Playback, _ change: (inout FirebaseConfiguration) -> Void = { _ in }
    ) throws -> FirebaseAdapter {
        var configuration = try FirebaseConfiguration(
            url: emulator, key: "fake-api-key", callback: "https://app.example.com/callback", actionLinks: links)
        change(&configuration)
        return FirebaseAdapter(configuration, transport: playback, clock: clock)
    }

    /// A client without a user.
    static func client(
        _ playback: Playback, _ change: (inout FirebaseConfiguration) -> Void = { _ in }
    ) throws -> AuthClient {
        AuthClient(
            adapter: try adapter(playback, change), store: MemorySessionStore(clock: clock),
            effects: ClientEffects(clock: clock, randomness: SystemRandomness()))
    }

    static func memory(_ kind: Flow.Kind = .signIn, _ capability: Capability = .password) -> FlowMemory {
        FlowMemory(of: Flow(id: "f", kind: kind, capability: capability, startedAt: clock.now))
    }

    /// The response to a sign-in, as recorded from the emulator, with the claims of its token.
    static func tokens(
        id: String = "uid-1", provider: String = "password", verified: Bool = false, name: String? = "Ada",
        email: String? = "ada@example.com",
        factor: Bool = false, tenant: String? = nil
    ) -> JSON {
        var firebase: JSONObject = ["identities": [:], "sign_in_provider": .string(provider)]
        if factor { firebase["sign_in_second_factor"] = "totp" }
        if let tenant { firebase["tenant"] = .string(tenant) }
        var claims: JSONObject = [
            "user_id": .string(id), "sub": .string(id), "auth_time": 1_767_225_600, "iat": 1_767_225_600, "exp": 1_767_229_200,
            "firebase": .object(firebase),
        ]
        if let name { claims["name"] = .string(name) }
        if let email {
            claims["email"] = .string(email)
            claims["email_verified"] = .bool(verified)
        }
        let parts = [JSON.object(["alg": "none", "typ": "JWT"]), .object(claims)].map { Base64.encode($0.bytes(), .url) }
        return [
            "kind": "identitytoolkit#VerifyPasswordResponse", "localId": .string(id),
            "idToken": .string(parts.joined(separator: ".") + "."), "refreshToken": .string("refresh-" + id), "expiresIn": "3600",
        ]
    }

    /// The response of `accounts:lookup`.
    static func lookup(
        id: String = "uid-1", verified: Bool = false, name: String? = "Ada", email: String? = "ada@example.com",
        provider: String? = "password"
    ) -> JSON {
        var user: JSONObject = [
            "localId": .string(id), "emailVerified": .bool(verified), "createdAt": "1767225600000",
            "lastLoginAt": "1767225600000",
            "validSince": "1767225600", "passwordHash": "canary-hash", "salt": "canary-salt",
        ]
        if let name { user["displayName"] = .string(name) }
        if let email { user["email"] = .string(email) }
        if let provider {
            user["providerUserInfo"] = [["providerId": .string(provider), "email": .string(email ?? ""), "rawId": "x"]]
        }
        return ["kind": "identitytoolkit#GetAccountInfoResponse", "users": [.object(user)]]
    }

    static func refusal(_ message: String, status: Int = 400) -> HTTPResponse {
        .json(
            status,
            [
                "error": [
                    "code": .int(Int64(status)), "message": .string(message),
                    "errors": [["message": .string(message), "reason": "invalid", "domain": "global"]],
                ]
            ])
    }
}

/// The error that `body` throws.
func refusal<Value>(_ body: () async throws -> Value) async throws -> AuthError {
    do {
        _ = try await body()
    } catch let error as AuthError {
        return error
    }
    throw AuthError(.unknown, "Nothing was refused.")
}
