import LockstepPrimitives
import LockstepTestSupport
import Testing

@Suite struct RandomnessTests {
    /// SplitMix64 from seed 1234567, as published with it (https://prng.di.unimi.it/splitmix64.c): 6457827717110365317 comes
    /// first.
    @Test func seedDecidesTheBytes() {
        let bytes = SeededRandomness(seed: 1_234_567).bytes(8)
        #expect(bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) } == 6_457_827_717_110_365_317)
        let first = SeededRandomness(seed: 7)
        let second = SeededRandomness(seed: 7)
        for count in [0, 1, 7, 8, 9, 100] {
            let bytes = first.bytes(count)
            #expect(bytes.count == count)
            #expect(bytes == second.bytes(count))
        }
        #expect(SeededRandomness(seed: 8).bytes(8) != SeededRandomness(seed: 7).bytes(8))
    }

    @Test func systemRandomnessDoesNotRepeat() {
        let randomness = SystemRandomness()
        #expect(randomness.bytes(16) != randomness.bytes(16))
        for count in [0, 1, 8, 33] { #expect(randomness.bytes(count).count == count) }
    }

    @Test func makesUUIDsOfVersionFour() throws {
        let uuid = SeededRandomness(seed: 1).uuid()
        #expect(uuid.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
    }

    @Test func everyCharacterIsEquallyLikely() {
        let text = SeededRandomness(seed: 1).text(10_000, of: "abc")
        #expect(text.count == 10_000)
        for character in "abc" { #expect((3100...3560).contains(text.count { $0 == character })) }
        #expect(SeededRandomness(seed: 1).text(0) == "")
        #expect(SeededRandomness(seed: 1).text(5, of: "x") == "xxxxx")
    }
}
