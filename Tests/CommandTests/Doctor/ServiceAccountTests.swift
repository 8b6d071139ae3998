import Foundation
import LockstepDoctor
import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepFirebaseDirectory
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

@testable import LockstepCLI

/// A service account's file opens the configuration of a Firebase project.
@Suite("lockstep doctor firebase with a service account", .limitedConcurrency)
struct ServiceAccountTests {
    /// A token server that signs for an account, next to a scripted project.
    private static func with(_ body: (ScriptedProject, EmulatorServer<GrantServer>) async throws -> Void) async throws {
        let grants = try EmulatorServer(EmulatorOptions()) { try GrantServer(project: "orders", key: GrantServer.Key(), in: $0) }
        defer { grants.stop() }
        try await ScriptedProject.with(["firebase"]) { project in
            try await project.answer([
                ("*/v1/projects", 200, ["projectId": "1"]),
                ("*/admin/v2/projects/orders/config", 200, ["signIn": ["allowDuplicateEmails": true]]),
            ])
            try await body(project, grants)
        }
    }

    private static func report(_ project: ScriptedProject, _ account: FirebaseServiceAccount) async throws -> DoctorReport {
        try await Doctor.firebase(
            apiKey: "AIzaCanary", project: account.project,
            grant: AccessGrant(of: account, transport: project.transport, clock: SystemClock()), transport: project.transport,
            clock: SystemClock()
        ).report()
    }

    @Test func configurationIsRead() async throws {
        try await Self.with { project, grants in
            let account = try FirebaseServiceAccount(contents: grants.emulator.file)
            let report = try await Self.report(project, account)
            #expect(report.findings.first { $0.id == "firebase.duplicate-addresses" }?.level == .fail)
            #expect(report.requests.last == "POST \(account.tokenAddress)" && grants.emulator.grants == 1)
            // Only Google's account service gets the token, and nobody gets the key.
            let withToken = project.transport.requests.filter { $0.headers["Authorization"] != nil }
            #expect(withToken.count == 4 && withToken.allSatisfy { $0.url.contains("/projects/orders/") })
            #expect(withToken.allSatisfy { $0.headers["X-Goog-Api-Key"] == nil && $0.headers["X-Goog-User-Project"] == nil })
        }
    }

    @Test func rejectedAccountIsAFailure() async throws {
        try await Self.with { project, grants in
            let account = try FirebaseServiceAccount(contents: grants.emulator.file)
            grants.emulator.withdraw()
            let report = try await Self.report(project, account)
            let finding = try #require(report.findings.first { $0.id == "firebase.duplicate-addresses" })
            #expect(finding.level == .unknown && finding.sentence.contains("issued no access token"), "\(finding.sentence)")
            #expect(!finding.sentence.contains("eyJ"))
            #expect(report.findings.first { $0.id == "firebase.rejected-key" }?.level == .fail)
            #expect(!report.requests.contains { $0.contains("orders") }, "\(report.requests)")
            #expect(project.transport.requests.allSatisfy { $0.headers["Authorization"] == nil })
        }
    }

    @Test func unusableFilePrintsOneSentence() async throws {
        let folder = try Folder.makeTemporary()
        defer { try? Folder.remove(folder) }
        let path = folder + "/account.json"
        for (text, reason) in [
            (nil, "no file"), ("canary", "not JSON"),
            (#"{"type": "authorized_user", "client_secret": "canary"}"#, "service account"),
            (#"{"type": "service_account", "private_key": "canary"}"#, "project_id"),
        ] {
            if let text { try AtomicFile.replace(path, with: Array(text.utf8)) }
            let run = try await Lockstep.run(
                ["doctor", "firebase"],
                variables: [
                    "FIREBASE_API_KEY": "AIzaX", "FIREBASE_AUTH_EMULATOR_HOST": "", "FIREBASE_ACCESS_TOKEN": "",
                    "GOOGLE_APPLICATION_CREDENTIALS": path,
                ])
            #expect(run.status == 2 && run.output.isEmpty && run.errors.contains(reason), "\(run.errors)")
            #expect(run.errors.split(separator: "\n").count == 1 && !run.errors.contains("canary"), "\(run.errors)")
        }
    }
}
