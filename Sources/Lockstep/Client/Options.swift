extension AuthClient {
    /// How a client behaves where there is a choice.
    public struct Options: Sendable {
        /// When a call ends at the latest, whatever the backend does.
        public var deadline: Duration
        /// How long a call waits for its turn at the store.
        ///
        /// While another process refreshes the session a call waits longer: until its own ``deadline``.
        public var lockTimeout: Duration
        /// The servers of the app that ``AuthClient/authorized(_:by:)`` may send the user's token to; none by default.
        public var apiOrigins: Set<WebOrigin>
        /// How long a sign-out that is already done on this device waits for the backend to hear of it.
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
