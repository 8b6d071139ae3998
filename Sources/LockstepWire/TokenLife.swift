public import LockstepPrimitives

/// How long tokens and proofs live, according to answers: a server's numbers, which may be any.
public enum TokenLife {
    /// A life in seconds, as a number or as digits in a text; `nil` for what is neither, and for less than a second, which would
    /// have the client refresh without end.
    ///
    /// There is no upper bound here: ``Lockstep/TokenLifetime`` has it.
    public static func told(_ value: JSON?) -> Duration? {
        let life = (value?.int).map { Duration.seconds($0) } ?? value?.string.flatMap { Duration(toldSeconds: $0) }
        return life.flatMap { $0 >= .seconds(1) ? $0 : nil }
    }

    /// The life that a token's claims `iat` and `exp` have between them (RFC 7519, NumericDate); `nil` where one of them is missing
    /// or no date of the calendar, and for less than a second.
    public static func written(in claims: JSONObject) -> Duration? {
        guard let issued = claims["iat"]?.double, let end = claims["exp"]?.double,
            [issued, end].allSatisfy({ abs($0) < calendarEnd })
        else { return nil }
        let life = Duration.milliseconds(Int64((end - issued) * 1000))
        return life >= .seconds(1) ? life : nil
    }

    /// The year 10000 in seconds since 1970.
    private static let calendarEnd = 253_402_300_800.0

    /// What is left of a code, link or challenge that ends at a time of the server's, as of the date of its answer: never negative,
    /// and at most ``longestProof``.
    public static func left(until end: Instant, of date: Instant) -> Duration { (end - date).clamped(to: .zero...longestProof) }

    /// The longest life of a code, link or challenge that an app is given: thirty days.
    public static let longestProof: Duration = .seconds(30 * 24 * 3600)
}

/// The type of the tokens of an answer: how they are to be shown (RFC 6749, section 7.1).
public enum TokenType {
    /// Whether tokens are shown as the bearer's, as this client does: said in any case (RFC 6749, section 5.1), or not said at all.
    public static func isBearer(_ value: JSON?) -> Bool {
        switch value {
        case nil, .null?: true
        case .string(let type)?: type.lowercased() == "bearer"
        default: false
        }
    }
}

extension Duration {
    /// Decimal digits as seconds, as many as there are; `nil` for anything else, a sign included.
    public init?(toldSeconds text: some StringProtocol) {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        self = .seconds(Int64(text) ?? .max)
    }
}
