internal import Lockstep
internal import LockstepPrimitives
internal import Synchronization

/// What is looked at in every contract: collects what the clients of a world are told and show, and what is wrong with it.
///
/// Looks that ask the backend are left out where they would change what is checked: while a fault holds for every request, and for
/// tokens that another client may have ended meanwhile.
final class Watch: Sendable {
    private struct State {
        var secrets = SecretIndex()
        var findings: [Invariant: [Finding]] = [:]
        var looks: [Invariant: Int] = [:]
        /// Grows with everything that may end sessions behind a client's back.
        var epoch = 0
        /// The epoch in which a token was first handed out.
        var firstSeen: [Secret: Int] = [:]
        var lookedAt: Set<String> = []
        /// Digests of the values that were shown, and the forms of each.
        var shown: Set<Int> = []
        var texts: [(what: String, text: String)] = []
        var isBlocked = false
        var calls = 0
        /// What was stated, and what of it did not hold.
        var stated: [Invariant: Expectations] = [:]
        /// Why a look could not be made that should have been possible.
        var failure: String?
    }

    let unwatched: Set<Invariant>
    let line: Int
    /// The parameters of links whose values are no secrets.
    private let publicParameters: Set<String>
    private let state = Mutex(State())

    init(unwatched: Set<Invariant>, line: Int, publicParameters: Set<String>) {
        self.unwatched = unwatched
        self.line = line
        self.publicParameters = publicParameters.union(Self.standardParameters)
    }

    /// How often it was looked at something.
    func looks(_ always: Invariant) -> Int { state.withLock { $0.looks[always] ?? 0 } }

    /// What was found, each once.
    var findings: [Invariant: [Finding]] { state.withLock { $0.findings } }

    /// What was stated of something, and what of it did not hold.
    func statements(of always: Invariant) -> Expectations { state.withLock { $0.stated[always] ?? Expectations() } }

    /// Counts a look at something, which is left out where the contract says that it does not hold.
    func looked(at always: Invariant) { state.withLock { $0.looks[always, default: 0] += 1 } }

    /// Records a finding unless the condition holds.
    func expect(
        _ always: Invariant, _ holds: Bool, _ otherwise: @autoclosure () -> String, fileID: String = #fileID, line: Int = #line
    ) {
        guard !unwatched.contains(always) else { return }
        let statement = Statement(fileID, line)
        let finding = holds ? nil : Finding(sentence: otherwise(), line: self.line)
        state.withLock { state in
            state.stated[always, default: Expectations()].reached.insert(statement)
            guard let finding else { return }
            state.stated[always, default: Expectations()].broken.insert(statement)
            guard state.findings[always]?.contains(finding) != true, state.findings[always]?.count ?? 0 < 8 else { return }
            state.findings[always, default: []].append(finding)
        }
    }

    /// Records one finding for each secret in a text.
    func expectNoSecret(
        _ always: Invariant = .secretsStayInside, in text: String, fileID: String = #fileID, line: Int = #line,
        _ otherwise: (_ secret: String) -> String
    ) {
        let secrets = secrets(in: text)
        expect(always, secrets.isEmpty, otherwise(secrets[0]), fileID: fileID, line: line)
        for secret in secrets.dropFirst() { expect(always, false, otherwise(secret), fileID: fileID, line: line) }
    }

    /// Why a look could not be made that should have been possible; `nil` if all could.
    var failure: String? { state.withLock { $0.failure } }

    /// A control failed in a look: what comes of the run says nothing.
    func fail(_ reason: String) { state.withLock { $0.failure = $0.failure ?? reason } }

    // MARK: Secrets

    func keep(_ secret: Secret?, _ what: String) {
        guard let secret else { return }
        state.withLock { $0.secrets.insert(secret.reveal(), what) }
    }

