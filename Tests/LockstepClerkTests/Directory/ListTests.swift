import LockstepClerkDirectory
import LockstepClerkEmulator
import LockstepDirectory
import LockstepEmulation
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// What an instance has beside its users, and the Dashboard's export of them.
@Suite(.limitedConcurrency)
struct ListTests {
    private func run(
        isOn: Bool = true, _ body: (Instance, ClerkDirectory) async throws -> Void
    ) async throws {
        try await Instance.run([], { $0.organizations.isEnabled = isOn }) { instance in
            try await body(
                instance,
                try ClerkDirectory(
                    secretKey: instance.server.emulator.secretKey, url: instance.server.base, transport: instance.transport,
                    clock: instance.clock))
        }
    }

    private static func user(_ number: Int) -> SeedUser {
        var user = SeedUser()
        (user.id, user.email, user.isEmailConfirmed) = ("user_\(number)", "user\(number)@example.com", true)
        return user
    }

    @Test func listsArePages() async throws {
        try await run { instance, directory in
            var acme = SeedOrganization(id: "org_acme", name: "Acme")
            (acme.appMetadata, acme.privateMetadata) = (["plan": "gold"], ["note": "x"])
            acme.members = (0..<3).map { .init(user: "user_\($0)", role: $0 == 0 ? "org:admin" : "org:member") }
            try instance.server.emulator.admin.add((0..<3).map(Self.user), [acme])
            #expect(try await directory.instance().hasPrefix("ins_"))
            let organizations = try await directory.entries(of: .organizations, after: 0)
            #expect(organizations.total == 1 && organizations.entries[0]["id"] == "org_acme")
            #expect(organizations.entries[0]["privateMetadata"] == ["note": "x"], "\(organizations)")
            var members: [JSONObject] = []
            for start in [0, 2] {
                let page = try await directory.entries(of: .memberships, after: start, size: 2)
                #expect(page.total == 3)
                members += page.entries
            }
            #expect(Set(members.compactMap { $0["user"]?.string }) == ["user_0", "user_1", "user_2"])
            #expect(members.allSatisfy { $0["organization"] == "org_acme" && $0["role"] != nil }, "\(members)")
            let roles = try await directory.entries(of: .roles, after: 0)
            #expect(roles.entries.contains { $0["role"] == "org:admin" && $0["permissions"]?[0] != nil }, "\(roles)")
            let connections = try await directory.entries(of: .connections, after: 0)
            #expect(connections.total == 0 && connections.entries.isEmpty)
        }
    }

    /// An instance in which organizations are off has none.
    @Test func listsOfOrganizationsThatAreOffAreEmpty() async throws {
        try await run(isOn: false) { _, directory in
            for list in [ClerkList.organizations, .memberships, .roles] {
                let page = try await directory.entries(of: list, after: 0)
                #expect(page.total == 0 && page.entries.isEmpty, "\(list)")
            }
        }
    }

    /// The columns of Clerk's documents, several values in a cell, and a TAB before a formula.
    @Test func exportHasTheDashboardsFormat() async throws {
        try await run { instance, _ in
            var ada = Self.user(0)
            (ada.firstName, ada.lastName, ada.phone, ada.isPhoneConfirmed) = ("Ada \"A\"", "=1+1", "+4915112345601", true)
            ada.otherEmails = [
                DirectoryAddress("second@example.com", isConfirmed: true),
                DirectoryAddress("third@example.com", isConfirmed: false),
            ]
            ada.passwordHash = "$2b$06$Bqb3kuM2wEn2sVlu6LdHAe5G7c6TSCkQKlgKZECRlGrXC/V0kjLOG"
            ada.factors = [DirectoryFactor(.authenticatorApp(secret: "JBSWY3DPEHPK3PXP"))]
            try instance.server.emulator.admin.add([ada])
            let text = String(decoding: try instance.server.emulator.admin.exportUsers(), as: UTF8.self)
            #expect(
                text == """
                    id,first_name,last_name,username,primary_email_address,primary_phone_number,verified_email_addresses,\
                    unverified_email_addresses,verified_phone_numbers,unverified_phone_numbers,totp_secret,password_digest,\
                    password_hasher
                    user_0,"Ada ""A""\",\"\t=1+1",,user0@example.com,"\t+4915112345601",user0@example.com|second@example.com,\
                    third@example.com,"\t+4915112345601",,JBSWY3DPEHPK3PXP,\(ada.passwordHash?.reveal() ?? ""),bcrypt

                    """)
        }
    }
}
