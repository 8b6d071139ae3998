import LockstepCrypto
import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Users who are imported with the hashes of their passwords.
@Suite(.limitedConcurrency)
struct ImportTests {
    /// An import of one user with the address `ada@example.com`.
    private static func users(_ hash: String, salt: String? = nil, _ parameters: JSONObject) -> JSON {
        var user: JSONObject = ["localId": "user-1", "email": "ada@example.com", "passwordHash": .string(hash)]
        user["salt"] = salt.map(JSON.string)
        var body: JSONObject = ["users": [.object(user)]]
        for (name, value) in parameters { body[name] = value }
        return .object(body)
    }

    /// Firebase's own example (https://github.com/firebase/scrypt).
    private static let scrypt: JSONObject = [
        "hashAlgorithm": "SCRYPT",
        "signerKey": "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==",
        "saltSeparator": "Bw==", "rounds": 8, "memoryCost": 14,
    ]
    private static let scryptHash = "lSrfV15cpx95_sZS2W9c9Kp6i_LVgQNDNC_qzrCnh1SAyZvqmZqAjTdn3aoItz-VHjoZilo78198JAdRuid5lQ=="

    private static func imports(_ name: String) -> (body: JSON, password: String) {
        switch name {
        case "scrypt": (users(scryptHash, salt: "42xEC-ixf3L2lw==", scrypt), "user1password")
        case "bcrypt":
            // $2b$04$… of the crypt(3) implementation, in base 64.
            (
                users(
                    "JDJiJDA0JGFiY2RlZmdoaWprbG1ub3BxcnN0dXVuQk1nQnlhSUFaWXVGZ01VakJ4OGFhZVUvOVdlNXhh",
                    ["hashAlgorithm": "BCRYPT"]), "hunter22"
            )
        case "sha256":
            // SHA-256 of "salthunter22".
            (
                users(
                    Base64.encode(HashFunction.sha256.digest("salthunter22")), salt: Base64.encode("salt".utf8),
                    ["hashAlgorithm": "SHA256", "rounds": 1, "passwordHashOrder": "SALT_AND_PASSWORD"]), "hunter22"
            )
        default: (users("fakeHash:salt=s:password=hunter22", salt: "s", [:]), "hunter22")
        }
    }

    /// A test restores a project.
    ///
    /// Firebase's emulator accepts its own list. Production requires the algorithm.
    @Test(arguments: FirebaseMode.allCases)
    func listedUsersAreImportedWithTheirPasswords(_ mode: FirebaseMode) async throws {
        let emulator = try TestEmulator(mode)
        let id = try await emulator.signUp()["localId"]
        let path = "/identitytoolkit.googleapis.com/v1/projects/demo-lockstep/accounts:batchGet"
        let listed = try #require(try await emulator.configure(.get, path).json["users"]?[0])
        var user: JSONObject = [:]
        for name in ["localId", "email", "passwordHash", "salt"] { user[name] = listed[name] }
        try emulator.admin.deleteUser(id)
        let imported = try await emulator.manage("accounts:batchCreate", ["users": [.object(user)]])
        if mode == .strict {
            #expect(imported.code == "MISSING_HASH_ALGORITHM")
        } else {
            #expect(try await emulator.signIn(password: "wrong one").code == "INVALID_PASSWORD")
            #expect(try await emulator.signIn()["localId"] == id)
        }
    }

    @Test(arguments: ["scrypt", "bcrypt", "sha256", "emulator"], [FirebaseMode.emulator, .strict])
    func importedHashesSignIn(_ name: String, _ mode: FirebaseMode) async throws {
        if name == "emulator", mode == .strict { return }
        let emulator = try TestEmulator(mode)
        let (body, password) = Self.imports(name)
        let response = try await emulator.manage("accounts:batchCreate", body)
        #expect(response.status == 200)
        #expect(try await emulator.signIn(password: "wrong one").status == 400)
        #expect(try await emulator.signIn(password: password)["localId"] == "user-1")
        #expect(try await emulator.signIn(password: password)["localId"] == "user-1")
    }

    @Test func productionReplacesAnImportedHashAtTheFirstSignIn() async throws {
        let emulator = try TestEmulator()
        let (body, password) = Self.imports("bcrypt")
        _ = try await emulator.manage("accounts:batchCreate", body)
        func version() async throws -> JSON? {
            let project = emulator.server.emulator.settings.project
            let path = emulator.server.base + TestEmulator.toolkit + "projects/\(project)/accounts:batchGet"
            let list = try await emulator.send(HTTPRequest(.get, path, headers: ["Authorization": "Bearer owner"]))
            return list.json["users"]?[0]?["version"]
        }
        #expect(try await version() == nil)
        #expect(try await emulator.signIn(password: password).status == 200)
        #expect(try await version() == 0)
        #expect(try await emulator.signIn(password: password).status == 200)
    }

