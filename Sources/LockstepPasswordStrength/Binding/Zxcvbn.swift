#if os(Linux)
internal import CLockstepZxcvbn
internal import LockstepPrimitives

/// Estimates the strength of a password with the library zxcvbn.
///
/// The estimate is the number of guesses of an attacker who knows words, names, dates and keyboards. An estimate takes
/// a tenth of a millisecond for an ordinary password, and 0.13 s for the worst known 200 characters. Any thread may
/// call it.
enum Zxcvbn {
    /// The number of characters that zxcvbn examines.
    ///
    /// If a password is longer, zxcvbn examines this number of characters at the start and at the end. The better
    /// result is used, because a password is at least as hard to guess as each of its parts.
    static let reach = 100

    /// The maximum number of consecutive number pad characters that zxcvbn gets.
    ///
    /// If two characters alternate (`4545…`), the time grows with the fifth power of the length: 17 ms for 24, 0.1 s
    /// for 50, 3 s for 100. That many random characters are strong anyway, and omitted characters can never make an
    /// estimate too high.
    static let padReach = 24

    /// The maximum number of the caller's words, because the time grows with their number.
    static let wordLimit = 50

    /// Estimates `password`.
    ///
    /// The buffer with the password is cleared before this method returns. During the call, zxcvbn keeps one copy,
    /// which it overwrites before it frees the memory (zxcvbn.c 2.5, `ZxcvbnMatch`).
    ///
    /// - `words`: The user's own words: the name, the address, the app's name. Only words of three characters or more
    ///   are used, at most ``wordLimit`` of them.
    static func estimate(_ password: Secret, words: [String] = []) -> ZxcvbnEstimate {
        let text = password.reveal()
        // One more, because C ends a text with NUL.
        let capacity = text.unicodeScalars.count + 1
        // The memory is cleared and freed below, on the only way out. Every scalar of the text becomes at most one byte.
        let buffer = UnsafeMutableBufferPointer<CChar>.allocate(capacity: capacity)
        unsafe buffer.initialize(repeating: 0)
        defer {
            unsafe lockstep_wipe(buffer.baseAddress, capacity)
            unsafe buffer.deallocate()
        }
        var count = 0
        for scalar in text.unicodeScalars {
            guard let byte = ZxcvbnAlphabet.byte(for: scalar) else { continue }
            unsafe buffer[count] = CChar(bitPattern: byte)
            count += 1
        }
        let folded = prepared(words)
        count = unsafe shortenPadRuns(of: buffer, count)
        guard count > reach else { return unsafe estimate(buffer, folded, isComplete: true) }
        let isComplete = count <= 2 * reach
        // Both parts are inside the buffer: 100 is less than `count`, and the last 100 end with the NUL after them.
        let last = unsafe estimate(
            UnsafeMutableBufferPointer(rebasing: buffer[(count - reach)...]), folded, isComplete: isComplete)
        unsafe buffer[reach] = 0
        let first = unsafe estimate(buffer, folded, isComplete: isComplete)
        return first.bits > last.bits ? first : last
    }

    /// Shortens number pad runs to ``padReach``.
    ///
    /// A run that repeats itself ends with a whole repetition.
    ///
    /// - Returns: The number of characters that are left. NUL follows them.
    @unsafe private static func shortenPadRuns(of buffer: UnsafeMutableBufferPointer<CChar>, _ count: Int) -> Int {
        // Every index is below `count`, and the buffer has room for one more. Characters move only to the front.
        var kept = 0
        var start = 0
        while start < count {
            var end = start
            while end < count, unsafe isOnPad(buffer[end]) { end += 1 }
            let run = end - start
            var length = run
            if run > padReach {
                let period = (1...padReach / 2).first { period in
                    (start + period..<end).allSatisfy { unsafe buffer[$0] == buffer[$0 - period] }
                }
                length = period.map { padReach / $0 * $0 } ?? padReach
            }
            // The character after the run, or a character that does not start a run.
            let rest = end < count ? 1 : 0
            for offset in 0..<length { unsafe buffer[kept + offset] = buffer[start + offset] }
            if rest == 1 { unsafe buffer[kept + length] = buffer[end] }
            kept += length + rest
            start = end + rest
        }
        unsafe buffer[kept] = 0
        return kept
    }

    private static func isOnPad(_ character: CChar) -> Bool {
        switch UInt8(bitPattern: character) {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "="):
            true
        default: false
        }
    }

    /// Returns the words in zxcvbn's alphabet, each with a NUL at its end.
    private static func prepared(_ words: [String]) -> [[CChar]] {
        words.map { word in word.unicodeScalars.compactMap(ZxcvbnAlphabet.byte).map { CChar(bitPattern: $0) } }
            .filter { (3...reach).contains($0.count) }.prefix(wordLimit).map { $0 + [0] }
    }

    /// Returns the estimate of the C text at the start of `buffer`.
    @unsafe private static func estimate(
        _ buffer: UnsafeMutableBufferPointer<CChar>, _ words: [[CChar]], isComplete: Bool
    ) -> ZxcvbnEstimate {
        let starts = words.indices.map { index in words[..<index].reduce(0) { $0 + $1.count } }
        let letters = words.flatMap(\.self)
        var parts: UnsafeMutablePointer<ZxcMatch_t>?
        // Both texts end with NUL, and the list of words ends with nil. All three exist during the call, which keeps no
        // pointer. It changes only its own memory: all data of the library are constants.
        let bits = unsafe letters.withUnsafeBufferPointer { letters in
            var list = unsafe starts.map { start in unsafe letters.baseAddress.map { unsafe $0 + start } } + [nil]
            return unsafe list.withUnsafeMutableBufferPointer { list in
                unsafe ZxcvbnMatch(buffer.baseAddress, list.baseAddress, &parts)
            }
        }
        // The library owns the list. Each element exists until the list is freed, and the last one has no next element.
        defer { unsafe ZxcvbnFreeInfo(parts) }
        var read: [ZxcvbnEstimate.Part] = []
        var next = unsafe parts
        while let part = unsafe next {
            if let part = unsafe ZxcvbnEstimate.Part(part.pointee) { read.append(part) }
            unsafe next = part.pointee.Next
        }
        return ZxcvbnEstimate(bits: max(0, bits), parts: read, isComplete: isComplete)
    }
}

extension ZxcvbnEstimate.Part {
    /// Reads a part; `nil` if this library does not know its pattern.
    @unsafe fileprivate init?(_ match: ZxcMatch_t) {
        let repeated = MULTIPLE_MATCH.rawValue
        let type = unsafe match.Type.rawValue
        guard let pattern = ZxcvbnEstimate.Pattern(ZxcTypeMatch_t(rawValue: type & ~repeated)) else { return nil }
        self.init(pattern, isRepeated: type & repeated != 0, length: Int(unsafe match.Length))
    }
}

extension ZxcvbnEstimate.Pattern {
    fileprivate init?(_ type: ZxcTypeMatch_t) {
        switch type {
        case BRUTE_MATCH: self = .bruteForce
        case DICTIONARY_MATCH: self = .word
        case DICT_LEET_MATCH: self = .disguisedWord
        case USER_MATCH: self = .personalWord
        case USER_LEET_MATCH: self = .disguisedPersonalWord
        case REPEATS_MATCH: self = .repetition
        case SEQUENCE_MATCH: self = .sequence
        case SPATIAL_MATCH: self = .keyboard
        case DATE_MATCH: self = .date
        case YEAR_MATCH: self = .year
        default: return nil
        }
    }
}
#endif
