internal import CLockstepSystem

/// Functions for folders.
public enum Folder {
    /// Creates a folder, and its parents if they do not exist.
    ///
    /// If the folder exists, the call does nothing.
    ///
    /// - Parameters:
    ///   - mode: The permissions. Default: only the owner has access.
    /// - Throws: ``SystemError``.
    public static func make(_ path: String, mode: UInt32 = 0o700) throws(SystemError) {
        var ends = path.indices.filter { path[$0] == "/" && $0 != path.startIndex }
        ends.append(path.endIndex)
        for end in ends {
            let part = String(path[..<end])
            // The path is a valid C string during the call, which does not keep a pointer.
            if unsafe part.withCString({ unsafe mkdir($0, mode_t(mode)) }) == 0 { continue }
            let error = SystemError.last("create folder \(part)")
            if error.code != EEXIST { throw error }
        }
    }

    /// Returns whether there is a file, a folder or anything else at a path.
    ///
    /// - Returns: Whether there is something.
    /// - Throws: ``SystemError``.
    public static func isThere(_ path: String) throws(SystemError) -> Bool {
        do throws(SystemError) { _ = try FileStatus(of: path, follows: true) as FileStatus } catch {
            if error.code == ENOENT { return false }
            throw error
        }
        return true
    }

    /// Creates a folder for its owner only, or checks an existing one with ``checkPrivate(_:owns:)``.
    ///
    /// - Parameters:
    ///   - owns: A closure that receives a file name, and returns whether the caller creates files with that name.
    /// - Throws: The errors of ``checkPrivate(_:owns:)``.
    public static func makePrivate(_ path: String, owns: (String) -> Bool) throws(SystemError) {
        try make(path)
        try checkPrivate(path, owns: owns)
    }

    /// Checks that no other user can put a file into a folder (``FileStatus/isWritableByOthers``).
    ///
    /// If the folder contains only files of the caller, this function removes the write permission of other users. Someone must
    /// have added this permission. Any other folder is not changed.
    ///
    /// - Parameters:
    ///   - owns: A closure that receives a file name, and returns whether the caller creates files with that name.
    /// - Throws: ``SystemError`` with a ``SystemError/refusal`` if other users can write to the folder, or if the folder
    ///   belongs to another user who is not the superuser.
    public static func checkPrivate(_ path: String, owns: (String) -> Bool) throws(SystemError) {
        let status = try FileStatus(of: path, follows: true)
        guard status.kind == .folder else { throw SystemError(ENOTDIR, "use \(path)", refusal: .notAFolder) }
        guard status.owner == geteuid() || status.owner == 0 else {
            throw SystemError(EPERM, "use \(path)", refusal: .anotherOwner)
        }
        guard status.isWritableByOthers else { return }
        guard status.owner == geteuid(), status.mode & 0o1000 == 0, case let names = try names(path), !names.isEmpty,
            names.allSatisfy(owns)
        else {
            let mode = String(status.mode, radix: 8)
            throw SystemError(EPERM, "use \(path) with mode \(mode)", refusal: .writableByOthers)
        }
        // The opened folder is changed, so that nothing can replace it between the check and the change.
        let folder = try Descriptor.open(path, O_RDONLY | O_DIRECTORY)
        try folder.use("set the permissions of \(path)") { number throws(SystemError) in
            guard fchmod(number, 0o700) == 0 else { throw .last("set the permissions of \(path)") }
        }
    }

    /// Creates a folder for its owner only, or checks that the existing one is a folder of this user and not a link.
    ///
    /// Use it for a folder whose name another user can guess, in a folder in which that user can create links.
    ///
    /// - Throws: ``SystemError``. The error has a ``SystemError/refusal`` if the path is a link or a file, or if the folder belongs
    ///   to another user.
    public static func makeOwn(_ path: String) throws(SystemError) {
        try make(path)
        guard let status = try FileStatus(of: path) else { throw SystemError(ENOENT, "use \(path)") }
        if status.kind == .link { throw SystemError(ELOOP, "use \(path)", refusal: .symbolicLink) }
        guard status.kind == .folder else { throw SystemError(ENOTDIR, "use \(path)", refusal: .notAFolder) }
        guard status.isOwn else { throw SystemError(EPERM, "use \(path)", refusal: .anotherOwner) }
    }

    /// Creates a new folder for its owner only, in the system's folder for temporary files.
    ///
    /// The caller must remove the folder.
    ///
    /// - Parameter prefix: The beginning of the folder's name.
    /// - Returns: The path of the folder.
    /// - Throws: ``SystemError``.
    public static func makeTemporary(prefix: String = "lockstep") throws(SystemError) -> String {
        let base = Environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        var template = Array("\(base)/\(prefix)-XXXXXX".utf8CString)
        // The buffer is a template with six X that ends with NUL; the call changes it in place.
        let isMade = unsafe template.withUnsafeMutableBufferPointer { template in
            guard let start = template.baseAddress else { return false }
            return unsafe mkdtemp(start) != nil
        }
        guard isMade else { throw .last("create a temporary folder in \(base)") }
        return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Removes a folder and the files in it.
    ///
    /// The call fails if the folder contains other folders.
    ///
    /// - Throws: ``SystemError``.
    public static func remove(_ path: String) throws(SystemError) {
        for name in try names(path) { try AtomicFile.remove("\(path)/\(name)") }
        // The path is a valid C string during the call, which does not keep a pointer.
        guard unsafe path.withCString({ unsafe rmdir($0) }) == 0 else { throw .last("remove folder \(path)") }
    }

    /// Returns the names of all files and folders in a folder, in alphabetical order.
    ///
    /// - Throws: ``SystemError``.
    public static func names(_ path: String) throws(SystemError) -> [String] {
        // The path is a valid C string during the call, which does not keep a pointer.
        guard let folder = unsafe path.withCString({ unsafe opendir($0) }) else { throw .last("list folder \(path)") }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            // `d_name` ends with NUL, and is valid until the next readdir() on this folder. Only this thread reads the folder.
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}
