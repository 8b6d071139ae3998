import LockstepClerk
import LockstepClerkDirectory
import LockstepClerkEmulator
import LockstepCurl
import LockstepDirectory
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTestSupport
import Testing

/// Values of a user that the directory reads and does not write: further addresses, identities, second factors.
@Suite(.limitedConcurrency)
struct UserReadingTests {
    private func run(_ body: (Instance, ClerkDirectory) async throws -> Void) async throws {
        try await Instance.run([], { $0.phoneNumber = .optional }) { instance in
            try await body(
                instance,
                try ClerkDirectory(
                    secretKey: instance.server.emulator.secretKey, url: instance.server.base, transport: instance.transport,
                    clock: instance.clock))
        }
    }

    private func send(_ method: HTTPMethod, _ path: String, _ body: JSONObject, _ instance: Instance) async throws {
        let response = try await instance.transport.send(
            HTTPRequest(
                method, instance.server.base + "/v1" + path,
                headers: ["Authorization": "Bearer " + instance.server.emulator.secretKey.reveal()], body: .json(.object(body))))
        #expect(response.status == 200, "\(String(decoding: response.body, as: UTF8.self))")
    }

    @Test func readsFurtherAddressesAndFactors() async throws {
        try await run { instance, directory in
            var new = NewDirectoryUser(email: "ada@example.com", phone: "+15551230000", password: .text("Correct-Horse-1"))
            new.isEmailConfirmed = true
            new.isPhoneConfirmed = true
            new.username = "ada_l"
            new.firstName = "Ada"
            new.isLocked = true
            let made = try await directory.create(new)
            try await send(
                .post, "/email_addresses",
                ["user_id": .string(made.id), "email_address": "second@example.com", "verified": true], instance)
            try await send(
                .post, "/email_addresses", ["user_id": .string(made.id), "email_address": "third@example.com"], instance)
            try await send(
                .post, "/phone_numbers",
                [
                    "user_id": .string(made.id), "phone_number": "+15551230001", "verified": true,
                    "reserved_for_second_factor": true,
                ], instance)
            try await send(
                .patch, "/users/\(made.id)",
                ["totp_secret": "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP", "backup_codes": ["one-one-one", "two-two-two"]], instance)
            let user = try await directory.user(id: made.id)
            #expect(
                user.emails.first == DirectoryAddress("ada@example.com", isConfirmed: true, isPrimary: true))
            #expect(
                Set(user.otherEmails) == [
                    DirectoryAddress("second@example.com", isConfirmed: true),
                    DirectoryAddress("third@example.com", isConfirmed: false),
                ])
            #expect(
                user.phones == [
                    DirectoryAddress("+15551230000", isConfirmed: true, isPrimary: true),
                    DirectoryAddress("+15551230001", isConfirmed: true, isSecondFactor: true),
                ])
            #expect(
                user.factors.map(\.kind) == [
                    .authenticatorApp(secret: nil), .phone("+15551230001"), .backupCodes(count: nil),
                ])
            #expect(user.username == "ada_l" && user.firstName == "Ada" && user.lastName == nil && user.isLocked)
            #expect(user.passwordChangedAt == instance.clock.now && user.missingHash == .notInAPI)
            #expect(user.updatedAt == instance.clock.now)
        }
    }

    /// An account at a provider identifies the person by the provider's own id.
    ///
    /// An unverified account signs nobody in.
    @Test func readsIdentitiesAndSingleSignOn() async throws {
        try await run { instance, directory in
            let made = try await directory.create(NewDirectoryUser(email: "ada@example.com"))
            #expect(made.missingHash == .noPassword && !made.isSingleSignOn)
            var answer = made.fields
            func account(_ provider: String, _ subject: String, _ status: JSON) -> JSON {
                [
                    "id": .string("idn_" + subject), "object": "external_account", "provider": .string("oauth_" + provider),
                    "provider_user_id": .string(subject), "email_address": "ada@gmail.example", "first_name": "Ada",
                    "last_name": "Lovelace", "avatar_url": "https://example.com/ada.png", "verification": ["status": status],
                    "created_at": 1_500_000_000_000,
                ]
            }
            answer["external_accounts"] = [account("google", "g-1", "verified"), account("apple", "a-1", "unverified")]
            answer["enterprise_accounts"] = [["id": "ent_1"]]
            try instance.server.panel.fail("GET", "/v1/users/*", with: .status(200, body: .object(answer)))
            let user = try await directory.user(id: made.id)
            var google = DirectoryIdentity(
                .google, subject: "g-1", email: "ada@gmail.example", createdAt: Instant(seconds: 1_500_000_000))
            google.displayName = "Ada Lovelace"
            google.photoURL = "https://example.com/ada.png"
            #expect(user.providerIdentities == [google])
            #expect(user.isSingleSignOn)
        }
    }
}
