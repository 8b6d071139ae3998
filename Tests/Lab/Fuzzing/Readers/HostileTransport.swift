internal import LockstepHTTP
internal import LockstepPrimitives
internal import Synchronization

/// Answers every request immediately: like an emulator, or as no backend should.
final class HostileTransport: HTTPTransport {
    private let recorded: RecordedResponses
    private let dice: Dice

    init(_ recorded: RecordedResponses, dice: Dice) {
        self.recorded = recorded
        self.dice = dice
    }

    private static let statuses = [
        200, 200, 201, 204, 206, 301, 302, 304, 400, 401, 403, 404, 409, 410, 418, 422, 429, 500, 503, 999,
    ]
    private static let waits = [
        "0", "1", "-1", "60", "100000000000000000", "99999999999999999999", "1e9", "", "soon", "Sun, 06 Nov 9994 08:49:37 GMT",
        "Sun, 06 Nov 0001 08:49:37 GMT", "\u{661}",
    ]
    private static let dates = [
        "", "now", "Sun, 06 Nov 9994 08:49:37 GMT", "Sun, 06 Nov 0000 00:00:00 GMT", "Sun, 99 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 GMT",
    ]
    private static let failures: [HTTPFailure.Code] = [
        .cannotConnect, .timedOut, .truncated, .tooLarge, .malformedResponse, .tls,
    ]

    func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        if dice.hits(oneIn: 40) { throw HTTPFailure(dice.pick(Self.failures), .mayHaveReachedServer, "The fuzzer fails it.") }
        var fitting = recorded.answers(to: request)
        if fitting.isEmpty || dice.hits(oneIn: 12) { fitting = recorded.all }
        guard !fitting.isEmpty else { return HTTPResponse(status: 404) }
        let response = dice.pick(fitting)
        return dice.roll(5) < 2 ? response : spoilt(response, request)
    }

    private func spoilt(_ response: HTTPResponse, _ request: HTTPRequest) -> HTTPResponse {
        var (status, headers, body) = (response.status, response.headers, response.body)
        if dice.hits(oneIn: 6) { status = dice.pick(Self.statuses) }
        if dice.hits(oneIn: 8) {
            headers = HTTPHeaders(headers.fields.filter { $0.name.lowercased() != "retry-after" })
            headers.append("Retry-After", dice.pick(Self.waits))
        }
        if dice.hits(oneIn: 8) {
            headers = HTTPHeaders(headers.fields.filter { $0.name.lowercased() != "date" })
            headers.append("Date", dice.pick(Self.dates))
        }
        if dice.hits(oneIn: 8) {
            headers = HTTPHeaders(headers.fields.filter { $0.name.lowercased() != "authorization" })
            headers.append("Authorization", dice.pick(["", "Bearer", "Bearer  ", " ", "a b c", "Bearer a.b.c"]))
        }
        if dice.hits(oneIn: 20) { headers.append("x-sb-error-code", dice.pick(HostileValues.texts)) }
        if dice.hits(oneIn: 8) {
            body = TextMutation(dice: dice).mutated(body)
        } else if var json = try? response.json() {
            let mutation = JSONMutation(dice: dice, strangers: recorded.values, echoes: Self.texts(of: request))
            for _ in 0..<(1 + dice.roll(4)) { json = mutation.mutated(json) }
            body = json.bytes()
        }
        return HTTPResponse(status: status, headers: headers, body: body)
    }

    /// The values of the request, which a server can quote.
    private static func texts(of request: HTTPRequest) -> [String] {
        let whole = String(decoding: request.body.bytes, as: UTF8.self)
        var texts = [whole] + request.fields.map(\.value)
        texts += (Percent.decodeForm(whole) ?? []).map(\.value)
        for member in (try? JSON.parse(request.body.bytes))?.object ?? [:] { texts += [member.value.string].compactMap(\.self) }
        return texts
    }
}
