import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// A project's settings over HTTP.
@Suite(.limitedConcurrency)
struct ConfigurationTests {
    private func config(_ emulator: TestEmulator, mask: String? = nil, _ change: JSON? = nil) async throws -> JSON {
        let url =
            emulator.server.base
            + "/identitytoolkit.googleapis.com/v2/projects/\(emulator.server.emulator.settings.project)/config"
        let request = HTTPRequest(
            change == nil ? .get : .patch, url, query: mask.map { ["updateMask": $0] } ?? [:],
            headers: ["Authorization": "Bearer owner"], body: change.map { .json($0) } ?? .none)
        return try await emulator.send(request).json
    }

    @Test func configurationIsReportedCompletely() async throws {
        let emulator = try TestEmulator { $0.methods.remove(.anonymous) }
        let config = try await config(emulator)
        #expect(config["signIn"]?["email"]?["enabled"] == true)
        #expect(config["signIn"]?["anonymous"]?["enabled"] == false)
        #expect(config["emailPrivacyConfig"]?["enableImprovedEmailPrivacy"] == true)
        #expect(config["signIn"]?["hashConfig"]?["algorithm"] == "SCRYPT")
        #expect(config["mfa"]?["state"] == "ENABLED")
    }

    @Test func hashParametersVerifyExportedHashes() async throws {
        let emulator = try TestEmulator()
        let user = try await emulator.signUp()
        let hashing = try #require(try await config(emulator)["signIn"]?["hashConfig"])
        let exported = try await emulator.manage("accounts:lookup", ["localId": [.string(user["localId"])]]).json["users"]?[0]
        let other = try TestEmulator()
        let response = try await other.manage(
            "accounts:batchCreate",
            [
                "users": [
                    [
                        "localId": "user-1", "email": "ada@example.com", "passwordHash": exported?["passwordHash"] ?? .null,
                        "salt": exported?["salt"] ?? .null,
                    ]
                ],
                "hashAlgorithm": "SCRYPT", "signerKey": hashing["signerKey"] ?? .null,
                "saltSeparator": hashing["saltSeparator"] ?? .null, "rounds": hashing["rounds"] ?? .null,
                "memoryCost": hashing["memoryCost"] ?? .null,
            ])
        #expect(response.status == 200)
        #expect(try await other.signIn()["localId"] == "user-1")
    }

    @Test func changesTakeEffectImmediately() async throws {
        let emulator = try TestEmulator()
        _ = try await config(emulator, mask: "signIn.email.enabled", ["signIn": ["email": ["enabled": false]]])
        #expect(try await emulator.signUp().code == "OPERATION_NOT_ALLOWED")
        let policy: JSON = [
            "passwordPolicyConfig": [
                "passwordPolicyEnforcementState": "ENFORCE",
                "passwordPolicyVersions": [["customStrengthOptions": ["minPasswordLength": 20]]],
            ]
        ]
        _ = try await config(emulator, mask: "passwordPolicyConfig", policy)
        let changed = try await config(emulator, mask: "signIn.email.enabled", ["signIn": ["email": ["enabled": true]]])
        #expect(changed["signIn"]?["email"]?["enabled"] == true)
        #expect(try await emulator.signUp().code == "PASSWORD_DOES_NOT_MEET_REQUIREMENTS")
        #expect(try await emulator.signUp(password: "long enough for everybody").status == 200)
    }
}
