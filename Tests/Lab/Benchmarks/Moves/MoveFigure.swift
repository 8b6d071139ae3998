import LockstepPrimitives
import LockstepStoreHarnesses
import LockstepSystem
import Synchronization

/// The time and memory of a step of a move.
struct MoveFigure {
    let seconds: Double
    let rate: Double
    /// The largest number of resident bytes, minus those at the start.
    let memory: Int

    /// Measures a step, and prints its figures.
    ///
    /// - Parameters:
    ///   - users: The number of users that it handles.
    ///   - body: Does the step, and calls the function between its batches.
    /// - Throws: The error of `body`.
    static func measure(
        _ name: String, _ users: Int, _ body: (@escaping @Sendable (Int) -> Void) async throws -> Void
    ) async throws -> MoveFigure {
        CurrentProcess.returnFreeMemory()
        let before = CurrentProcess.residentMemory ?? 0
        let most = Mutex(before)
        let clock = SystemClock()
        let (start, work) = (clock.uptime, CurrentProcess.processorTime)
        try await body { _ in
            let now = CurrentProcess.residentMemory ?? 0
            most.withLock { $0 = max($0, now) }
        }
        let (time, processor) = (clock.uptime - start, CurrentProcess.processorTime - work)
        let last = CurrentProcess.residentMemory ?? 0
        let figure = MoveFigure(
            seconds: time / .seconds(1), rate: Double(users) / (time / .seconds(1)),
            memory: max(most.withLock(\.self), last) - before)
        let each = processor / .microseconds(1) / Double(max(users, 1))
        try print(name, "\(Int(figure.rate))", "\(figure.memory >> 20)", hundredths(figure.seconds), "\(Int(each.rounded())) µs")
        return figure
    }

    /// Prints the head of a table.
    static func printHead(_ title: String) throws {
        try print(title, "users/s", "MiB above start", "seconds", "processor a user")
    }

    /// Returns a number with two decimal places.
    static func hundredths(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        return "\(hundredths / 100).\(hundredths / 10 % 10)\(hundredths % 10)"
    }

    private static func print(_ columns: String...) throws {
        let widths = [28, 10, 18, 10, 16]
        let line = zip(columns, widths).map { $0 + String(repeating: " ", count: max(1, $1 - $0.count)) }.joined()
        try StandardStream.output.write(line + "\n")
    }
}

/// A step of a benchmark that did not do its work.
struct MoveBenchmarkFailure: Error, CustomStringConvertible {
    let what: String
    var description: String { what }
}

/// Source and target, in a separate process.
struct MoveBenchmarkServers {
    let places: MovePlaces
    private let process: WorkerProcess

    /// - Parameter delay: The milliseconds that the target adds to each answer.
    init(_ road: MigrationKills.Road, _ users: Int, delay: Int = 0) async throws {
        process = try WorkerProcess.laboratory(["move", "serve", road.from.rawValue, road.to.rawValue, "\(users)", "\(delay)"])
        var words: [String] = []
        while words.first != "ready" {
            guard let line = try await process.line() else { throw MoveBenchmarkFailure(what: "the servers did not start") }
            words = line.split(separator: "\t").map(String.init)
        }
        guard let places = MovePlaces(Array(words.dropFirst())) else {
            throw MoveBenchmarkFailure(what: "the servers did not start")
        }
        self.places = places
    }

    func stop() async { await process.kill() }
}
