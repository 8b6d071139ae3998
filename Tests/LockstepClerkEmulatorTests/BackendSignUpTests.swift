import LockstepClerkEmulator
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// A server's work for users who sign up: invitations, sign-ups, verification of addresses.
@Suite(.limitedConcurrency)
struct BackendSignUpTests {
    private func id(_ answer: TestResponse) -> String { answer.json["id"]?.string ?? "" }

    @Test func invitationsAreCreatedInBulk() async throws {
        let emulator = try TestEmulator()
        let made = try await emulator.backend(
            .post, "/invitations/bulk",
            [["email_address": "a@example.com"], ["email_address": "b@example.com", "notify": false]])
        #expect(made.json.array?.count == 2)
        #expect(emulator.link(to: "a@example.com") != "" && emulator.link(to: "b@example.com") == "")
        let twice = try await emulator.backend(
            .post, "/invitations/bulk", [["email_address": "c@example.com"], ["email_address": "a@example.com"]])
        #expect(twice.code == "duplicate_record")
        // All or none.
        #expect(try await emulator.backend(.get, "/invitations").json.array?.count == 2)
    }

    @Test func serverReadsASignUpAndSetsItsExternalID() async throws {
        let emulator = try TestEmulator()
        let device = emulator.device()
        let begun = try await device.post(
            "/client/sign_ups", ["email_address": "ada@example.com", "password": TestEmulator.password])
        let path = "/sign_ups/\(begun["id"])"
        #expect(try await emulator.backend(.get, path).json["status"] == "missing_requirements")
        #expect(try await emulator.backend(.patch, path, ["external_id": "old-1"]).json["external_id"] == "old-1")
        _ = try await device.post("/client/sign_ups/\(begun["id"])/prepare_verification", ["strategy": "email_code"])
        let done = try await device.post(
            "/client/sign_ups/\(begun["id"])/attempt_verification",
            ["strategy": "email_code", "code": emulator.code(to: "ada@example.com")])
        #expect(done.client["sessions"]?[0]?["user"]?["external_id"] == "old-1")
        #expect(try await emulator.backend(.get, "/sign_ups/sua_x").code == "resource_not_found")
    }

    @Test func externalIDTakenMeanwhileIsNamedInTheError() async throws {
        let emulator = try TestEmulator()
        let device = emulator.device()
        let begun = try await device.post(
            "/client/sign_ups", ["email_address": "ada@example.com", "password": TestEmulator.password])
        _ = try await emulator.backend(.patch, "/sign_ups/\(begun["id"])", ["external_id": "old-1"])
        _ = try await emulator.backend(
            .post, "/users",
            ["email_address": ["bob@example.com"], "password": .string(TestEmulator.password), "external_id": "old-1"])
        _ = try await device.post("/client/sign_ups/\(begun["id"])/prepare_verification", ["strategy": "email_code"])
        let done = try await device.post(
            "/client/sign_ups/\(begun["id"])/attempt_verification",
            ["strategy": "email_code", "code": emulator.code(to: "ada@example.com")])
        #expect(done.code == "form_identifier_exists" && done.parameter == "external_id")
    }

    @Test(arguments: ["email_address", "phone_number"])
    func serverVerifiesAnAddressByCode(kind: String) async throws {
        let emulator = try TestEmulator()
        let value = kind == "email_address" ? "new@example.com" : "+4915112345678"
        let user = try await emulator.admin.createUser(email: "ada@example.com", password: Secret(TestEmulator.password)).id
        let plural = kind == "email_address" ? "email_addresses" : "phone_numbers"
        let made = try await emulator.backend(.post, "/\(plural)", ["user_id": .string(user), kind: .string(value)])
        // The first address or number is the primary one, even if it is not verified.
        let primary = try await emulator.backend(.get, "/users/\(user)").json["primary_\(kind)_id"]
        #expect((primary == made.json["id"]) == (kind == "phone_number"))
        let path = "/\(plural)/\(id(made))"
        let prepared = try await emulator.backend(.post, path + "/prepare_verification")
        let code: String
        if kind == "email_address" {
            code = emulator.code(to: value)
        } else {
            code = emulator.server.panel.outbox.shortMessages.first { $0.to == value }?.code ?? ""
        }
        let verification = prepared.json["id"] ?? .null
        let wrong = try await emulator.backend(
            .post, path + "/attempt_verification", ["verification_id": verification, "code": "x"])
        #expect(wrong.status == 200 && wrong.json["status"] == "unverified" && wrong.json["attempts"] == 1)
        let right = try await emulator.backend(
            .post, path + "/attempt_verification", ["verification_id": verification, "code": .string(code)])
        #expect(right.json["status"] == "verified" && right.json["attempts"] == 2)
        let again = try await emulator.backend(
            .post, path + "/attempt_verification", ["verification_id": verification, "code": .string(code)])
        #expect(again.code == "verification_already_verified")
        let late = try await emulator.backend(.post, path + "/prepare_verification").json["id"] ?? .null
        emulator.pass(601)
        let expired = try await emulator.backend(
            .post, path + "/attempt_verification", ["verification_id": late, "code": "1"])
        #expect(expired.status == 200 && expired.json["status"] == "expired")
        #expect(try await emulator.backend(.get, path).json["verification"]?["status"] == "verified")
        let unknown = try await emulator.backend(
            .post, path + "/attempt_verification", ["verification_id": "ver_x", "code": "1"])
        #expect(unknown.code == "resource_not_found")
        let other = kind == "email_address" ? "third@example.com" : "+4915112345679"
        let replaced = try await emulator.backend(.put, "/users/\(user)/\(kind)", [kind: .string(other)])
        #expect(replaced.json[kind]?.string == other)
        let one = try await emulator.backend(.get, "/users/\(user)").json
        #expect(one[plural]?.array?.count == 1 && one["primary_\(kind)_id"] == replaced.json["id"])
    }
}
