import Synchronization

/// The part of swift-log's `Logger` that the bridge uses, in the same shape.
final class Logger: Sendable {
    enum Level: Sendable { case debug, warning, error }

    enum MetadataValue: Sendable, Equatable { case string(String) }

    struct Message: ExpressibleByStringInterpolation {
        let text: String
        init(stringLiteral value: String) { text = value }
    }

    struct Line: Sendable {
        let level: Level
        let text: String
        let metadata: [String: MetadataValue]
    }

    private let state = Mutex<[Line]>([])

    var lines: [Line] { state.withLock { $0 } }

    func log(
        level: Level, _ message: @autoclosure () -> Message, metadata: @autoclosure () -> [String: MetadataValue]? = nil
    ) {
        let line = Line(level: level, text: message().text, metadata: metadata() ?? [:])
        state.withLock { $0.append(line) }
    }
}
