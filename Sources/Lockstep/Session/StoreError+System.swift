package import LockstepSystem

extension StoreError {
    /// A file system failure as an error of the store.
    ///
    /// - Parameters:
    ///   - code: `unreadable` or `unwritable`; a full disk is always `full`.
    ///   - advice: what to do, unless the failure itself says it.
    package init(_ code: Code, _ error: SystemError, otherwise advice: String) {
        if error.isFull {
            self.init(.full, "\(error). What was stored before is still there. Make room.")
            return
        }
        switch error.refusal {
        case nil: self.init(code, "\(error). \(advice)")
        case .anotherOwner?:
            self.init(code, "\(error). Run this process as that user, or name a folder of its own.")
        case .writableByAll?:
            self.init(code, "\(error). Make sure of what is in it, and take the permission away (chmod go-rwx).")
        case .symbolicLink?, .notAFile?, .tooLarge?: self.init(code, "\(error). Move it away.")
        case .notAFolder?: self.init(code, "\(error). Name a folder.")
        case .writableByOthers?: self.init(code, "\(error). Name a folder of this user's own.")
        }
    }
}

extension FileRefusal {
    /// Whether the cause is the object at the file's path, which quarantining it removes.
    package var isOfFile: Bool {
        switch self {
        case .symbolicLink, .notAFile, .tooLarge, .writableByAll: true
        case .notAFolder, .anotherOwner, .writableByOthers: false
        }
    }
}
