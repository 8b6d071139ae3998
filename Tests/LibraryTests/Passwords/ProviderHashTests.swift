import LockstepPasswords
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@Suite struct ProviderHashTests {
    @Test func verifiesEveryHasherOfClerk() throws {
        let vectors = try PasswordVectors.list("clerk")
        var hashers: Set<String> = []
        for vector in vectors {
            let hasher = ClerkHasher(rawValue: try vector.text("hasher"))
            hashers.insert(hasher.rawValue)
            let hash = try PasswordHash(clerkDigest: vector.text("digest"), hasher: hasher)
            try expectRight(hash, vector.secret("password"), "\(hasher.rawValue)")
            let written = try #require(hash.clerkDigest)
            let again = try PasswordHash(clerkDigest: written.digest, hasher: written.hasher)
            #expect(try again.verify(vector.secret("password")), "\(hasher.rawValue)")
        }
        #expect(hashers.count == 19)
    }

    @Test func rejectsDigestsOfOtherHashers() throws {
        for vector in try PasswordVectors.list("clerk") {
            let digest = try vector.text("digest")
            #expect(
                passwordErrorCode { try PasswordHash(clerkDigest: digest, hasher: ClerkHasher(rawValue: "nobody")) }
                    == .unsupported)
            #expect(
                passwordErrorCode { try PasswordHash(clerkDigest: digest, hasher: ClerkHasher(rawValue: "awscognito")) }
                    == .unsupported)
            #expect(
                passwordErrorCode { try PasswordHash(clerkDigest: "", hasher: ClerkHasher(rawValue: try vector.text("hasher"))) }
                    == .malformed
            )
            if try vector.text("hasher") != "bcrypt" {
                #expect(passwordErrorCode { try PasswordHash(clerkDigest: digest, hasher: .bcrypt) } == .malformed)
            }
        }
    }

    @Test func verifiesEveryAlgorithmOfFirebase() throws {
        let vectors = try PasswordVectors.list("firebase")
        var algorithms: Set<String> = []
        for vector in vectors {
            let body = try #require(vector["body"]?.object)
            algorithms.insert(try vector["body"]?.text("hashAlgorithm") ?? "")
            let hash = try FirebaseHashing(body).hash(passwordHash: vector.text("passwordHash"), salt: vector.text("salt"))
            try expectRight(hash, vector.secret("password"), "\(JSON.object(body).text())")
            let written = try #require(hash.firebaseImport, "\(JSON.object(body).text())")
            #expect(written.parameters["hashAlgorithm"] == body["hashAlgorithm"])
            let again = try FirebaseHashing(written.parameters).hash(passwordHash: written.passwordHash, salt: written.salt)
            #expect(again == hash)
        }
        #expect(algorithms.count == 13)
    }

    /// Missing parameters have production's defaults (firebase-admin-node, test/integration/auth.spec.ts, `importUsers()`).
    @Test(arguments: [
        (#"{"hashAlgorithm":"HMAC_SHA256","signerKey":"c2VjcmV0"}"#, "C5WKh-Qa5RkMlq-h5DX5XKsBOsQt_DEKEaUBAMQqrlI="),
        (#"{"hashAlgorithm":"SHA256","rounds":1}"#, "sgq3SqJUn34ToOiGy0RxzC5w_NLOgHXA7mSDq7phMvM="),
        (#"{"hashAlgorithm":"MD5","rounds":0}"#, "NjJkMTlmN2U3ZGRjYjU5NDY3Mjg3NzZkMjVlNDEwZWQ="),
    ])
    func usesProductionsDefaultOrderOfSaltAndPassword(body: String, digest: String) throws {
        let parameters = try #require(JSON.parse(body).object)
        let hash = try FirebaseHashing(parameters).hash(passwordHash: digest, salt: "TmFDbA==")
        try expectRight(hash, "password", "\(body)")
        let written = try #require(hash.firebaseImport)
        if parameters["hashAlgorithm"] == "MD5" {
            #expect(written.parameters == parameters && written.passwordHash == digest)
        }
    }

    /// Costs beyond Firebase's (firebase-admin, src/auth/user-import-builder.ts), and unsupported algorithms.
    @Test(
        .covers("M03"),
        arguments: [
            "$argon2id$v=19$m=65536,t=3,p=4$c2FsdHNhbHQ$aGFzaGhhc2g", "$argon2id$v=19$m=8192,t=17,p=1$c2FsdHNhbHQ$aGFzaGhhc2g",
            "$argon2id$v=19$m=8192,t=1,p=17$c2FsdHNhbHQ$aGFzaGhhc2g", "pbkdf2_sha256$600000$salt$aGFzaA==",
            "$pbkdf2-sha512$i=1000$c2FsdA$aGFzaA", "$P$B55D6LjfHDkINU5wF.v2BuuzO0/XPk/", "$6$salt$hash",
        ])
    func writesNoImportThatFirebaseRejects(text: String) throws {
        #expect(try PasswordHash(text).firebaseImport == nil)
    }

    @Test func importDescriptionShowsNoHash() throws {
        let hash = try PasswordHash("$2b$06$nDfMrgWWFyM5QLIsa8q0v.Xn0BpJglYVwoYJKgmFOZ9VB3ljSaIz2")
        let written = try #require(hash.firebaseImport)
        var dumped = ""
        dump(written, to: &dumped)
        #expect(!"\(written)\(dumped)".contains(written.passwordHash))
    }

    @Test func verifiesThePublishedVectorOfFirebasesScrypt() throws {
        let vector = try PasswordVectors.reference("firebase")
        var body = try #require(vector.object)
        body["hashAlgorithm"] = "SCRYPT"
        let hash = try FirebaseHashing(body).hash(passwordHash: vector.text("passwordHash"), salt: vector.text("salt"))
        try expectRight(hash, vector.secret("password"), "published")
        // The same hash in the formats of the other two.
        let goTrue = try PasswordHash(goTrue: try #require(hash.goTrueText))
        #expect(try goTrue.verify("user1password"))
        let clerk = try #require(hash.clerkDigest)
        #expect(clerk.hasher == .scryptFirebase)
        #expect(try PasswordHash(clerkDigest: clerk.digest, hasher: clerk.hasher) == hash)
        let record = try #require(hash.firebaseRecord)
        #expect(try FirebaseHashing(body).hash(passwordHash: record.passwordHash, salt: record.salt) == hash)
    }

    @Test func verifiesHashesThatGoTrueAccepts() throws {
        let vector = try PasswordVectors.reference("goTrue")
        let texts = try #require(vector["texts"]?.array).compactMap(\.string)
        #expect(texts.count == 4)
        for text in texts {
            let hash = try PasswordHash(goTrue: text)
            try expectRight(hash, vector.secret("password"), "\(text)")
            #expect(hash.goTrueText == text)
        }
    }

    @Test(
        .covers("M03"),
        arguments: [
            "$argon2d$v=19$m=8,t=1,p=1$AAAAAAAAAAA$AAAAAAAA", "$argon2id$v=16$m=8,t=1,p=1$AAAAAAAAAAA$AAAAAAAA",
            "$argon2id$v=19$m=1048577,t=1,p=1$AAAAAAAAAAA$AAAAAAAA", "$argon2id$v=19$m=8,t=21,p=1$AAAAAAAAAAA$AAAAAAAA",
            "$argon2id$v=19$m=256,t=1,p=17$AAAAAAAAAAA$AAAAAAAA", "$argon2id$v=19$m=8,t=1,p=1,data=AAAA$AAAAAAAAAAA$AAAAAAAA",
            "$pbkdf2-sha256$i=1$AAAA$AAAA", "$5$salt$hash",
        ])
    func rejectsHashesThatGoTrueRejects(text: String) throws {
        #expect(passwordErrorCode { try PasswordHash(goTrue: text) } == .unsupported)
        #expect(try PasswordHash(text).goTrueText == nil)
    }

    @Test(
        .covers("M06"),
        arguments: [
            #"{}"#, #"{"hashAlgorithm":"SHA3"}"#, #"{"hashAlgorithm":"SCRYPT","rounds":8,"memoryCost":14}"#,
            #"{"hashAlgorithm":"SCRYPT","signerKey":"AAAA","rounds":9,"memoryCost":14}"#,
            #"{"hashAlgorithm":"SCRYPT","signerKey":"AAAA","rounds":8,"memoryCost":15}"#,
            #"{"hashAlgorithm":"SHA256","rounds":0}"#,
            #"{"hashAlgorithm":"SHA256","rounds":8193}"#, #"{"hashAlgorithm":"SHA256"}"#, #"{"hashAlgorithm":"HMAC_SHA256"}"#,
            #"{"hashAlgorithm":"HMAC_SHA256","signerKey":"!"}"#, #"{"hashAlgorithm":"PBKDF2_SHA256","rounds":120001}"#,
            #"{"hashAlgorithm":"ARGON2"}"#, #"{"hashAlgorithm":"ARGON2","argon2Parameters":{"hashType":"ARGON2_X"}}"#,
            #"{"hashAlgorithm":"STANDARD_SCRYPT","cpuMemCost":16,"parallelization":1,"blockSize":8}"#,
        ])
    func rejectsParametersOutOfRange(body: String) throws {
        let object = try #require(JSON.parse(body).object)
        let verdict = passwordErrorCode { try FirebaseHashing(object) }
        #expect(verdict == .malformed || verdict == .unsupported)
    }
}
