import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTokens
import Testing

/// Blocking functions over real HTTP: what each gets, what its answer changes, and what goes wrong with it.
@Suite(.limitedConcurrency)
final class BlockingFunctionTests {
    private let functions: EmulatorServer<ScriptedServer>
    private var script: ScriptedServer { functions.emulator }

    init() throws { functions = try ScriptedServer.start() }

    deinit { functions.stop() }

    /// An emulator whose project has both functions, or those named.
    private func emulator(
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

    /// The content of the token that a function got last.
    private func told(_ event: String) throws -> JSON {
        let token = try #require(script.requests(event).last?.json["data"]?["jwt"]?.string)
        return .object(try UnverifiedToken(token).claims)
    }

    private func claims(_ response: TestEmulator.TestResponse) throws -> JSONObject {
        try UnverifiedToken(response["idToken"]).claims
    }

    private func signInLink(_ emulator: TestEmulator, _ email: String = "ada@example.com") async throws -> JSON {
        let body: JSON = [
            "requestType": "EMAIL_SIGNIN", "email": .string(email), "returnOobLink": true, "continueUrl": "http://localhost/",
        ]
        return try #require(try await emulator.manage("accounts:sendOobCode", body).json["oobCode"])
    }

    private func textCode(_ emulator: TestEmulator) async throws -> JSON {
        let project = emulator.server.emulator.settings.project
        let codes = try await emulator.get("/emulator/v1/projects/\(project)/verificationCodes")
        return try #require(codes.json["verificationCodes"]?.array?.last?["code"])
    }

    private static let changes: JSON = [
        "userRecord": [
            "updateMask": "displayName,photoUrl,emailVerified,customClaims,sessionClaims", "displayName": "Countess",
            "photoUrl": "https://example.com/ada", "emailVerified": true, "customClaims": ["role": "editor"],
            "sessionClaims": ["night": true],
        ]
    ]

    @Test func theFunctionsOfASignUpLearnOfIt() async throws {
        let emulator = try await emulator()
        script.say("beforeCreate", ["userRecord": ["updateMask": "displayName", "displayName": "Countess"]])
        let user = try await emulator.signUp()
        #expect(user.status == 200)
        let first = try told("beforeCreate")
        #expect(first["event_type"] == "beforeCreate" && first["sign_in_method"] == "password")
        #expect(first["iss"] == "https://securetoken.google.com/demo-lockstep")
        #expect(first["aud"]?.string == "\(functions.base)/beforeCreate")
        #expect(first["sub"]?.string == user["localId"] && first["user_record"]?["uid"]?.string == user["localId"])
        #expect(first["user_record"]?["email"] == "ada@example.com" && first["user_record"]?["email_verified"] == false)
        #expect(first["user_record"]?["custom_claims"] == [:] && first["user_record"]?["provider_data"] == [])
        #expect(first["user_record"]?["metadata"]?["creation_time"]?.int != nil)
        #expect(first["ip_address"] == "127.0.0.1" && first["locale"] == "en")
        #expect(first["user_agent"] == "NotYetSupportedInFirebaseAuthEmulator")
        #expect(first["event_id"]?.string?.count == 16)
        #expect(try #require(first["exp"]?.int) - (first["iat"]?.int ?? 0) == 600)
        let second = try told("beforeSignIn")
        #expect(second["event_type"] == "beforeSignIn" && second["event_id"] != first["event_id"])
        #expect(second["user_record"]?["display_name"] == "Countess")
        #expect(second["user_record"]?["provider_data"]?[0]?["provider_id"] == "password")
        #expect(script.requests("beforeCreate").count == 1 && script.requests("beforeSignIn").count == 1)
    }

    @Test func whatTheyChangeIsStoredAndInTheTokens() async throws {
        let emulator = try await emulator()
        script.say(
            "beforeCreate",
            [
                "userRecord": [
                    "updateMask": "displayName,customClaims,sessionClaims", "displayName": "Ada",
                    "customClaims": ["role": "guest"],
                    "sessionClaims": ["day": true],
                ]
            ])
        script.say("beforeSignIn", Self.changes)
        let user = try await emulator.signUp()
        #expect(user["displayName"] == "Countess")
        let first = try claims(user)
        #expect(first["name"] == "Countess" && first["picture"] == "https://example.com/ada")
        #expect(first["email_verified"] == true && first["role"] == "editor" && first["night"] == true)
        #expect(first["day"] == nil, "beforeCreate has no session to give claims to.")
        let stored = try #require(try await emulator.lookup(user["idToken"]).json["users"]?[0])
        #expect(stored["displayName"] == "Countess" && stored["photoUrl"] == "https://example.com/ada")
        #expect(stored["emailVerified"] == true && stored["customAttributes"] == #"{"role":"editor"}"#)
        #expect(stored["providerUserInfo"]?[0]?["displayName"] == "Countess")
    }

    @Test(arguments: FirebaseMode.allCases)
    func claimsOfASessionOutliveItsRefreshButNotTheSession(_ mode: FirebaseMode) async throws {
        let emulator = try await emulator(mode)
        script.say("beforeSignIn", ["userRecord": ["updateMask": "sessionClaims", "sessionClaims": ["night": true]]])
        let user = try await emulator.signUp()
        let refreshed = try await emulator.refresh(user["refreshToken"])
        #expect(try UnverifiedToken(refreshed["id_token"]).claims["night"] == true)
        #expect(script.requests("beforeSignIn").count == 1, "A refresh is no sign-in.")
        script.say("beforeSignIn", [:])
        let other = try await emulator.signIn()
        #expect(try claims(other)["night"] == nil)
        #expect(try UnverifiedToken(try await emulator.refresh(other["refreshToken"])["id_token"]).claims["night"] == nil)
    }

    /// Also where no function was asked about the account itself.
    @Test func aNewAccountHasItsWayToSignIn() async throws {
        let emulator = try await emulator(.emulator, ["beforeSignIn"])
        let link = try await signInLink(emulator)
        #expect(
            try await emulator.call("accounts:signInWithEmailLink", ["email": "ada@example.com", "oobCode": link]).status == 200)
        #expect(try told("beforeSignIn")["user_record"]?["provider_data"]?[0]?["provider_id"] == "password")
    }

