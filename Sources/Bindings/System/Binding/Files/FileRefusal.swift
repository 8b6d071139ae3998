/// The reason why the file or folder at a path is rejected.
public enum FileRefusal: String, Sendable, Hashable, CaseIterable {
    /// The path is a symbolic link, which may point to a file of another user.
    case symbolicLink = "it is a symbolic link"
    /// The path is a folder, a pipe, a socket or a device, and not a regular file.
    ///
    /// Reading it may never end.
    case notAFile = "it is not a regular file (a folder, a pipe, a socket or a device)"
    /// The path is something other than a folder.
    case notAFolder = "it is not a folder"
    /// The file belongs to another user, who may change it at any time.
    case anotherOwner = "it belongs to another user"
    /// Every user can write to the file, so any user may have written its content.
    case writableByAll = "every user can write to it"
    /// Other users can put files into the folder.
    case writableByOthers = "other users can add files to it"
    /// The text is neither a path nor a `file:` URL of this machine.
    case notAPath = "it is neither a path nor a file: URL of this machine"
    /// The path begins with `~` and the name of a user.
    case homeOfAnother = "\"~\" with a name works only in a shell"
    /// The path begins with `~`, but `HOME` is not an absolute path.
    case unknownHome = "HOME is not an absolute path"
    /// The file has more bytes than the limit.
    case tooLarge = "it is larger than the limit"
}
