import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTokens
import Testing

/// Blocking functions of a project: their signed tokens, its tenants and settings, and their own requests to the server.
@Suite(.limitedConcurrency)
struct BlockingFunctionProjectTests {
    private let project: FunctionProject

    init() throws { project = try FunctionProject() }

    @Test func strictModeSignsTheTokenWithTheCallersDetails() async throws {
        let emulator = try await project.emulator(.strict)
        let body: JSON = ["email": "ada@example.com", "password": .string(TestEmulator.password)]
        let user = try await emulator.send(
            HTTPRequest(
                .post, emulator.server.base + TestEmulator.toolkit + "accounts:signUp?key=any",
                headers: ["User-Agent": "Analytical/1", "X-Firebase-Locale": "fr"], body: .json(body)))
        #expect(user.status == 200)
        let token = try #require(project.script.requests("beforeCreate").last?.json["data"]?["jwt"]?.string)
        let keys = try await emulator.get("/www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com")
        let rules = TokenRules(
            issuers: ["https://securetoken.google.com/demo-lockstep"], audiences: ["\(project.functions.base)/beforeCreate"])
        let claims = try TokenVerifier(keys: try JSONWebKeySet(keys.json).verificationKeys, rules: rules)
            .verify(token, at: emulator.server.environment.now).claims
        #expect(claims["user_agent"] == "Analytical/1" && claims["locale"] == "fr" && claims["ip_address"] == "127.0.0.1")
        project.script.say("beforeSignIn", .json(["error": ["message": "no"]], status: 403))
        let refused = try await emulator.signIn()
        #expect(refused.status == 400 && refused.code == "BLOCKING_FUNCTION_ERROR_RESPONSE")
        #expect(refused.json["error"]?["message"]?.string?.hasSuffix(#": {"error":{"message":"no"}}"#) == true)
    }

    @Test func tenantsUseTheFunctionsOfTheirProject() async throws {
        let emulator = try await project.emulator()
        let tenant = try await emulator.configure(.post, "tenants", ["allowPasswordSignup": true])
        let body: JSON = [
            "email": "ada@example.com", "password": "correct horse", "tenantId": .string(tenant["tenantId"]),
        ]
        #expect(try await emulator.call("accounts:signUp", body).status == 200)
        let told = try project.told("beforeSignIn")
        #expect(told["tenant_id"]?.string == tenant["tenantId"])
        #expect(told["user_record"]?["tenant_id"]?.string == tenant["tenantId"])
    }

    /// Functions call the Admin SDK.
    ///
    /// These calls must not wait for the functions themselves.
    @Test func functionCanCallTheWaitingServer() async throws {
        let emulator = try TestEmulator(.emulator) { $0.functionDeadline = .seconds(20) }
        let busy = try EmulatorServer<CallingBack> { _ in CallingBack(emulator) }
        defer { busy.stop() }
        let config: JSON = ["blockingFunctions": ["triggers": ["beforeCreate": ["functionUri": .string(busy.base + "/create")]]]]
        _ = try await emulator.configure(.patch, "config", query: ["updateMask": "blockingFunctions"], config)
        #expect(try await emulator.signUp().status == 200)
        #expect(try emulator.admin.userCount() == 1 + CallingBack.calls)
    }

    @Test func changedSettingsKeepTheFunctions() async throws {
        let emulator = try await project.emulator()
        try emulator.admin.change { $0.protectsEmails = true }
        #expect(try await emulator.signUp().status == 200)
        #expect(project.script.requests("beforeCreate").count == 1)
    }
}

/// A function that makes the calling server hash more passwords than the machine has processors.
private final class CallingBack: Emulator {
    static let provider = "function"
    static let calls = 12

    private let emulator: TestEmulator

    init(_ emulator: TestEmulator) { self.emulator = emulator }

    var router: Router {
        var router = Router()
        router.on(
            "POST", "/create",
            suspending: { [emulator] _ in
                for index in 0..<Self.calls {
                    let user: JSON = ["localId": .string("user-\(index)"), "rawPassword": "correct horse"]
                    _ = try await emulator.manage("accounts:batchCreate", ["users": [user]])
                }
                return .json([:])
            })
        return router
    }

    func reset() {}
}
