/// Makes requests of the adapter fail.
///
/// A fault holds for the requests that it was asked for, in the order in which they reach it; others go through.
public protocol Faults: Sendable {
    /// Makes the next `times` requests of a kind fail, after letting `skip` of them through; `nil` means until ``clear()``.
    ///
    /// - Throws: a ``EnvironmentError`` where this backend's wire has no such failure.
    func inject(_ fault: Fault, on requests: FaultTarget, skipping skip: Int, times: Int?) async throws

    /// From now on no request fails; those that hang continue hanging.
    func clear() async throws

    /// Returns as soon as at least `count` requests hang.
    func untilHanging(_ count: Int) async throws

    /// Answers the requests that hang, as the backend would have done, and lets the responses go that were held.
    func release() async throws
}

/// The kinds of requests that can be made to fail.
public enum FaultTarget: String, Sendable, Hashable, CaseIterable {
    /// Every request.
    case any
    /// A request for a new access token of a session that exists.
    case refresh
    /// A request that makes an account.
    case signUp
    /// A request that shows a password, for a sign-in.
    case signIn
    /// A request that ends sessions.
    case signOut
    /// A request that sends the message of a flow again.
    case resend
    /// A request for the message of a password reset.
    case reset
    /// A request that shows the code or link of a message, or asks whether the link was opened elsewhere.
    case verification
    /// A request that sets the new password of a reset.
    case newPassword
    /// A request that reads the user.
    case user
    /// A request that changes the user: name, photo, password, address.
    case change
    /// A request that deletes the account.
    case delete
}

/// The ways in which a request can fail.
public enum Fault: Sendable, Hashable {
    /// No connection to the backend can be made; nothing arrives there.
    case offline
    /// What answers in the backend's place cannot prove that it is the backend: no secure connection comes about.
    case faulty
    /// The backend closes the connection instead of answering, and has done nothing.
    case closed
    /// The response does not come, until ``Faults/release()`` or until the client gives up.
    case hang
    /// A proxy in front of the backend answers with this status and a page of its own.
    case status(Int, retryAfter: Duration?)
    /// The backend does what was asked for, and the connection ends before its response.
    case answerLost
    /// The backend does what was asked for, and its response does not come, until ``Faults/release()`` or until the client gives
    /// up.
    case answerHeld
    /// What comes before the backend (a proxy, a firewall, a portal) rejects with this status, and not in the backend's form.
    case proxyRefusal(Int, ProxyForm)
    /// The backend does what was asked for, and a cache gives the response to the last request of this kind that succeeded.
    case earlierAnswer
    /// The response is not one of the backend's.
    case garbage(Garbage)
    /// The backend rejects with an error of its own form whose code no adapter knows.
    case unknownCode(String, status: Int = 400)
    /// The backend rejects because of too many requests, in its own form, and names the time to come back.
    case rateLimited(retryAfter: Duration)
    /// The backend rejects, and repeats what it was sent.
    case quoting(Quotation)
    /// The backend takes what was sent and answers with a step of its own form whose name no adapter knows.
    case unknownStep(String)
    /// The backend does what was asked for, and the message that belongs to it cannot be sent: in its own form. Counts the
    /// requests that send a message.
    case messageNotSent
    /// The backend does what was asked for, and its response, the claims of its tokens included, has numbers that cannot be.
    case absurdNumbers(AbsurdNumbers)
    /// The backend does what was asked for, and each token in its response ends with this text.
    case tokenSuffix(String)
    /// The backend does what was asked for, and its response has this address in the place of every address of the web.
    case otherAddress(String)
}

/// Numbers in the place of every life, date and time to wait of a response.
public enum AbsurdNumbers: String, Sendable, Hashable, CaseIterable {
    /// Ends and waits of 2⁶³−1, beginnings of −2⁶³.
    case largest
    /// Ends and waits of −2⁶³, beginnings of 2⁶³−1.
    case smallest
    /// Ends and waits of 10¹⁷, beginnings of 0.
    case farAway
    /// Ends and waits of 10³⁰⁰, which is no whole number of 64 bits.
    case beyondIntegers
}

/// The body of a refusal that no backend has written.
public enum ProxyForm: String, Sendable, Hashable, CaseIterable {
    /// A page of HTML.
    case page
    /// Nothing.
    case empty
    /// A word of plain text.
    case text
    /// JSON of a form of its own.
    case json
}

/// Answers that are not the backend's.
public enum Garbage: String, Sendable, Hashable, CaseIterable {
    /// 200 with a page of HTML.
    case captivePortal
    /// 200 with JSON that ends in the middle, its length told right.
    case truncatedJSON
    /// 200 with nothing.
    case empty
    /// 200 with a JSON object of another server's, `{"status":"ok"}`: a gateway's, a portal's.
    case foreignObject
    /// 200 with JSON whose members have other types than they should.
    case wrongTypes
    /// The backend's own answer, with a byte order mark before it, which JSON does not allow (RFC 8259, section 8.1).
    case byteOrderMark
    /// The backend's own answer, with every member of its object twice.
    case repeatedNames
}
