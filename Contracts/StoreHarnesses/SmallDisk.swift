internal import LockstepContracts
internal import LockstepSystem

/// A disk of a few hundred kilobytes that replaces a folder for one process.
///
/// Only that process sees the disk. The disk is removed when the process ends.
package enum SmallDisk {
    private static let mount = #"mount -t tmpfs -o size="$1",mode=700 tmpfs "$0""#

    /// Starts a worker whose folder is empty, on a disk of `room` bytes.
    ///
    /// - Throws: ``LockstepContracts/EnvironmentError`` with the system's message if the system rejects mounts, like most
    ///   containers.
    static func start(_ words: [String], folder: String, room: Int) async throws -> WorkerProcess {
        let flags = try await flags(folder: folder, room: room)
        let script = mount + #" && shift && exec "$@""#
        return try WorkerProcess("unshare", [flags, "sh", "-c", script, folder, String(room)] + words)
    }

    /// Whether this user may mount a small disk on this system.
    package static var isAllowed: Bool {
        get async throws {
            let folder = try Folder.makeTemporary(prefix: "lockstep-disk")
            defer { try? Folder.remove(folder) }
            do {
                _ = try await flags(folder: folder, room: 1 << 16)
                return true
            } catch is EnvironmentError {
                return false
            }
        }
    }

    /// Returns the options for `unshare`.
    ///
    /// Root may mount directly. Another user needs a user namespace, if the system allows that.
    private static func flags(folder: String, room: Int) async throws -> String {
        var words = "the command unshare is not installed"
        for flags in ["-m", "-rm"] {
            let trial = ["unshare", flags, "sh", "-c", mount, folder, String(room)]
            let outcome = try await ChildProcess.run("env", trial)
            if outcome.status == 0 { return flags }
            words = String(decoding: outcome.errors, as: UTF8.self).split(separator: "\n").first.map(String.init) ?? words
        }
        throw EnvironmentError("this system does not allow this user to mount a small disk (\(words))")
    }
}
