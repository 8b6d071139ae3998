public import LockstepTokens

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The user and the session of a verified access token.
///
/// A value is `nil` if the token does not contain it. The backend may still have the value.
///
/// ```swift
/// let session = try await verifier.verify(authorization: request.headers["Authorization"])
/// guard session.isEmailVerified != false else { return respond(403) }
/// print(session.userID, session.expiresAt)
/// ```
public struct VerifiedSession: Sendable, Hashable {
    /// The user's id on the backend.
    ///
    /// This id and ``issuer`` together identify the user permanently.
    public let userID: String
    /// The issuer of the token, which identifies the backend.
    ///
    /// If the tokens of a GoTrue server have no issuer, the value is the URL of the server.
    public let issuer: String
    /// The id of the session; `nil` on Firebase, because its tokens do not contain this id.
    public var sessionID: String?
    /// The user's email address.
    public var email: String?
    /// Whether the backend has verified the email address.
    ///
    /// Only Firebase's tokens contain this value. GoTrue's tokens contain a value with the same name. The verifier
    /// ignores it, because users can change it.
    public var isEmailVerified: Bool?
    /// The user's phone number.
    public var phone: String?
    /// Whether the user is anonymous.
    public var isAnonymous = false
    /// Whether the user signed in with a second factor.
    ///
    /// On Clerk, the code for a new device is also a second factor.
    public var hasSecondFactor = false
    /// The session's active organization (Clerk).
    public var organizationID: String?
    /// The id of the administrator who signed in as this user (Clerk); `nil` if the user signed in.
    public var actorID: String?
    /// The time when the user signed in, according to the backend's clock.
    ///
    /// If the token contains several verifications, the value is the time of the latest one.
    public var signedInAt: Instant?
    /// The time when the token expires.
    public let expiresAt: Instant
    /// All claims of the token.
    public let claims: JSONObject

    /// Reads the values that the tokens of every backend contain.
    ///
    /// - `nameless`: The issuer for tokens that contain none.
    init(_ token: VerifiedToken, nameless: String = "") throws(TokenError) {
        guard let id = token.subject, !id.isEmpty else { throw .invalid("sub") }
        guard let expiry = Instant(numericDate: token.claims["exp"]) else { throw .invalid("exp") }
        userID = id
        issuer = token.claims["iss"]?.string ?? nameless
        expiresAt = expiry
        claims = token.claims
    }

    /// Decodes the claims as a type of your server.
    ///
    /// For example, the type contains the claims that a hook of the backend adds.
    ///
    /// ```swift
    /// struct Roles: Decodable { var roles: [String] }
    /// let session = try await verifier.verify(authorization: request.headers["Authorization"])
    /// print(try session.claims(as: Roles.self).roles)
    /// ```
    ///
    /// - Parameter type: The type to decode.
    /// - Returns: The decoded claims.
    /// - Throws: ``TokenError`` with `invalidClaim` if a claim cannot be decoded; the message names the claim.
    public func claims<Claims: Decodable>(as type: Claims.Type) throws(TokenError) -> Claims {
        do {
            return try JSONDecoder().decode(Claims.self, from: Data(JSON.object(claims).bytes()))
        } catch {
            guard let path = (error as? DecodingError)?.path, !path.isEmpty else {
                throw TokenError(.invalidClaim, "The claims of the token cannot be read as \(Claims.self).")
            }
            throw TokenError(.invalidClaim, "The claim \(path) of the token is missing, or cannot be read as \(Claims.self).")
        }
    }
}

extension DecodingError {
    /// The names of the members that contain the wrong value, joined by dots.
    fileprivate var path: String {
        let keys: [any CodingKey] =
            switch self {
            case .keyNotFound(let key, let context): context.codingPath + [key]
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context): context.codingPath
            @unknown default: []
            }
        return keys.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }
}
