extension Router {
    /// Adds a `GET` route that is answered now or later, as the request wants.
    public mutating func get(_ pattern: String, _ handler: @escaping RouteHandler) {
        on("GET", pattern, handler)
    }

    /// Adds a `GET` route that is answered at once, on the server's thread.
    public mutating func get(
        _ pattern: String, _ handler: @escaping @Sendable (EmulatorRequest) throws -> EmulatorResponse
    ) {
        on("GET", pattern, handler)
    }

    /// Adds a `GET` route whose connection waits while the answer is worked on.
    public mutating func get(
        _ pattern: String, suspending handler: @escaping @Sendable (EmulatorRequest) async throws -> EmulatorResponse
    ) {
        on("GET", pattern, suspending: handler)
    }

    /// Adds a `POST` route that is answered now or later, as the request wants.
    public mutating func post(_ pattern: String, _ handler: @escaping RouteHandler) {
        on("POST", pattern, handler)
    }

    /// Adds a `POST` route that is answered at once, on the server's thread.
    public mutating func post(
        _ pattern: String, _ handler: @escaping @Sendable (EmulatorRequest) throws -> EmulatorResponse
    ) {
        on("POST", pattern, handler)
    }

    /// Adds a `POST` route whose connection waits while the answer is worked on.
    public mutating func post(
        _ pattern: String, suspending handler: @escaping @Sendable (EmulatorRequest) async throws -> EmulatorResponse
    ) {
        on("POST", pattern, suspending: handler)
    }

    /// Adds a `PUT` route that is answered now or later, as the request wants.
    public mutating func put(_ pattern: String, _ handler: @escaping RouteHandler) {
        on("PUT", pattern, handler)
    }

    /// Adds a `PUT` route that is answered at once, on the server's thread.
    public mutating func put(
        _ pattern: String, _ handler: @escaping @Sendable (EmulatorRequest) throws -> EmulatorResponse
    ) {
        on("PUT", pattern, handler)
    }

    /// Adds a `PUT` route whose connection waits while the answer is worked on.
    public mutating func put(
        _ pattern: String, suspending handler: @escaping @Sendable (EmulatorRequest) async throws -> EmulatorResponse
    ) {
        on("PUT", pattern, suspending: handler)
    }

    /// Adds a `PATCH` route that is answered now or later, as the request wants.
    public mutating func patch(_ pattern: String, _ handler: @escaping RouteHandler) {
        on("PATCH", pattern, handler)
    }

    /// Adds a `PATCH` route that is answered at once, on the server's thread.
    public mutating func patch(
        _ pattern: String, _ handler: @escaping @Sendable (EmulatorRequest) throws -> EmulatorResponse
    ) {
        on("PATCH", pattern, handler)
    }

    /// Adds a `PATCH` route whose connection waits while the answer is worked on.
    public mutating func patch(
        _ pattern: String, suspending handler: @escaping @Sendable (EmulatorRequest) async throws -> EmulatorResponse
    ) {
        on("PATCH", pattern, suspending: handler)
    }

    /// Adds a `DELETE` route that is answered now or later, as the request wants.
    public mutating func delete(_ pattern: String, _ handler: @escaping RouteHandler) {
        on("DELETE", pattern, handler)
    }

    /// Adds a `DELETE` route that is answered at once, on the server's thread.
    public mutating func delete(
        _ pattern: String, _ handler: @escaping @Sendable (EmulatorRequest) throws -> EmulatorResponse
    ) {
        on("DELETE", pattern, handler)
    }

    /// Adds a `DELETE` route whose connection waits while the answer is worked on.
    public mutating func delete(
        _ pattern: String, suspending handler: @escaping @Sendable (EmulatorRequest) async throws -> EmulatorResponse
    ) {
        on("DELETE", pattern, suspending: handler)
    }
}
