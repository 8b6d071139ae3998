internal import CLockstepSystem

/// What the system knows of a file.
struct FileStatus {
    let identity: FileIdentity
    let isFile: Bool
    let isFolder: Bool
    let isLink: Bool
    let owner: UInt32
    /// The permissions, `S_ISVTX` among them.
    let mode: UInt32
    /// How many names it has.
    let names: UInt64

    init(_ information: stat) {
        identity = FileIdentity(information)
        let (bits, kinds) = (UInt32(information.st_mode), UInt32(S_IFMT))
        let kind = bits & kinds
        (isFile, isFolder, isLink) = (kind == UInt32(S_IFREG), kind == UInt32(S_IFDIR), kind == UInt32(S_IFLNK))
        owner = UInt32(information.st_uid)
        mode = bits & ~kinds
        names = UInt64(information.st_nlink)
    }

    /// What lies at a path; a link at its end is followed where `follows` says so.
    init(of path: String, follows: Bool) throws(SystemError) {
        var information = stat()
        // Both pointers are valid for the call, which keeps none.
        let result = unsafe path.withCString { name in
            unsafe follows ? stat(name, &information) : lstat(name, &information)
        }
        guard result == 0 else { throw .last("look at \(path)") }
        self.init(information)
    }
}

extension Descriptor {
    /// What the system knows of the open file.
    func status(_ path: String) throws(SystemError) -> FileStatus {
        try use("look at \(path)") { number throws(SystemError) in
            var information = stat()
            // The pointer is valid for the call, which keeps it not.
            guard unsafe fstat(number, &information) == 0 else { throw .last("look at \(path)") }
            return FileStatus(information)
        }
    }

    /// All of its bytes.
    ///
    /// - Throws: ``SystemError`` with ``FileRefusal/tooLarge`` where there are more than `limit`.
    func readAll(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let part = try read(1 << 16, "read \(path)")
            if part.isEmpty { return bytes }
            bytes += part
            if bytes.count > limit { throw SystemError(EFBIG, "read \(path)", refusal: .tooLarge) }
        }
    }
}
