internal import Lockstep
internal import LockstepClerk
internal import LockstepClerkEmulator
internal import LockstepContracts

extension ClerkHarness {
    /// A variant with the dashboard settings that create it.
    struct Configuration: Sendable {
        let variant: Variant
        let switches: [(name: String, value: String)]

        init(_ name: String, _ summary: String, _ behavior: ProviderBehavior, _ switches: [(name: String, value: String)] = []) {
            variant = Variant(name, summary, behavior: behavior)
            self.switches = switches
        }

        /// The settings of the emulator: the common settings, and the settings of this variant.
        var settings: ClerkSettings {
            get throws {
                let changed = Set(switches.map(\.name))
                let common = ClerkHarness.common.filter { !changed.contains($0.0) }
                return try ClerkSettings(common + switches)
            }
        }
    }

    private static let common = [
        // An identity provider may omit the address. An instance with phone numbers requires an address or a number.
        (name: "EMAIL_ADDRESS", value: "optional"), ("PHONE_NUMBER", "off"),
        // Clerk does this by default. The emulator needs the settings.
        ("RESEND_SECONDS", "30"), ("REVERIFICATION", "true"), ("PASSKEYS", "true"),
        ("ORGANIZATIONS", "true"),
        // A production hash takes 50 milliseconds, and every contract gets a new environment.
        ("PASSWORD_COST", "least"),
    ]

    static let configurations: [Configuration] = [
        Configuration(
            "usual", "the backend trusts new devices, and reveals which addresses have an account",
            ClerkAdapter.behaviorWithoutTrust),
        Configuration(
            "client-trust", "a password sign-in on a new device needs a code, as in new instances", ClerkAdapter.behavior,
            [("CLIENT_TRUST", "true")]),
        Configuration(
            "protected", "addresses are protected against enumeration", ClerkAdapter.behaviorWithProtection,
            [("ENUMERATION_PROTECTION", "true")]),
        Configuration(
            "link", "a link verifies the address of a sign-up", ClerkAdapter.behaviorWithoutTrust,
            [("EMAIL_VERIFICATION", "email_link")]),
    ]

    /// A new instance of the platform, then one instance for each changed setting.
    ///
    /// Re-verification has the same settings as in `lockstep serve clerk`.
    static let compared: [Configuration] = {
        let hosted = [(name: "CLIENT_TRUST", value: "true"), (name: "REVERIFICATION", value: "false")]
        var hidden = ClerkAdapter.behaviorWithProtection
        hidden.newDevice = .asksForCode
        return [
            Configuration(
                "hosted",
                "a new instance of the platform: a password sign-in on a new device needs a code; all sign-in methods of the journeys are "
                    + "turned on, and an account needs no address",
                ClerkAdapter.behavior, hosted),
            Configuration(
                "reverification", "sensitive calls in an old session need the password again", ClerkAdapter.behavior,
                [("CLIENT_TRUST", "true"), ("REVERIFICATION", "true")]),
            Configuration(
                "trusting", "the backend trusts new devices, as in older instances", ClerkAdapter.behaviorWithoutTrust,
                [("CLIENT_TRUST", "false"), ("REVERIFICATION", "false")]),
            Configuration(
                "protected", "addresses are protected against enumeration", hidden, hosted + [("ENUMERATION_PROTECTION", "true")]),
            Configuration(
                "link", "a link verifies the address of a sign-up", ClerkAdapter.behavior,
                hosted + [("EMAIL_VERIFICATION", "email_link")]),
        ]
    }()
}
