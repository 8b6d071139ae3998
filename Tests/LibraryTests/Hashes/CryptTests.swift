import LockstepPrimitives
import LockstepTestSupport
import Testing

@testable import LockstepPasswords

@Suite struct CryptTests {
    @Test func agreesWithOtherImplementations() throws {
        let vectors = try HashVectors.list("crypt")
        #expect(vectors.count == 20)
        for vector in vectors {
            let hash = try vector.text("hash")
            let password = try vector.bytes("password")
            #expect(try Crypt.hash(password, setting: hash) == hash)
            #expect(try Crypt.hash([0x21] + password, setting: hash) != hash)
        }
    }

    @Test(arguments: [
        (CryptScheme.bcrypt, 4, "$2b$04$"), (.bcryptA, 5, "$2a$05$"), (.bcryptY, 4, "$2y$04$"),
        (.sha256, 1000, "$5$rounds=1000$"),
        (.sha512, 1234, "$6$rounds=1234$"),
    ])
    func createsCryptSettings(scheme: CryptScheme, cost: Int, start: String) throws {
        let random = SeededRandomness(seed: 7)
        let setting = try Crypt.setting(scheme, cost: cost, random: random.bytes(16))
        #expect(setting.hasPrefix(start))
        #expect(try Crypt.setting(scheme, cost: cost, random: random.bytes(16)) != setting)
        let hash = try Crypt.hash(Array("secret".utf8), setting: setting)
        #expect(hash.hasPrefix(setting))
        #expect(try Crypt.hash(Array("secret".utf8), setting: hash) == hash)
        #expect(try Crypt.hash(Array("Secret".utf8), setting: hash) != hash)
    }

    @Test func rejectsUnknownCostsAndSchemes() {
        let random = [UInt8](0..<16)
        #expect(code { try Crypt.setting(.bcrypt, cost: 3, random: random) } == .invalidParameter)
        #expect(code { try Crypt.setting(.bcrypt, cost: 32, random: random) } == .invalidParameter)
        #expect(code { try Crypt.setting(.bcrypt, cost: 0, random: random) } == .invalidParameter)
        #expect(code { try Crypt.setting(.bcrypt, cost: 4, random: [1]) } == .invalidParameter)
        #expect(code { try Crypt.setting(CryptScheme(rawValue: "$nobody$"), cost: 4, random: random) } == .invalidParameter)
    }

    @Test(arguments: [
        "", "*0", "$2b$", "$2b$04$short", "$2b$99$abcdefghijklmnopqrstuu", "$nobody$abc", "$2b$04$\0bcdefghijklmnopqrstuu",
    ])
    func rejectsBrokenSettings(setting: String) {
        #expect(code { try Crypt.hash([0x61], setting: setting) } == .invalidParameter)
    }

    @Test func rejectsPasswordsThatACStringCannotHold() throws {
        let setting = try Crypt.setting(.bcrypt, cost: 4, random: [UInt8](0..<16))
        #expect(code { try Crypt.hash([0x61, 0, 0x62], setting: setting) } == .invalidPassword)
        #expect(code { try Crypt.hash([UInt8](repeating: 0x61, count: 512), setting: setting) } == .invalidPassword)
        #expect(try Crypt.hash([UInt8](repeating: 0x61, count: 511), setting: setting).hasPrefix(setting))
    }
}
