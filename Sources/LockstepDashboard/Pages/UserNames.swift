internal import LockstepEmulation
internal import LockstepPrimitives

/// The names of the users in a list, each read once.
struct UserNames {
    private var known: [ExactString: String] = [:]

    /// Returns a user's address, number or id; `nil` without a user.
    ///
    /// A deleted user has only the id.
    mutating func name(of id: String?, at emulator: DashboardEmulator) async -> String? {
        guard let id else { return nil }
        let key = "\(emulator.name) \(id)".exact
        if let name = known[key] { return name }
        let answer = await emulator.server.controlCalls.send("GET", PageAddress("users", id).text)
        let name = answer.status == 200 ? answer.document.userName : id
        known[key] = name
        return name
    }
}
