import LockstepPrimitives
import LockstepTestSupport
import Testing

@testable import LockstepModels

@Suite("Generated names") struct DisplayNameTests {
    @Test func sameSeedGivesTheSameNames() {
        func names(_ seed: UInt64) -> [String] {
            let names = DisplayNames(randomness: SeededRandomness(seed: seed))
            return (0..<20).map { _ in names.next() }
        }
        #expect(names(1) == names(1))
        #expect(names(1) != names(2))
        #expect(Set(names(3)).count > 15)
    }

    @Test func nameIsTwoWordsOfTheLists() {
        let names = DisplayNames(randomness: SystemRandomness())
        for _ in 0..<500 {
            let words = names.next().split(separator: " ").map(String.init)
            #expect(words.count == 2 && words.allSatisfy { $0.first?.isUppercase == true }, "\(words)")
            #expect(NameWords.adjectives.contains(words[0].lowercased()) && NameWords.nouns.contains(words[1].lowercased()))
        }
    }

    /// Every word can be drawn, also the last ones: the random bytes contain every value.
    @Test func everyWordIsEquallyLikely() {
        struct Counting: Randomness {
            let byte: UInt8
            func bytes(_ count: Int) -> [UInt8] { [byte] + [UInt8](repeating: 0, count: count - 1) }
        }
        var first: [String: Int] = [:]
        for byte in UInt8.min...UInt8.max {
            let word = DisplayNames(randomness: Counting(byte: byte)).next().split(separator: " ")[0]
            first[word.lowercased(), default: 0] += 1
        }
        // Here a zero, which draws the first word, follows a byte beyond the last multiple.
        first[NameWords.adjectives[0]]? -= 256 % NameWords.adjectives.count
        #expect(first.count == NameWords.adjectives.count)
        #expect(Set(first.values).count == 1, "\(first)")
    }

    @Test func listsAreSortedAndUnique() {
        #expect(DisplayNames.count == NameWords.adjectives.count * NameWords.nouns.count)
        #expect(DisplayNames.count > 10_000)
        for list in [NameWords.adjectives, NameWords.nouns] {
            #expect(list == list.sorted() && Set(list).count == list.count)
            for word in list {
                #expect((3...9).contains(word.utf8.count) && word.utf8.allSatisfy { (0x61...0x7a).contains($0) }, "\(word)")
            }
        }
        #expect(Set(NameWords.adjectives).isDisjoint(with: NameWords.nouns))
    }

    /// Beginnings of words that insult people or concern body, sex, violence, drugs and faith.
    ///
    /// They are written in rot 13, so that no page shows them.
    private static let unwanted = """
        nobeg nohfr nqqvpg nany nahf neno nefr nelna nff onfgneq ornfg ovzob ovgpu oybj obzo obar obare obbo oernfg \
        ohttre ohfg ohgg puvax pubxr pyvg pbpx pbxr pbzzvr pbba pbecfr penc pevccyr phyg phz phag qntb qnza qrnq qrngu \
        qrivy qvpx qvyqb qbcr qeht qehax qhzo qjnes qlxr rerpg rivy snt snvel sneg snfpvfg sng srpx srypu srgvfu svygu \
        svfg sbhy sernx sevtvq sehvg shpx tnat tnl turggb tvzc tbbx tber tebva tebcr tha tlcfl unat unerz urvy uryy \
        urebva uvgyre ubr ubzb ubaxl ubbxre ubeal uhzc ulzra vqvbg vaprfg vafnar wnc wrex wrfhf wrj wvmm whaxvr xvyy \
        xvaxl xyna xabo xenhg ynzr yrcre yrfob yrjq yvovqb yvzc ybfre yhor yhfg ylapu znq zrgu zvqtrg zvatr zbyrfg \
        zbeba zhss zheqre zhgnag anxrq anmv arteb avtt avccyr ahqr ahg bcvhz betnfz betl cntna cnxv cnafl cnagl crqb \
        cravf crei cvzc cvff cbbs cbbc cbea cevpx cehqr cflpub chor chxr chax chffl dhrre enovq enpvfg encr encvfg eng \
        erpgny ervpu ergneq ehzc fnqvfg fngna fnintr fpno fpebg fphz frzra frjre frk funt fuvg fvpx fxnax fynt fynir \
        fyrnmr fyhg fzhg fahss fbqbz fcnm fcrez fcvp fcvg fdhnj fgno fgvss fgevc fghcvq fhpx fjvar grng greebe grfgvp \
        guht gvg gbvyrg gbegher genzc genaal genfu gevor gheq gjng htyl hevar intvan ivetva ibzvg ihyin jnax jrrq \
        jrapu juvc juber jvzc jbt jbc lvq
        """.split(separator: " ").map { word in
            String(String.UnicodeScalarView(word.unicodeScalars.map { Unicode.Scalar(($0.value - 97 + 13) % 26 + 97) ?? "?" }))
        }

    @Test func namesContainNoUnwantedWord() {
        let unwanted = Self.unwanted.filter { $0.count >= 3 }
        #expect(unwanted.count > 200 && unwanted.contains("nazi"))
        for word in NameWords.adjectives + NameWords.nouns {
            // Inside a word only longer ones are searched, because short ones are parts of harmless words, too.
            let found = unwanted.filter { $0 == word || ($0.count >= 4 && word.contains($0)) }
            #expect(found.isEmpty, "\(word)")
        }
        // Also across the two words, as in a name without the space.
        let long = Set(unwanted.filter { $0.count >= 4 })
        let longest = long.map(\.count).max() ?? 0
        for adjective in NameWords.adjectives {
            let ends = (1..<longest).map { adjective.suffix($0) }
            for noun in NameWords.nouns {
                let beginnings = (1..<longest).map { noun.prefix($0) }
                let seams = ends.flatMap { end in beginnings.map { String(end + $0) } }
                #expect(long.isDisjoint(with: seams), "\(adjective) \(noun)")
            }
        }
    }
}
