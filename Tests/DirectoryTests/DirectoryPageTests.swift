import Foundation
import LockstepClerkDirectory
import LockstepCurl
import LockstepDirectoryContracts
import LockstepFirebaseDirectory
import LockstepGoTrueDatabase
import LockstepGoTrueDirectory
import LockstepTestConcurrency
import Testing

/// docs/directories.md lists the features of each directory and the contracts, as in the code.
@Suite(.limitedConcurrency) struct DirectoryPageTests {
    /// `LOCKSTEP_WRITE_PAGES=1 swift test --filter DirectoryPageTests` rewrites the tables.
    @Test func pageMatchesTheDirectories() throws {
        let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "docs/directories.md")
        let text = try String(contentsOf: url, encoding: .utf8)
        let expected = Self.replacing(
            "contracts", with: Self.contracts, in: Self.replacing("features", with: try Self.features(), in: text))
        if ProcessInfo.processInfo.environment["LOCKSTEP_WRITE_PAGES"] != nil {
            try expected.write(to: url, atomically: true, encoding: .utf8)
        } else {
            #expect(text == expected, "docs/directories.md does not say what the code does; write it anew (above)")
        }
    }

    /// Puts a table in place of the one below its mark.
    private static func replacing(_ name: String, with table: [String], in text: String) -> String {
        let lines = text.components(separatedBy: "\n")
        guard let mark = lines.firstIndex(of: "<!-- \(name) -->") else { return "no mark \(name)" }
        let rest = lines[(mark + 1)...].drop { $0.isEmpty || $0.hasPrefix("|") }
        return (lines[...mark] + [""] + table + (rest.isEmpty ? [""] : [""] + rest)).joined(separator: "\n")
    }

    private static func features() throws -> [String] {
        let transport = CurlTransport()
        let directories: [(String, any UserDirectory)] = [
            (
                "firebase",
                try FirebaseDirectory(url: "http://127.0.0.1:9099", project: "demo-page", tenant: "t", transport: transport)
            ),
            ("gotrue", try GoTrueDirectory(url: "http://127.0.0.1:9999", adminKey: "sb_secret_page", transport: transport)),
            ("gotrue's rows", try GoTrueDatabase("host=/nowhere")),
            ("clerk", try ClerkDirectory(secretKey: "sk_test_page", transport: transport)),
        ]
        let all: [(DirectoryFeature, String)] = [
            (.chosenIDs, "an id that the caller chooses"), (.passwordHashes, "hashes of passwords"),
            (.confirmation, "whether an address is verified"), (.confirmationTimes, "when an address or a number was verified"),
            (.disabling, "disabled users"), (.banEnds, "the end of a ban"), (.locks, "locked users"),
            (.phones, "numbers"), (.unprovenPhones, "unverified numbers"),
            (.otherAddresses, "further addresses and numbers"),
            (.addressIdentities, "whether an address or a number is a sign-in method"), (.usernames, "user names"),
            (.personNames, "first and last name"), (.photos, "photos"), (.identities, "identities of providers"),
            (.identityDetails, "data and times of identities"), (.phoneFactors, "verified numbers as second factors"),
            (.appFactors, "authenticator apps as second factors"), (.backupCodes, "backup codes"),
            (.factors, "other second factors"), (.anonymousUsers, "anonymous users"), (.singleSignOn, "users of single sign-on"),
            (.tenants, "tenants (a directory of a tenant)"), (.roles, "role and audience of tokens"),
            (.userMetadata, "data that the user may change"), (.privateMetadata, "data that only servers see"),
            (.externalIDs, "another system's id"), (.creationTimes, "the time when the account was created"),
            (.updateTimes, "the time of the last change"), (.signInTimes, "the time of the last sign-in"),
            (.policyExemptions, "passwords that are exempt from the policy"),
        ]
        let written = directories.reduce(into: Set()) { $0.formUnion($1.1.features) }
        #expect(written.union([.singleSignOn]) == Set(all.map(\.0)))
        return ["| | " + directories.map(\.0).joined(separator: " | ") + " |", "| --- |" + String(repeating: " --- |", count: 4)]
            + all.map { feature, words in
                "| \(words) | " + directories.map { $0.1.features.contains(feature) ? "yes" : "no" }.joined(separator: " | ")
                    + " |"
            }
    }

    private static var contracts: [String] {
        ["| contract | |", "| --- | --- |"] + DirectoryCatalog.all.map { "| `\($0.id)` | \($0.statement) |" }
    }
}
