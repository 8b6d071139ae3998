internal import LockstepContracts
internal import LockstepPrimitives

extension RequestTotals {
    /// Requests, kilobytes and milliseconds, for people.
    var summary: String { "\(requests)  \(kilobytes) kB  \(milliseconds) ms" }

    /// Bytes in both directions, in thousands, with one digit behind the point.
    var kilobytes: String {
        let tenths = (bytesUp + bytesDown + 50) / 100
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// The time of all requests, rounded.
    var milliseconds: Int64 { duration.milliseconds }
}
