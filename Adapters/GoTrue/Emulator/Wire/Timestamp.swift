internal import LockstepEmulation
internal import LockstepPrimitives

/// Times as Go writes them: RFC 3339, no zeros at the end of the fraction.
enum Timestamp {
    static func text(_ instant: Instant) -> String {
        var text = instant.rfc3339.dropLast()
        while text.hasSuffix("0") { text = text.dropLast() }
        if text.hasSuffix(".") { text = text.dropLast() }
        return text + "Z"
    }

    static func json(_ instant: Instant) -> JSON { .string(text(instant)) }
}
