import LockstepPrimitives
import LockstepTestConcurrency
import LockstepWire
import Testing

@testable import LockstepFirebase

/// The reader of keyed archives returns the values of whole files, and gives up at all others.
@Suite("Keyed archives", .limitedConcurrency)
struct KeyedArchiveTests {
    private static func user(_ change: (inout JSONObject) -> Void = { _ in }) async throws -> [UInt8] {
        var members: JSONObject = [
            "userID": "ada-1", "email": "ada@example.com", "emailVerified": true, "anonymous": false, "APIKey": "key",
            "accessToken": "access", "refreshToken": "refresh",
        ]
        change(&members)
        return try await VendorApp.archive(members)
    }

    @Test(arguments: ["root", "firebase_auth_stored_user_coder_key"])
    func readsTheValuesOfAUser(_ top: String) async throws {
        let archive = try KeyedArchive(try await Self.user { $0["top"] = .string(top) })
        let user = archive.root
        #expect(archive.text("userID", of: user) == "ada-1")
        #expect(archive.text("displayName", of: user) == "Ada Lovelace – α")
        #expect(archive.text("phoneNumber", of: user) == nil)
        #expect(archive.flag("emailVerified", of: user) == true && archive.flag("anonymous", of: user) == false)
        let tokens = try #require(archive.object("tokenService", of: user))
        #expect(archive.text("refreshToken", of: tokens) == "refresh")
        #expect(archive.elements("providerData", of: user).map { archive.text("providerID", of: $0) } == ["password"])
    }

    @Test func laterVersionIsNotRead() async throws {
        let bytes = try await Self.user { $0["version"] = 100_001 }
        #expect(throws: VendorRefusal.laterForm) { try KeyedArchive(bytes) }
    }

    /// Every cut and many changed bytes: the reader never crashes, and takes no time.
    @Test func damagedFilesAreRead() async throws {
        let whole = try await Self.user()
        var seed: UInt64 = 7
        func next(_ limit: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % limit
        }
        var files = whole.indices.map { Array(whole[..<$0]) }
        for _ in 0..<20_000 {
            var file = whole
            for _ in 0...next(8) {
                // The marks, the references and the trailer break more than the texts.
                let place = next(3) == 0 ? file.count - 1 - next(64) : next(file.count)
                file[place] = [0, 1, 0x0F, 0x5F, 0x6F, 0x80, 0xAF, 0xDF, 0xFF, UInt8(next(256))][next(10)]
            }
            files.append(file)
        }
        for file in files {
            guard let archive = try? KeyedArchive(file) else { continue }
            for name in ["userID", "email", "displayName"] { _ = archive.text(name, of: archive.root) }
            _ = archive.flag("anonymous", of: archive.root)
            _ = archive.elements("providerData", of: archive.root).map { archive.text("providerID", of: $0) }
            _ = archive.object("tokenService", of: archive.root).map { archive.text("refreshToken", of: $0) }
        }
    }
}
