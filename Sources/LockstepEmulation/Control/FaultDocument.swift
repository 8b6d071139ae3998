package import LockstepPrimitives

/// The reason why a fault cannot be read.
struct FaultDocumentError: Error, CustomStringConvertible {
    var description: String
}

/// A fault as JSON: `{"method": "POST", "path": "/token*", "times": 2, "effect": "status", "status": 503}`.
///
/// Effects: `status` (with `status`, `body`, `headers`), `retry-after` (`seconds`, `status`), `captive-portal`, `empty`, `close`,
/// `hang`, `hold`, `delay` (`seconds`), `lose-answer`, `hold-answer`, `truncate` (`after`), `break`.
enum FaultDocument {
    /// The members of a fault.
    static let body: BodySchema = [
        "method": .text, "path": .text, "times": .number, "effect": .text, "status": .number, "body": .anything,
        "headers": .map(.text), "seconds": .number, "after": .number,
    ]

    static func read(_ body: Body) throws(FaultDocumentError) -> (RequestMatch, FaultEffect, times: Int) {
        let document = JSON.object(body.members)
        let times = document["times"]?.int ?? 1
        guard times > 0, times <= 1_000_000, document["times"]?.int != nil || document["times"] == nil else {
            throw FaultDocumentError(description: "invalid value for \"times\": expected a whole number from 1 to 1000000")
        }
        let path = document["path"]?.string ?? "*"
        guard path.hasPrefix("/") || path.hasPrefix("*") else {
            throw FaultDocumentError(
                description:
                    "invalid value \"\(path.prefix(200))\" for \"path\": expected a path that starts with / or *, such as \"/token*\""
            )
        }
        let match = RequestMatch(document["method"]?.string?.uppercased(), path)
        return (match, try effect(document), Int(times))
    }

    private static func effect(_ document: JSON) throws(FaultDocumentError) -> FaultEffect {
        let seconds = try number(document["seconds"], "seconds", 0...1e9) ?? 1
        let status = try number(document["status"], "status", 200...599).map { Int($0) }
        switch document["effect"]?.string {
        case "status":
            guard let status else {
                throw FaultDocumentError(description: "invalid value for \"status\": expected a number from 200 to 599")
            }
            var headers = Headers()
            for (name, value) in document["headers"]?.object ?? [:] { headers.add(name, value.string ?? "") }
            return .status(status, body: document["body"], headers: headers)
        case "retry-after": return .retryAfter(seconds: Int(seconds), status: status ?? 429)
        case "captive-portal": return .captivePortal
        case "empty": return .emptyResponse
        case "close": return .close
        case "hang": return .hang
        case "hold": return .hold
        case "delay": return .delay(.milliseconds(Int64(seconds * 1000)))
        case "lose-answer": return .loseResponse
        case "hold-answer": return .holdResponse
        case "truncate": return .truncateResponse(after: try number(document["after"], "after", 0...1e9).map { Int($0) })
        case "break": return .breakResponse
        default:
            throw FaultDocumentError(
                description:
                    "invalid value for \"effect\": expected status, retry-after, captive-portal, empty, close, hang, hold, delay, lose-answer, "
                    + "hold-answer, truncate or break")
        }
    }

    /// Returns a number in the document, or `nil`.
    private static func number(_ value: JSON?, _ name: String, _ range: ClosedRange<Double>) throws(FaultDocumentError) -> Double?
    {
        guard let value, value != .null else { return nil }
        guard let number = value.double, range.contains(number) else {
            throw FaultDocumentError(
                description:
                    "invalid value for \"\(name)\": expected a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))")
        }
        return number
    }

    static func write(_ fault: Fault) -> JSON {
        [
            "id": .string(String(fault.id)), "method": fault.match.method.map { .string($0) } ?? .null,
            "path": .string(fault.match.path), "effect": .string(name(of: fault.effect)),
            "remaining": .int(Int64(fault.remaining)), "strikes": .int(Int64(fault.strikes)),
        ]
    }

    /// Returns the name of an effect in a fault's document.
    ///
    /// An effect that only a test in Swift can set has a separate name.
    private static func name(of effect: FaultEffect) -> String {
        switch effect {
        case .answer(let response): "status \(response.status)"
        case .answerTo, .changeResponse: "program"
        case .close: "close"
        case .hang: "hang"
        case .hold: "hold"
        case .delay: "delay"
        case .loseResponse: "lose-answer"
        case .holdResponse: "hold-answer"
        case .truncateResponse: "truncate"
        case .breakResponse: "break"
        }
    }
}

extension Fault {
    /// The fault as the control routes show it.
    package var document: JSON { FaultDocument.write(self) }
}
