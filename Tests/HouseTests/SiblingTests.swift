import Foundation
import Testing

/// The adapters have the same files: the same topic is in the file with the same name.
@Suite("Files that adapters share")
struct SiblingTests {
    private static let providers = ["GoTrue", "Firebase", "Clerk"]

    /// The files of every adapter.
    ///
    /// `Provider` stands for its name.
    private static let shared: Set<String> = [
        "AnswerReading", "Behavior", "ErrorMapping", "Factors", "FlowNotes", "IdentitySignIn", "MessageSending", "MessageSignIn",
        "OwnAccount", "Passkeys", "PasswordReset", "PasswordSignIn", "Proofs", "ProviderAPI", "ProviderAdapter",
        "ProviderCallbacks", "ProviderSessions", "VendorSession",
    ]

    /// The files of only one adapter, with the reason.
    private static let own: [String: [String: String]] = [
        "GoTrue": [
            "Fields/ProviderSession": "the parts of a session that have no portable name",
            "Fields/ProviderUser": "the parts of a user that have no portable name",
        ],
        "Firebase": [
            "KeyedArchive": "only Firebase's SDK stores its session as an archive of objects",
            "AppProof": "Firebase sends an SMS only to an app that has proven itself, and takes such a proof with the request",
        ],
        "Clerk": [
            "Organizations": "the other providers have none",
            "Reverification": "signing in again is a verification of the session, with statuses of its own",
            "SignUp": "a sign-up is an attempt before there is a user, and may ask for fields later",
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

    @Test func filesOfOneAdapterOnlyAreListedWithAReason() throws {
        let all = try Self.providers.map { ($0, try files($0)) }
        for (provider, files) in all {
            let others = all.filter { $0.0 != provider }.reduce(into: Set<String>()) { $0.formUnion($1.1) }
            let alone = files.subtracting(others)
            #expect(alone == Set(Self.own[provider, default: [:]].keys), "\(provider)")
        }
    }

    /// All adapters have the same initializer: a configuration, a transport, a clock, randomness.
    @Test func adapterInitializersHaveTheSameParameters() throws {
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
