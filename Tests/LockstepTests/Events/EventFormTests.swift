import Lockstep
import LockstepPrimitives
import Synchronization
import Testing

@Suite("Format of events")
struct EventFormTests {
    private static let instant = Instant(milliseconds: 1_700_000_000_123)

    /// Dashboards, alarms and scripts read these names.
    ///
    /// None may disappear or change its meaning.
    @Test func eventNamesAndFieldsAreStable() {
        let frozen: [String: Set<String>] = [
            "call.began": ["call", "provider", "callID"],
            "call.ended": ["call", "provider", "outcome", "milliseconds", "callID"],
            "request.began": ["method", "route", "request", "callID"],
            "request.ended": ["method", "route", "outcome", "status", "milliseconds", "bytes", "request", "callID"],
            "state.changed": ["state", "reason", "code", "callID"],
            "session.refreshed": ["outcome", "milliseconds", "session", "callID"],
            "session.ended": ["reason", "verdict", "session", "callID"],
            "session.adopted": ["session", "callID"],
            "session.user-mismatch": ["session", "callID"],
            "session.backend-changed": ["provider", "backend", "callID"],
            "session.taken-over": ["provider", "outcome", "callID"],
            "store.quarantine": ["slot", "callID"],
            "session.persistence-failed": ["code", "slot", "callID"],
            "session.persistence-healed": ["slot", "callID"],
            "profile.update-failed": ["code", "callID"],
        ]
        let now = Dictionary(uniqueKeysWithValues: AuthEvent.Name.all.map { ($0.rawValue, Set($0.fields.map(\.rawValue))) })
        #expect(now == frozen)
        #expect(Set(AuthEvent.Field.all.map(\.rawValue)) == frozen.values.reduce(into: []) { $0.formUnion($1) })
        #expect(AuthEvent.Name(rawValue: "another").fields.isEmpty)
    }

    @Test func oneLineExplainsASignOut() {
        let event = AuthEvent(
            .sessionEnded, at: Self.instant,
            [.session: "1a2b3c4d", .verdict: "refresh_token_already_used", .reason: SignOutReason.refreshReuse.rawValue])
        #expect(
            "\(event)" == "session.ended reason=refreshReuse verdict=refresh_token_already_used session=1a2b3c4d")
        #expect(event.reason == .refreshReuse)
        #expect(event.isTrouble)
    }

    @Test func valuesCannotStartALineOrField() throws {
        let event = AuthEvent(
            .sessionEnded, at: Self.instant, [.verdict: "x y=1\nsession.ended", .reason: "", .session: "ä\"\\"])
        #expect("\(event)" == #"session.ended reason="" verdict="x y=1\nsession.ended" session="ä\"\\""#)
        #expect(event.jsonLine.utf8.allSatisfy { $0 != 0x0a })
        let odd = AuthEvent(
            .sessionEnded, at: Self.instant, [.verdict: "\u{1b}[31m\u{9b}1m\u{202e}\u{2066}\u{200b}\u{2028}\u{e0041}"])
        for text in ["\(odd)", odd.jsonLine] {
            #expect(text.unicodeScalars.allSatisfy { !$0.isInvisible }, "\(text.debugDescription)")
        }
        #expect(try JSON.parse(Array(odd.jsonLine.utf8))["verdict"]?.string == odd[.verdict])
    }

    @Test func aLineOfJSONHasNumbersAsNumbers() throws {
        let lines = Mutex("")
        let sink = AuthEventSink.jsonLines { line in lines.withLock { $0 += line } }
        let fields: [AuthEvent.Field: String] = [
            .method: "POST", .route: "/token", .outcome: "ok", .status: "200", .milliseconds: "12", .bytes: "345",
            .request: "0a0b0c0d.1", .callID: "0a0b0c0d", .init(rawValue: "own"): "7",
        ]
        sink(AuthEvent(.requestEnded, at: Self.instant, fields))
        let expected =
            #"{"v":1,"at":1700000000123,"event":"request.ended","method":"POST","route":"/token","outcome":"ok","status":200,"#
            + #""milliseconds":12,"bytes":345,"request":"0a0b0c0d.1","callID":"0a0b0c0d","own":"7"}"# + "\n"
        #expect(lines.withLock { $0 } == expected)
    }

    @Test func twoSinksAreBothCalled() {
        let told = Mutex<[String]>([])
        let one = AuthEventSink { event in told.withLock { $0.append("one \(event)") } }
        let two = AuthEventSink { event in told.withLock { $0.append("two \(event)") } }
        for sink in [one.and(two), one.and(.none), AuthEventSink.none.and(two), AuthEventSink.none.and(.none)] {
            sink(AuthEvent(.persistenceHealed, at: Self.instant))
        }
        let (first, second) = ("one session.persistence-healed", "two session.persistence-healed")
        #expect(told.withLock { $0 } == [first, second, first, second])
    }
}
