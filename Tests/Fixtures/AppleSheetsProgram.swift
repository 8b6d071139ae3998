// Runs the sheets of LockstepAppleSheets on stand-ins of AuthenticationServices: each request as the system would get it, and each answer
// as the models would get it. It prints "ok" at its end.

import AppleSheetsOnStandIns
import AuthenticationServices
import Foundation
import Lockstep

@main
@MainActor
struct AppleSheetsProgram {
    static let window = ASPresentationAnchor()
    static let sheets = AppleSheets { window }

    static func main() async throws {
        try await signInWithApple()
        try await passkeys()
        try await pages()
        try await cancellation()
        print("ok")
    }

    static func expect(_ condition: Bool, _ what: String) {
        guard !condition else { return }
        print("not as expected: \(what)")
        exit(1)
    }

    /// The only request of a controller, whose delegate and anchor are set.
    static func request<Request>(_ controller: ASAuthorizationController, _ type: Request.Type) -> Request? {
        expect(controller.presentationContextProvider?.presentationAnchor(for: controller) === window, "the window")
        expect(controller.authorizationRequests.count == 1 && controller.delegate != nil, "one request and a delegate")
        return controller.authorizationRequests.first as? Request
    }

    static func answer(_ controller: ASAuthorizationController, _ credential: any ASAuthorizationCredential) {
        let authorization = ASAuthorization(credential: credential)
        controller.delegate?.authorizationController(controller: controller, didCompleteWithAuthorization: authorization)
        // An answer after the first one changes nothing.
        controller.delegate?.authorizationController(controller: controller, didCompleteWithError: ASAuthorizationError(.failed))
    }

