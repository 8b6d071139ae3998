import LockstepPrimitives
import LockstepSystem

/// The place for an export, which may depend on the place of the import.
extension FirebaseExport {
    /// Checks that the users can be exported here at the end.
    ///
    /// - Parameter keepsKey: Whether the key of the project's password hashes survives the server; a file cannot contain it.
    /// - Throws: ``UsageError`` with the remedy.
    func checkPlace(keepsKey: Bool) throws(UsageError) {
        guard !isFile || keepsKey else {
            throw UsageError(
                "a JSON file such as \"\(path)\" cannot contain the key of the password hashes. "
                    + "Without the key, no server can check the passwords. "
                    + "Set hashing.signerKey in the --env file (64 bytes in base 64), or export to a folder."
            )
        }
        do {
            if isFile, try Folder.isThere(path), (try? Folder.names(path)) != nil {
                throw UsageError(
                    "invalid value \"\(path)\" for --export-on-exit: a folder's name must not end with .json. Choose another folder."
                )
            }
            let folders = isFile ? [] : [path + "/" + Self.folderName, path]
            let folder = try folders.first { try Folder.isThere($0) } ?? nearestFolder()
            let probe = folder + "/.lockstep-export"
            try AtomicFile.replace(probe, with: [], isDurable: false)
            try AtomicFile.remove(probe)
            if !isFile { _ = try read(path + "/" + Self.metadataName) }
        } catch let error as UsageError {
            throw error
        } catch {
            let reason = (error as? SystemError)?.reason ?? "\(error)"
            throw UsageError("cannot write the users to \"\(path)\": \(reason). Choose a folder that this process can write to.")
        }
    }

    /// Returns the folder of the file; if it does not exist, its nearest existing parent.
    private func nearestFolder() throws -> String {
        var parts = parts
        repeat {
            if !parts.isEmpty { parts.removeLast() }
            let folder = (path.hasPrefix("/") ? "/" : "./") + parts.joined(separator: "/")
            if try isFile || parts.isEmpty || Folder.isThere(folder) { return folder }
        } while true
    }

    private var parts: [Substring] { path.split(separator: "/").filter { $0 != "." } }

    /// Whether this is the first run of an import and an export at the same path: nothing exists yet, and the users will be
    /// exported here.
    func isFirstRun(exportingTo export: FirebaseExport) throws -> Bool { try hasPath(of: export) && !Folder.isThere(path) }

    private func hasPath(of other: FirebaseExport) -> Bool {
        path.hasPrefix("/") == other.path.hasPrefix("/") && parts == other.parts
    }

    /// Whether an export would overwrite the users here.
    ///
    /// The files are compared, not the paths.
    func isReplaced(by export: FirebaseExport) throws -> Bool {
        if hasPath(of: export) { return true }
        var sources = [path]
        if !isFile, let folder = try? accountsFolder() {
            sources += [folder] + (try accountFiles(in: folder).map { "\(folder)/\($0.name)" })
        }
        let folder = export.path + "/" + Self.folderName
        let targets = export.isFile ? [export.path] : [export.path, folder, folder + "/accounts.json"]
        return !Self.identities(sources).isDisjoint(with: Self.identities(targets))
    }

    private static func identities(_ paths: [String]) -> Set<FileIdentity> {
        // A missing file does not belong to another export.
        Set(paths.compactMap { path in try? FileIdentity(of: path) })
    }

    /// The place for users that must not overwrite the existing ones: `seed.new` next to `seed`.
    var alternative: FirebaseExport {
        let name = (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
        // The ending decides the form.
        return FirebaseExport(path: isFile ? name.dropLast(".json".count) + ".new.json" : name + ".new")
    }
}
