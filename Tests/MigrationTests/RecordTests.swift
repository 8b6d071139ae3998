import LockstepCurl
import LockstepDirectory
import LockstepGoTrueDirectory
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepMigration

@Suite("Records of a move", .limitedConcurrency) struct RecordTests {
    /// RFC 9562, appendix A.4.
    @Test(.covers("M32")) func nameIsHashedAsTheStandardSays() {
        #expect(NameUUID("www.example.com", in: .dns).text == "2ed6657d-e927-568b-95e1-2665a8aea6a2")
    }

    @Test func otherProjectsAndIDsGiveOtherUUIDs() {
        let space = NameUUID("lockstep:firebase a", in: .url)
        #expect(NameUUID("u", in: space) == NameUUID("u", in: NameUUID("lockstep:firebase a", in: .url)))
        #expect(NameUUID("u", in: space) != NameUUID("u", in: NameUUID("lockstep:firebase b", in: .url)))
        #expect(NameUUID("u", in: space) != NameUUID("U", in: space))
    }

    @Test func orderOfMembersDoesNotChangeADigest() throws {
        let target = try MoveWorld.unreachableTarget()
        var one = NewDirectoryUser(email: "ada@example.com")
        one.appMetadata = ["a": ["x": 1, "y": 2], "b": 3]
        var other = one
        other.appMetadata = ["b": 3, "a": ["y": 2, "x": 1]]
        let key = try #require(RunKey(bytes: Array(repeating: 7, count: 32)))
        #expect(key.digest(of: UserRecord(one, at: target)) == key.digest(of: UserRecord(other, at: target)))
        let second = try #require(RunKey(bytes: Array(repeating: 8, count: 32)))
        #expect(key.digest(of: UserRecord(one, at: target)) != second.digest(of: UserRecord(one, at: target)))
    }
}
