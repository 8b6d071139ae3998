internal import CLockstepSystem

/// A call of the operating system that failed.
public struct SystemError: Error, Sendable, Hashable {
    /// The system's number of the error (`errno`).
    public let code: Int32
    /// What was tried, for instance "open /var/lib/app/session".
    public let operation: String
    /// Why what lies at the path was not taken; `nil` where a call of the system failed.
    public let refusal: FileRefusal?

    /// An error of that number.
    public init(_ code: Int32, _ operation: String, refusal: FileRefusal? = nil) {
        self.code = code
        self.operation = operation
        self.refusal = refusal
    }

    /// What the last call of this thread failed with.
    static func last(_ operation: String) -> SystemError {
        SystemError(lockstep_errno(), operation)
    }
}

extension SystemError {
    /// There is no such file or folder.
    public static let noSuchFile = ENOENT
    /// The permissions do not allow it.
    public static let notPermitted = EACCES
    /// The port or address is taken.
    public static let addressInUse = EADDRINUSE
    /// A folder is there, where a file was meant.
    public static let isAFolder = EISDIR
    /// A line is longer than is read.
    public static let lineTooLong = E2BIG
    /// It took longer than was allowed.
    public static let timedOut = ETIMEDOUT

    /// Whether there is no room: the disk is full, or what this user may have of it.
    public var isFull: Bool { code == ENOSPC || code == EDQUOT }
}

extension SystemError: CustomStringConvertible {
    /// What was tried, and why it was refused, or the system's sentence for the number.
    public var description: String { "\(operation): \(refusal?.rawValue ?? reason)" }

    /// The system's sentence for the number.
    public var reason: String {
        var buffer = [CChar](repeating: 0, count: 256)
        // The pointer is valid for the call, and the function writes at most `count` bytes, the last of them 0.
        unsafe buffer.withUnsafeMutableBufferPointer { unsafe lockstep_describe_error(code, $0.baseAddress, $0.count) }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
