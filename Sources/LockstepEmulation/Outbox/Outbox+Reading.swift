internal import Synchronization

extension Outbox {
    /// All emails, newest first.
    public var mails: [Mail] { state.withLock { $0.mails.reversed() } }

    /// All text messages, newest first.
    public var shortMessages: [ShortMessage] { state.withLock { $0.shortMessages.reversed() } }

    /// Returns the emails to an address, newest first.
    ///
    /// - Parameter address: The address of the recipient, in upper or lower case.
    public func mails(to address: String) -> [Mail] {
        mails.filter { $0.to.lowercased().exact == address.lowercased().exact }
    }

    /// Waits for the next email to an address.
    ///
    /// The next email is the oldest email that no call has returned yet. Each email is returned once.
    ///
    /// - Parameter address: The address of the recipient.
    /// - Returns: The email; `nil` if the task was cancelled, or if the outbox was emptied meanwhile.
    public func nextMail(to address: String) async -> Mail? {
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        defer { _ = state.withLock { $0.cancelled.remove(id) } }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { wake in
                let ready = state.withLock { state -> Mail?? in
                    if state.cancelled.remove(id) != nil { return .some(nil) }
                    if let mail = state.take(address) { return mail }
                    state.waiters[id] = Waiter(address: address.lowercased(), wake: wake)
                    return nil
                }
                if let ready { wake.resume(returning: ready) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                let waiter = state.waiters.removeValue(forKey: id)
                if waiter == nil { state.cancelled.insert(id) }
                return waiter
            }
            waiter?.wake.resume(returning: nil)
        }
    }

    /// Returns the next email to an address, without waiting.
    ///
    /// - Parameter address: The address of the recipient.
    /// - Returns: The email; `nil` if no such email exists.
    public func takeMail(to address: String) -> Mail? {
        state.withLock { $0.take(address) }
    }

    /// Deletes all messages, and makes the outbox reachable again.
    public func reset() {
        let waiters = state.withLock { state in
            let waiters = Array(state.waiters.values)
            state = State(count: state.count, secretCount: state.secretCount, nextWaiter: state.nextWaiter)
            return waiters
        }
        for waiter in waiters { waiter.wake.resume(returning: nil) }
        changes.note(.messages)
    }

    /// Returns an email by its id, and marks it as read.
    ///
    /// The id `latest` means the newest one.
    func open(_ id: String) -> Mail? {
        state.withLock { state in
            let index = id == "latest" ? state.mails.indices.last : state.mails.firstIndex { $0.id.exact == id.exact }
            guard let index else { return nil }
            state.mails[index].isRead = true
            return state.mails[index]
        }
    }

    /// Returns the code and the link of a message; `nil` if no message has the id.
    func proof(of id: String) -> MessageProof? {
        state.withLock { state in
            if let mail = state.mails.last(where: { $0.id.exact == id.exact }) {
                return MessageProof(recipient: mail.to, code: mail.code, link: mail.link)
            }
            let text = state.shortMessages.last { $0.id.exact == id.exact }
            return text.map { MessageProof(recipient: $0.to, code: $0.code, link: nil) }
        }
    }

    /// Deletes the emails with these ids, or all emails.
    func delete(_ ids: [String]) {
        state.withLock { state in state.mails.removeAll { ids.isEmpty || ids.contains($0.id) } }
        changes.note(.messages)
    }

    /// Marks the emails with these ids, or all emails, as read or unread.
    func mark(_ ids: [String], read isRead: Bool) {
        state.withLock { state in
            for index in state.mails.indices where ids.isEmpty || ids.contains(state.mails[index].id) {
                state.mails[index].isRead = isRead
            }
        }
        changes.note(.messages)
    }
}

extension Outbox.State {
    mutating func take(_ address: String) -> Mail? {
        let mail = mails.first { $0.to.lowercased().exact == address.lowercased().exact && !taken.contains($0.id.exact) }
        if let mail { taken.insert(mail.id.exact) }
        return mail
    }
}
