import LockstepTestConcurrency
import Testing

@testable import LockstepDashboard

/// `make pages` checks that a camera reads the codes.
@Suite("QR codes", .limitedConcurrency) struct QRCodeTests {
    /// The three finder patterns of each code: a dark frame around a light one around a dark square.
    @Test(arguments: [1, 14, 100, 600, 2331]) func codeHasThreeFinderPatterns(_ count: Int) throws {
        let code = try #require(QRCode([UInt8](repeating: 0x41, count: count)))
        #expect(code.size >= 21 && code.size % 4 == 1)
        for (left, top) in [(0, 0), (code.size - 7, 0), (0, code.size - 7)] {
            for y in 0..<7 {
                for x in 0..<7 {
                    let ring = max(abs(x - 3), abs(y - 3))
                    #expect(code[left + x, top + y] == (ring != 2), "\(x), \(y)")
                }
            }
        }
    }

    @Test func otherBytesMakeAnotherCode() throws {
        let codes = try ["a", "b"].map { try #require(QRCode(Array($0.utf8))) }
        let places = (0..<21).flatMap { y in (0..<21).map { (x: $0, y: y) } }
        #expect(places.contains { codes[0][$0.x, $0.y] != codes[1][$0.x, $0.y] })
    }

    @Test(arguments: [0, 2332, 100_000]) func unsupportedLengthHasNoCode(_ count: Int) {
        #expect(QRCode([UInt8](repeating: 0x41, count: count)) == nil)
    }
}
