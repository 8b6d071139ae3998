internal import LockstepPrimitives

extension ControlRoutes {
    /// The routes of recorded requests.
    var requests: [ControlRoute] {
        let panel = panel
        return [
            ControlRoute(
                "GET", "/requests", "Lists requests with their responses, without secrets, or waits for the next request.",
                query: ["method", "path", "status", "after", "wait"], list),
            ControlRoute(
                "GET", "/deliveries",
                "Lists calls to webhooks, hooks and functions, without secrets, or waits for the next call.",
                query: ["after", "wait"], listDeliveries),
            ControlRoute(
                "POST", "/deliveries/{number}/again",
                "Sends a call again with a new signature. Works only for calls that report an event.",
                sendAgain),
            ControlRoute("GET", "/transcript", "Lists the last 500 requests with their responses, without secrets.") { _ in
                .json(.array(panel.shownTranscript))
            },
        ]
    }

    private func list(_ request: EmulatorRequest) throws -> Reply {
        let after = try request.count("after", upTo: .max, default: 0)
        let match = RequestMatch(request.query["method"]?.uppercased(), request.query["path"] ?? "*")
        let status = try StatusMatch(request.query["status"])
        let panel = panel
        return try waiting(request, for: .requests, from: ReadingPlace(after: after)) { place in
            let found = panel.transcript.entries(after: &place).filter {
                match.matches($0.request) && status.matches($0.response.status)
            }
            return found.isEmpty ? nil : found
        } _: { found in
            let last = found?.last?.number ?? after
            return .json(["requests": .array(panel.shown(found ?? [])), "last": .int(Int64(last))])
        }
    }
}

extension ControlRoutes {
    private func sendAgain(_ request: EmulatorRequest) throws -> Reply {
        let number = request[placeholder: "number"]
        guard let delivery = panel.deliveries.entries.first(where: { String($0.number) == number }) else {
            throw ControlError(
                404, "There is no delivery \"\(number.prefix(40))\". GET \(Self.prefix)/deliveries lists the last 200 deliveries."
            )
        }
        guard let call = delivery.call else {
            throw ControlError(409, "The body of delivery \"\(number)\" was too long to store. Trigger the event again.")
        }
        guard call.isNotice else {
            throw ControlError(
                409,
                "The call for \"\(delivery.event)\" cannot be repeated, because a request waits for its response. Send that request again."
            )
        }
        return .later { [environment, panel] in
            let again = try await call.again(in: environment).deliver(delivery.event, in: environment)
            return .json(panel.shown([again])[0], status: 201)
        }
    }

    private func listDeliveries(_ request: EmulatorRequest) throws -> Reply {
        let after = try request.count("after", upTo: .max, default: 0)
        let panel = panel
        return try waiting(request, for: .deliveries, from: ReadingPlace(after: after)) { place in
            let found = panel.deliveries.entries(after: &place)
            return found.isEmpty ? nil : found
        } _: { found in
            .json([
                "deliveries": .array(panel.shown(found ?? [])), "last": .int(Int64(found?.last?.number ?? after)),
            ])
        }
    }
}

/// The statuses to look for: `404`, a class such as `4xx`, or all.
private struct StatusMatch: Sendable {
    private let range: ClosedRange<Int>

    init(_ text: String?) throws(ControlError) {
        guard let text else {
            range = 0...999
            return
        }
        let digits = Array(text.utf8)
        if let status = Int(text), (100...599).contains(status) {
            range = status...status
        } else if digits.count == 3, digits.dropFirst().allSatisfy({ $0 | 0x20 == UInt8(ascii: "x") }),
            (0x31...0x35).contains(digits[0])
        {
            let first = Int(digits[0] - 0x30) * 100
            range = first...(first + 99)
        } else {
            throw ControlError(400, "invalid value \"\(text.prefix(40))\" for status: expected a status such as 404 or 4xx")
        }
    }

    func matches(_ status: Int) -> Bool { range.contains(status) }
}
