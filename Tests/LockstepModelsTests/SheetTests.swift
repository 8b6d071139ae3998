import Lockstep
import LockstepAppleSheets
import LockstepContracts
import LockstepModels
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// The system's sheets get the models' requests, and the models get the results.
@Suite("Sheets of the system", .limitedConcurrency, .timeLimit(.minutes(20)))
@MainActor
struct SheetTests {
    /// The passkeys of the adapter in memory are not WebAuthn passkeys.
    @Test func passkeyIsCreatedAndSignsIn() async throws {
        try await Place.goTrue.run { backend in
            let app = try await backend.member()
            let sheets = SoftwareSheets(try #require(backend.environment.passkeys))
            let account = AccountModel(app.auth)
            await account.addPasskey()
            let asked = try app.verification()
            let request = try #require(asked.passkeyRequest)
            let made = try #require(try await sheets.answer(to: request))
            await asked.submit(passkey: made)
            #expect(asked.form.problems.isEmpty && account.lastChange == .identityAdded)

            let other = await backend.launch()
            await SignInModel(other.auth).signInWithPasskey()
            let proof = try other.verification()
            let question = try #require(proof.passkeyRequest)
            let signed = try #require(try await sheets.answer(to: question))
            await proof.submit(passkey: signed)
            #expect(other.screen == .signedIn)
            let user = app.client.state.session?.user.id
            #expect(user != nil && other.client.state.session?.user.id == user)
        }
    }

    @Test func closedSheetIsACancellation() async throws {
        try await Place.code.run { backend in
            let sheets = SoftwareSheets(try #require(backend.environment.passkeys))
            sheets.isClosedByUser = true
            let model = SignInModel(await backend.launch().auth)
            let identity = try await sheets.answer(to: model.identityRequest(.apple))
            #expect(identity == nil)
        }
    }

    @Test func appleSheetGetsTheHashedNonce() async throws {
        try await Place.code.run { backend in
            let sheets = SoftwareSheets(try #require(backend.environment.passkeys))
            let model = SignInModel(await backend.launch().auth)
            let request = model.identityRequest(.apple)
            let answer = try #require(try await sheets.answer(to: request))
            #expect(sheets.nonces == [request.hashedNonce] && answer.name == "Ada Lovelace" && answer.token.reveal() == "token")
            let error = await #expect(throws: AuthError.self) { try await sheets.answer(to: model.identityRequest(.google)) }
            #expect(error?.code == .unsupported && error?.message.contains("\"google\"") == true)
        }
    }

    @Test func incompleteOptionsAreNamed() throws {
        let making: JSON = [
            "rp": ["id": "app.example"], "challenge": "AQID", "user": ["id": "BAUG", "name": "ada"],
            "excludeCredentials": [["type": "public-key", "id": "Bwg"]],
            "authenticatorSelection": ["userVerification": "required"],
        ]
        let request = try NewPasskeyRequest(making)
        #expect(request.relyingParty == "app.example" && request.challenge == [1, 2, 3] && request.userID == [4, 5, 6])
        #expect(request.excluded == [[7, 8]] && request.verification == .required && request.displayName == "ada")
        #expect(try NewPasskeyRequest(["publicKey": making]) == request)
        let signing: JSON = ["rpId": "app.example", "challenge": "AQID", "allowCredentials": [["id": "Bwg"]]]
        let signature = try PasskeySignatureRequest(signing)
        #expect(signature.allowed == [[7, 8]] && signature.verification == .preferred)
        for name in ["rp", "challenge", "user"] {
            var object = try #require(making.object)
            object[name] = nil
            let error = #expect(throws: AuthError.self) { try NewPasskeyRequest(.object(object)) }
            #expect(error?.code == .invalidResponse && error?.message.contains(name) == true, "\(name)")
        }
        for (options, name) in [
            (["challenge": "AQID"], "rpId"), (["rpId": "a", "challenge": "!"], "challenge"),
            (["rpId": "a", "challenge": "AQID", "allowCredentials": [[:]]], "id"),
        ] as [(JSON, String)] {
            let error = #expect(throws: AuthError.self) { try PasskeySignatureRequest(options) }
            #expect(error?.message.contains("\"\(name)\"") == true, "\(name)")
        }
    }

    @Test func pageThatRedirectsContinuesTheFlow() async throws {
        try await Place.code.run { backend in
            let sheets = SoftwareSheets(try #require(backend.environment.passkeys))
            let page = try #require(backend.environment.identityPage)
            let subject = IdentitySubject(id: "001", email: Backend.email)
            sheets.approval = { try await page.approve($0, as: subject) }
            let app = await backend.launch()
            @MainActor func open() async throws {
                await SignInModel(app.auth, identityProviders: [page.provider]).signIn(with: page.provider)
                guard case .browser(let browser)? = app.auth.step else { throw Failure("\(app.screen) is due") }
                try await sheets.complete(browser, callback: "myapp://auth/callback", in: app.auth)
                #expect(sheets.pages.last == browser.page)
            }
            sheets.isClosedByUser = true
            try await open()
            #expect(app.screen == .signedOut)
            sheets.isClosedByUser = false
            try await open()
            #expect(app.screen == .signedIn)
        }
    }
}

/// The double of the system's sheets: a software authenticator in place of the device's.
private final class SoftwareSheets: SystemSheets {
    private let authenticator: any PasskeySheet
    /// The handle of the user whose passkey was created last.
    private var userID = ""
    var isClosedByUser = false
    var nonces: [String] = []
    var pages: [String?] = []
    /// The actions of a person on a page.
    var approval: (String) async throws -> String? = { _ in nil }

    init(_ authenticator: any PasskeySheet) { self.authenticator = authenticator }

    func signInWithApple(hashedNonce: String) async throws(AuthError) -> AppleIdentity? {
        nonces.append(hashedNonce)
        return isClosedByUser ? nil : AppleIdentity(token: "token", name: "Ada Lovelace")
    }

    func makePasskey(_ request: NewPasskeyRequest) async throws(AuthError) -> NewPasskey? {
        userID = String(decoding: request.userID, as: UTF8.self)
        let options: JSON = ["challenge": .string(Base64.encode(request.challenge, .url))]
        guard !isClosedByUser, let made = try? await authenticator.create(options, of: userID) else { return nil }
        return NewPasskey(
            id: bytes(made["id"]), clientData: bytes(made["response"]?["clientDataJSON"]),
            attestation: bytes(made["response"]?["attestationObject"]))
    }

    func sign(_ request: PasskeySignatureRequest) async throws(AuthError) -> PasskeySignature? {
        let options: JSON = ["challenge": .string(Base64.encode(request.challenge, .url))]
        guard !isClosedByUser, let signed = try? await authenticator.sign(options, as: userID) else { return nil }
        let response = signed["response"]
        return PasskeySignature(
            id: bytes(signed["id"]), clientData: bytes(response?["clientDataJSON"]),
            authenticatorData: bytes(response?["authenticatorData"]), signature: bytes(response?["signature"]),
            userID: bytes(response?["userHandle"]))
    }

    func openPage(_ page: String, callback: String) async throws(AuthError) -> String? {
        pages.append(page)
        return isClosedByUser ? nil : try? await approval(page)
    }

    private func bytes(_ value: JSON?) -> [UInt8] { value?.string.flatMap { Base64.decode($0, .url) } ?? [] }
}
