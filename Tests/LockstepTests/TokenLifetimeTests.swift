import Lockstep
import LockstepPrimitives
import Testing

@Suite("The life of a token")
struct TokenLifetimeTests {
    private let clock = MovableClock(base: StillClock())

    @Test func endsWhenTheTimeHasPassed() {
        let life = TokenLifetime(life: .seconds(3600), clock: clock)
        #expect(!life.needsRefresh(on: clock))
        clock.advance(by: .seconds(3539))
        #expect(!life.needsRefresh(on: clock))
        clock.advance(by: .seconds(1))
        #expect(life.needsRefresh(on: clock))
    }

    @Test(arguments: [-86_400, 86_400])
    func aWrongWallClockMakesNoDifference(_ seconds: Int) {
        let life = TokenLifetime(life: .seconds(3600), clock: clock)
        clock.shiftWall(by: .seconds(seconds))
        #expect(!life.needsRefresh(on: clock))
        clock.advance(by: .seconds(3600))
        #expect(life.needsRefresh(on: clock))
    }

    @Test func aRestartCountsByTheWallClock() {
        let life = TokenLifetime(life: .seconds(3600), clock: clock)
        clock.reboot()
        clock.advance(by: .seconds(60))
        #expect(!life.needsRefresh(on: clock))
        clock.advance(by: .seconds(3600))
        #expect(life.needsRefresh(on: clock))
    }

    @Test func aRestartWithAWallClockThatWentBackIsNotTrusted() {
        let life = TokenLifetime(life: .seconds(3600), clock: clock)
        clock.reboot()
        clock.shiftWall(by: .seconds(-7200))
        #expect(life.needsRefresh(on: clock))
    }

    @Test func aMinutesTokenIsRenewedTenSecondsAhead() {
        let life = TokenLifetime(life: .seconds(60), clock: clock)
        clock.advance(by: .seconds(49))
        #expect(!life.needsRefresh(on: clock))
        clock.advance(by: .seconds(1))
        #expect(life.needsRefresh(on: clock))
    }
}
