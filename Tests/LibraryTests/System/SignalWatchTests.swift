import LockstepSystem
import Testing

@Suite(.serialized) struct SignalWatchTests {
    @Test func aSignalBecomesAnEvent() async throws {
        let watch = try SignalWatch([.hangUp])
        #expect(throws: SystemError.self) { try SignalWatch([.hangUp]) }
        try CurrentProcess.send(.hangUp)
        var signals = watch.signals.makeAsyncIterator()
        #expect(await signals.next() == .hangUp)
        watch.stop()
        #expect(await signals.next() == nil)
    }

    @Test func secondWatchOfASignalSucceeds() async throws {
        try SignalWatch([.hangUp]).stop()
        try SignalWatch([.hangUp]).stop()
        #expect(throws: SystemError.self) { try SignalWatch([.kill]) }
    }
}
