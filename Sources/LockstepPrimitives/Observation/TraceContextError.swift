/// The reason why a text is not a valid `traceparent`.
///
/// The text itself is not repeated.
public enum TraceContextError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text has this number of fields between dashes.
    ///
    /// Version 00 has four, and later versions have at least four.
    case fields(Int)
    /// A field does not have this length, or contains something other than lower-case hexadecimal digits.
    case digits(Int)
    /// The version is `ff`, which is forbidden.
    case version
    /// The trace or the parent is all zeros, which is forbidden.
    case zeros

    /// The error as one sentence for people.
    public var description: String {
        switch self {
        case .fields(let count): "A traceparent has four fields, version-traceid-parentid-flags, and this one has \(count)."
        case .digits(let length): "A field of the traceparent must be \(length) lower-case hexadecimal digits, and is not."
        case .version: "The traceparent has version ff, which is none."
        case .zeros: "The traceparent names no trace or no parent: one of them is all zeros."
        }
    }
}
