public import LockstepPrimitives

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
