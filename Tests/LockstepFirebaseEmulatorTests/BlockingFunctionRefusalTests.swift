import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Blocking functions that disable the user, return an error or an invalid response, or do not respond.
@Suite(.limitedConcurrency)
struct BlockingFunctionRefusalTests {
    private let project: FunctionProject

    init() throws { project = try FunctionProject() }

    /// As in Firebase's emulator: the identity was verified before the function was called.
    @Test func disablingFunctionKeepsTheLinkedIdentity() async throws {
        let emulator = try await project.emulator(.emulator)
        let user = try await emulator.signUp()
        project.script.say("beforeSignIn", ["userRecord": ["updateMask": "disabled", "disabled": true]])
        let form = Percent.encodeForm([("providerId", "google.com"), ("id_token", #"{"sub": "g-1"}"#)])
        let linked = try await emulator.call(
            "accounts:signInWithIdp",
            ["idToken": .string(user["idToken"]), "requestUri": "http://localhost", "postBody": .string(form)])
        #expect(linked.code == "USER_DISABLED")
        let stored = try #require(try emulator.admin.user(email: "ada@example.com"))
        #expect(stored.isDisabled && stored.providers.contains("google.com"))
    }

    @Test func userDisabledByAFunctionStaysDisabled() async throws {
        let emulator = try await project.emulator()
        project.script.say("beforeCreate", ["userRecord": ["updateMask": "disabled", "disabled": true]])
        #expect(try await emulator.signUp().code == "USER_DISABLED")
        #expect(try emulator.admin.user(email: "ada@example.com")?.isDisabled == true)
        #expect(project.script.requests("beforeSignIn").isEmpty, "A disabled account does not sign in.")
        project.script.say("beforeCreate", [:])
        #expect(try await emulator.signUp("bob@example.com").status == 200)
        project.script.say("beforeSignIn", ["userRecord": ["updateMask": "disabled", "disabled": true]])
        #expect(try await emulator.signIn("bob@example.com").code == "USER_DISABLED")
        #expect(try emulator.admin.user(email: "bob@example.com")?.isDisabled == true)
        #expect(try await emulator.signUp("eve@example.com").code == "USER_DISABLED")
        #expect(try emulator.admin.user(email: "eve@example.com")?.isDisabled == true)
    }

    @Test func rejectionBeforeCreationCreatesNoAccount() async throws {
        let emulator = try await project.emulator()
        project.script.say("beforeCreate", .json(["error": ["message": "no", "status": "PERMISSION_DENIED"]], status: 403))
        let refused = try await emulator.signUp()
        #expect(refused.status == 400 && refused.code == "BLOCKING_FUNCTION_ERROR_RESPONSE")
        let message = try #require(refused.json["error"]?["message"]?.string)
        #expect(message.contains("403") && message.contains(#"{"error":{"message":"no","status":"PERMISSION_DENIED"}}"#))
        #expect(try emulator.admin.userCount() == 0)
        // A function that rejects the sign-in keeps the account that the other function has accepted, as in Firebase's emulator.
        project.script.say("beforeCreate", [:])
        project.script.say("beforeSignIn", .json([:], status: 400))
        #expect(try await emulator.signUp().code == "BLOCKING_FUNCTION_ERROR_RESPONSE")
        #expect(try emulator.admin.userCount() == 1)
        #expect(try await emulator.signIn().code == "BLOCKING_FUNCTION_ERROR_RESPONSE")
        #expect(try await emulator.signUp().code == "EMAIL_EXISTS")
        project.script.say("beforeSignIn", [:])
        #expect(try await emulator.signIn().status == 200)
    }

    @Test func rejectedLinkIsUsedUp() async throws {
        let emulator = try await project.emulator()
        project.script.say("beforeCreate", .json([:], status: 400))
        let code = try await project.signInLink(emulator)
        let body: JSON = ["email": "ada@example.com", "oobCode": code]
        #expect(try await emulator.call("accounts:signInWithEmailLink", body).code == "BLOCKING_FUNCTION_ERROR_RESPONSE")
        #expect(try emulator.admin.userCount() == 0)
        #expect(try await emulator.call("accounts:signInWithEmailLink", body).code == "INVALID_OOB_CODE")
    }

    /// As in Firebase's emulator, which deletes the code before it calls the first function.
    @Test func concurrentUsesOfOneCodeCallTheFunctionOnce() async throws {
        let emulator = try await project.emulator()
        let link: JSON = ["email": "ada@example.com", "oobCode": try await project.signInLink(emulator)]
        let start = try await emulator.call("accounts:sendVerificationCode", ["phoneNumber": "+15555550100"])
        let text: JSON = ["sessionInfo": .string(start["sessionInfo"]), "code": try await project.textCode(emulator)]
        let proofs = [
            ("accounts:signInWithEmailLink", link, "INVALID_OOB_CODE"),
            ("accounts:signInWithPhoneNumber", text, "INVALID_SESSION_INFO"),
        ]
        for (operation, body, refusal) in proofs {
            let before = project.script.requests("beforeCreate").count
            let hold = try project.functions.panel.fail(next: 1, "POST", "/beforeCreate", with: .hold)
            async let first = emulator.call(operation, body)
            await hold.waitUntilTriggered()
            // The first request waits for its function while it owns the code.
            #expect(try await emulator.call(operation, body).code == refusal)
            hold.release()
            #expect(try await first.status == 200)
            #expect(project.script.requests("beforeCreate").count == before + 1)
        }
    }

    @Test func invalidFunctionResponsesAreRejected() async throws {
        let emulator = try await project.emulator()
        let long = String(repeating: "x", count: 1000)
        let answers: [(EmulatorResponse, Int, String)] = [
            (.text("no"), 500, "BLOCKING_FUNCTION_ERROR_RESPONSE"),
            (.empty(status: 200), 500, "BLOCKING_FUNCTION_ERROR_RESPONSE"),
            (.json([:], status: 302), 400, "BLOCKING_FUNCTION_ERROR_RESPONSE"),
            (.json(["userRecord": ["displayName": "Ada"]]), 400, "BLOCKING_FUNCTION_ERROR_RESPONSE"),
            (.json(["userRecord": 5]), 400, "BLOCKING_FUNCTION_ERROR_RESPONSE"),
            (.json(["userRecord": ["updateMask": "customClaims", "customClaims": ["sub": "eve"]]]), 400, "FORBIDDEN_CLAIM"),
            (.json(["userRecord": ["updateMask": "customClaims", "customClaims": 7]]), 400, "INVALID_CLAIMS"),
            (.json(["userRecord": ["updateMask": "customClaims"]]), 400, "INVALID_CLAIMS"),
            (
                .json(["userRecord": ["updateMask": "customClaims", "customClaims": ["a": .string(long)]]]), 400,
                "CLAIMS_TOO_LARGE"
            ),
        ]
        for (answer, status, code) in answers {
            project.script.say("beforeCreate", answer)
            let refused = try await emulator.signUp()
            #expect(refused.status == status && refused.code == code, "\(answer)")
        }
        #expect(try emulator.admin.userCount() == 0)
        for (record, code): (JSON, String) in [
            (["updateMask": "sessionClaims", "sessionClaims": "night"], "BLOCKING_FUNCTION_ERROR_RESPONSE"),
            (["updateMask": "sessionClaims", "sessionClaims": ["iss": "eve"]], "FORBIDDEN_CLAIM"),
        ] {
            project.script.say("beforeCreate", [:])
            project.script.say("beforeSignIn", ["userRecord": record])
            #expect(try await emulator.signUp("\(code.count)@example.com").code == code)
        }
        let masked: JSON = [
            "updateMask": "displayName,email,unknown", "email": "eve@example.com", "photoUrl": "https://example.com/eve",
            "sessionClaims": ["night": true], "customClaims": ["role": "owner"],
        ]
        project.script.say("beforeSignIn", ["userRecord": masked])
        let user = try await emulator.signUp("last@example.com")
        #expect(user["email"] == "last@example.com", "Other members are not theirs to change.")
        for name in ["picture", "night", "role"] { #expect(try project.claims(user)[name] == nil, "The mask does not name it.") }
    }

    @Test func unreachableFunctionIsAnError() async throws {
        let emulator = try await project.emulator()
        project.functions.stop()
        let refused = try await emulator.signUp()
        #expect(refused.status == 500 && refused.code == "BLOCKING_FUNCTION_ERROR_RESPONSE")
        let config: JSON = ["blockingFunctions": ["triggers": ["beforeCreate": ["functionUri": "http://example.com/create"]]]]
        _ = try await emulator.configure(.patch, "config", query: ["updateMask": "blockingFunctions"], config)
        let remote = try await emulator.signUp()
        #expect(remote.status == 500 && remote.json["error"]?["errors"]?[0]?["reason"]?.string?.contains("127.0.0.1") == true)
        #expect(try emulator.admin.userCount() == 0)
    }

    @Test(arguments: FirebaseMode.allCases)
    func silentFunctionTimesOut(_ mode: FirebaseMode) async throws {
        let emulator = try await project.emulator(mode) { $0.functionDeadline = .milliseconds(50) }
        let fault = try project.functions.panel.fail("POST", "*/beforeCreate", with: .hang)
        let refused = try await emulator.signUp()
        fault.release()
        #expect(refused.code == "BLOCKING_FUNCTION_ERROR_RESPONSE")
        #expect(refused.status == (mode == .strict ? 400 : 500))
        #expect(try emulator.admin.userCount() == 0)
    }
}
