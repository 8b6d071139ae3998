import LockstepPasswords
import LockstepPrimitives
import LockstepTestSupport
import Testing

@Suite struct PasswordHashTests {
    @Test func verifiesHashesOfOtherLibraries() throws {
        let vectors = try PasswordVectors.list("plain")
        #expect(vectors.count == 42)
        for vector in vectors {
            let text = try vector.text("text")
            try expectRight(PasswordHash(text), vector.secret("password"), "\(text)")
        }
    }

    @Test(arguments: [
        "", "password", "$", "$9$abc", "$2b$10", "$3$10$abc", "plain:text", "{SHA}abc", "{CLEAR}abc",
        "$Argon2id$v=19$m=8,t=1,p=1$a$b",
    ])
    func rejectsTextThatIsNotAKnownHash(text: String) {
        let verdict = passwordErrorCode { try PasswordHash(text) }
        #expect(verdict == .unsupported || verdict == .malformed)
    }

    @Test(arguments: [
        "$2b$03$DhiyxEjQDgBXZn5YwQ602.6eE.A5.F9L5iG7oGbUl4fpGeT/22dxm",
        "$2b$32$DhiyxEjQDgBXZn5YwQ602.6eE.A5.F9L5iG7oGbUl4fpGeT/22dxm",
        "$2b$06$DhiyxEjQDgBXZn5YwQ602.6eE.A5.F9L5iG7oGbUl4fpGeT/22dx",
        "$2b$06$DhiyxEjQDgBXZn5YwQ602.6eE.A5.F9L5iG7oGbUl4fpGeT/22dx!",
        "$2c$06$DhiyxEjQDgBXZn5YwQ602.6eE.A5.F9L5iG7oGbUl4fpGeT/22dxm", "$argon2id$v=18$m=8,t=1,p=1$AAAAAAAAAAA$AAAAAAAA",
        "$argon2id$v=+19$m=8,t=1,p=1$AAAAAAAAAAA$AAAAAAAA", "$argon2id$v=019$m=8,t=1,p=1$AAAAAAAAAAA$AAAAAAAA",
        "$argon2id$v=19$m=8,t=+1,p=1$AAAAAAAAAAA$AAAAAAAA", "$argon2id$v=19$m=2147483648,t=1,p=1$AAAAAAAAAAA$AAAAAAAA",
        "$2b$+4$nDfMrgWWFyM5QLIsa8q0v.Xn0BpJglYVwoYJKgmFOZ9VB3ljSaIz2",
        "$2b$-4$nDfMrgWWFyM5QLIsa8q0v.Xn0BpJglYVwoYJKgmFOZ9VB3ljSaIz2",
        "$argon2id$v=19$m=8,t=0,p=1$AAAAAAAAAAA$AAAAAAAA", "$argon2id$v=19$m=8,t=1,p=2$AAAAAAAAAAA$AAAAAAAA",
        "$argon2id$v=19$m=8,t=1,p=1,x=1$AAAAAAAAAAA$AAAAAAAA", "$argon2id$v=19$m=8,t=1$AAAAAAAAAAA$AAAAAAAA",
        "$argon2id$v=19$m=08,t=1,p=1$AAAAAAAAAAA$AAAAAAAA", "$argon2id$v=19$m=8,t=1,p=1$AAAA$AAAAAAAA",
        "$argon2id$v=19$m=8,m=8,t=1,p=1$AAAAAAAAAAA$AAAAAAAA", "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==$AAAA$AAAA",
        "$fbscrypt$v=2,n=14,r=8,p=1,sk=AAAA$AAAA$AAAA", "$fbscrypt$v=1,n=15,r=8,p=1,sk=AAAA$AAAA$AAAA",
        "$scrypt$ln=0,r=8,p=1$AAAA$AAAA",
        "$scrypt$ln=64,r=8,p=1$AAAA$AAAA", "scrypt:3:8:1$salt$00", "scrypt:16:8$salt$00", "$pbkdf2-sha256$i=0$AAAA$AAAA",
        "$pbkdf2-sha999$i=1$AAAA$AAAA", "pbkdf2_sha256$-1$salt$AAAA", "pbkdf2_sha256$99999999999999999999$salt$AAAA",
        "$P$Bshort", "$P$.12345678.12345678901234567890.", "{SSHA}AAAA", "{SSHA}!", "$digest-sha256$n=1,o=xx$AAAA$AAAA",
        "$digest-sha256$n=1,o=sp$AAAA$AAAA", "$hmac-sha256$o=sp$AAAA$AAAA", "bcrypt_sha256$2b$06$abc", "$5$",
        "$5$rounds=x$salt$hash",
    ])
    func rejectsBrokenHashes(text: String) {
        #expect(passwordErrorCode { try PasswordHash(text) } == .malformed)
    }

    /// Hashes that would exhaust the server that checks them.
    ///
    /// None of these may be computed.
    @Test(arguments: [
        "$2b$31$DhiyxEjQDgBXZn5YwQ602.6eE.A5.F9L5iG7oGbUl4fpGeT/22dxm",
        "$2b$19$DhiyxEjQDgBXZn5YwQ602.6eE.A5.F9L5iG7oGbUl4fpGeT/22dxm",
        "$argon2id$v=19$m=2147483647,t=1,p=1$AAAAAAAAAAA$AAAAAAAA",
        "$argon2id$v=19$m=65536,t=2147483647,p=1$AAAAAAAAAAA$AAAAAAAA",
        "$scrypt$ln=30,r=1073741824,p=1073741824$AAAA$AAAA", "$scrypt$ln=17,r=8,p=1000$AAAA$AAAA",
        "$scrypt$ln=22,r=8,p=1$AAAA$AAAA",
        "$pbkdf2-sha256$i=2147483647$AAAA$AAAA", "$5$rounds=999999999$salt$hash", "$P$S12345678.123456789012345678901",
    ])
    func rejectsHashesThatCostTooMuch(text: String) throws {
        let hash = try PasswordHash(text)
        #expect(passwordErrorCode { try hash.verify("password") } == .tooCostly)
    }

    @Test func rejectsHashesBeyondTheGivenLimits() throws {
        let hash = try PasswordHash("$argon2id$v=19$m=64,t=1,p=1$AAAAAAAAAAA$AAAAAAAA")
        #expect(try !hash.verify("password", limits: PasswordLimits(memory: 65536, time: .seconds(1))))
        #expect(
            passwordErrorCode { try hash.verify("password", limits: PasswordLimits(memory: 65535, time: .seconds(1))) }
                == .tooCostly)
        #expect(
            passwordErrorCode { try hash.verify("password", limits: PasswordLimits(memory: 65536, time: .microseconds(63))) }
                == .tooCostly)
    }

    @Test func passwordsThatCryptCannotHashAreWrong() throws {
        let hash = try PasswordHasher.bcrypt(.least, randomness: SeededRandomness(seed: 1)).hash("a")
        #expect(try !hash.verify("a\0b"))
        #expect(try !hash.verify(Secret(String(repeating: "a", count: 1000))))
    }

    @Test func printsNoHash() throws {
        for vector in try PasswordVectors.list("plain") {
            let hash = try PasswordHash(vector.text("text"))
            var dumped = "\(hash) \(String(reflecting: hash))"
            dump(hash, to: &dumped)
            #expect(!dumped.contains(hash.text.suffix(12)))
        }
    }
}
