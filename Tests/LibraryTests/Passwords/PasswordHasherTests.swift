import LockstepPasswords
import LockstepPrimitives
import LockstepTestSupport
import Testing

@Suite struct PasswordHasherTests {
    @Test func makesBcryptHashesLikeGoTrue() throws {
        let hasher = PasswordHasher.bcrypt(randomness: SeededRandomness(seed: 1))
        let hash = try hasher.hash("Correct-Horse-1")
        #expect(hash.text.hasPrefix("$2a$10$"))
        #expect(hash.goTrueText == hash.text)
        try expectRight(hash, "Correct-Horse-1", "bcrypt")
    }

    @Test func makesFirebaseScryptHashes() throws {
        let randomness = SeededRandomness(seed: 2)
        for cost in [PasswordCost.real, .least] {
            let project = FirebaseScrypt.make(cost, randomness: randomness)
            #expect(project.memoryCost == (cost == .real ? 14 : 1))
            let hash = try PasswordHasher.firebase(project, randomness: randomness).hash("Correct-Horse-1")
            try expectRight(hash, "Correct-Horse-1", "fbscrypt")
            let record = try #require(hash.firebaseRecord)
            #expect(try FirebaseHashing(project).hash(passwordHash: record.passwordHash, salt: record.salt) == hash)
            #expect(record.passwordHash.utf8.count == 88)
        }
    }

    @Test func noTwoHashesAreTheSame() throws {
        let hasher = PasswordHasher.bcrypt(.least, randomness: SeededRandomness(seed: 3))
        #expect(try hasher.hash("a") != hasher.hash("a"))
    }

    @Test func rejectsANewPasswordThatBcryptWouldCut() throws {
        let hasher = PasswordHasher.bcrypt(.least, randomness: SeededRandomness(seed: 4))
        let longest = String(repeating: "a", count: 72)
        #expect(try hasher.hash(Secret(longest)).verify(Secret(longest)))
        #expect(try !hasher.hash(Secret(longest)).verify(Secret(String(longest.dropLast()))))
        #expect(passwordErrorCode { try hasher.hash(Secret(longest + "a")) } == .passwordTooLong)
        #expect(passwordErrorCode { try hasher.hash(Secret(String(repeating: "é", count: 37))) } == .passwordTooLong)
    }

    @Test func bcryptHashesEveryByteOfAPasswordWithANUL() throws {
        let hasher = PasswordHasher.bcrypt(.least, randomness: SeededRandomness(seed: 7))
        for password in ["a\0b", "\0", "a\0", "\0a", String(repeating: "\0", count: 72), "Correct\0Horse-1 é"] {
            let hash = try hasher.hash(Secret(password))
            #expect(hash.text.hasPrefix("$2a$04$") && hash.text.utf8.count == 60)
            #expect(try PasswordHash(goTrue: hash.text).verify(Secret(password)))
            #expect(
                try !hash.verify(Secret(password + "\0")) || password.utf8.count == 72 || password.utf8.allSatisfy { $0 == 0 })
            #expect(try !hash.verify(Secret(password + "x")) || password.utf8.count == 72)
            #expect(try !hash.verify("a") && !hash.verify("wrong"))
        }
    }

    /// Created by the package bcrypt for Python, which handles a NUL like Go's library.
    @Test(arguments: [
        ("a\0b", "$2a$04$abcdefghijklmnopqrstuusjHI0zQHpOe3SFDK1IriYv6N79Gzr32"),
        ("Correct\0Horse-1", "$2a$04$abcdefghijklmnopqrstuuqZ7RUdivIhv/9PeYapyHe4CS6pHGdj."),
    ])
    func bcryptWithANULAgreesWithPython(_ password: String, _ hash: String) throws {
        #expect(try PasswordHash(goTrue: hash).verify(Secret(password)))
        #expect(try !PasswordHash(goTrue: hash).verify(Secret(password + "x")))
    }

    /// bcrypt repeats the key with the NUL after it, so these are one password.
    ///
    /// libcrypt created the hash, and this package
    /// verifies it.
    @Test func bcryptWithANULAgreesWithLibcrypt() throws {
        let hash = try PasswordHasher.bcrypt(.least, randomness: SeededRandomness(seed: 8)).hash("ab")
        #expect(try hash.verify("ab") && hash.verify("ab\0ab") && hash.verify("ab\0ab\0ab"))
        #expect(try !hash.verify("ab\0a") && !hash.verify("ab\0ba"))
    }

    /// The verification uses 72 bytes of a longer password.
    @Test func bcryptVerifiesTheFirst72Bytes() throws {
        let longest = String(repeating: "a", count: 72)
        let hash = try PasswordHasher.bcrypt(.least, randomness: SeededRandomness(seed: 9)).hash(Secret(longest))
        for more in ["b", String(repeating: "b", count: 1000), "\0b"] { #expect(try hash.verify(Secret(longest + more))) }
    }

    @Test func hashesOnTheGivenExecutor() async throws {
        let hasher = PasswordHasher.bcrypt(.least, randomness: SeededRandomness(seed: 5))
        let hash = try await hasher.hash("secret", on: globalConcurrentExecutor)
        #expect(try await hash.verify("secret", on: globalConcurrentExecutor))
        #expect(try await !hash.verify("Secret", on: globalConcurrentExecutor))
        let long = Secret(String(repeating: "a", count: 73))
        await #expect(throws: PasswordError.self) { try await hasher.hash(long, on: globalConcurrentExecutor) }
    }

    @Test func printsNoSignerKey() {
        let project = FirebaseScrypt.make(randomness: SeededRandomness(seed: 6))
        var dumped = "\(project) \(String(reflecting: project))"
        dump(project, to: &dumped)
        #expect(!dumped.contains("signerKey"))
        #expect(!dumped.contains("\(project.signerKey[0]), \(project.signerKey[1])"))
    }
}