    static func code(_ body: () async throws -> Void) async -> AuthError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? AuthError)?.code
        }
    }

    static func signInWithApple() async throws {
        ASAuthorizationController.script = { controller in
            let request = request(controller, ASAuthorizationAppleIDRequest.self)
            expect(request?.nonce == "hashed" && request?.requestedScopes == [.fullName, .email], "the request to Apple")
            var name = PersonNameComponents()
            (name.givenName, name.familyName) = ("Ada", "Lovelace")
            answer(
                controller,
                ASAuthorizationAppleIDCredential(
                    user: "1", identityToken: Data("token".utf8), authorizationCode: Data("code".utf8), fullName: name, email: nil
                ))
        }
        let identity = try await sheets.signInWithApple(hashedNonce: "hashed")
        expect(
            identity?.token == "token" && identity?.authorizationCode == "code" && identity?.name == "Ada Lovelace", "identity")

        ASAuthorizationController.script = { controller in
            answer(
                controller,
                ASAuthorizationAppleIDCredential(
                    user: "1", identityToken: nil, authorizationCode: nil, fullName: PersonNameComponents(), email: nil))
        }
        expect(await code { _ = try await sheets.signInWithApple(hashedNonce: "") } == .providerRefused, "no token")
        for (system, own) in [(ASAuthorizationError.Code.canceled, nil), (.failed, .providerRefused)] as [(_, AuthError.Code?)] {
            ASAuthorizationController.script = { controller in
                let error = ASAuthorizationError(system)
                controller.delegate?.authorizationController(controller: controller, didCompleteWithError: error)
            }
            expect(await code { expect(try await sheets.signInWithApple(hashedNonce: "") == nil, "closed") } == own, "\(system)")
        }
    }

    static func passkeys() async throws {
        let making = try NewPasskeyRequest([
            "rp": ["id": "app.example"], "challenge": "AQID", "user": ["id": "BAUG", "name": "ada", "displayName": "Ada"],
            "excludeCredentials": [["id": "Bwg"]], "authenticatorSelection": ["userVerification": "required"],
        ])
        ASAuthorizationController.script = { controller in
            let request = request(controller, ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest.self)
            expect(request?.relyingPartyIdentifier == "app.example" && request?.challenge == Data([1, 2, 3]), "the challenge")
            expect(request?.userID == Data([4, 5, 6]) && request?.name == "ada" && request?.displayName == "Ada", "the user")
            expect(request?.excludedCredentials?.map(\.credentialID) == [Data([7, 8])], "the user's other passkeys")
            expect(request?.userVerificationPreference == .required, "the verification")
            answer(
                controller,
                ASAuthorizationPlatformPublicKeyCredentialRegistration(
                    credentialID: Data([1]), rawClientDataJSON: Data([2]), rawAttestationObject: Data([3])))
        }
        expect(try await sheets.makePasskey(making) == NewPasskey(id: [1], clientData: [2], attestation: [3]), "the passkey")

        let signing = try PasskeySignatureRequest([
            "rpId": "app.example", "challenge": "AQID", "allowCredentials": [["id": "Bwg"]], "userVerification": "discouraged",
        ])
        ASAuthorizationController.script = { controller in
            let request = request(controller, ASAuthorizationPlatformPublicKeyCredentialAssertionRequest.self)
            expect(request?.relyingPartyIdentifier == "app.example" && request?.challenge == Data([1, 2, 3]), "the challenge")
            expect(request?.allowedCredentials.map(\.credentialID) == [Data([7, 8])], "the allowed passkeys")
            expect(request?.userVerificationPreference == .discouraged, "the verification")
            answer(
                controller,
                ASAuthorizationPlatformPublicKeyCredentialAssertion(
                    credentialID: Data([1]), rawClientDataJSON: Data([2]), rawAuthenticatorData: Data([3]), signature: Data([4]),
                    userID: Data([5])))
        }
        let expected = PasskeySignature(id: [1], clientData: [2], authenticatorData: [3], signature: [4], userID: [5])
        expect(try await sheets.sign(signing) == expected, "the signature")
    }

    static func pages() async throws {
        ASWebAuthenticationSession.script = { session in
            expect(session.presentationContextProvider?.presentationAnchor(for: session) === window, "the window")
            expect(!session.prefersEphemeralWebBrowserSession && session.url.host == "id.example", "the page")
            let answer = session.callback.host == nil ? "\(session.callback.scheme)://in?code=1" : "https://app.example/in?code=1"
            session.completionHandler(URL(string: answer), nil)
            return true
        }
        expect(try await sheets.openPage("https://id.example/", callback: "myapp://in") == "myapp://in?code=1", "own scheme")
        let universal = try await sheets.openPage("https://id.example/", callback: "https://app.example/in")
        expect(universal == "https://app.example/in?code=1", "universal link")

        ASWebAuthenticationSession.script = { session in
            session.cancel()
            return true
        }
        expect(try await sheets.openPage("https://id.example/", callback: "myapp://in") == nil, "closed page")
        ASWebAuthenticationSession.script = { _ in false }
        let refused = await code { _ = try await sheets.openPage("https://id.example/", callback: "myapp://in") }
        expect(refused == .providerRefused, "page that cannot be shown")
        let malformed = await code { _ = try await sheets.openPage("https://id.example/", callback: "in") }
        expect(malformed == .invalidConfiguration, "callback without a scheme")
    }

    /// A screen that goes away closes its sheet.
    static func cancellation() async throws {
        let (shown, sign) = AsyncStream.makeStream(of: Void.self)
        ASAuthorizationController.script = { _ in sign.yield() }
        ASWebAuthenticationSession.script = { _ in
            sign.yield()
            return true
        }
        var signs = shown.makeAsyncIterator()
        let sheet = Task { try await sheets.signInWithApple(hashedNonce: "") }
        await signs.next()
        sheet.cancel()
        expect(try await sheet.value == nil, "cancelled sheet")
        let page = Task { try await sheets.openPage("https://id.example/", callback: "myapp://in") }
        await signs.next()
        page.cancel()
        expect(try await page.value == nil, "cancelled page")
    }
}
