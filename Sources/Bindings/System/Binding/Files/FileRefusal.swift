/// Why what lies at a path is not taken for a file of this user's own.
public enum FileRefusal: String, Sendable, Hashable, CaseIterable {
    /// A symbolic link: it may lead to another user's file.
    case symbolicLink = "it is a symbolic link"
    /// A folder, a pipe, a socket or a device: to read it may wait for ever.
    case notAFile = "it is no regular file (a folder, a pipe, a socket or a device)"
    /// Something else where a folder should be.
    case notAFolder = "it is no folder"
    /// Another user may change it at any time.
    case anotherOwner = "it belongs to another user"
    /// Any user may have written what is in it.
    case writableByAll = "every user may write to it"
    /// Other users may put files into the folder.
    case writableByOthers = "other users may put files into it"
    /// A text that names no place in the file system.
    case notAPath = "it is neither a path nor a file: URL of this machine"
    /// A path that begins with `~` and a user's name.
    case homeOfAnother = "\"~\" and a name are a shell's notation"
    /// A path that begins with `~`, where the environment variable `HOME` has no absolute path.
    case unknownHome = "HOME has no absolute path"
    /// More than was asked for.
    case tooLarge = "it is larger than it may be"
}
