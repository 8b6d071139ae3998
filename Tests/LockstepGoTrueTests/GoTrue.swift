import Lockstep
import LockstepEmulatorTestSupport
import LockstepHTTP
import LockstepPrimitives
import LockstepTestSupport

@testable import LockstepGoTrue

/// Shared values of the tests: a project, its responses, an API with a playback.
enum GoTrue {
    static let url = "http://127.0.0.1:9999/auth/v1"

    static func adapter(_ playback: Playback, callback: String? = "app://auth/callback") throws -> GoTrueAdapter {
        let configuration = try GoTrueConfiguration(
            url: url, key: "anon", callback: callback, accountDeletion: "http://127.0.0.1:9999/delete")
        return GoTrueAdapter(configuration, transport: playback, clock: clock, randomness: SeededRandomness(seed: 1))
    }

    static let clock = ManualClock(base: FixedClock())

    static func memory(_ kind: Flow.Kind = .signIn, _ capability: Capability = .password) -> FlowMemory {
        FlowMemory(of: Flow(id: "f", kind: kind, capability: capability, startedAt: clock.now))
    }

    /// A token with these claims, without a valid signature.
    static func token(_ claims: JSON) -> String {
        [JSON.object(["alg": "none"]), claims].map { Base64.encode($0.bytes(), .url) }.joined(separator: ".") + ".x"
    }

    /// The response to a password grant, as recorded from 2.196.0 (`token-password`), for this user.
    static func session(_ user: JSON = user(), aal: String = "aal1", refresh: String = "abcdefghijkl") -> JSON {
        let claims: JSON = [
            "sub": user["id"] ?? .null, "aud": "authenticated", "exp": 1_767_229_200, "iat": 1_767_225_600,
            "email": user["email"] ?? "",
            "phone": "", "app_metadata": user["app_metadata"] ?? .null, "user_metadata": user["user_metadata"] ?? .null,
            "role": "authenticated", "aal": .string(aal), "amr": [["method": "password", "timestamp": 1_767_225_600]],
            "session_id": "5f9f2f2e-6c3e-4f43-9c8b-0a2f8f6d2f10", "is_anonymous": user["is_anonymous"] ?? false,
        ]
        return [
            "access_token": .string(token(claims)), "token_type": "bearer", "expires_in": 3600, "expires_at": 1_767_229_200,
            "refresh_token": .string(refresh), "user": user, "weak_password": nil,
        ]
    }

    static func user(
        id: String = "8d3b8a52-2a55-4f0e-9d8f-4b4f5f0d2c11", email: String = "ada@example.com", confirmed: Bool = true,
        metadata: JSON = ["email_verified": true, "display_name": "Ada"], factors: JSON? = nil
    ) -> JSON {
        var object: JSONObject = [
            "id": .string(id), "aud": "authenticated", "role": "authenticated", "email": .string(email), "phone": "",
            "app_metadata": ["provider": "email", "providers": ["email"]], "user_metadata": metadata,
            "identities": [
                [
                    "identity_id": "0b6a8c4e-57a0-4d4f-8a39-3f0f3d3a0a01", "id": .string(id), "user_id": .string(id),
                    "identity_data": ["email": .string(email), "sub": .string(id)], "provider": "email", "email": .string(email),
                ]
            ],
            "created_at": "2025-12-31T23:59:59.123456+00:00", "updated_at": "2026-01-01T00:00:00Z", "is_anonymous": false,
        ]
        if confirmed { object["email_confirmed_at"] = "2026-01-01T00:00:00.5Z" }
        if let factors { object["factors"] = factors }
        return .object(object)
    }
}
