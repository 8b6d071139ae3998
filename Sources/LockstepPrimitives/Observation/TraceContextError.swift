/// The reason why a text is not a valid `traceparent`.
///
/// The error does not contain the text.
public enum TraceContextError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text has a wrong number of fields; the value is that number.
    ///
    /// Version 00 has four fields between dashes, and later versions have at least four.
    case fields(Int)
    /// A field does not consist of this number of hexadecimal digits in lower case.
    case digits(Int)
    /// The version is `ff`, which is forbidden.
    case version
    /// The id of the trace or of the parent consists only of zeros, which is forbidden.
    case zeros

    /// The error as one sentence for people.
    public var description: String {
        switch self {
        case .fields(let count):
            "A traceparent has four fields (version-traceid-parentid-flags), but this traceparent has \(count)."
        case .digits(let length): "A field of the traceparent must be \(length) lower-case hexadecimal digits."
        case .version: "The traceparent has the invalid version ff."
        case .zeros: "The trace id or the parent id of the traceparent is all zeros."
        }
    }
}