    @Test func everyWayToSignInIsAnEvent() async throws {
        let emulator = try await emulator()
        let link = try await signInLink(emulator)
        let byLink = try await emulator.call("accounts:signInWithEmailLink", ["email": "ada@example.com", "oobCode": link])
        #expect(byLink.status == 200)
        #expect(try told("beforeCreate")["sign_in_method"] == "emailLink")
        #expect(try told("beforeSignIn")["user_record"]?["email_verified"] == true)

        let start = try await emulator.call("accounts:sendVerificationCode", ["phoneNumber": "+15555550100"])
        let proof: JSON = ["sessionInfo": .string(start["sessionInfo"]), "code": try await textCode(emulator)]
        #expect(try await emulator.call("accounts:signInWithPhoneNumber", proof).status == 200)
        for event in ["beforeCreate", "beforeSignIn"] {
            #expect(try told(event)["sign_in_method"] == "phone")
            #expect(try told(event)["user_record"]?["phone_number"] == "+15555550100")
        }
        #expect(script.requests("beforeCreate").count == 2 && script.requests("beforeSignIn").count == 2)

        // Neither guests nor custom tokens nor administrators ask.
        #expect(try await emulator.call("accounts:signUp").status == 200)
        #expect(try await emulator.call("accounts:signInWithCustomToken", ["token": #"{"uid":"user-1"}"#]).status == 200)
        #expect(try await emulator.manage("accounts", ["email": "bob@example.com", "password": "correct horse"]).status == 200)
        #expect(script.requests("beforeCreate").count == 2 && script.requests("beforeSignIn").count == 2)
        #expect(try await emulator.signIn("bob@example.com").status == 200)
        #expect(script.requests("beforeCreate").count == 2 && script.requests("beforeSignIn").count == 3)
    }