    /// Keeps a link, and each value in it by which it could be forged.
    func keep(link: String) {
        // A mailbox is read again and again.
        guard isNew("link \(link)") else { return }
        keep(Secret(link), "a link")
        for part in link.split(whereSeparator: { "?&#".contains($0) }).dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, !publicParameters.contains(String(pair[0])) else { continue }
            let value = String(pair[1])
            for form in [value, Percent.decode(value) ?? value] where form.utf8.count >= 12 && !form.contains("://") {
                keep(Secret(form), "a value of a link")
            }
        }
    }

    /// Parameters that standards define and that hold no secret: errors (RFC 6749, section 4.1.2.1) and the issuer of a key for codes.
    private static let standardParameters: Set<String> = ["error", "error_description", "issuer"]

    /// The forms in which a value shows itself, if they were not looked at yet; ``lookAgain(_:)`` searches them for later
    /// secrets.
    func newForms(of value: some Any, _ what: String) -> String? {
        if let digest = (value as? any Hashable)?.hashValue, !state.withLock({ $0.shown.insert(digest).inserted }) { return nil }
        let text = visibleForms(of: value).joined()
        state.withLock { $0.texts.append((what, text)) }
        return text
    }

    /// Searches all that was shown for all secrets: some are known only later.
    func lookAgain(_ look: (_ what: String, _ text: String) -> Void) {
        for (what, text) in state.withLock({ $0.texts }) { look(what, text) }
    }

    /// The names of the secrets in a text.
    func secrets(in text: String) -> [String] { state.withLock { $0.secrets.found(in: text) } }

    // MARK: Sessions that others may have ended

    /// From now on tokens that are known may be dead: another than their client has ended sessions, or time has passed for the backend only.
    func sessionsMayEnd() { state.withLock { $0.epoch += 1 } }

    /// Requests of the suite's own would be caught by a fault.
    var isBlocked: Bool { state.withLock { $0.isBlocked } }

    func block(_ isBlocked: Bool) { state.withLock { $0.isBlocked = isBlocked } }

    /// The epoch, if the token is to be shown to the backend now: once at each time, and a few times in a run.
    func epochToLook(at token: Secret, now: Duration) -> Int? {
        state.withLock { state in
            let first = state.firstSeen[token] ?? state.epoch
            state.firstSeen[token] = first
            guard first == state.epoch, !state.isBlocked, state.looks[.tokenIsTaken] ?? 0 < 24 else { return nil }
            guard state.lookedAt.insert("\(token.hashValue) \(now)").inserted else { return nil }
            return state.epoch
        }
    }

    var epoch: Int { state.withLock { $0.epoch } }

    /// Whether to look for something the first time.
    func isNew(_ what: String) -> Bool { state.withLock { $0.lookedAt.insert(what).inserted } }

    /// A trace of its own for the next call, so that its requests can be told from those of others.
    func nextTrace() -> TraceContext? {
        let number = state.withLock { state in
            state.calls += 1
            return state.calls
        }
        let digits = String(number, radix: 16)
        let id = "a" + String(repeating: "0", count: 31 - digits.count) + digits
        return try? TraceContext(traceparent: "00-\(id)-00f067aa0ba902b7-01")
    }
}

/// The users that sign-ins on a device have brought.
final class KnownUsers: Sendable {
    private let state = Mutex<(users: Set<String>, isOpen: Bool)>(([], false))

    func note(_ userID: String) { _ = state.withLock { $0.users.insert(userID) } }

    /// Any user may show up: what a sign-in led to is not known, or the store was filled by hand.
    func open() { state.withLock { $0.isOpen = true } }

    func has(_ userID: String) -> Bool { state.withLock { $0.isOpen || $0.users.isEmpty || $0.users.contains(userID) } }
}

/// Secrets in every form in which they are written, by their first bytes, so that a text is read once however many there are.
struct SecretIndex: Sendable {
    private var byHead: [UInt64: [(bytes: [UInt8], what: String)]] = [:]
    /// 1 if some head ends in these two bytes.
    private var ends = [UInt8](repeating: 0, count: 1 << 16)
    private var known: Set<String> = []

    mutating func insert(_ secret: String, _ what: String) {
        let bytes = Array(secret.utf8)
        guard Self.isTelling(bytes), known.insert(secret).inserted else { return }
        index(bytes, what)
        // A token is long, and its end is its own: the end alone is searched for in other encodings. The end of a link is not.
        let isToken = bytes.count > 2 * Self.tail && secret.firstRange(of: "://") == nil
        let part = isToken ? Array(bytes.suffix(Self.tail)) : bytes
        for form in part.writtenForms where form != bytes && Self.isTelling(form) { index(form, what) }
    }

    private static let tail = 48

    /// Whether bytes are enough to be searched for: a word, such as a weak password of a check, is in any sentence.
    private static func isTelling(_ bytes: [UInt8]) -> Bool {
        let isWord = bytes.count < 12 && bytes.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
        return bytes.count >= 6 && !isWord
    }

    private mutating func index(_ bytes: [UInt8], _ what: String) {
        var head: UInt64 = 0
        for byte in bytes.prefix(6) { head = head << 8 | UInt64(byte) }
        byHead[head, default: []].append((bytes, what))
        ends[Int(head & 0xffff)] = 1
    }

    func found(in text: String) -> [String] {
        guard !byHead.isEmpty else { return [] }
        let bytes = Array(text.utf8)
        guard bytes.count >= 6 else { return [] }
        var found: [String] = []
        // Every text that a client shows passes here, in debug builds: the head moves on by a byte, and few heads reach the dictionary.
        var head: UInt64 = 0
        var end = 0
        while end < bytes.count {
            head = (head << 8 | UInt64(bytes[end])) & 0xffff_ffff_ffff
            end += 1
            guard end >= 6, ends[Int(head & 0xffff)] != 0, let candidates = byHead[head] else { continue }
            let place = end - 6
            for (secret, what) in candidates where !found.contains(what) {
                let stop = place + secret.count
                guard stop <= bytes.count, bytes[place..<stop].elementsEqual(secret) else { continue }
                // A short code can be a part of any number.
                let isPart =
                    secret.count < 12
                    && ((place > 0 && bytes[place - 1].isWordPart) || (stop < bytes.count && bytes[stop].isWordPart))
                if !isPart { found.append(what) }
            }
        }
        return found
    }
}

extension UInt8 {
    fileprivate var isWordPart: Bool {
        (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) || self >= 0x80
    }
}
