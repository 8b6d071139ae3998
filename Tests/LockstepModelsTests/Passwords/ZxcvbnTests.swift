#if os(Linux)
@testable import LockstepPasswordStrength
import LockstepPrimitives
import LockstepSystem
import LockstepTestSupport
import Testing

@Suite("zxcvbn") struct ZxcvbnTests {
    private typealias Pattern = ZxcvbnEstimate.Pattern

    private static func bits(_ password: String, _ words: [String] = []) -> Double {
        Zxcvbn.estimate(Secret(password), words: words).bits
    }

    /// The output of the library for the same passwords (its `examples/test.c`), to 0.01 bits.
    @Test(arguments: [
        ("password", 0), ("P@ssw0rd", 2), ("qwertyuiop", 10.55), ("13.05.1982", 17.77), ("monkey123", 7.17),
        ("Tr0ub4dor&3", 46.74), ("correct horse battery staple", 70.33), ("jX7!p0Zq$2Lm", 71.68),
    ])
    func agreesWithTheLibrarysProgram(_ password: String, _ bits: Double) {
        #expect(abs(Self.bits(password) - bits) < 0.01)
    }

    @Test(arguments: [
        ("password", Pattern.word, false), ("P@ssw0rd", .disguisedWord, false), ("drowssap", .word, false),
        ("abcdefgh", .sequence, false), ("asdfghjkl;'", .keyboard, false), ("13.05.1982", .date, false),
        ("grendelina", .personalWord, false), ("gr3nd3l1na", .disguisedPersonalWord, false),
        ("grendelinagrendelina", .personalWord, true), ("x", .bruteForce, false),
    ])
    func namesThePattern(_ password: String, _ pattern: ZxcvbnEstimate.Pattern, _ isRepeated: Bool) {
        let estimate = Zxcvbn.estimate(Secret(password), words: ["Grendelina"])
        let expected = ZxcvbnEstimate.Part(pattern, isRepeated: isRepeated, length: password.count)
        // A single letter can be a word of the list.
        #expect(estimate.parts == [expected] || password == "x", "\(estimate)")
        #expect(estimate.isComplete)
    }

    @Test func emptyPasswordHasNoParts() {
        #expect(Zxcvbn.estimate("") == ZxcvbnEstimate(bits: 0, parts: [], isComplete: true))
    }

    /// Characters that would end a text in C, and characters that are not letters.
    @Test func noCharacterEndsThePassword() {
        #expect(Self.bits("jX7!\0p0Zq$2Lm") > Self.bits("jX7!"))
        for text in ["\0", "\u{301}", "\u{200d}", "\u{10ffff}", "\u{fffd}", "🧗🏽‍♀️", "\r\n\t"] {
            #expect(Self.bits(text).isFinite && Self.bits(text) >= 0, "\(text.debugDescription)")
        }
    }

    @Test func letterOfAnotherAlphabetIsOneLetter() {
        // Each of them would be twice as many characters of a large alphabet, so about 80 bits.
        for word in ["пароль", "κωδικό", "סיסמאות"] { #expect(Self.bits(word) < 40, "\(word)") }
        // The same text in its two Unicode forms, with the mark and without it.
        #expect(Self.bits("p\u{e4}ssword") == Self.bits("pa\u{308}ssword"))
        #expect(Self.bits("pässwörd") == Self.bits("password"))
        #expect(Self.bits("٣٤٥٦٧٨") == Self.bits("345678"))
        // A name is found with other case and with its marks.
        for password in ["zoë-łukasz", "ZOË-ŁUKASZ", "zoe\u{308}-łukasz"] {
            #expect(Self.bits(password, ["Zoë", "Łukasz"]) < 16, "\(password)")
        }
        #expect(Self.bits("жанна1", ["Жанна"]) < Self.bits("жанна1") - 5)
        // Many random characters of a large script are not weak.
        #expect(Self.bits("鯨眠遥凪霞綴") > 36)
    }

    @Test func longPasswordIsNotUnderestimated() {
        let random = SeededRandomness(seed: 7).text(40, of: "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789")
        let filler = String(repeating: "a", count: 100)
        #expect(Self.bits(random) > 150)
        for password in [random + filler, filler + random, filler + random + filler.prefix(40)] {
            let estimate = Zxcvbn.estimate(Secret(password))
            #expect(estimate.bits > 150 && estimate.isComplete, "\(password)")
        }
        // The estimate skips its middle, and says so.
        let hidden = Zxcvbn.estimate(Secret(filler + random + filler))
        #expect(hidden.bits < 40 && !hidden.isComplete)
        #expect(Zxcvbn.estimate(Secret(filler + filler)).isComplete)
        // A repetition is still recognized.
        for part in ["password", "4545", "qwerty", "13.05.1982", "a"] {
            #expect(Self.bits(String(repeating: part, count: 12)) < 25, "\(part)")
        }
    }

    @Test func onlyTheFirstDigitsOfALongNumberAreUsed() {
        let digits = SeededRandomness(seed: 3).text(60, of: "0123456789")
        #expect(Self.bits(digits) > 60)
        #expect(Self.bits("a" + digits + "b") > 60)
        #expect(Self.bits("a" + digits + "b") == Self.bits("a" + digits.prefix(24) + "b"))
        // Up to this length nothing is skipped.
        #expect(Self.bits(String(digits.prefix(24))) > Self.bits(String(digits.prefix(23))))
    }

    /// The library alone takes three seconds for a hundred of these.
    ///
    /// The app calls it at every key press.
    @Test(arguments: ["45", "12", "*9", ".3", "9876", "o0", "a", "45454545454545454545454x"]) func worstCaseTimeIsBounded(
        _ pattern: String
    ) {
        let start = CurrentProcess.processorTime
        _ = Zxcvbn.estimate(Secret(String(repeating: pattern, count: 2000 / pattern.count)))
        // Measured: 0.12 s. Other tests run at the same time and are included.
        #expect(CurrentProcess.processorTime - start < .seconds(2))
    }

    @Test func uselessWeakWordsAreIgnored() {
        #expect(Self.bits("jX7!p0Zq$2Lm", ["j", "X7", "", "\0", "!"]) == Self.bits("jX7!p0Zq$2Lm"))
        let many = (0..<1000).map { "word\($0)x" }
        #expect(Self.bits("word3x", many) <= 3)
        #expect(Self.bits("word999x", many) == Self.bits("word999x", Array(many.prefix(Zxcvbn.wordLimit))))
        #expect(Self.bits("a", [String(repeating: "a", count: 100_000)]) >= 0)
    }

    /// Any input, on many threads at the same time: the library has no state.
    @Test func anyTextHasAnEstimate() async {
        let random = SeededRandomness(seed: 11)
        let texts = (0..<400).map { index in
            String(decoding: random.bytes(index % 130).map { index.isMultiple(of: 2) ? $0 & 0x7f : $0 }, as: UTF8.self)
        }
        let alone = texts.map { Zxcvbn.estimate(Secret($0), words: ["anna", "example"]) }
        await withTaskGroup { group in
            for (index, text) in texts.enumerated() {
                group.addTask { (index, Zxcvbn.estimate(Secret(text), words: ["anna", "example"])) }
            }
            for await (index, estimate) in group {
                #expect(estimate == alone[index])
                #expect(estimate.bits.isFinite && estimate.parts.allSatisfy { $0.length > 0 })
            }
        }
    }
}
#endif
