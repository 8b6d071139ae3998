import Foundation
import Lockstep
import LockstepPrimitives
import Testing

/// The bridges of docs/events.md, with stand-ins for the packages, because this package depends on none of them.
@Suite("Bridges to the usual packages", .serialized)
struct BridgeTests {
    private static let events: [AuthEvent] = [
        AuthEvent(.callBegan, at: instant, [.call: "accessToken", .callID: "0a"]),
        AuthEvent(.requestBegan, at: instant, [.method: "POST", .route: "/token", .request: "0a.1", .callID: "0a"]),
        AuthEvent(
            .requestEnded, at: instant,
            [
                .method: "POST", .route: "/token", .outcome: "ok", .status: "400", .milliseconds: "7", .bytes: "9",
                .request: "0a.1", .callID: "0a",
            ]),
        AuthEvent(.sessionEnded, at: instant, [.reason: "revoked", .verdict: "gone", .session: "1a2b3c4d", .callID: "0a"]),
        AuthEvent(
            .callEnded, at: instant,
            [.call: "accessToken", .outcome: "sessionRevoked", .milliseconds: "8", .callID: "0a"]),
    ]
    private static let instant = Instant(seconds: 1_700_000_000)

    @Test func logEntryHasItsTextAndFields() {
        let logger = Logger()
        let sink = logging(to: logger)
        for event in Self.events { sink(event) }
        #expect(logger.lines.map(\.level) == [.debug, .debug, .warning, .error, .warning])
        #expect(logger.lines[3].text == "session.ended reason=revoked verdict=gone session=1a2b3c4d callID=0a")
        #expect(logger.lines[3].metadata["reason"] == .string("revoked"))
    }

    /// A value that differs each time must not be a dimension.
    @Test func metricsHaveCountsAndDurations() {
        let sink = metrics()
        for event in Self.events { sink(event) }
        #expect(
            Recorded.lines == [
                "lockstep.call.began +1 call=accessToken", "lockstep.request.began +1 method=POST route=/token",
                "lockstep.request.ended +1 method=POST route=/token status=400 outcome=ok",
                "lockstep.request.ended.duration 7 ms method=POST route=/token status=400 outcome=ok",
                "lockstep.session.ended +1 reason=revoked", "lockstep.call.ended +1 call=accessToken outcome=sessionRevoked",
                "lockstep.call.ended.duration 8 ms call=accessToken outcome=sessionRevoked",
            ])
    }

    @Test func requestSpansAreChildrenOfCallSpans() {
        let sink = spans()
        for event in Self.events { sink(event) }
        #expect(
            SpanDouble.lines == [
                "accessToken began in nothing as internal", "/token began in accessToken as client", "/token is error: 400",
                "/token ended with "
                    + ["bytes", "callID", "method", "milliseconds", "outcome", "request", "route", "status"].map {
                        "lockstep." + $0
                    }.joined(separator: " "),
                "accessToken event session.ended reason=revoked verdict=gone session=1a2b3c4d callID=0a",
                "accessToken is error: sessionRevoked",
                "accessToken ended with lockstep.call lockstep.callID lockstep.milliseconds lockstep.outcome",
            ])
    }

    @Test("the page shows the code of these tests", arguments: ["Logging", "Metrics", "Tracing"])
    func pageShowsTheBridge(_ name: String) throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let page = try String(contentsOf: folder.appendingPathComponent("../../../docs/events.md").standardized, encoding: .utf8)
        let bridge = try String(contentsOf: folder.appendingPathComponent("\(name)Bridge.swift"), encoding: .utf8)
        let code = try #require(bridge.range(of: "func ").map { bridge[$0.lowerBound...] })
        #expect(page.contains(code), "docs/events.md has another bridge than \(name)Bridge.swift")
    }
}
