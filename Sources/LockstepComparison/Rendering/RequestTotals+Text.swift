internal import LockstepContracts
internal import LockstepPrimitives

extension RequestTotals {
    /// The requests, kilobytes and milliseconds as text.
    var summary: String { "\(requests), \(kilobytes) kB, \(milliseconds) ms" }

    /// The bytes in both directions, in thousands with one decimal.
    var kilobytes: String {
        let tenths = (bytesUp + bytesDown + 50) / 100
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// The time of all requests, rounded.
    var milliseconds: Int64 { duration.milliseconds }
}
