import Lockstep
import LockstepPrimitives
import Testing

@Suite("Files of the store")
struct StoredFileTests {
    private static let key = StoreKey(provider: "acme", backend: "https://acme.example/é", slot: .session)
    private static let file = StoredFile(
        key: key, revision: Revision(rawValue: "5a2557cc"), bytes: Array("{\"version\":1}\n\0\u{ff}".utf8))

    @Test func everyFlippedBitIsDetected() throws {
        let whole = Self.file.encoded()
        let read = try #require(StoredFile(whole))
        #expect((read.key, read.revision, read.bytes) == (Self.key, Self.file.revision, Self.file.bytes))
        var taken: [Int] = []
        for bit in 0..<whole.count * 8 {
            var flipped = whole
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            if StoredFile(flipped) != nil { taken.append(bit) }
        }
        #expect(taken.isEmpty, "of \(whole.count * 8) bits \(taken.count) may be flipped")
    }

    @Test func truncatedOrExtendedFileIsDetected() {
        let whole = Self.file.encoded()
        for count in 0..<whole.count { #expect(StoredFile(Array(whole.prefix(count))) == nil) }
        #expect(StoredFile(whole + [0]) == nil)
    }

    /// Versions without digests have written this, and read the current format: they look for the names that they know.
    @Test func olderAndNewerVersionsReadEachOther() throws {
        let old = #"{"lockstep":1,"provider":"acme","backend":"b","slot":"session","revision":"r","bytes":2}"# + "\nhi"
        #expect(StoredFile(Array(old.utf8))?.bytes == Array("hi".utf8))
        // A name that could be the damaged name of the digest.
        let odd = old.replacing(",\"bytes\"", with: ",\"shb256\":\"00\",\"bytes\"")
        #expect(StoredFile(Array(odd.utf8)) == nil)
        let header = try JSON.parse(Array(Self.file.encoded().prefix { $0 != UInt8(ascii: "\n") }))
        #expect(header["lockstep"]?.int == 1)
        #expect(header["bytes"]?.int == Int64(Self.file.bytes.count))
    }
}
