public import LockstepPrimitives
internal import Synchronization

/// The emails and text messages that an emulator has sent.
///
/// The messages do not leave the machine, and a test can read them. The outbox keeps the newest thousand emails and the newest thousand
/// text messages.
///
/// ```swift
/// let mail = await server.panel.outbox.nextMail(to: "ada@example.com")
/// print(mail?.subject ?? "", mail?.code ?? "")
/// ```
public final class Outbox: Sendable {
    struct Waiter {
        var address: String
        var wake: CheckedContinuation<Mail?, Never>
    }

    struct State {
        var mails: [Mail] = []
        /// The number of all messages since the start, including deleted ones.
        var count = 0
        var shortMessages: [ShortMessage] = []
        /// The codes and links of messages, including deleted ones.
        var secretTexts: [String] = []
        /// The number of these codes and links since the start.
        var secretCount = 0
        var taken: Set<ExactString> = []
        var waiters: [Int: Waiter] = [:]
        var cancelled: Set<Int> = []
        var nextWaiter = 0
        var isReachable = true
        var failures = 0
    }

    static let capacity = 1000

    let state = Mutex(State())
    private let clock: any DeviceClock
    private let randomness: any Randomness
    let changes: ChangeLog

    /// Creates an empty outbox.
    ///
    /// - Parameters:
    ///   - clock: The clock of the backend.
    ///   - randomness: The source of ids.
    ///   - changes: The counter that counts each message as a change.
    public init(clock: any DeviceClock, randomness: any Randomness, changes: ChangeLog = ChangeLog()) {
        self.clock = clock
        self.randomness = randomness
        self.changes = changes
    }

    /// Whether messages can be sent.
    ///
    /// If `false`, sending a message throws ``OutboxError/unreachable``.
    public var isReachable: Bool {
        get { state.withLock { $0.isReachable } }
        set { state.withLock { $0.isReachable = newValue } }
    }

    /// Makes the next messages fail, as if the mail server or the SMS provider could not be reached.
    ///
    /// - Parameter count: The number of messages that fail. Default: 1.
    public func failNext(_ count: Int = 1) {
        state.withLock { $0.failures += count }
    }

    /// Sends an email.
    ///
    /// - Parameters:
    ///   - address: The address of the recipient.
    ///   - text: The plain text.
    ///   - html: The HTML body. Default: none.
    ///   - code: The code in the email; `nil` for an email without a code.
    ///   - link: The link in the email; `nil` for an email without a link.
    /// - Throws: ``OutboxError/unreachable`` if messages cannot be sent.
    @discardableResult
    public func mail(
        to address: String, subject: String, text: String, html: String = "", code: String? = nil, link: String? = nil,
        from sender: String = "no-reply@lockstep.test"
    ) throws(OutboxError) -> Mail {
        var mail = Mail(
            id: randomness.text(22), number: 0, from: sender, to: address, subject: subject, text: text, html: html,
            date: clock.now,
            code: code,
            link: link)
        try admit()
        let waiter = state.withLock { state -> Waiter? in
            state.count += 1
            mail.number = state.count
            state.mails.append(mail)
            state.note([code, link])
            if state.mails.count > Self.capacity { state.taken.remove(state.mails.removeFirst().id.exact) }
            let first = state.waiters.filter { $0.value.address.exact == address.lowercased().exact }.min { $0.key < $1.key }
            guard let first else { return nil }
            state.taken.insert(mail.id.exact)
            return state.waiters.removeValue(forKey: first.key)
        }
        waiter?.wake.resume(returning: mail)
        changes.note(.messages)
        return mail
    }

    /// Sends a text message.
    ///
    /// - Parameters:
    ///   - number: The phone number of the recipient.
    ///   - code: The code in the message; `nil` for a message without a code.
    /// - Throws: ``OutboxError/unreachable`` if messages cannot be sent.
    @discardableResult
    public func text(to number: String, _ text: String, code: String? = nil) throws(OutboxError) -> ShortMessage {
        var message = ShortMessage(id: randomness.text(22), number: 0, to: number, text: text, code: code, date: clock.now)
        try admit()
        state.withLock { state in
            state.count += 1
            message.number = state.count
            state.shortMessages.append(message)
            state.note([code])
            if state.shortMessages.count > Self.capacity { state.shortMessages.removeFirst() }
        }
        changes.note(.messages)
        return message
    }

    /// Returns the codes and links that were sent since a reader's last look.
    ///
    /// Recorded requests must not show them.
    func secretTexts(after place: inout ReadingPlace) -> [String] {
        state.withLock { state in
            let number = place.advance(to: state.secretCount, resets: 0)
            return Array(state.secretTexts.suffix(max(0, state.secretCount - number)))
        }
    }

    private func admit() throws(OutboxError) {
        let isAdmitted = state.withLock { state in
            if state.failures > 0 {
                state.failures -= 1
                return false
            }
            return state.isReachable
        }
        guard isAdmitted else { throw .unreachable }
    }
}

extension Outbox.State {
    fileprivate mutating func note(_ texts: [String?]) {
        let texts = texts.compactMap(\.self)
        secretTexts += texts
        secretCount += texts.count
        if secretTexts.count > 4 * Outbox.capacity { secretTexts.removeFirst(secretTexts.count - 4 * Outbox.capacity) }
    }
}
