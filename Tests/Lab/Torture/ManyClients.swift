import Lockstep
import LockstepCurl
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepTestSupport

/// Many clients in one process, each with its own user, which all run at the same time.
struct ManyClients: Sendable {
    private static let rounds = 4

    private struct Member: Sendable {
        let number: Int
        let client: AuthClient
        let credential: PasswordCredential
        var canary: String { ManyClients.canary(number) }
    }

    func run(_ count: Int) async throws -> Tally {
        try await RotatingBackend.with { backend in
            let clock = ManualClock(base: SystemClock())
            let register = CanaryRegister()
            let cable = CurlTransport()
            let members = try (0..<count).map { number in
                let canary = Self.canary(number)
                register.note(canary, of: number)
                return Member(
                    number: number,
                    client: try RotatingBackend.client(
                        of: backend.base, on: MemorySessionStore(), clock: clock,
                        transport: CanaryTransport(base: cable, register: register, owner: number)),
                    credential: .password(email: "\(canary)@example.com", password: backend.password))
            }
            var tally = Tally()
            for round in 0..<Self.rounds {
                let faults = await withTaskGroup(of: String?.self) { group in
                    for member in members { group.addTask { await Self.act(member, round, register) } }
                    return await group.reduce(into: [String]()) { if let fault = $1 { $0.append(fault) } }
                }
                for fault in faults.prefix(5) { tally.fault("round \(round): \(fault)") }
                backend.outliveTokens()
                clock.advance(by: RotatingBackend.longerThanALife)
            }
            let (seen, faults) = register.findings
            for fault in faults { tally.fault(fault) }
            tally.count("requests", backend.server.panel.transcript.count)
            tally.count("tokens and names seen on the wire", seen)
            if seen < count * Self.rounds { tally.fault("only \(seen) tokens and names were seen") }
            return tally
        }
    }

    private static func canary(_ number: Int) -> String { "canary-\(number)" }

    /// The actions of one client in a round, while all others do the same or something else.
    private static func act(_ member: Member, _ round: Int, _ register: CanaryRegister) async -> String? {
        let client = member.client
        do {
            if round == 0 {
                _ = try await client.signUp(with: member.credential)
            } else if (member.number + round).isMultiple(of: 3) {
                try await client.signOut()
                _ = try await client.signIn(with: member.credential)
            }
            async let one = client.accessToken()
            async let other = client.accessToken()
            for token in try await [one, other] { register.look(at: token.reveal(), of: member.number, "the token") }
            if (member.number + round).isMultiple(of: 2) {
                _ = try await client.account.update(displayName: "\(member.canary) \(round)")
            } else {
                try await client.refreshUser()
            }
            guard case .signedIn(let session) = client.state else { return "client \(member.number) is not signed in" }
            return session.user.email == "\(member.canary)@example.com" ? nil : "client \(member.number) shows another's user"
        } catch {
            return "client \(member.number): \(error)"
        }
    }
}
