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

    @Test(.covers("M29")) func eachChangedValueChangesTheDigestAndIsNamed() throws {
        let target = try MoveWorld.unreachableTarget()
        let key = try #require(RunKey(bytes: Array(repeating: 7, count: 32)))
        var user = NewDirectoryUser(email: "ada@example.com", phone: "+4915112345678")
        (user.id, user.displayName, user.photoURL) = ("1", "Zo\u{EB}", "https://example.com/a.png")
        (user.isEmailConfirmed, user.isPhoneConfirmed, user.appMetadata, user.userMetadata) = (true, true, ["r": 1], ["t": "x"])
        let record = UserRecord(user, at: target)
        let changes: [(String, (inout NewDirectoryUser) -> Void)] = [
            ("id", { $0.id = "2" }), ("address", { $0.email = "adb@example.com" }),
            ("address verified", { $0.isEmailConfirmed = false }), ("number", { $0.phone = "+4915112345679" }),
            ("number verified", { $0.isPhoneConfirmed = false }), ("name", { $0.displayName = "Zoe\u{308}" }),
            ("photo", { $0.photoURL = "https://example.com/b.png" }), ("disabled", { $0.isDisabled = true }),
            ("claims", { $0.appMetadata = ["r": 2] }), ("user data", { $0.userMetadata = [:] }),
        ]
        for (name, change) in changes {
            var other = user
            change(&other)
            let changed = UserRecord(other, at: target)
            #expect(record.differences(from: changed) == [name])
            #expect(key.digest(of: record) != key.digest(of: changed))
        }
    }
}
