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

    @Test(arguments: [-7200, 0, 7200])
    func aRestartEndsIt(_ wallMovedBy: Int) {
        let life = TokenLifetime(life: .seconds(3600), clock: clock)
        clock.reboot()
        clock.shiftWall(by: .seconds(wallMovedBy))
        #expect(life.remaining(on: clock) <= .zero)
    }

    @Test func anotherMachineCountsFromTheDateOfTheServer() {
        let start = StillClock()
        let wrong = MovableClock(base: StillClock(bootID: "elsewhere", hostID: "elsewhere"))
        wrong.shiftWall(by: .seconds(86_400))
        let life = TokenLifetime(life: .seconds(3600), serverDate: start.now, clock: wrong)
        #expect(!life.needsRefresh(on: clock))
        clock.advance(by: .seconds(3540))
        #expect(life.needsRefresh(on: clock))
    }

    @Test func anotherMachinesTokenOfTheFutureIsNotTrusted() {
        let life = TokenLifetime(
            life: .seconds(3600), serverDate: clock.now + .seconds(61), clock: StillClock(bootID: "b", hostID: "b"))
        #expect(life.needsRefresh(on: clock))
    }

    @Test func machinesThatCannotBeToldApartReadTheWallClock() {
        let nameless = MovableClock(base: StillClock(hostID: nil))
        let life = TokenLifetime(life: .seconds(3600), clock: nameless)
        nameless.reboot()
        #expect(!life.needsRefresh(on: nameless))
        nameless.advance(by: .seconds(3600))
        #expect(life.needsRefresh(on: nameless))
    }

    @Test func aMinutesTokenIsRenewedTenSecondsAhead() {
        let life = TokenLifetime(life: .seconds(60), clock: clock)
        clock.advance(by: .seconds(49))
        #expect(!life.needsRefresh(on: clock))
        clock.advance(by: .seconds(1))
        #expect(life.needsRefresh(on: clock))
    }
}
