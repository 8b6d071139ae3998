import LockstepClerkBench
import LockstepContracts
import LockstepFirebaseBench
import LockstepGoTrueBench

/// The providers that this command knows: the one list that everything loops over.
enum Providers {
    static let names = benches.map(\.name)

    static let benches: [any Bench] = [FirebaseBench(), GoTrueBench(), ClerkBench()]

    /// The benches of these providers, in the order of the list; all where none is named.
    static func benches(named names: [String]) -> [any Bench] {
        names.isEmpty ? benches : benches.filter { names.contains($0.name) }
    }
}

extension Providers {
    /// The benches that a command asks for: emulators of ours, or a server that is running.
    static func benches(for invocation: Invocation) throws(UsageError) -> [any Bench] {
        let names = invocation.list("provider")
        guard let server = invocation["server"] else {
            guard !invocation.has("project") else { throw UsageError("--project goes with --server.") }
            return benches(named: names)
        }
        guard names == ["firebase"] else {
            throw UsageError("--server is for firebase only: name it with --provider firebase.")
        }
        guard server.hasPrefix("http://") || server.hasPrefix("https://") else {
            throw UsageError("--server takes an address that begins with http:// or https://, and \(server) is none.")
        }
        return [FirebaseServerBench(base: server, project: invocation["project"] ?? "demo-lockstep")]
    }
}
