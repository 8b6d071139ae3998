import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTokens
import Testing

/// Projects with blocking functions on a scripted server.
final class FunctionProject: Sendable {
    let functions: EmulatorServer<ScriptedServer>
    var script: ScriptedServer { functions.emulator }

    init() throws { functions = try ScriptedServer.start() }

    deinit { functions.stop() }

    /// An emulator whose project has both functions, or the named ones.
    func emulator(
        _ mode: FirebaseMode = .emulator, _ events: [String] = ["beforeCreate", "beforeSignIn"], forwards: JSON = [:],
        _ change: (inout FirebaseSettings) -> Void = { _ in }
    ) async throws -> TestEmulator {
        let emulator = try TestEmulator(mode, change)
        let triggers = events.map { ($0, ["functionUri": .string("\(functions.base)/\($0)")] as JSON) }
        let config: JSON = [
            "blockingFunctions": ["triggers": .object(JSONObject(triggers)), "forwardInboundCredentials": forwards]
        ]
        let response = try await emulator.configure(.patch, "config", query: ["updateMask": "blockingFunctions"], config)
        #expect(response.status == 200)
        return emulator
    }

    /// The content of the last token that a function received.
    func told(_ event: String) throws -> JSON {
        let token = try #require(script.requests(event).last?.json["data"]?["jwt"]?.string)
        return .object(try UnverifiedToken(token).claims)
    }

    func claims(_ response: TestEmulator.TestResponse) throws -> JSONObject {
        try UnverifiedToken(response["idToken"]).claims
    }

    func signInLink(_ emulator: TestEmulator, _ email: String = "ada@example.com") async throws -> JSON {
        let body: JSON = [
            "requestType": "EMAIL_SIGNIN", "email": .string(email), "returnOobLink": true, "continueUrl": "http://localhost/",
        ]
        return try #require(try await emulator.manage("accounts:sendOobCode", body).json["oobCode"])
    }

    func textCode(_ emulator: TestEmulator) async throws -> JSON {
        let project = emulator.server.emulator.settings.project
        let codes = try await emulator.get("/emulator/v1/projects/\(project)/verificationCodes")
        return try #require(codes.json["verificationCodes"]?.array?.last?["code"])
    }

    static let changes: JSON = [
        "userRecord": [
            "updateMask": "displayName,photoUrl,emailVerified,customClaims,sessionClaims", "displayName": "Countess",
            "photoUrl": "https://example.com/ada", "emailVerified": true, "customClaims": ["role": "editor"],
            "sessionClaims": ["night": true],
        ]
    ]
}
