public import LockstepPrimitives

/// Functions that read the lifetime of a token or a code from a response.
///
/// These functions accept any number, because a server may send any number.
public enum TokenLife {
    /// Reads a lifetime in seconds from a number or a string of digits.
    ///
    /// This method has no upper limit; ``Lockstep/TokenLifetime`` sets one.
    ///
    /// - Parameter value: The JSON value from the response.
    /// - Returns: The lifetime; `nil` for any other value. It is also `nil` for less than a second, because the client
    ///   would then refresh the token again and again.
    public static func told(_ value: JSON?) -> Duration? {
        let life = (value?.int).map { Duration.seconds($0) } ?? value?.string.flatMap { Duration(toldSeconds: $0) }
        return life.flatMap { $0 >= .seconds(1) ? $0 : nil }
    }

    /// Returns the time between the claims `iat` and `exp` of a token (RFC 7519, NumericDate).
    ///
    /// - Returns: The lifetime; `nil` if a claim is missing or not a date, or if the time is less than a second.
    public static func written(in claims: JSONObject) -> Duration? {
        guard let issued = claims["iat"]?.double, let end = claims["exp"]?.double,
            [issued, end].allSatisfy({ abs($0) < calendarEnd })
        else { return nil }
        let life = Duration.milliseconds(Int64((end - issued) * 1000))
        return life >= .seconds(1) ? life : nil
    }

    /// The year 10000 in seconds since 1970.
    private static let calendarEnd = 253_402_300_800.0

    /// Returns the remaining lifetime of a code, link or challenge, by the server's clock.
    ///
    /// - Parameters:
    ///   - end: The time when the code, link or challenge expires.
    ///   - date: The header `Date` of the response.
    /// - Returns: The remaining time, never negative and at most ``longestProof``.
    public static func left(until end: Instant, of date: Instant) -> Duration { (end - date).clamped(to: .zero...longestProof) }

    /// The longest lifetime that an app sees for a code, link or challenge, which is thirty days.
    public static let longestProof: Duration = .seconds(30 * 24 * 3600)
}

/// Functions for the type of a token, which determines how a client sends the token (RFC 6749, section 7.1).
public enum TokenType {
    /// Returns whether a response contains bearer tokens, the only type that this client sends.
    ///
    /// The name of the type may be in upper or lower case (RFC 6749, section 5.1). If the type is missing, the tokens are bearer
    /// tokens.
    public static func isBearer(_ value: JSON?) -> Bool {
        switch value {
        case nil, .null?: true
        case .string(let type)?: type.lowercased() == "bearer"
        default: false
        }
    }
}

extension Duration {
    /// Reads a number of seconds; `nil` if the text does not consist only of decimal digits.
    public init?(toldSeconds text: some StringProtocol) {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        self = .seconds(Int64(text) ?? .max)
    }
}
