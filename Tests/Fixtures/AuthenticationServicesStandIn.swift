// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// What LockstepAppleSheets uses of AuthenticationServices, as declarations: the tests compile the product against them on systems that have
// no AuthenticationServices. The forms are those of Apple's documentation. A program of the tests runs them with scripted answers.

public import Foundation

@MainActor
public final class ASPresentationAnchor: NSObject {}

// MARK: Authorization

@MainActor
public protocol ASAuthorizationControllerDelegate: NSObjectProtocol {
    func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization)
    func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error)
}

@MainActor
public protocol ASAuthorizationControllerPresentationContextProviding: NSObjectProtocol {
    func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor
}

open class ASAuthorizationRequest: NSObject {}

public final class ASAuthorization: NSObject {
    public let credential: any ASAuthorizationCredential
    public init(credential: any ASAuthorizationCredential) { self.credential = credential }
}

public protocol ASAuthorizationCredential: NSObjectProtocol {}

@MainActor
public final class ASAuthorizationController: NSObject {
    public weak var delegate: (any ASAuthorizationControllerDelegate)?
    public weak var presentationContextProvider: (any ASAuthorizationControllerPresentationContextProviding)?
    public let authorizationRequests: [ASAuthorizationRequest]

    /// The script of a test: answers a request, or stays silent.
    public static var script: (@MainActor (ASAuthorizationController) -> Void)?

    public init(authorizationRequests: [ASAuthorizationRequest]) { self.authorizationRequests = authorizationRequests }
    public func performRequests() { Self.script?(self) }
    public func cancel() {
        delegate?.authorizationController(controller: self, didCompleteWithError: ASAuthorizationError(.canceled))
    }
}

public struct ASAuthorizationError: Error {
    public enum Code: Int, Sendable { case unknown = 1000, canceled, invalidResponse, notHandled, failed, notInteractive }
    public let code: Code
    public init(_ code: Code) { self.code = code }
}

// MARK: Sign in with Apple

public final class ASAuthorizationAppleIDProvider: NSObject {
    public func createRequest() -> ASAuthorizationAppleIDRequest { ASAuthorizationAppleIDRequest() }
}

open class ASAuthorizationOpenIDRequest: ASAuthorizationRequest {
    public var requestedScopes: [ASAuthorization.Scope]?
    public var state: String?
    public var nonce: String?
}

public final class ASAuthorizationAppleIDRequest: ASAuthorizationOpenIDRequest {
    public var user: String?
}

extension ASAuthorization {
    public struct Scope: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let fullName = Scope(rawValue: "full_name")
        public static let email = Scope(rawValue: "email")
    }
}

public final class ASAuthorizationAppleIDCredential: NSObject, ASAuthorizationCredential {
    public let user: String
    public let identityToken: Data?
    public let authorizationCode: Data?
    public let fullName: PersonNameComponents?
    public let email: String?

    public init(user: String, identityToken: Data?, authorizationCode: Data?, fullName: PersonNameComponents?, email: String?) {
        (self.user, self.identityToken, self.authorizationCode) = (user, identityToken, authorizationCode)
        (self.fullName, self.email) = (fullName, email)
    }
}

extension PersonNameComponents {
    /// Foundation's own on Apple systems.
    public func formatted() -> String { [givenName, familyName].compactMap(\.self).joined(separator: " ") }
}

// MARK: Passkeys

public final class ASAuthorizationPlatformPublicKeyCredentialProvider: NSObject {
    public let relyingPartyIdentifier: String
    public init(relyingPartyIdentifier: String) { self.relyingPartyIdentifier = relyingPartyIdentifier }

    public func createCredentialRegistrationRequest(
        challenge: Data, name: String, userID: Data
    ) -> ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest {
        ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest(relyingPartyIdentifier, challenge, name, userID)
    }

    public func createCredentialAssertionRequest(
        challenge: Data
    ) -> ASAuthorizationPlatformPublicKeyCredentialAssertionRequest {
        ASAuthorizationPlatformPublicKeyCredentialAssertionRequest(relyingPartyIdentifier, challenge)
    }
}

public struct ASAuthorizationPublicKeyCredentialUserVerificationPreference: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let preferred = Self(rawValue: "preferred")
    public static let required = Self(rawValue: "required")
    public static let discouraged = Self(rawValue: "discouraged")
}

