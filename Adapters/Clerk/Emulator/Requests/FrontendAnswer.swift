import LockstepPrimitives

/// What a handler of the Frontend API gives back; the envelope is put around it afterwards.
enum FrontendAnswer {
    /// `{"response": …, "client": …}`
    case resource(JSON)
    /// `{"response": client, "client": null}`
    case client
    /// The body as it is.
    case bare(JSON)
    /// A sentence for a person with a browser, where nothing says where to send them.
    case page(String)
}
