internal import LockstepPrimitives

/// A request of the app to a server of its own, as a plain value: any HTTP client can send it.
public struct AppRequest: Sendable, Hashable {
    /// One header field; those that carry tokens do not print them.
    public struct Field: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
        /// The name, in any case.
        public var name: String
        /// The value.
        public var value: String

        /// A field.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }

        /// The field as it may be logged.
        public var description: String {
            let isSecret = ["authorization", "proxy-authorization", "cookie", "apikey"].contains(name.lowercased())
            return "\(name): \(isSecret ? "<redacted>" : value)"
        }

        /// What `dump` shows.
        public var customMirror: Mirror { Mirror(self, children: ["field": description]) }
    }

    /// The method, such as `GET`.
    public var method: String
    /// The whole address.
    public var url: String
    /// The header fields, in order.
    public var headers: [Field]
    /// The body; empty for none.
    public var body: [UInt8]

    /// A request.
    public init(method: String = "GET", url: String, headers: [Field] = [], body: [UInt8] = []) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// The value of a header field, its name in any case; `nil` where there is none.
    public func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The same request with the session's access token.
    func authorized(by session: Session) -> AppRequest {
        var copy = self
        copy.headers.removeAll { $0.name.lowercased() == "authorization" }
        copy.headers.append(Field("Authorization", "Bearer \(session.accessToken.reveal())"))
        return copy
    }
}

/// The answer of the app's server, as far as the client needs it.
public struct AppAnswer<Content: Sendable>: Sendable {
    /// The status; 401 means that the server does not take the token.
    public var status: Int
    /// The response of the app's HTTP client.
    public var content: Content

    /// An answer.
    public init(status: Int, content: Content) {
        self.status = status
        self.content = content
    }
}
