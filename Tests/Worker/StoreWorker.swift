import LockstepContracts
import LockstepMutants
import LockstepStoreHarnesses
import LockstepSystem

/// `lockstep-worker store WORK MUTATION PLACE…`: works on a place with its own store, and prints lines.
///
/// It ends with its standard input, so that nothing remains after the process that started it.
struct StoreWorker {
    static func run(_ words: [String]) async throws {
        try BlockingThread.start {
            while let bytes = try? StandardStream.input.read(), !bytes.isEmpty {}
            CurrentProcess.exit(0)
        }
        guard let (task, rest) = StoreTask.parse(words), let name = rest.first,
            let place = StoreHarnesses.place(Array(rest.dropFirst()))
        else {
            try StandardStream.error.write(
                "usage: lockstep-worker store add COUNT|overwrite|hold|outgrow MUTATION|- BENCH ARGUMENT…\n")
            CurrentProcess.exit(2)
        }
        let mutation = StoreMutants.all.first { $0.breaks == name }?.mutation ?? .none
        try await task.run(on: mutation(try await place.open(), on: place)) { try StandardStream.output.write($0 + "\n") }
    }
}
