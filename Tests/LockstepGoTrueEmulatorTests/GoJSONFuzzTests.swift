import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTestSupport
import Testing

@testable import LockstepGoTrueEmulator

/// Go's reader and this package's reader accept the same texts, except for those that Go repairs: invalid UTF-8 and lone
/// surrogates.
@Suite(.limitedConcurrency)
struct GoJSONFuzzTests {
    private static let samples = [
        #"{"email":"ada@example.com","data":{"a":[1,2.5,null,true]},"n":123456789012345678}"#, "{}", "[]", "null", "\"x\"", "1e3",
        "{\"a\":{\"b\":{}}}",
    ]

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func acceptsExactlyValidJSON(_ seed: UInt64) throws {
        let dice = SeededRandomness(seed: seed)
        func roll(_ count: Int) -> Int { dice.bytes(4).reduce(0) { $0 << 8 | Int($1) } % count }
        for _ in 0..<2500 {
            var bytes = Array(Self.samples[roll(Self.samples.count)].utf8)
            for _ in 0..<(1 + roll(3)) {
                let place = roll(bytes.count + 1)
                switch roll(3) {
                case 0: bytes.insert(contentsOf: dice.bytes(1 + roll(2)), at: place)
                case 1: if place < bytes.count { bytes[place] = Array("{}[]\",:\\eE+-.0 \n".utf8)[roll(16)] }
                default: bytes = Array(bytes[..<place])
                }
            }
            let strict = Result { () throws(JSONError) in try JSON.parse(bytes) }
            let own = Result { () throws(GoJSON.Malformed) in try GoJSON.parse(bytes) }
            switch (strict, own) {
            case (.success, .success): break
            case (.failure(let error), .success):
                let mended: [JSONError.Problem] = [.invalidUTF8, .loneSurrogate]
                #expect(mended.contains(error.problem), "\(bytes): \(error)")
            case (.success(let value), .failure(let error)): Issue.record("\(value.text()): \(error.message)")
            case (.failure, .failure(let error)):
                #expect(!error.message.isEmpty && error.message.allSatisfy { !$0.isNewline }, "\(bytes): \(error.message)")
            }
        }
    }
}
