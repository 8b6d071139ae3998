/// The trace that the current task belongs to, as in the HTTP header `traceparent`.
///
/// The format is W3C Trace Context, level 1, section 3.2. A server that traces its requests sets this value during its
/// calls. Then every request of these calls contains the header:
///
/// ```swift
/// try await TraceContext.$current.withValue(TraceContext(traceparent: header)) { try await client.accessToken() }
/// ```
///
/// If several callers share one request, such as a refresh, the request contains the trace of the first caller.
public struct TraceContext: Sendable, Hashable, CustomStringConvertible {
    /// The trace of the current task; `nil` if the task has no trace.
    ///
    /// If it is `nil`, requests contain no header `traceparent`.
    @TaskLocal public static var current: TraceContext?

    /// The value of the header, always in the format of version 00.
    public let traceparent: String

    /// The id of the trace: 32 hexadecimal digits.
    public var traceID: String { String(traceparent.dropFirst(3).prefix(32)) }
    /// The id of the caller's span: 16 hexadecimal digits.
    public var parentID: String { String(traceparent.dropFirst(36).prefix(16)) }
    /// Whether the caller records the trace.
    public var isSampled: Bool { (traceparent.last?.hexDigitValue ?? 0) & 1 == 1 }

    /// Parses the value of a header: `version-traceid-parentid-flags` in lower-case hexadecimal.
    ///
    /// If the version is later than 00, the initializer reads only the fields that version 00 defines. The initializer
    /// keeps only the sampled flag, as the specification requires (section 4.3).
    ///
    /// - Parameter text: The value of the header.
    /// - Throws: ``TraceContextError`` if the value is not a valid `traceparent`.
    public init(traceparent text: String) throws(TraceContextError) {
        let fields = text.split(separator: "-", omittingEmptySubsequences: false)
        guard fields.count >= 4 else { throw .fields(fields.count) }
        for (field, length) in zip(fields, [2, 32, 16, 2]) {
            guard field.utf8.count == length, field.utf8.allSatisfy(\.isLowercaseHex) else { throw .digits(length) }
        }
        guard fields[0] != "ff" else { throw .version }
        guard fields[0] != "00" || fields.count == 4 else { throw .fields(fields.count) }
        guard fields[1].contains(where: { $0 != "0" }), fields[2].contains(where: { $0 != "0" }) else { throw .zeros }
        let isSampled = (fields[3].last?.hexDigitValue ?? 0) & 1 == 1
        let flags = fields[0] == "00" ? String(fields[3]) : isSampled ? "01" : "00"
        traceparent = "00-\(fields[1])-\(fields[2])-\(flags)"
    }

    /// The value of the header.
    public var description: String { traceparent }
}

extension UInt8 {
    fileprivate var isLowercaseHex: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self)
    }
}
