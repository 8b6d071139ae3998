/// The trace that a task belongs to, in HTTP's form (W3C Trace Context, level 1, section 3.2: `traceparent`).
///
/// A caller that has a trace sets it around its calls. Every request of these calls carries it:
///
/// ```swift
/// try await TraceContext.$current.withValue(TraceContext(traceparent: header)) { try await client.accessToken() }
/// ```
///
/// If several callers share work, such as a refresh, it carries the trace of the caller that started it.
public struct TraceContext: Sendable, Hashable, CustomStringConvertible {
    /// The trace of the current task.
    ///
    /// If it is `nil` (the default), no header is sent.
    @TaskLocal public static var current: TraceContext?

    /// The value of the header, always in the form of version 00.
    public let traceparent: String

    /// The id of the trace: 32 hexadecimal digits.
    public var traceID: String { String(traceparent.dropFirst(3).prefix(32)) }
    /// The id of the caller's span: 16 hexadecimal digits.
    public var parentID: String { String(traceparent.dropFirst(36).prefix(16)) }
    /// Whether the caller records the trace.
    public var isSampled: Bool { (traceparent.last?.hexDigitValue ?? 0) & 1 == 1 }

    /// Parses the value of a header: `version-traceid-parentid-flags` in lower-case hexadecimal.
    ///
    /// If the version is later than 00, only the fields that it shares with 00 are read. Only the sampled flag is kept,
    /// as the specification requires (section 4.3).
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
