import Foundation

/// `make texts`: prints every text that a person reads, by the file in which it stands.
enum TextsCommand {
    private static let folders = [
        "Sources/LockstepCLI", "Sources/LockstepEmulation/Control", "Sources/LockstepEmulation/Guard",
        "Sources/LockstepEmulation/Seed", "Sources/LockstepComparison", "Sources/LockstepDoctor", "Sources/LockstepModels/Words",
    ]

    static func run() throws {
        for folder in folders {
            let paths = (FileManager.default.enumerator(atPath: folder)?.allObjects ?? []).compactMap { $0 as? String }
            for path in paths.filter({ $0.hasSuffix(".swift") }).sorted().map({ "\(folder)/\($0)" }) {
                var seen: Set<SourceText> = []
                let texts = SourceText.all(in: try String(contentsOfFile: path, encoding: .utf8), file: path)
                let new = texts.filter { seen.insert($0).inserted }
                if !new.isEmpty { print("\(path)\n" + new.map { "- \($0.text)\n" }.joined()) }
            }
        }
    }
}
