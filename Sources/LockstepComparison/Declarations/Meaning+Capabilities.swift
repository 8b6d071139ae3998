internal import Lockstep

extension Meaning {
    /// What it means to gain or lose a capability; no list of them has to be kept, so that a new one is told too.
    static func of(capability name: String) -> Meaning {
        let isAccount = ["passwordReset", "passwordChange", "emailChange", "accountDeletion"].contains(name)
        let isWayIn = Capability.all.prefix { $0 != .confirmationCode }.contains(Capability(rawValue: name))
        let cost: Cost = isAccount || isWayIn ? 64 : ["secondFactor", "factorEnrolment"].contains(name) ? 76 : 37
        return Meaning(
            "can:\(name)", "The adapter's capability \(name)",
            [
                Value("yes", "yes", 4, "there is more that the app can offer", "offer it where it helps"),
                Value(
                    "no", "no", cost,
                    (isWayIn ? "users who came in by this way have no way in" : "the app cannot offer it")
                        + ": the call is refused as unsupported, before any request",
                    isWayIn ? "give these users another way before the move" : "show the button only where the adapter has it",
                    call: "if adapter.capabilities.contains(.\(name)) { showButton() }"),
            ])
    }
}