    @Test func hashesWithoutAnAlgorithmAreRejectedByProduction() async throws {
        let emulator = try TestEmulator()
        #expect(try await emulator.manage("accounts:batchCreate", Self.users("aGFzaA==", [:])).code == "MISSING_HASH_ALGORITHM")
        let scrypt: JSONObject = ["cpuMemCost": 1024, "blockSize": 8, "parallelization": 1, "dkLen": 4]
        let firebase: JSONObject = ["signerKey": "a2V5", "rounds": 8, "memoryCost": 14]
        for (algorithm, parameters, code) in [
            ("ROT13", [:], "INVALID_HASH_ALGORITHM"), ("ARGON2", [:], "INVALID_HASH_ALGORITHM"),
            ("SHA256", [:], "INVALID_HASH_ROUNDS"), ("SHA256", ["rounds": 8193], "INVALID_HASH_ROUNDS"),
            ("MD5", ["rounds": -1], "INVALID_HASH_ROUNDS"), ("PBKDF2_SHA256", ["rounds": 120_001], "INVALID_HASH_ROUNDS"),
            ("PBKDF_SHA1", ["rounds": 0], "INVALID_HASH_ROUNDS"), ("HMAC_SHA256", [:], "INVALID_HASH_KEY"),
            ("SCRYPT", firebase.adding(["rounds": 9]), "INVALID_HASH_ROUNDS"),
            ("SCRYPT", firebase.adding(["memoryCost": 15]), "INVALID_HASH_MEMORY_COST"),
            ("SCRYPT", firebase.adding(["signerKey": "!"]), "INVALID_HASH_KEY"),
            ("SCRYPT", firebase.adding(["saltSeparator": "!"]), "INVALID_HASH_SALT_SEPARATOR"),
            ("STANDARD_SCRYPT", scrypt.adding(["cpuMemCost": 1000]), "INVALID_HASH_MEMORY_COST"),
            ("STANDARD_SCRYPT", scrypt.adding(["blockSize": 0]), "INVALID_HASH_BLOCK_SIZE"),
            ("STANDARD_SCRYPT", scrypt.adding(["parallelization": 0]), "INVALID_HASH_PARALLELIZATION"),
            ("STANDARD_SCRYPT", scrypt.adding(["dkLen": 0]), "INVALID_HASH_DERIVED_KEY_LENGTH"),
        ] as [(String, JSONObject, String)] {
            let body = Self.users("aGFzaA==", parameters.adding(["hashAlgorithm": .string(algorithm)]))
            #expect(try await emulator.manage("accounts:batchCreate", body).code == code, "\(algorithm) \(parameters)")
        }
        #expect(try emulator.admin.userCount() == 0)
    }

    /// Firebase's emulator, and this one in its mode, store such values as they are.
    @Test func productionReadsTheFormOfEachValue() async throws {
        let emulator = try TestEmulator()
        let factor: JSONObject = ["phoneInfo": "+15555550100"]
        for user in [
            ["passwordHash": "!"], ["salt": "!"], ["createdAt": "yesterday"], ["lastLoginAt": "1e3"], ["validSince": "x"],
            ["mfaInfo": [.object(factor.adding(["enrolledAt": "yesterday"]))]],
        ] as [JSONObject] {
            let body: JSON = ["users": [.object(user.adding(["localId": "ada"]))], "hashAlgorithm": "BCRYPT"]
            let refused = try await emulator.manage("accounts:batchCreate", body)
            #expect(refused.status == 400 && refused.json["error"]?["status"] == "INVALID_ARGUMENT", "\(user) \(refused.json)")
        }
        #expect(try emulator.admin.userCount() == 0)
    }

    /// The rules that the rest of the server also applies: of ids, of second factors, and one identity of each provider.
    @Test func anImportStoresNothingThatTheServerRefuses() async throws {
        let emulator = try TestEmulator()
        let numbers = (0..<6).map { JSON.object(["phoneInfo": .string("+1555555010\($0)")]) }
        let verified: JSONObject = ["email": "ada@example.com", "emailVerified": true]
        for user in [
            ["localId": .string(String(repeating: "i", count: 129))],
            verified.adding(["localId": "ada", "mfaInfo": .array(numbers)]),
            verified.adding(["localId": "ada", "mfaInfo": [numbers[0], numbers[0]]]),
        ] as [JSONObject] {
            let answer = try await emulator.manage("accounts:batchCreate", ["users": [.object(user)]])
            #expect(answer.json["error"]?.array?.count == 1, "\(user) \(answer.json)")
        }
        #expect(try emulator.admin.userCount() == 0)
        let two: JSON = [["providerId": "google.com", "rawId": "1"], ["providerId": "google.com", "rawId": "2"]]
        _ = try await emulator.manage("accounts:batchCreate", ["users": [["localId": "ada", "providerUserInfo": two]]])
        #expect(try emulator.admin.user(id: "ada")?.providers == ["google.com"])
    }
}

extension JSONObject {
    fileprivate func adding(_ more: JSONObject) -> JSONObject {
        var copy = self
        for (name, value) in more { copy[name] = value }
        return copy
    }
}
