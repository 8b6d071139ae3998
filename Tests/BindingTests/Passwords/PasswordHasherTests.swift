import LockstepPasswords
import LockstepPrimitives
import LockstepTestSupport
import Testing

@Suite struct PasswordHasherTests {
    @Test func makesBcryptAsGoTrueDoes() throws {
        let hasher = PasswordHasher.bcrypt(randomness: SeededRandomness(seed: 1))
        let hash = try hasher.hash("Correct-Horse-1")
        #expect(hash.text.hasPrefix("$2a$10$"))
        #expect(hash.goTrueText == hash.text)
        try expectRight(hash, "Correct-Horse-1", "bcrypt")
    }

    @Test func makesFirebasesScrypt() throws {
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

    /// Cases: I10.
    @Test func neverCutsANewPassword() throws {
        let hasher = PasswordHasher.bcrypt(.least, randomness: SeededRandomness(seed: 4))
        let longest = String(repeating: "a", count: 72)
        #expect(try hasher.hash(Secret(longest)).verify(Secret(longest)))
        #expect(try !hasher.hash(Secret(longest)).verify(Secret(String(longest.dropLast()))))
        #expect(passwordErrorCode { try hasher.hash(Secret(longest + "a")) } == .passwordTooLong)
        #expect(passwordErrorCode { try hasher.hash(Secret(String(repeating: "é", count: 37))) } == .passwordTooLong)
        #expect(passwordErrorCode { try hasher.hash("a\0b") } == .passwordRefused)
    }

    @Test func worksOnAnExecutorGivenIn() async throws {
        let hasher = PasswordHasher.bcrypt(.least, randomness: SeededRandomness(seed: 5))
        let hash = try await hasher.hash("secret", on: globalConcurrentExecutor)
        #expect(try await hash.verify("secret", on: globalConcurrentExecutor))
        #expect(try await !hash.verify("Secret", on: globalConcurrentExecutor))
        await #expect(throws: PasswordError.self) { try await hasher.hash("a\0b", on: globalConcurrentExecutor) }
    }

    @Test func printsNoSignerKey() {
        let project = FirebaseScrypt.make(randomness: SeededRandomness(seed: 6))
        var dumped = "\(project) \(String(reflecting: project))"
        dump(project, to: &dumped)
        #expect(!dumped.contains("signerKey"))
        #expect(!dumped.contains("\(project.signerKey[0]), \(project.signerKey[1])"))
    }
}
