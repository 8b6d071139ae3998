internal import Lockstep
internal import LockstepPrimitives
internal import Synchronization

/// The part of a check that tests the invariants.
///
/// It collects the values that the clients of a check receive and show, and records findings.
///
/// It skips a request to the backend if the request would change the result of the check. This is so while a fault affects every
/// request, and for tokens that another client may have revoked.
final class Watch: Sendable {
    private struct State {
        var secrets = SecretIndex()
        var findings: [Invariant: [Finding]] = [:]
        var looks: [Invariant: Int] = [:]
        /// Increases with every event that may end a client's session without the client's knowledge.
        var epoch = 0
        /// The epoch in which a client first returned a token.
        var firstSeen: [Secret: Int] = [:]
        var lookedAt: Set<String> = []
        /// Digests of the values whose forms are already in `texts`.
        var shown: Set<Int> = []
        var texts: [(what: String, text: String)] = []
        var isBlocked = false
        var calls = 0
        /// The stated conditions of each invariant, and the false ones among them.
        var stated: [Invariant: Expectations] = [:]
        /// The reason why a necessary request to a control failed.
        var failure: String?
    }

    let unwatched: Set<Invariant>
    let site: SourceSite
    /// The names of the public parameters in links.
    private let publicParameters: Set<String>
    private let state = Mutex(State())

    init(unwatched: Set<Invariant>, site: SourceSite, publicParameters: Set<String>) {
        self.unwatched = unwatched
        self.site = site
        self.publicParameters = publicParameters.union(Self.standardParameters)
    }

    /// Returns how often an invariant was checked.
    func looks(_ always: Invariant) -> Int { state.withLock { $0.looks[always] ?? 0 } }

    /// The findings, without duplicates.
    var findings: [Invariant: [Finding]] { state.withLock { $0.findings } }

    /// Returns the stated conditions of an invariant, and the false ones among them.
    func statements(of always: Invariant) -> Expectations { state.withLock { $0.stated[always] ?? Expectations() } }

    /// Counts one check of an invariant.
    func looked(at always: Invariant) { state.withLock { $0.looks[always, default: 0] += 1 } }

    /// Records a finding if the condition is false.
    ///
    /// Does nothing if the contract excludes the invariant.
    func expect(
        _ always: Invariant, _ holds: Bool, _ otherwise: @autoclosure () -> String, fileID: String = #fileID, line: Int = #line
    ) {
        guard !unwatched.contains(always) else { return }
        let statement = Statement(fileID, line)
        let finding = holds ? nil : Finding(sentence: otherwise(), site: site)
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

    /// The reason why a necessary request to a control failed; `nil` if none failed.
    var failure: String? { state.withLock { $0.failure } }

    /// Records that a control failed.
    ///
    /// The run then has no result.
    func fail(_ reason: String) { state.withLock { $0.failure = $0.failure ?? reason } }

    // MARK: Secrets

    func keep(_ secret: Secret?, _ what: String) {
        guard let secret else { return }
        state.withLock { $0.secrets.insert(secret.reveal(), what) }
    }

    /// Adds a link to the secrets, with each of its values that someone could use to forge the link.
    func keep(link: String) {
        // Checks read the same mailbox many times.
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

    /// Public parameters from standards: errors (RFC 6749, section 4.1.2.1) and the issuer of an authenticator key.
    private static let standardParameters: Set<String> = ["error", "error_description", "issuer"]

    /// Returns the visible forms of a value; `nil` if the value was checked before.
    ///
    /// ``lookAgain(_:)`` searches these forms for secrets that are found later.
    func newForms(of value: some Any, _ what: String) -> String? {
        if let digest = (value as? any Hashable)?.hashValue, !state.withLock({ $0.shown.insert(digest).inserted }) { return nil }
        let text = visibleForms(of: value).joined()
        state.withLock { $0.texts.append((what, text)) }
        return text
    }

    /// Passes every recorded text to a closure, because some secrets become known only later.
    func lookAgain(_ look: (_ what: String, _ text: String) -> Void) {
        for (what, text) in state.withLock({ $0.texts }) { look(what, text) }
    }

    /// Returns the names of the secrets in a text.
    func secrets(in text: String) -> [String] { state.withLock { $0.secrets.found(in: text) } }

    // MARK: Sessions that others may have ended

    /// Records that known tokens may now be invalid.
    ///
    /// Someone other than their client has ended sessions, or only the backend's clock has moved.
    func sessionsMayEnd() { state.withLock { $0.epoch += 1 } }

    /// Whether a fault would affect the suite's own requests.
    var isBlocked: Bool { state.withLock { $0.isBlocked } }

    func block(_ isBlocked: Bool) { state.withLock { $0.isBlocked = isBlocked } }

    /// Returns the current epoch if the suite should now show the token to the backend; otherwise `nil`.
    ///
    /// The suite shows each token once at a given time, and only a limited number of tokens in a run.
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

    /// Returns whether this is the first call with this name.
    func isNew(_ what: String) -> Bool { state.withLock { $0.lookedAt.insert(what).inserted } }

    /// Returns a new trace for the next call.
    ///
    /// It distinguishes the requests of this call from the requests of other calls.
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

/// The users who have signed in on a device.
final class KnownUsers: Sendable {
    private let state = Mutex<(users: Set<String>, isOpen: Bool)>(([], false))

    func note(_ userID: String) { _ = state.withLock { $0.users.insert(userID) } }

    /// Allows any user from now on.
    ///
    /// The result of a sign-in is unknown, or the check has changed the store itself.
    func open() { state.withLock { $0.isOpen = true } }

    func has(_ userID: String) -> Bool { state.withLock { $0.isOpen || $0.users.isEmpty || $0.users.contains(userID) } }
}

/// An index of secrets in every written form, by their first bytes.
///
/// A search reads a text once, for any number of secrets.
struct SecretIndex: Sendable {
    private var byHead: [UInt64: [(bytes: [UInt8], what: String)]] = [:]
    /// Contains 1 for each pair of bytes that ends the head of a form.
    private var ends = [UInt8](repeating: 0, count: 1 << 16)
    private var known: Set<String> = []

    mutating func insert(_ secret: String, _ what: String) {
        let bytes = Array(secret.utf8)
        guard Self.isTelling(bytes), known.insert(secret).inserted else { return }
        index(bytes, what)
        // The end of a long token is unique. So the search in other encodings uses only the end. The end of a link is not unique.
        let isToken = bytes.count > 2 * Self.tail && secret.firstRange(of: "://") == nil
        let part = isToken ? Array(bytes.suffix(Self.tail)) : bytes
        for form in part.writtenForms where form != bytes && Self.isTelling(form) { index(form, what) }
    }

    private static let tail = 48

    /// Returns whether bytes are long and unusual enough for a search.
    ///
    /// A word, such as a weak password, can be in any sentence.
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
        // Debug builds search every text that a client shows. The head moves by one byte, and few heads need a look-up in the
        // dictionary.
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
