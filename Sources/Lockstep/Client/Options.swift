extension AuthClient {
    /// Settings of a client.
    public struct Options: Sendable {
        /// Time limit of a call, even where the backend does not answer.
        public var deadline: Duration
        /// How long a call waits for the store's lock.
        ///
        /// While another process refreshes the session a call waits longer: until its own ``deadline``.
        public var lockTimeout: Duration
        /// The servers of the app that ``AuthClient/authorized(_:by:)`` may send the user's token to; none by default.
        public var apiOrigins: Set<WebOrigin>
        /// Timeout for revoking the session at the backend; the sign-out on this device is already done.
        public var revocationTimeout: Duration

        /// Options.
        public init(
            deadline: Duration = .seconds(30), lockTimeout: Duration = .seconds(10), revocationTimeout: Duration = .seconds(5),
            apiOrigins: Set<WebOrigin> = []
        ) {
            self.apiOrigins = apiOrigins
            self.deadline = deadline
            self.lockTimeout = lockTimeout
            self.revocationTimeout = revocationTimeout
        }
    }
}
