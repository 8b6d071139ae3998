/// Which trace a piece of work belongs to, as HTTP carries it (W3C Trace Context, level 1, section 3.2: `traceparent`).
///
/// A caller that has a trace sets it around its calls; every request that is sent for them carries it:
///
/// ```swift
/// try await TraceContext.$current.withValue(TraceContext(traceparent: header)) { try await client.accessToken() }
/// ```
///
/// Work that many callers share, such as a refresh, carries the trace of the caller that began it.
public struct TraceContext: Sendable, Hashable, CustomStringConvertible {
    /// The trace of the running task; `nil`, which is what it begins with, sends no header.
    @TaskLocal public static var current: TraceContext?

    /// The header's value, always in the form of version 00.
    public let traceparent: String

    /// The whole trace: 32 hexadecimal digits.
    public var traceID: String { String(traceparent.dropFirst(3).prefix(32)) }
    /// The caller's span: 16 hexadecimal digits.
    public var parentID: String { String(traceparent.dropFirst(36).prefix(16)) }
    /// Whether the caller records the trace.
    public var isSampled: Bool { (traceparent.last?.hexDigitValue ?? 0) & 1 == 1 }

    /// Reads a header's value: `version-traceid-parentid-flags`, lower-case hexadecimal.
    ///
    /// A later version than 00 is read by what it shares with 00, and of its flags only the sampled one is kept, as the
    /// specification wants it (section 4.3).
    ///
    /// - Throws: ``TraceContextError``
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

    /// The header's value.
    public var description: String { traceparent }
}

extension UInt8 {
    fileprivate var isLowercaseHex: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self)
    }
}