    private func signIn(_ emulator: TestEmulator, _ more: JSONObject = [:]) async throws -> TestEmulator.TestResponse {
        let token = #"{"sub":"g-1","email":"ada@example.com","email_verified":true,"name":"Ada"}"#
        let post = Percent.encodeForm([("providerId", "google.com"), ("id_token", token), ("access_token", token)])
        var body = more
        body["requestUri"] = "http://localhost"
        body["postBody"] = .string(post)
        return try await emulator.call("accounts:signInWithIdp", .object(body))
    }

    @Test func credentialsOfProvidersAreForwardedWhereAsked() async throws {
        let silent = try await emulator()
        #expect(try await signIn(silent).status == 200)
        let told = try told("beforeCreate")
        #expect(told["sign_in_method"] == "google.com")
        #expect(try told["raw_user_info"]?.string.map { try JSON.parse($0) }?["name"] == "Ada")
        #expect(told["user_record"]?["provider_data"]?[0]?["uid"] == "g-1")
        #expect(told["oauth_id_token"] == nil && told["oauth_access_token"] == nil)
        let open = try await emulator(forwards: ["idToken": true, "accessToken": true, "refreshToken": true])
        script.say("beforeSignIn", Self.changes)
        #expect(try claims(try await signIn(open))["night"] == true)
        for event in ["beforeCreate", "beforeSignIn"] {
            let told = try self.told(event)
            #expect(told["oauth_id_token"]?.string?.contains("g-1") == true)
            #expect(told["oauth_access_token"]?.string?.contains("g-1") == true)
            #expect(told["oauth_refresh_token"] == nil)
        }
        // A second sign-in creates nothing, and linking is a sign-in.
        #expect(try await signIn(open).status == 200)
        #expect(script.requests("beforeCreate").count == 2 && script.requests("beforeSignIn").count == 3)
        let guest = try await silent.signUp("bob@example.com")
        #expect(try await signIn(silent, ["idToken": .string(guest["idToken"])]).code == "FEDERATED_USER_ID_ALREADY_LINKED")
    }

