internal import LockstepEmulation
internal import LockstepPrimitives

/// Times as Go writes them: RFC 3339, no zeros at the end of the fraction.
enum Timestamp {
    static func text(_ instant: Instant) -> String {
        var units = Array(instant.rfc3339.utf8.dropLast())
        while units.last == UInt8(ascii: "0") { units.removeLast() }
        if units.last == UInt8(ascii: ".") { units.removeLast() }
        return String(decoding: units, as: UTF8.self) + "Z"
    }

    static func json(_ instant: Instant) -> JSON { .string(text(instant)) }
}
