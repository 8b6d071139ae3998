import Lockstep
import LockstepEmulation
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepWire
import Testing

@testable import LockstepGoTrue

/// Tickets that the team's own server has created with `generate_link`.
@Suite(.limitedConcurrency)
struct TicketTests {
    private func ticket(_ project: Project) async throws -> Secret {
        let response = try await project.adapter.api.call(
            .post, "/admin/generate_link", body: ["type": "magiclink", "email": .string(Project.email)],
            as: project.server.emulator.serviceRoleKey)
        return Secret(try #require(response.object["hashed_token"]?.string))
    }

    @Test func ticketSignsInOnce() async throws {
        let project = try Project()
        let id = try project.ada()
        let ticket = try await ticket(project)
        #expect(try await project.client().signIn(with: .ticket(ticket)).session?.user.id == id)
        let used = try await refusal { try await project.client().signIn(with: .ticket(ticket)) }
        #expect(used.code == .invalidCredentials)
    }

    /// A server's recovery link is rejected, too, and its hash is a ticket.
    @Test func hashOfARecoveryLinkIsATicket() async throws {
        let project = try Project()
        let id = try project.ada()
        let response = try await project.adapter.api.call(
            .post, "/admin/generate_link", body: ["type": "recovery", "email": .string(Project.email)],
            as: project.server.emulator.serviceRoleKey)
        let hash = try #require(response.object["hashed_token"]?.string)
        let client = project.client()
        guard case .refused(let error) = await client.handle("\(Project.callback)?token_hash=\(hash)&type=recovery") else {
            Issue.record("the link was accepted")
            return
        }
        #expect(error.code == .flowStartedElsewhere)
        #expect(try await client.signIn(with: .ticket(Secret(hash))).session?.user.id == id)
    }

    @Test func ticketNeedsAnExistingAccount() async throws {
        let project = try Project()
        #expect(try await refusal { try await project.client().signUp(with: .ticket("x")) }.code == .unsupported)
    }
}
