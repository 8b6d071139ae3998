internal import Lockstep
internal import LockstepClerk
internal import LockstepClerkEmulator
internal import LockstepContracts

extension ClerkBench {
    /// A variant, with the switches of the dashboard that make it.
    struct Configuration: Sendable {
        let variant: Variant
        let switches: [(name: String, value: String)]

        init(_ name: String, _ summary: String, _ conduct: Conduct, _ switches: [(name: String, value: String)] = []) {
            variant = Variant(name, summary, conduct: conduct)
            self.switches = switches
        }

        /// The emulator's settings: those of Clerk's that it keeps only when it is told to, and what the variant changes.
        ///
        /// A real hash takes 50 milliseconds, and a stage is set up for one promise: the bench takes the least.
        var settings: ClerkSettings {
            get throws {
                try ClerkSettings(
                    [("RESEND_SECONDS", "30"), ("REVERIFICATION", "true"), ("PASSWORD_COST", "least")] + switches)
            }
        }
    }

    static let configurations: [Configuration] = [
        Configuration("usual", "devices are trusted, addresses are told", ClerkAdapter.conductWithoutTrust),
        Configuration(
            "client-trust", "a password on a new device asks for a code, as in new instances", ClerkAdapter.conduct,
            [("CLIENT_TRUST", "true")]),
        Configuration(
            "protected", "addresses are protected against enumeration", ClerkAdapter.conductWithProtection,
            [("ENUMERATION_PROTECTION", "true")]),
    ]
}