public final class ASAuthorizationPlatformPublicKeyCredentialDescriptor: NSObject {
    public var credentialID: Data
    public init(credentialID: Data) { self.credentialID = credentialID }
}

public final class ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest: ASAuthorizationRequest {
    public var relyingPartyIdentifier: String
    public var challenge: Data
    public var name: String
    public var userID: Data
    public var displayName: String?
    public var userVerificationPreference = ASAuthorizationPublicKeyCredentialUserVerificationPreference.preferred
    public var excludedCredentials: [ASAuthorizationPlatformPublicKeyCredentialDescriptor]?

    init(_ relyingParty: String, _ challenge: Data, _ name: String, _ userID: Data) {
        (relyingPartyIdentifier, self.challenge, self.name, self.userID) = (relyingParty, challenge, name, userID)
    }
}

public final class ASAuthorizationPlatformPublicKeyCredentialAssertionRequest: ASAuthorizationRequest {
    public var relyingPartyIdentifier: String
    public var challenge: Data
    public var userVerificationPreference = ASAuthorizationPublicKeyCredentialUserVerificationPreference.preferred
    public var allowedCredentials: [ASAuthorizationPlatformPublicKeyCredentialDescriptor] = []

    init(_ relyingParty: String, _ challenge: Data) { (relyingPartyIdentifier, self.challenge) = (relyingParty, challenge) }
}

public final class ASAuthorizationPlatformPublicKeyCredentialRegistration: NSObject, ASAuthorizationCredential {
    public let credentialID: Data
    public let rawClientDataJSON: Data
    public let rawAttestationObject: Data?

    public init(credentialID: Data, rawClientDataJSON: Data, rawAttestationObject: Data?) {
        (self.credentialID, self.rawClientDataJSON) = (credentialID, rawClientDataJSON)
        self.rawAttestationObject = rawAttestationObject
    }
}

public final class ASAuthorizationPlatformPublicKeyCredentialAssertion: NSObject, ASAuthorizationCredential {
    public let credentialID: Data
    public let rawClientDataJSON: Data
    public let rawAuthenticatorData: Data!
    public let signature: Data!
    public let userID: Data!

    public init(credentialID: Data, rawClientDataJSON: Data, rawAuthenticatorData: Data, signature: Data, userID: Data) {
        (self.credentialID, self.rawClientDataJSON) = (credentialID, rawClientDataJSON)
        self.rawAuthenticatorData = rawAuthenticatorData
        self.signature = signature
        self.userID = userID
    }
}

// MARK: Web pages

@MainActor
public protocol ASWebAuthenticationPresentationContextProviding: NSObjectProtocol {
    func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor
}

public struct ASWebAuthenticationSessionError: Error {
    public enum Code: Int, Sendable { case canceledLogin = 1, presentationContextNotProvided, presentationContextInvalid }
    public let code: Code
    public init(_ code: Code) { self.code = code }
}

@MainActor
public final class ASWebAuthenticationSession: NSObject {
    public typealias CompletionHandler = (URL?, (any Error)?) -> Void

    public final class Callback: NSObject {
        public let scheme: String
        public let host: String?
        public let path: String?

        private init(_ scheme: String, _ host: String?, _ path: String?) {
            (self.scheme, self.host, self.path) = (scheme, host, path)
        }

        public class func customScheme(_ customScheme: String) -> Callback { Callback(customScheme, nil, nil) }
        public class func https(host: String, path: String) -> Callback { Callback("https", host, path) }
    }

    /// The script of a test, which answers a page or stays silent, and returns whether the page is shown.
    public static var script: (@MainActor (ASWebAuthenticationSession) -> Bool)?

    public let url: URL
    public let callback: Callback
    public let completionHandler: CompletionHandler
    public weak var presentationContextProvider: (any ASWebAuthenticationPresentationContextProviding)?
    public var prefersEphemeralWebBrowserSession = false

    public init(url URL: URL, callback: Callback, completionHandler: @escaping CompletionHandler) {
        (url, self.callback, self.completionHandler) = (URL, callback, completionHandler)
    }

    @discardableResult public func start() -> Bool { Self.script?(self) ?? false }
    public func cancel() { completionHandler(nil, ASWebAuthenticationSessionError(.canceledLogin)) }
}
