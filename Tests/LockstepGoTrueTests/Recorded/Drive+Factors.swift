import Lockstep
import LockstepDirectory
import LockstepEmulatorTestSupport
import LockstepGoTrueDirectory
import LockstepHTTP
import LockstepPrimitives

@testable import LockstepGoTrue

extension Drive {
    static func factor(_ response: RecordedResponse, _ parts: [String]) -> Drive? {
        switch (response.method, parts.count, parts.last) {
        case ("POST", 1, _):
            let kinds: [String: FactorChoice.Kind] = ["totp": .authenticatorApp, "phone": .phone, "webauthn": .passkey]
            guard let kind = kinds[response["factor_type"] ?? ""], kind != .phone || response["phone"] != nil else { return nil }
            // A phone or passkey is requested immediately. The server's response to that is a separate recording.
            guard kind == .authenticatorApp || response.status >= 400 else { return nil }
            return Drive { adapter, _ in
                let factor = NewFactor(kind, phone: response["phone"], label: response["friendly_name"])
                return .challenge(
                    try await OwnSecondFactors(api: adapter.api).begin(factor, of: session(), in: memory(.linking)).challenge)
            }
        case ("POST", 3, "challenge"):
            guard parts[1].isUUID, response.hasBearer else { return nil }
            let kinds: [String: FactorChoice.Kind] = ["phone": .phone, "webauthn": .passkey]
            let kind = kinds[response.json?["type"]?.string ?? ""] ?? .phone
            guard response.status >= 400 || response.json?["type"]?.string != "totp" else { return nil }
            return Drive { adapter, _ in
                .challenge(
                    try await SecondFactor(api: adapter.api).ask(
                        for: FactorChoice(id: parts[1], kind: kind), session(), in: memory()))
            }
        case ("POST", 3, "verify"):
            guard parts[1].isUUID, response["challenge_id"] != nil,
                response.body["code"] != nil || response.body["webauthn"] != nil
            else {
                return nil
            }
            return Drive { adapter, _ in
                let memory = memory()
                memory[.unfinishedSession] = try session()
                memory[.factor] = parts[1]
                memory[.factorChallenge] = RecordedResponse.id
                memory[.ceremony] = response.body["webauthn"]?["type"]?.string
                let given: ChallengeResponse = response["code"].map { .code(Secret($0)) } ?? .passkey(["id": "x"])
                return .step(try await SecondFactor(api: adapter.api).attempt(given, in: memory))
            }
        case ("DELETE", 2, let id?) where id.isUUID:
            return Drive { adapter, _ in
                .session(
                    try await OwnSecondFactors(api: adapter.api).remove(
                        FactorChoice(id: id, kind: .authenticatorApp), from: session()))
            }
        default: return nil
        }
    }

    static func passkey(_ response: RecordedResponse, _ parts: [String]) -> Drive? {
        let registers = parts.dropFirst().first == "registration"
        guard parts.count == 3, registers || parts[1] == "authentication" else { return nil }
        if parts[2] == "options" {
            return Drive { adapter, _ in
                .step(
                    try await PasskeySignIn(api: adapter.api).begin(
                        PasskeyCredential(), for: registers ? .link(to: session()) : .signIn, in: memory()))
            }
        }
        guard response["challenge_id"] != nil, response.body["credential"] != nil else { return nil }
        return Drive { adapter, _ in
            let memory = memory(registers ? .linking : .signIn, signedIn: try session())
            memory[.passkeyChallenge] = RecordedResponse.id
            if registers { memory[.ceremony] = "create" }
            return .step(try await PasskeyVerification(api: adapter.api).attempt(.passkey(["id": "x"]), in: memory))
        }
    }

    /// The directory sends administrators' requests.
    static func admin(_ response: RecordedResponse, _ parts: [String]) -> Drive? {
        guard response.hasBearer else { return nil }
        func drive(_ run: @escaping @Sendable (GoTrueDirectory) async throws -> String?) -> Drive {
            Drive { _, playback in
                let directory = try GoTrueDirectory(
                    url: GoTrue.url, adminKey: "sb_secret_x", transport: playback, clock: GoTrue.clock)
                return .directory(try await run(directory))
            }
        }
        guard parts.count == 3 else {
            if response.method == "GET" {
                return drive { try await $0.page(after: nil, size: 50).users.first?.id }
            }
            guard response.method == "POST" else { return nil }
            return drive { directory in
                var user = NewDirectoryUser(email: response["email"], phone: response["phone"])
                user.password =
                    response["password"].map { .text(Secret($0)) } ?? response["password_hash"].map { .hash(Secret($0)) }
                return try await directory.create(user).id
            }
        }
        let id = parts[2]
        guard id.isUUID else { return nil }
        switch response.method {
        case "GET": return drive { try await $0.user(id: id).id }
        case "PUT": return drive { try await $0.update(id, DirectoryChanges()).id }
        case "DELETE":
            return drive { directory in
                try await directory.delete(id)
                return nil
            }
        default: return nil
        }
    }
}