    @Test func attributesOfSAMLAreTold() async throws {
        let emulator = try await emulator()
        let response = #"{"assertion":{"subject":{"nameId":"ada@example.com"},"attributeStatements":{"team":["a","b"]}}}"#
        let post = Percent.encodeForm([
            ("providerId", "saml.corp"), ("id_token", #"{"sub":"s-1"}"#), ("SAMLResponse", response),
        ])
        let body: JSON = ["requestUri": "http://localhost", "postBody": .string(post)]
        #expect(try await emulator.call("accounts:signInWithIdp", body).status == 200)
        #expect(try told("beforeSignIn")["sign_in_attributes"] == #"{"team":["a","b"]}"#)
    }

    @Test func aSecondFactorComesBeforeTheFunction() async throws {
        let emulator = try await emulator(.emulator, ["beforeSignIn"])
        let user = try await emulator.call(
            "accounts:signUp",
            ["email": "ada@example.com", "password": "correct horse", "mfaInfo": [["phoneInfo": "+15555550100"]]])
        #expect(script.requests("beforeSignIn").count == 1, "A sign-up signs in.")
        #expect(try told("beforeSignIn")["user_record"]?["multi_factor"]?["enrolled_factors"]?[0]?["factor_id"] == "phone")
        let pending = try await emulator.signIn()
        #expect(script.requests("beforeSignIn").count == 1)
        let credential = JSON.string(pending["mfaPendingCredential"])
        let factor = try #require(pending.json["mfaInfo"]?[0]?["mfaEnrollmentId"])
        let start = try await emulator.call2(
            "accounts/mfaSignIn:start", ["mfaPendingCredential": credential, "mfaEnrollmentId": factor])
        let session = try #require(start.json["phoneResponseInfo"]?["sessionInfo"])
        script.say("beforeSignIn", Self.changes)
        let done = try await emulator.call2(
            "accounts/mfaSignIn:finalize",
            [
                "mfaPendingCredential": credential,
                "phoneVerificationInfo": ["sessionInfo": session, "code": try await textCode(emulator)],
            ])
        let claims = try claims(done)
        #expect(claims["night"] == true && claims["role"] == "editor")
        #expect(claims["firebase"]?["second_factor_identifier"] == factor)
        #expect(try told("beforeSignIn")["sign_in_second_factor"] == "phone")
        #expect(try told("beforeSignIn")["sub"]?.string == user["localId"])
    }

    /// As in Firebase's emulator: the identity was proven before the function was asked.
    @Test func aFunctionThatDisablesKeepsTheIdentityThatWasLinked() async throws {
        let emulator = try await emulator(.emulator)
        let user = try await emulator.signUp()
        script.say("beforeSignIn", ["userRecord": ["updateMask": "disabled", "disabled": true]])
        let form = Percent.encodeForm([("providerId", "google.com"), ("id_token", #"{"sub": "g-1"}"#)])
        let linked = try await emulator.call(
            "accounts:signInWithIdp",
            ["idToken": .string(user["idToken"]), "requestUri": "http://localhost", "postBody": .string(form)])
        #expect(linked.code == "USER_DISABLED")
        let stored = try #require(try emulator.admin.user(email: "ada@example.com"))
        #expect(stored.isDisabled && stored.providers.contains("google.com"))
    }

    @Test func whoIsDisabledByAFunctionStaysDisabled() async throws {
        let emulator = try await emulator()
        script.say("beforeCreate", ["userRecord": ["updateMask": "disabled", "disabled": true]])
        #expect(try await emulator.signUp().code == "USER_DISABLED")
        #expect(try emulator.admin.user(email: "ada@example.com")?.isDisabled == true)
        #expect(script.requests("beforeSignIn").isEmpty, "A disabled account does not sign in.")
        script.say("beforeCreate", [:])
        #expect(try await emulator.signUp("bob@example.com").status == 200)
        script.say("beforeSignIn", ["userRecord": ["updateMask": "disabled", "disabled": true]])
        #expect(try await emulator.signIn("bob@example.com").code == "USER_DISABLED")
        #expect(try emulator.admin.user(email: "bob@example.com")?.isDisabled == true)
        #expect(try await emulator.signUp("eve@example.com").code == "USER_DISABLED")
        #expect(try emulator.admin.user(email: "eve@example.com")?.isDisabled == true)
    }

    @Test func aRefusalBeforeCreationLeavesNoAccount() async throws {
        let emulator = try await emulator()
        script.say("beforeCreate", .json(["error": ["message": "no", "status": "PERMISSION_DENIED"]], status: 403))
        let refused = try await emulator.signUp()
        #expect(refused.status == 400 && refused.code == "BLOCKING_FUNCTION_ERROR_RESPONSE")
        let message = try #require(refused.json["error"]?["message"]?.string)
        #expect(message.contains("403") && message.contains(#"{"error":{"message":"no","status":"PERMISSION_DENIED"}}"#))
        #expect(try emulator.admin.userCount() == 0)
        // One that refuses the sign-in leaves the account that the other one let pass, as in Firebase's emulator.
        script.say("beforeCreate", [:])
        script.say("beforeSignIn", .json([:], status: 400))
        #expect(try await emulator.signUp().code == "BLOCKING_FUNCTION_ERROR_RESPONSE")
        #expect(try emulator.admin.userCount() == 1)
        #expect(try await emulator.signIn().code == "BLOCKING_FUNCTION_ERROR_RESPONSE")
        #expect(try await emulator.signUp().code == "EMAIL_EXISTS")
        script.say("beforeSignIn", [:])
        #expect(try await emulator.signIn().status == 200)
    }

    @Test func aRefusedLinkIsUsedUp() async throws {
        let emulator = try await emulator()
        script.say("beforeCreate", .json([:], status: 400))
        let code = try await signInLink(emulator)
        let body: JSON = ["email": "ada@example.com", "oobCode": code]
        #expect(try await emulator.call("accounts:signInWithEmailLink", body).code == "BLOCKING_FUNCTION_ERROR_RESPONSE")
        #expect(try emulator.admin.userCount() == 0)
        #expect(try await emulator.call("accounts:signInWithEmailLink", body).code == "INVALID_OOB_CODE")
    }

    /// As in Firebase's emulator, where the code is gone before the first function is called.
    @Test func oneProofAsksAFunctionOnceWhereTwoComeAtOnce() async throws {
        let emulator = try await emulator()
        let link: JSON = ["email": "ada@example.com", "oobCode": try await signInLink(emulator)]
        let start = try await emulator.call("accounts:sendVerificationCode", ["phoneNumber": "+15555550100"])
        let text: JSON = ["sessionInfo": .string(start["sessionInfo"]), "code": try await textCode(emulator)]
        let proofs = [
            ("accounts:signInWithEmailLink", link, "INVALID_OOB_CODE"),
            ("accounts:signInWithPhoneNumber", text, "INVALID_SESSION_INFO"),
        ]
        for (operation, body, refusal) in proofs {
            let before = script.requests("beforeCreate").count
            let hold = functions.panel.fail(next: 1, "POST", "/beforeCreate", with: .hold)
            async let first = emulator.call(operation, body)
            await hold.strike()
            // The first request waits for its function with the proof in hand.
            #expect(try await emulator.call(operation, body).code == refusal)
            hold.release()
            #expect(try await first.status == 200)
            #expect(script.requests("beforeCreate").count == before + 1)
        }
    }

    @Test func wrongAnswersAreRefused() async throws {
        let emulator = try await emulator()
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
            script.say("beforeCreate", answer)
            let refused = try await emulator.signUp()
            #expect(refused.status == status && refused.code == code, "\(answer)")
        }
        #expect(try emulator.admin.userCount() == 0)
        for (record, code): (JSON, String) in [
            (["updateMask": "sessionClaims", "sessionClaims": "night"], "BLOCKING_FUNCTION_ERROR_RESPONSE"),
            (["updateMask": "sessionClaims", "sessionClaims": ["iss": "eve"]], "FORBIDDEN_CLAIM"),
        ] {
            script.say("beforeCreate", [:])
            script.say("beforeSignIn", ["userRecord": record])
            #expect(try await emulator.signUp("\(code.count)@example.com").code == code)
        }
        let masked: JSON = [
            "updateMask": "displayName,email,unknown", "email": "eve@example.com", "photoUrl": "https://example.com/eve",
            "sessionClaims": ["night": true], "customClaims": ["role": "owner"],
        ]
        script.say("beforeSignIn", ["userRecord": masked])
        let user = try await emulator.signUp("last@example.com")
        #expect(user["email"] == "last@example.com", "Other members are not theirs to change.")
        for name in ["picture", "night", "role"] { #expect(try claims(user)[name] == nil, "The mask does not name it.") }
    }

    @Test func aFunctionThatCannotBeReachedIsAFailure() async throws {
        let emulator = try await emulator()
        functions.stop()
        let refused = try await emulator.signUp()
        #expect(refused.status == 500 && refused.code == "BLOCKING_FUNCTION_ERROR_RESPONSE")
        let config: JSON = ["blockingFunctions": ["triggers": ["beforeCreate": ["functionUri": "http://example.com/create"]]]]
        _ = try await emulator.configure(.patch, "config", query: ["updateMask": "blockingFunctions"], config)
        let remote = try await emulator.signUp()
        #expect(remote.status == 500 && remote.json["error"]?["errors"]?[0]?["reason"]?.string?.contains("127.0.0.1") == true)
        #expect(try emulator.admin.userCount() == 0)
    }

    @Test(arguments: FirebaseMode.allCases)
    func aFunctionThatNeverAnswersIsNotWaitedFor(_ mode: FirebaseMode) async throws {
        let emulator = try await emulator(mode) { $0.functionDeadline = .milliseconds(50) }
        let fault = functions.panel.fail("POST", "*/beforeCreate", with: .hang)
        let refused = try await emulator.signUp()
        fault.release()
        #expect(refused.code == "BLOCKING_FUNCTION_ERROR_RESPONSE")
        #expect(refused.status == (mode == .strict ? 400 : 500))
        #expect(try emulator.admin.userCount() == 0)
    }

    @Test func inStrictModeTheTokenIsSignedAndTellsOfTheCaller() async throws {
        let emulator = try await emulator(.strict)
        let body: JSON = ["email": "ada@example.com", "password": .string(TestEmulator.password)]
        let user = try await emulator.send(
            HTTPRequest(
                .post, emulator.server.base + TestEmulator.toolkit + "accounts:signUp?key=any",
                headers: ["User-Agent": "Analytical/1", "X-Firebase-Locale": "fr"], body: .json(body)))
        #expect(user.status == 200)
        let token = try #require(script.requests("beforeCreate").last?.json["data"]?["jwt"]?.string)
        let keys = try await emulator.get("/www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com")
        let rules = TokenRules(
            issuers: ["https://securetoken.google.com/demo-lockstep"], audiences: ["\(functions.base)/beforeCreate"])
        let claims = try TokenVerifier(keys: try JSONWebKeySet(keys.json).verificationKeys, rules: rules)
            .verify(token, at: emulator.server.environment.now).claims
        #expect(claims["user_agent"] == "Analytical/1" && claims["locale"] == "fr" && claims["ip_address"] == "127.0.0.1")
        script.say("beforeSignIn", .json(["error": ["message": "no"]], status: 403))
        let refused = try await emulator.signIn()
        #expect(refused.status == 400 && refused.code == "BLOCKING_FUNCTION_ERROR_RESPONSE")
        #expect(refused.json["error"]?["message"]?.string?.hasSuffix(#": {"error":{"message":"no"}}"#) == true)
    }

    @Test func tenantsHaveTheirProjectsFunctions() async throws {
        let emulator = try await emulator()
        let tenant = try await emulator.configure(.post, "tenants", ["allowPasswordSignup": true])
        let body: JSON = [
            "email": "ada@example.com", "password": "correct horse", "tenantId": .string(tenant["tenantId"]),
        ]
        #expect(try await emulator.call("accounts:signUp", body).status == 200)
        let told = try told("beforeSignIn")
        #expect(told["tenant_id"]?.string == tenant["tenantId"])
        #expect(told["user_record"]?["tenant_id"]?.string == tenant["tenantId"])
    }

    /// Functions ask the Admin SDK; what they ask for must not wait for themselves.
    @Test func aFunctionMayCallTheServerThatWaitsForIt() async throws {
        let emulator = try TestEmulator(.emulator) { $0.functionDeadline = .seconds(20) }
        let busy = try EmulatorServer<CallingBack> { _ in CallingBack(emulator) }
        defer { busy.stop() }
        let config: JSON = ["blockingFunctions": ["triggers": ["beforeCreate": ["functionUri": .string(busy.base + "/create")]]]]
        _ = try await emulator.configure(.patch, "config", query: ["updateMask": "blockingFunctions"], config)
        #expect(try await emulator.signUp().status == 200)
        #expect(try emulator.admin.userCount() == 1 + CallingBack.calls)
    }

    @Test func administratorsChangesOfSettingsKeepThem() async throws {
        let emulator = try await emulator()
        try emulator.admin.change { $0.protectsEmails = true }
        #expect(try await emulator.signUp().status == 200)
        #expect(script.requests("beforeCreate").count == 1)
    }
}

/// A function that has the server which called it hash passwords, more often than a machine of ours has processors.
private final class CallingBack: Emulator {
    static let provider = "function"
    static let calls = 12

    private let emulator: TestEmulator

    init(_ emulator: TestEmulator) { self.emulator = emulator }

    var router: Router {
        var router = Router()
        router.post(
            "/create",
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
