import Lockstep
import LockstepContracts
import LockstepInMemoryHarness
import Testing

@Suite("The client's calls")
struct ClientCallTests {
    /// The name in the declaration of a call is the name in the events of the call.
    ///
    /// Checks find the events of a call by this name.
    @Test("each call reports its events under its name")
    func eventsHaveTheNameOfTheirCall() async {
        let contract = Contract<World>(
            "test.call.names", "Each call reports its events under its name.", appliesTo: .claiming(.password)
        ) {
            w in
            func reports<C: ClientCall>(_ type: C.Type) async throws {
                let client = w.client()
                guard let call = try await C.sample(on: client, in: w) else { return }
                let start = w.events.all.count
                _ = try? await client.perform(call)
                let names = w.events.all.dropFirst(start).filter { $0.name == .callBegan }.compactMap { $0[.call] }
                w.expect(names.contains(C.name), "the events of \(C.name) have the names \(names)")
            }
            for call in ClientCalls.all { try await reports(call) }
        }
        let harness = InMemoryHarness()
        for variant in harness.variants {
            let verdict = await contract.check(on: harness, variant).verdict
            #expect(["kept", "notApplicable"].contains(verdict.name), "\(variant): \(verdict)")
        }
    }
}
