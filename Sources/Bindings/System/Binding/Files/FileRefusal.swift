/// The reason why the object at a path is not accepted as this user's own file.
public enum FileRefusal: String, Sendable, Hashable, CaseIterable {
    /// A symbolic link.
    ///
    /// It may point to another user's file.
    case symbolicLink = "it is a symbolic link"
    /// A folder, a pipe, a socket or a device.
    ///
    /// Reading it may never end.
    case notAFile = "it is no regular file (a folder, a pipe, a socket or a device)"
    /// Something other than a folder.
    case notAFolder = "it is no folder"
    /// It belongs to another user, who may change it at any time.
    case anotherOwner = "it belongs to another user"
    /// Every user can write to it, so any user may have written its content.
    case writableByAll = "every user may write to it"
    /// Other users can put files into the folder.
    case writableByOthers = "other users may put files into it"
    /// A text that is neither a path nor a `file:` URL of this machine.
    case notAPath = "it is neither a path nor a file: URL of this machine"
    /// A path that begins with `~` and a user's name.
    case homeOfAnother = "\"~\" and a name are a shell's notation"
    /// A path that begins with `~`, although `HOME` has no absolute path.
    case unknownHome = "HOME has no absolute path"
    /// It has more bytes than the limit.
    case tooLarge = "it is larger than it may be"
}
