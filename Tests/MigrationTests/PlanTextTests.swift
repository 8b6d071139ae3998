import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepMigration

@Suite("The text of a plan", .limitedConcurrency) struct PlanTextTests {
    /// A plan of a large project.
    private static var plan: PlanSummary {
        var plan = PlanSummary()
        (plan.read, plan.counted, plan.countedBefore, plan.created) = (1_204_518, 1_204_518, 1_204_518, 1_187_902)
        plan.probe = "ada@…"
        plan.skipped = [.anonymousUser: 4_113]
        plan.refused = [.appFactor: 9_870, .addressTwice: 2_214, .numberTaken: 419]
        plan.ways = [
            .password: 611_204, .passwordAfterProof: 399_140, .provider: 168_930, .phoneCode: 5_391, .newPassword: 3_237,
        ]
        plan.providers = ["google": 151_002, "apple": 17_928]
        plan.hashes = ["fbscrypt 14/8": 1_010_344]
        plan.fields = [
            .init(field: .password, treatment: .kept, reason: nil, count: 1_010_344),
            .init(field: .password, treatment: .lazy, reason: .hashImported, count: 3_237),
            .init(field: .id, treatment: .transformed, reason: .idIsMade, count: 1_187_902),
            .init(field: .created, treatment: .kept, reason: nil, count: 1_187_902),
            .init(field: .identities, treatment: .kept, reason: nil, count: 168_930),
            .init(field: .passkeys, treatment: .lost, reason: .passkeyIsBound, count: 1_204),
        ]
        plan.emails = .init(sender: "GoTrue", perHour: 30, isTold: true)
        plan.obstacles = [MoveObstacle(.init(.providerOff, "apple"), users: 17_928)]
        plan.unknown = [.secondFactors, .userQuota]
        plan.isSourceOpen = true
        plan.writing = .init(
            road: "by SQL", seconds: 238, effects: [MoveEffect("triggers on auth.users that will run", ["public.make_profile"])])
        return plan
    }

    @Test(.covers("M02", "M22", "M57")) func planTextOfALargeProjectIsStable() {
        #expect(Self.plan.isConsistent)
        let expected = """
            probe ada@…     the exported hash matches the given password

            before you apply
              402,377 users need an email before the first sign-in. GoTrue sends 30 emails an hour: 559 days.
                Raise it first.
              17,928 users have an identity of apple, which is off on the target: turn it on.
              The target does not report these values: second factors, quota of users. Check them there.
              Sign-up is open on the source. Users who sign up after this plan need another plan.

            1,204,518 users read, as many as the project reports
              1,187,902  create
                      0  adopt
                  4,113  skip      anonymous users, because of "anonymousUsers"
                 12,503  refuse    9,870 authenticator app: the source does not return its secret
                                   2,214 duplicate address, ignoring case and composed letters (the first is
                                         kept)
                                   419 number belongs to another user on the target

            how they sign in afterwards
                611,204  password, immediately
                399,140  password, after the address is verified. GoTrue sends 30 emails an hour: 554 days.
                         Raise it first.
                168,930  a provider's page: google 151,002, apple 17,928 (Apple's ids belong to a team: use the
                         same team on the target)
                  5,391  a code by SMS
                  3,237  a new password by email; only the source can verify the old password. GoTrue sends 30
                         emails an hour: 5 days. Raise it first.
                      0  no way to sign in

            field                    kept  transformed         lost only the old side   why
            password            1,010,344            0            0            0   fbscrypt 14/8
                                        0            0            0        3,237   imported into the source, and
                                                                                   not hashed again since
            id                          0    1,187,902            0            0   UUIDv5 of project and id;
                                                                                   map.csv lists old and new ids
            created             1,187,902            0            0            0
            identities            168,930            0            0            0
            passkeys                    0            0        1,204            0   bound to the old site

            writing: at least 4 min by SQL; triggers on auth.users that will run: public.make_profile

            """
        let (lines, wanted) = (
            Self.plan.text.split(separator: "\n", omittingEmptySubsequences: false),
            expected.split(separator: "\n", omittingEmptySubsequences: false)
        )
        #expect(lines.count == wanted.count)
        for (line, wish) in zip(lines, wanted) { #expect(line == wish) }
    }

    @Test func linesHaveAtMost100Columns() {
        var plan = Self.plan
        plan.unknown = MoveSetting.allCases
        plan.refused = Dictionary(uniqueKeysWithValues: UserReason.allCases.map { ($0, 1_000_000) })
        plan.fields = FieldReason.allCases.map { .init(field: .furtherAddresses, treatment: .lost, reason: $0, count: 1_000_000) }
        plan.obstacles = MoveObstacle.Kind.allCases.map { MoveObstacle(.init($0, "something"), users: 1_234_567) }
        for line in plan.text.split(separator: "\n") { #expect(line.count <= 100, "\(line)") }
    }

    /// The journal stores the plan as JSON, and `status` prints it from there.
    @Test func planIsReadBackFromItsJSON() {
        #expect(PlanSummary(journal: JSON.object(Self.plan.json).text()) == Self.plan)
        #expect(PlanSummary(journal: JSON.object(PlanSummary().json).text()) == PlanSummary())
        #expect(PlanSummary(journal: "{}") == nil && PlanSummary(journal: "[") == nil)
    }

    @Test func unreportedLimitIsShownAsTheDefaultOrUnknown() {
        var plan = Self.plan
        // Without the line ends.
        func words() -> String { plan.text.split { $0 == " " || $0 == "\n" }.joined(separator: " ") }
        plan.emails.isTold = false
        #expect(words().contains("GoTrue sends 30 emails an hour by default: 554 days."))
        plan.emails.perHour = nil
        #expect(words().contains("How long that takes depends on the email limit of GoTrue."))
        plan.emails.perHour = 100_000
        #expect(words().contains("GoTrue sends 100,000 emails an hour by default: 4 h."))
    }

    @Test func hostileNamesCannotBreakALine() {
        var plan = Self.plan
        plan.providers = ["goo\u{1B}[31m\ngle": 168_930]
        plan.obstacles = [MoveObstacle(.init(.providerOff, "x\u{202E}\ny"), users: 1)]
        plan.writing?.effects = [MoveEffect("triggers", ["public.\u{1B}\nf"])]
        #expect(!plan.text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
        #expect(plan.text.contains("goo\\u{1B}[31m\\n") || plan.text.contains("\\u{A}"))
    }
}
