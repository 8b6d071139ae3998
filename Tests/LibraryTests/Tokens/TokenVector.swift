import Foundation
import LockstepPrimitives
import LockstepTokens
import Testing

/// Keys and tokens of other implementations: Tests/Fixtures/Tokens/vectors.json.
struct TokenVector: CustomTestStringConvertible {
    let algorithm: SignatureAlgorithm
    let privateKey: JSONWebKey
    let publicKey: JSONWebKey
    let thumbprint: String
    /// Made by PyJWT.
    let token: String
    /// Made by jwcrypto.
    let other: String
    let publicPEM: String?
    let privatePEM: String?

    var testDescription: String { algorithm.rawValue }

    static func all() throws -> [TokenVector] {
        try #require(file()["vectors"]?.array).map { json in
            TokenVector(
                algorithm: try #require(json["algorithm"]?.string.flatMap(SignatureAlgorithm.init)),
                privateKey: try JSONWebKey(json["private"] ?? nil), publicKey: try JSONWebKey(json["public"] ?? nil),
                thumbprint: try #require(json["thumbprint"]?.string), token: try #require(json["token"]?.string),
                other: try #require(json["other"]?.string), publicPEM: json["pem"]?.string, privatePEM: json["privatePEM"]?.string
            )
        }
    }

    static func of(_ algorithm: SignatureAlgorithm) throws -> TokenVector {
        try #require(all().first { $0.algorithm == algorithm })
    }

    static func claims() throws -> JSONObject { try #require(file()["claims"]?.object) }

    private static func file() throws -> JSON {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "../../Fixtures/Tokens/vectors.json")
        return try JSON.parse(Array(Data(contentsOf: file)))
    }
}

extension TokenRules {
    /// Rules that accept the tokens of the vectors.
    static let vectors = TokenRules(issuers: ["https://issuer.test"], audiences: ["app"])
    /// Rules for tokens with few claims that a test creates, among them `iss: "issuer"`.
    static let few = TokenRules(issuers: ["issuer"], audiences: .notInTokens, requiresExpiry: false)
}

/// A time when the tokens of the vectors are valid.
let noon = Instant(seconds: 1_767_225_700)

/// The code of the error that `operation` throws; `nil` if it succeeds.
func tokenErrorCode<T>(_ operation: () throws -> T) -> TokenError.Code? {
    do {
        _ = try operation()
        return nil
    } catch {
        return (error as? TokenError)?.code
    }
}

/// The code of the error that `operation` throws; `nil` if it succeeds.
func tokenErrorCode<T>(_ operation: () async throws -> T) async -> TokenError.Code? {
    do {
        _ = try await operation()
        return nil
    } catch {
        return (error as? TokenError)?.code
    }
}
