internal import Lockstep

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension StoreCatalog {
    /// The contracts about the folder that a program names.
    static let folders: [StoreContract] = [
        StoreContract(
            "store.folder-kept",
            "A folder that the store did not create keeps its permissions: the store uses it unchanged, or rejects it.",
            buildsOn: ["store.round-trip", "store.private"]
        ) { w in
            for isShared in [false, true] {
                for mode in [0o700, 0o750, 0o755, 0o775, 0o770, 0o757, 0o777, 0o1777] {
                    try await w.place.setFolder(mode: mode, isShared: isShared)
                    let name = "\(isShared ? "a shared" : "an empty") folder of mode \(String(mode, radix: 8))"
                    var isUsed = false
                    do {
                        let store = try await w.open()
                        let revision = try await store.replace(w.key, with: [1], unlessChangedSince: nil)
                        w.expect(try await store.load(w.key)?.bytes == [1], "\(name): the store does not return the saved value")
                        try await store.remove(w.key, unlessChangedSince: revision)
                        isUsed = true
                    } catch let error as StoreError {
                        w.expect([.unreadable, .unwritable].contains(error.code), "\(name): the store reported \(error)")
                        w.expect(mode & 0o022 != 0, "\(name) was rejected: \(error)")
                    }
                    w.expect(!isUsed || mode & 0o002 == 0, "\(name) was used, although every user can write to it")
                    let left = try await w.place.folderMode()
                    w.expect(left == mode, "the mode of \(name) is \(String(left, radix: 8)) afterwards")
                }
            }
        },

        StoreContract(
            "store.folder-named",
            "A path that begins with ~ and a file: URL refer to the intended folder or are rejected: no folder is called ~ "
                + "or file:.",
            buildsOn: ["store.round-trip"]
        ) { w in
            guard let folder = w.place.folder, let name = folder.split(separator: "/").last.map(String.init) else {
                throw EnvironmentError("the store has no folder")
            }
            let files = FileManager.default
            // The folder exists in the user's home only during this check.
            let home = ProcessInfo.processInfo.environment["HOME"] ?? ""
            let inHome = "\(home)/.\(name)"
            let here = files.currentDirectoryPath
            let meant = [
                ("~/.\(name)", inHome), ("file://\(folder)/a", "\(folder)/a"), ("file:\(folder)/b", "\(folder)/b"),
                ("FILE://localhost\(folder)/c%20%C3%A9", "\(folder)/c é"),
            ]
            let wrong = [
                "~\(name)/x", "file://elsewhere.example\(folder)", "https://example.com\(folder)", "file://\(folder)%zz",
            ]
            defer { try? files.removeItem(atPath: inHome) }
            for (text, path) in meant {
                do {
                    try await w.open(directory: text).replace(w.key, with: [1], unlessChangedSince: nil)
                    let value = try await w.place.open(directory: path).load(w.key)
                    w.expect(value?.bytes == [1], "the store used another folder for \(text) than \(path)")
                } catch let error as StoreError { w.expect(error.code == .unwritable, "\(text) was rejected with \(error)") }
            }
            for text in wrong {
                do {
                    try await w.open(directory: text).replace(w.key, with: [1], unlessChangedSince: nil)
                    w.found("\(text) was accepted", line: #line)
                } catch let error as StoreError { w.expect(error.code == .unwritable, "\(text) was rejected with \(error)") }
            }
            for text in meant.map(\.0) + wrong {
                w.expect(!files.fileExists(atPath: "\(here)/\(text)"), "the store created a folder with the literal name \(text)")
                removeLiteral(text, in: here)
            }
        },
    ]
}

/// Removes a folder whose name a store has taken literally.
///
/// Also removes the empty folders above it.
private func removeLiteral(_ text: String, in folder: String) {
    var parts = text.split(separator: "/").map(String.init)
    try? FileManager.default.removeItem(atPath: "\(folder)/\(text)")
    while parts.popLast() != nil, !parts.isEmpty {
        let above = "\(folder)/\(parts.joined(separator: "/"))"
        guard (try? FileManager.default.contentsOfDirectory(atPath: above))?.isEmpty == true else { return }
        try? FileManager.default.removeItem(atPath: above)
    }
}
