extension Call {
    /// The events of blocking functions.
    enum BlockingEvent: String {
        case beforeCreate
        case beforeSignIn
    }

    /// This server calls no functions: a configured one counts as unreachable.
    func requireNoBlockingFunction(_ isAsked: Bool, _ event: BlockingEvent) throws(APIError) {
        guard isAsked, let address = rules.blockingFunctions[event.rawValue] else { return }
        throw .inside(
            "\(ErrorCode.blockingFunctionFailed.rawValue) : ((Failed to make request to \(address).))",
            reason: "blocking functions are not built")
    }
}
