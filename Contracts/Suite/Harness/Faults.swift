/// Faults for requests of the adapter.
///
/// A fault affects the matching requests in the order in which they arrive. Others pass.
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
    /// A request for a new access token of an existing session.
    case refresh
    /// A request that creates an account.
    case signUp
    /// A request that sends a password for a sign-in.
    case signIn
    /// A request that ends sessions.
    case signOut
    /// A request that sends the message of a flow again.
    case resend
    /// A request for the message of a password reset.
    case reset
    /// A request that sends the code or link of a message, or checks whether the link was opened elsewhere.
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
    /// No connection to the backend is possible, and nothing arrives there.
    case offline
    /// The responding server cannot authenticate itself as the backend, so there is no secure connection.
    case faulty
    /// The backend closes the connection without a response, and has done nothing.
    case closed
    /// The response is held until ``Faults/release()``, or until the client gives up.
    case hang
    /// A proxy in front of the backend returns this status with its own page.
    case status(Int, retryAfter: Duration?)
    /// The backend processes the request, and the connection is closed before its response.
    case answerLost
    /// The backend processes the request, and its response is held until ``Faults/release()``, or until the client gives up.
    case answerHeld
    /// A proxy, a firewall or a portal in front of the backend rejects the request with this status, in its own form.
    case proxyRefusal(Int, ProxyForm)
    /// The backend processes the request, and a cache returns the last successful response to a request of this kind.
    case earlierAnswer
    /// The response is not from the backend.
    case garbage(Garbage)
    /// The backend rejects the request in its own form, with a code that no adapter knows.
    case unknownCode(String, status: Int = 400)
    /// The backend rejects the request in its own form because of too many requests, and says when to retry.
    case rateLimited(retryAfter: Duration)
    /// The backend rejects the request, and repeats what it received.
    case quoting(Quotation)
    /// The backend accepts the request, and returns a step in its own form with a name that no adapter knows.
    case unknownStep(String)
    /// The backend processes the request but cannot send its message, and reports that in its own form. Only requests that send a
    /// message are counted.
    case messageNotSent
    /// The backend processes the request. Its response, including the claims of its tokens, contains impossible numbers.
    case absurdNumbers(AbsurdNumbers)
    /// The backend processes the request, and appends this text to each token in its response.
    case tokenSuffix(String)
    /// The backend processes the request, and replaces every web address in its response with this one.
    case otherAddress(String)
}

/// Numbers that replace every lifetime, date and waiting time in a response.
public enum AbsurdNumbers: String, Sendable, Hashable, CaseIterable {
    /// Ends and waits are 2⁶³−1, and beginnings are −2⁶³.
    case largest
    /// Ends and waits are −2⁶³, and beginnings are 2⁶³−1.
    case smallest
    /// Ends and waits are 10¹⁷, and beginnings are 0.
    case farAway
    /// Ends and waits are 10³⁰⁰, which does not fit into 64 bits.
    case beyondIntegers
}

/// The body of an error that no backend has sent.
public enum ProxyForm: String, Sendable, Hashable, CaseIterable {
    /// An HTML page.
    case page
    /// Nothing.
    case empty
    /// A word of plain text.
    case text
    /// JSON in another form.
    case json
}

/// Responses that are not from the backend.
public enum Garbage: String, Sendable, Hashable, CaseIterable {
    /// Status 200 with an HTML page.
    case captivePortal
    /// Status 200 with incomplete JSON and a matching length.
    case truncatedJSON
    /// Status 200 with an empty body.
    case empty
    /// Status 200 with a JSON object of another server, such as a gateway or a portal: `{"status":"ok"}`.
    case foreignObject
    /// Status 200 with JSON whose members have wrong types.
    case wrongTypes
    /// The backend's own response after a byte order mark, which JSON does not allow (RFC 8259, section 8.1).
    case byteOrderMark
    /// The backend's own response, with every member of its object twice.
    case repeatedNames
}
