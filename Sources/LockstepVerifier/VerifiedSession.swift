public import LockstepTokens

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What a verified access token says of its session and user.
///
/// What a token does not say is `nil`: ask the backend for it.
public struct VerifiedSession: Sendable, Hashable {
    /// The user's id at the backend; with ``issuer`` it names the user for ever.
    public let userID: String
    /// Who issued the token: the backend; the address of a GoTrue server whose tokens name no issuer.
    public let issuer: String
    /// The session's id; `nil` on Firebase, whose tokens name none.
    public var sessionID: String?
    /// The user's address.
    public var email: String?
    /// Whether the backend has proof of the address.
    ///
    /// Only Firebase's tokens say so: what GoTrue's have of that name is in the metadata that users write themselves.
    public var isEmailVerified: Bool?
    /// The user's number.
    public var phone: String?
    /// Whether the user is a guest.
    public var isAnonymous = false
    /// Whether the session was entered with a second factor; on Clerk also by a code that a new device is asked for.
    public var hasSecondFactor = false
    /// The organization that is active in the session (Clerk).
    public var organizationID: String?
    /// Who acts as the user: an administrator of the team, who has signed in as them (Clerk); `nil` for the user alone.
    public var actorID: String?
    /// When the user signed in, by the backend's clock: the newest proof that the token names.
    public var signedInAt: Instant?
    /// When the token expires.
    public let expiresAt: Instant
    /// All claims.
    public let claims: JSONObject

    /// Reads what every backend's tokens have.
    ///
    /// - Parameter nameless: The issuer of tokens that name none.
    init(_ token: VerifiedToken, nameless: String = "") throws(TokenError) {
        guard let id = token.subject, !id.isEmpty else { throw .invalid("sub") }
        guard let expiry = Instant(numericDate: token.claims["exp"]) else { throw .invalid("exp") }
        userID = id
        issuer = token.claims["iss"]?.string ?? nameless
        expiresAt = expiry
        claims = token.claims
    }

    /// The claims as a type of the server's own, such as one with the claims that a hook adds.
    ///
    /// - Throws: ``TokenError`` with `invalidClaim`, which names the claim that does not fit.
    public func claims<Claims: Decodable>(as type: Claims.Type) throws(TokenError) -> Claims {
        do {
            return try JSONDecoder().decode(Claims.self, from: Data(JSON.object(claims).bytes()))
        } catch {
            guard let path = (error as? DecodingError)?.path, !path.isEmpty else {
                throw TokenError(.invalidClaim, "The claims of the token are no \(Claims.self).")
            }
            throw TokenError(.invalidClaim, "The claim \(path) of the token is missing, or is not what \(Claims.self) has there.")
        }
    }
}

extension DecodingError {
    /// The names that lead to what does not fit, joined by dots.
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
