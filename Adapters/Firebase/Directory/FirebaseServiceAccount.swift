@_exported public import Lockstep
@_exported public import LockstepPrimitives
internal import LockstepTokens
internal import LockstepWire

/// A Google service account that gives a server administrator rights for a Firebase project.
///
/// The description contains only the name of the account. It omits the key, which gives access to the whole project.
///
/// ```swift
/// let account = try FirebaseServiceAccount(contents: Secret(keyFile))     // the contents of the JSON file
/// print(account.project)
/// ```
public struct FirebaseServiceAccount: Sendable {
    /// The id of the project that the account belongs to.
    public let project: String
    /// The name of the account: `firebase-adminsdk-…@project.iam.gserviceaccount.com`.
    public let email: String
    let key: SigningKey
    /// The URL at which its grants are exchanged for access tokens.
    let tokenURL: String

    /// Creates an account from a key file of the Firebase console.
    ///
    /// - Parameter contents: The contents of the file as JSON, not its path.
    /// - Throws: `invalidConfiguration` if a member is missing or invalid; the message names the member.
    public init(contents: Secret) throws(AuthError) {
        let bytes = Array(contents.reveal().utf8)
        let object: JSON
        do throws(JSONError) {
            object = try JSON.parse(bytes)
        } catch {
            throw AuthError(
                .invalidConfiguration,
                "The service account is not JSON. \(error.sentence(in: bytes)) Pass the content of the key file, not its path.")
        }
        guard object["type"]?.string == "service_account" else {
            throw AuthError(
                .invalidConfiguration,
                "The file is not a service account key (`type`). Create a key in the Firebase console: Project settings, Service accounts."
            )
        }
        func text(_ name: String) throws(AuthError) -> String {
            guard let text = object[name]?.filled else {
                throw AuthError(.invalidConfiguration, "The service account's key file lacks `\(name)`. Pass the whole file.")
            }
            return text
        }
        project = try text("project_id")
        email = try text("client_email")
        tokenURL = try BackendAddress(try text("token_uri"), called: "`token_uri` in the service account's key file").url
        guard let key = try? SigningKey(pem: try text("private_key"), id: object["private_key_id"]?.filled),
            key.algorithm == .rs256
        else {
            throw AuthError(
                .invalidConfiguration,
                "The service account's `private_key` is not an RSA key in PEM format. Pass the whole key file.")
        }
        self.key = key
    }
}

extension FirebaseServiceAccount: CustomStringConvertible, CustomReflectable {
    /// The name of the account, without the key.
    public var description: String { "FirebaseServiceAccount(\(email))" }

    /// A mirror that does not contain the key.
    public var customMirror: Mirror { Mirror(self, children: ["project": project, "email": email], displayStyle: .struct) }
}

extension FirebaseServiceAccount {
    /// Returns the signed claims with which the account requests an access token (RFC 7523; Google, "Using OAuth 2.0
    /// for Server to Server Applications").
    func grant(at now: Instant) throws(AuthError) -> Secret {
        let claims: JSONObject = [
            "iss": .string(email), "scope": .string(Self.scopes), "aud": .string(tokenURL), "iat": .int(now.seconds),
            "exp": .int(now.seconds + 3600),
        ]
        do {
            return Secret(try TokenWriter.sign(claims, with: key))
        } catch {
            throw AuthError(.invalidConfiguration, "The service account's key cannot sign: \(error.message)")
        }
    }

    /// The scopes that firebase-admin requests for users.
    private static let scopes =
        "https://www.googleapis.com/auth/identitytoolkit https://www.googleapis.com/auth/cloud-platform"
}
