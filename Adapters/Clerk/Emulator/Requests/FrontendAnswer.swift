import LockstepPrimitives

/// The result of a handler of the Frontend API, without its envelope.
enum FrontendAnswer {
    /// `{"response": …, "client": …}`
    case resource(JSON)
    /// `{"response": client, "client": null}`
    case client
    /// The body as it is.
    case bare(JSON)
    /// A sentence for a person with a browser, where the request names no redirect.
    case page(String)
}
