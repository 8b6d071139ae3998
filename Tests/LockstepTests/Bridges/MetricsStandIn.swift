import Synchronization

/// The destination of the stand-ins for swift-metrics' types, like the system's one factory.
enum Recorded {
    private static let state = Mutex<[String]>([])

    static var lines: [String] { state.withLock { $0 } }

    static func note(_ line: String, _ dimensions: [(String, String)]) {
        state.withLock { $0.append(([line] + dimensions.map { "\($0.0)=\($0.1)" }).joined(separator: " ")) }
    }
}

/// The part of swift-metrics' `Counter` that the bridge uses, in the same shape.
struct Counter {
    let label: String
    let dimensions: [(String, String)]

    func increment() { Recorded.note("\(label) +1", dimensions) }
}

/// The part of swift-metrics' `Timer` that the bridge uses, in the same shape.
struct Timer {
    let label: String
    let dimensions: [(String, String)]

    func recordMilliseconds(_ duration: Int64) { Recorded.note("\(label) \(duration) ms", dimensions) }
}
