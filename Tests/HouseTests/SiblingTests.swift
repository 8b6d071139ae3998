import Foundation
import Testing

/// The adapters are siblings: the same thing is in the file of the same name.
@Suite("Siblings")
struct SiblingTests {
    private static let providers = ["GoTrue", "Firebase", "Clerk"]

    /// What every adapter has; `Provider` stands for its name.
    private static let shared: Set<String> = [
        "Behavior", "EmailLinkSignIn", "ErrorMapping", "ErrorMeaning", "FlowNotes", "IDTokenSignIn", "LinkVerification",
        "MessageSending", "NewPassword", "OwnAccountDeletion", "OwnEmailChange", "OwnIdentities", "OwnPasswordChange",
        "OwnProfileUpdate", "PasswordResetRequest", "PasswordSignIn", "ProviderAPI", "ProviderAdapter", "ProviderCallbacks",
        "ProviderConfiguration", "ProviderSessions", "RenewedSignIn", "SecondFactor", "SessionReading", "UserReading",
    ]

    /// What only one adapter has, with the reason.
    private static let own: [String: [String: String]] = [
        "GoTrue": [
            "CallbackProof": "links carry a PKCE code, a token's hash, or half of a proof",
            "Fields/ProviderSession": "the parts of a session that have no portable name",
            "Fields/ProviderUser": "the parts of a user that have no portable name",
            "OwnSecondFactors": "the other adapters do not enrol second factors",
            "PasskeySignIn": "the other adapters have no passkeys", "PasskeyVerification": "the other adapters have no passkeys",
            "ProviderAdapter+Request": "only GoTrue's API is open for requests of one's own",
            "ProviderWire": "its directory sends by the same wire",
        ],
        "Firebase": [
            "ActionLink": "the links of messages carry a mode and a code, not a session",
            "PollVerification": "only Firebase's confirmations are found out by asking",
            "UserUpdate": "one call changes everything of a user, and may renew the tokens",
        ],
        "Clerk": [
            "AddressKind": "addresses and numbers are resources of their own",
            "AttemptReading": "a sign-in or sign-up is an attempt with a status",
            "MissingFields": "only Clerk asks for fields later",
            "SignUpCreation": "a sign-up is an attempt before there is a user",
        ],
    ]

    private func files(_ provider: String) throws -> Set<String> {
        let folder = "Adapters/\(provider)/Adapter/"
        let names = try House.files(below: ["Adapters/\(provider)/Adapter"]).map { file in
            String(file.path.dropFirst(folder.count).dropLast(".swift".count)).replacingOccurrences(
                of: provider, with: "Provider")
        }
        return Set(names)
    }

    @Test func everyAdapterHasTheSharedFiles() throws {
        for provider in Self.providers {
            let missing = Self.shared.subtracting(try files(provider))
            #expect(missing.isEmpty, "\(provider) has no \(missing.sorted())")
        }
    }

    @Test func whatOnlyOneHasIsListedWithItsReason() throws {
        let all = try Self.providers.map { ($0, try files($0)) }
        for (provider, files) in all {
            let others = all.filter { $0.0 != provider }.reduce(into: Set<String>()) { $0.formUnion($1.1) }
            let alone = files.subtracting(others)
            #expect(alone == Set(Self.own[provider, default: [:]].keys), "\(provider)")
        }
    }

    /// All are made alike: a configuration, a transport, a clock, randomness.
    @Test func initialisersTakeTheSame() throws {
        for provider in Self.providers {
            let file = try House.files(below: ["Adapters/\(provider)/Adapter"]).first {
                $0.path.hasSuffix("/\(provider)Adapter.swift")
            }
            let text = try #require(file).lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
            #expect(
                text.contains(
                    """
                    _ configuration: \(provider)Configuration, transport: some HTTPTransport, clock: any DeviceClock = SystemClock(), \
                    randomness: any Randomness = SystemRandomness() )
                    """), "\(provider)")
        }
    }
}
