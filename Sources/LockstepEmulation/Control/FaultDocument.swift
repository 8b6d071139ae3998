internal import LockstepPrimitives

/// Why a fault cannot be read.
struct FaultDocumentError: Error, CustomStringConvertible {
    var description: String
}

/// A fault as JSON: `{"method": "POST", "path": "/token*", "times": 2, "effect": "status", "status": 503}`.
///
/// Effects: `status` (with `status`, `body`, `headers`), `retry-after` (`seconds`, `status`), `captive-portal`, `empty`, `close`,
/// `hang`, `hold`, `delay` (`seconds`), `lose-answer`, `hold-answer`, `truncate` (`after`), `break`.
enum FaultDocument {
    static func read(_ document: JSON?) throws(FaultDocumentError) -> (RequestMatch, FaultEffect, times: Int) {
        guard let document, document.object != nil else { throw FaultDocumentError(description: "a fault is a JSON object") }
        let times = document["times"]?.int ?? 1
        guard times > 0, times <= 1_000_000 else { throw FaultDocumentError(description: "times is 1 or more") }
        let match = RequestMatch(document["method"]?.string?.uppercased(), document["path"]?.string ?? "*")
        return (match, try effect(document), Int(times))
    }

    private static func effect(_ document: JSON) throws(FaultDocumentError) -> FaultEffect {
        let seconds = document["seconds"]?.double ?? 1
        let status = document["status"]?.int ?? 0
        switch document["effect"]?.string {
        case "status":
            guard status >= 200, status <= 599 else { throw FaultDocumentError(description: "status is 200 to 599") }
            var headers = Headers()
            for (name, value) in document["headers"]?.object ?? [:] { headers.add(name, value.string ?? "") }
            return .status(Int(status), body: document["body"], headers: headers)
        case "retry-after": return .retryAfter(seconds: Int(seconds), status: status == 0 ? 429 : Int(status))
        case "captive-portal": return .captivePortal
        case "empty": return .emptyAnswer
        case "close": return .close
        case "hang": return .hang
        case "hold": return .hold
        case "delay": return .delay(.milliseconds(Int64(min(max(seconds, 0), 1e9) * 1000)))
        case "lose-answer": return .loseAnswer
        case "hold-answer": return .holdAnswer
        case "truncate": return .truncateAnswer(after: document["after"]?.int.map { Int(clamping: $0) })
        case "break": return .breakAnswer
        default:
            throw FaultDocumentError(
                description:
                    "effect is one of status, retry-after, captive-portal, empty, close, hang, hold, delay, lose-answer, "
                    + "hold-answer, truncate, break")
        }
    }

    static func write(_ fault: Fault) -> JSON {
        [
            "method": fault.match.method.map { .string($0) } ?? .null, "path": .string(fault.match.path),
            "remaining": .int(Int64(fault.remaining)), "strikes": .int(Int64(fault.strikes)),
        ]
    }
}
