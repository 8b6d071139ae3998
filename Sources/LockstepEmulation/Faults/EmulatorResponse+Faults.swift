extension EmulatorResponse {
    /// No answer: the connection is closed.
    static var silence: EmulatorResponse {
        var response = EmulatorResponse(status: 200)
        response.delivery = .silence
        return response
    }

    /// The same as a fault leaves it.
    func spoilt(by effect: FaultEffect) -> EmulatorResponse {
        var copy = self
        switch effect {
        case .loseResponse: return .silence
        case .truncateResponse(let count): copy.delivery = .truncated(after: count ?? body.count / 2)
        case .breakResponse: copy.body = Array(body.prefix(body.count / 2))
        case .changeResponse(let change): return change(self)
        default: break
        }
        return copy
    }
}
