import LockstepComparison
import LockstepPrimitives
import LockstepSystem

/// The files to which a report is written, in addition to the printed output.
struct ReportFiles {
    private let paths: [(format: String, path: String)]
    private let mode: UInt32

    /// Returns the options for these formats.
    static func options(_ formats: String...) -> [Option] {
        formats.map { Option($0, .path("FILE"), "also write the whole report to a file, as \(titles[$0] ?? $0)", in: .output) }
    }

    private static let titles = ["json": "JSON", "html": "HTML", "markdown": "Markdown", "junit": "JUnit XML"]

    /// Creates the files from a command line.
    ///
    /// - Parameters:
    ///   - invocation: The parsed command line.
    ///   - mode: The permissions of the files; for what other users must not read, `0o600`.
    /// - Throws: ``UsageError`` if a file cannot be written.
    init(_ invocation: Invocation, mode: UInt32 = 0o644) throws(UsageError) {
        self.mode = mode
        paths = ["json", "html", "markdown", "junit"].compactMap { format in invocation[format].map { (format, $0) } }
        for (format, path) in paths {
            func invalid(_ reason: String) -> UsageError { UsageError("invalid value \"\(path)\" for --\(format): \(reason)") }
            do {
                let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
                guard try FileStatus(of: folder + "/.")?.kind == .folder else {
                    throw invalid("there is no folder \"\(folder)\". Create it first.")
                }
                if let status = try FileStatus(of: path), status.kind != .plainFile {
                    throw invalid("the path is a folder, a link, a pipe or a device. Choose a new file.")
                }
            } catch let error as SystemError {
                throw invalid("\(error.reason). Choose another file.")
            } catch {
                throw error as? UsageError ?? invalid("\(error)")
            }
        }
    }

    /// Writes the requested files.
    ///
    /// - Parameter report: Returns the report in a format.
    /// - Throws: ``CommandFailure`` if a file cannot be written.
    func write(_ report: (String) -> String) throws(CommandFailure) {
        for (format, path) in paths {
            do throws(SystemError) {
                try AtomicFile.replace(path, with: Array(report(format).utf8), mode: mode)
            } catch {
                throw CommandFailure("cannot write the report to \"\(path)\": \(error.reason). Choose another file.")
            }
        }
    }
}

extension ReportOrigin {
    /// The origin of a report that this process creates now.
    static var here: ReportOrigin {
        let words = ["lockstep"] + CommandLine.arguments.dropFirst()
        return ReportOrigin(
            release: Release.line, commandLine: words.map(\.shellWord).joined(separator: " "), date: SystemClock().now)
    }
}
