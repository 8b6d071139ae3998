/// Faults that cause requests of the adapter to fail.
///
/// A fault affects the matching requests in the order of their arrival. Other requests get the usual response.
public protocol Faults: Sendable {
    /// Causes requests of one kind to fail.
    ///
    /// - Parameters:
    ///   - fault: The effect on the requests.
    ///   - skip: The number of matching requests that get the usual response first.
    ///   - times: The number of requests that fail; `nil` until ``clear()`` is called.
    /// - Throws: ``EnvironmentError`` if the backend does not support this fault.
    func inject(_ fault: Fault, on requests: FaultTarget, skipping skip: Int, times: Int?) async throws

    /// Removes all faults.
    ///
    /// Requests that hang continue to hang.
    ///
    /// - Throws: An error that ends the check.
    func clear() async throws

    /// Waits until at least `count` requests hang.
    ///
    /// - Parameter count: The number of requests.
    /// - Throws: An error that ends the check.
    func untilHanging(_ count: Int) async throws

    /// Releases all hanging requests and all delayed responses.
    ///
    /// - Throws: An error that ends the check.
    func release() async throws
}

/// A kind of request that a fault can affect.
public enum FaultTarget: String, Sendable, Hashable, CaseIterable {
    /// Every request.
    case any
    /// A request for a new access token of an existing session.
    case refresh
    /// A request that creates an account.
    case signUp
    /// A request that sends a password for a sign-in.
    case signIn
    /// A request that ends one or more sessions.
    case signOut
    /// A request that sends the message of a flow again.
    case resend
    /// A request that makes the backend send the message for a password reset.
    case reset
    /// A request that sends the code or link from a message, or asks whether the link was opened elsewhere.
    case verification
    /// A request that sets the new password after a reset.
    case newPassword
    /// A request that reads the signed-in user.
    case user
    /// A request that changes the user: the name, the photo, the password or the address.
    case change
    /// A request that deletes the account.
    case delete
}

/// The effect of a fault on a request.
public enum Fault: Sendable, Hashable {
    /// The request cannot reach the backend because there is no network.
    case offline
    /// The server has no valid certificate of the backend, so there is no secure connection.
    case faulty
    /// The backend closes the connection.
    ///
    /// It has not handled the request.
    case closed
    /// The backend delays the request until ``Faults/release()`` is called or the client stops waiting.
    case hang
    /// A proxy in front of the backend returns this status with its own page.
    case status(Int, retryAfter: Duration?)
    /// The backend handles the request.
    ///
    /// Then it closes the connection without a response.
    case answerLost
    /// The backend handles the request.
    ///
    /// It delays the response until ``Faults/release()`` is called or the client stops waiting.
    case answerHeld
    /// A proxy, a firewall or a portal in front of the backend rejects the request with this status.
    ///
    /// The body of the response is not in the backend's format.
    case proxyRefusal(Int, ProxyForm)
    /// The backend handles the request.
    ///
    /// A cache returns the last successful response to a request of this kind.
    case earlierAnswer
    /// The response does not come from the backend.
    case garbage(Garbage)
    /// The backend rejects the request with an error in its format. No adapter knows the code of the error.
    case unknownCode(String, status: Int = 400)
    /// The backend rejects the credential of the request with an error in its format, although the session is active.
    ///
    /// If the backend has several codes for this, successive faults use different codes.
    case refusedCredential
    /// The backend rejects the request because of too many requests, and returns a waiting time.
    ///
    /// The error is in the backend's format.
    case rateLimited(retryAfter: Duration)
    /// The backend rejects the request. Its response repeats the values that it has received.
    case quoting(Quotation)
    /// The backend accepts the request, and returns a step. No adapter knows the name of the step.
    case unknownStep(String)
    /// The backend handles the request, but cannot send its message. It returns an error in its format.
    ///
    /// Only requests that send a message are affected.
    case messageNotSent
    /// The backend handles the request.
    ///
    /// Its response and the claims of its tokens contain impossible numbers.
    case absurdNumbers(AbsurdNumbers)
    /// The backend handles the request, and appends this text to each token in its response.
    case tokenSuffix(String)
    /// The backend handles the request, and replaces every URL in its response with this URL.
    case otherAddress(String)
}

/// Impossible numbers, which replace every lifetime, date and waiting time in a response.
public enum AbsurdNumbers: String, Sendable, Hashable, CaseIterable {
    /// End times and waiting times are 2⁶³−1.
    ///
    /// Start times are −2⁶³.
    case largest
    /// End times and waiting times are −2⁶³.
    ///
    /// Start times are 2⁶³−1.
    case smallest
    /// End times and waiting times are 10¹⁷.
    ///
    /// Start times are 0.
    case farAway
    /// End times and waiting times are 10³⁰⁰, which needs more than 64 bits.
    case beyondIntegers
}

/// The body of an error that does not come from the backend.
public enum ProxyForm: String, Sendable, Hashable, CaseIterable {
    /// An HTML page.
    case page
    /// No body.
    case empty
    /// A word of plain text.
    case text
    /// JSON that is not in the backend's format.
    case json
}

/// A damaged response, or a response that does not come from the backend.
public enum Garbage: String, Sendable, Hashable, CaseIterable {
    /// Status 200 with an HTML page.
    case captivePortal
    /// Status 200 with incomplete JSON.
    ///
    /// The announced length is the length of the shorter body.
    case truncatedJSON
    /// Status 200 with an empty body.
    case empty
    /// Status 200 with a JSON object of another server, such as a gateway or a portal: `{"status":"ok"}`.
    case foreignObject
    /// Status 200 with JSON whose members have wrong types.
    case wrongTypes
    /// The backend's response after a byte order mark, which JSON does not allow (RFC 8259, section 8.1).
    case byteOrderMark
    /// The backend's response with every member of its object twice.
    case repeatedNames
}
