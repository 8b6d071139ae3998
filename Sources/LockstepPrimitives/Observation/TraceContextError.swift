/// Why a text is no `traceparent`; the text itself is not repeated.
public enum TraceContextError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It has that many fields between its dashes; version 00 has four, a later one at least four.
    case fields(Int)
    /// The field of that length is shorter or longer, or holds something else than lower-case hexadecimal digits.
    case digits(Int)
    /// The version is `ff`, which is forbidden.
    case version
    /// The trace or the parent is all zeros, which is forbidden.
    case zeros

    /// One sentence for people.
    public var description: String {
        switch self {
        case .fields(let count): "A traceparent has four fields, version-traceid-parentid-flags, and this one has \(count)."
        case .digits(let length): "A field of the traceparent must be \(length) lower-case hexadecimal digits, and is not."
        case .version: "The traceparent has version ff, which is none."
        case .zeros: "The traceparent names no trace or no parent: one of them is all zeros."
        }
    }
}
