import Foundation
import Lockstep
import LockstepPrimitives
import LockstepTestSupport
import Testing

@Suite("The lifetime of a token")
struct TokenLifetimeTests {
    private let clock = ManualClock(base: FixedClock())

    @Test func expiresWhenItsTimeHasPassed() {
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
    func restartExpiresTheToken(_ wallMovedBy: Int) {
        let life = TokenLifetime(life: .seconds(3600), clock: clock)
        clock.reboot()
        clock.shiftWall(by: .seconds(wallMovedBy))
        #expect(life.remaining(on: clock) <= .zero)
    }

    @Test(arguments: [1, 1000, 4_000_000], [0, 60, 3600])
    func decreasedUptimeNeedsARefresh(_ milliseconds: Int, _ wallMovedBy: Int) throws {
        // A container with its own uptime, or a machine that was restored from a snapshot.
        let earlier = ManualClock(base: FixedClock(uptime: .seconds(5000) - .milliseconds(milliseconds)))
        earlier.shiftWall(by: .seconds(wallMovedBy))
        let life = TokenLifetime(life: .seconds(3600), clock: clock)
        #expect(life.remaining(on: earlier) <= .zero && life.needsRefresh(on: earlier))
        let stored = try JSONDecoder().decode(TokenLifetime.self, from: JSONEncoder().encode(life))
        #expect(stored.needsRefresh(on: earlier) && !stored.needsRefresh(on: clock))
    }

    @Test func anotherMachineUsesTheDateOfTheServer() {
        let start = FixedClock()
        let wrong = ManualClock(base: FixedClock(bootID: "elsewhere", hostID: "elsewhere"))
        wrong.shiftWall(by: .seconds(86_400))
        let life = TokenLifetime(life: .seconds(3600), serverDate: start.now, clock: wrong)
        #expect(!life.needsRefresh(on: clock))
        clock.advance(by: .seconds(3540))
        #expect(life.needsRefresh(on: clock))
    }

    @Test func futureTokenOfAnotherMachineIsNotTrusted() {
        let life = TokenLifetime(
            life: .seconds(3600), serverDate: clock.now + .seconds(61), clock: FixedClock(bootID: "b", hostID: "b"))
        #expect(life.needsRefresh(on: clock))
    }

    @Test func machinesThatCannotBeDistinguishedReadTheWallClock() {
        let nameless = ManualClock(base: FixedClock(hostID: nil))
        let life = TokenLifetime(life: .seconds(3600), clock: nameless)
        nameless.reboot()
        #expect(!life.needsRefresh(on: nameless))
        nameless.advance(by: .seconds(3600))
        #expect(life.needsRefresh(on: nameless))
    }

    @Test(arguments: [Int64.min, -1, 0, 1, 100_000_000_000_000_000, .max])
    func anyLifetimeIsBounded(_ seconds: Int64) {
        for life in [Duration.seconds(seconds), .seconds(seconds) + .seconds(seconds)] {
            let lifetime = TokenLifetime(life: life, serverDate: Instant(seconds: seconds), clock: clock)
            #expect(lifetime.life >= .zero && lifetime.life <= TokenLifetime.longest)
            #expect(lifetime.expiresAt >= lifetime.receivedAt)
            #expect(lifetime.expiresAt <= clock.now + TokenLifetime.longest)
            for reader in [clock, ManualClock(base: FixedClock(bootID: "b", hostID: "b"))] {
                #expect(lifetime.remaining(on: reader) <= TokenLifetime.longest)
                _ = lifetime.needsRefresh(on: reader)
            }
        }
    }

    /// A stored value can come from a faulty disk, or from an attacker who can write there.
    @Test func storedNumbersAreBounded() throws {
        let whole = try JSON.parse(Array(JSONEncoder().encode(TokenLifetime(life: .seconds(60), clock: clock))))
        let numbers: [JSON] = [.int(.min), -1, 0, .int(.max)]
        for name in try #require(whole.object).names where name != "bootID" && name != "hostID" {
            for number in numbers {
                var changed = try #require(whole.object)
                changed[name] = changed[name]?.array == nil ? number : [number, number]
                guard let life = try? JSONDecoder().decode(TokenLifetime.self, from: Data(JSON.object(changed).bytes())) else {
                    continue
                }
                #expect(life.life >= .zero && life.life <= TokenLifetime.longest)
                #expect(life.remaining(on: clock) <= TokenLifetime.longest)
                #expect(life.remaining(on: FixedClock(bootID: "b", hostID: "b")) <= TokenLifetime.longest)
                _ = life.expiresAt
                _ = life.needsRefresh(on: clock)
            }
        }
    }

    @Test func oneMinuteTokenIsRenewedTenSecondsEarly() {
        let life = TokenLifetime(life: .seconds(60), clock: clock)
        clock.advance(by: .seconds(49))
        #expect(!life.needsRefresh(on: clock))
        clock.advance(by: .seconds(1))
        #expect(life.needsRefresh(on: clock))
    }
}
