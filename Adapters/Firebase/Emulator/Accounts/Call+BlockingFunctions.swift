extension Call {
    /// What a blocking function can be asked about.
    enum BlockingEvent: String {
        case beforeCreate
        case beforeSignIn
    }

    /// This server calls no functions: where one is configured, it is answered as one that cannot be reached.
    func requireNoBlockingFunction(_ isAsked: Bool, _ event: BlockingEvent) throws(APIError) {
        guard isAsked, let address = rules.blockingFunctions[event.rawValue] else { return }
        throw .inside(
            "\(ErrorCode.blockingFunctionFailed.rawValue) : ((Failed to make request to \(address).))",
            reason: "blocking functions are not built")
    }
}
