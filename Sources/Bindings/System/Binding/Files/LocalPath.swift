internal import CLockstepSystem

/// Functions for paths that a person or a program has written.
public enum LocalPath {
    /// Converts a path or a `file:` URL to a path for the system.
    ///
    /// The system does not understand `~` and URLs. Without this conversion, the system would create folders with the names `~`
    /// and `file:`.
    ///
    /// - Parameters:
    ///   - text: A path, a path that begins with `~/`, or a `file:` URL without another host. Write `./~` for a file whose name
    ///     begins with `~`.
    ///   - home: The path of the user's home folder. Default: the environment variable `HOME`.
    /// - Throws: ``SystemError`` with a ``SystemError/refusal`` if `text` is empty, contains NUL, or is a URL of another kind.
    ///   Also if it names another user's home folder, or if the home folder is unknown.
    public static func resolve(_ text: String, home: String? = Environment["HOME"]) throws(SystemError) -> String {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty, !bytes.contains(0) else { throw SystemError(EINVAL, "use \"\(text)\"", refusal: .notAPath) }
        if bytes.first == tilde {
            guard bytes.count == 1 || bytes[1] == slash else {
                throw SystemError(EINVAL, "use \"\(text)\"", refusal: .homeOfAnother)
            }
            guard let home, home.utf8.first == slash, !home.utf8.contains(0) else {
                throw SystemError(EINVAL, "use \"\(text)\"", refusal: .unknownHome)
            }
            return home + String(decoding: bytes.dropFirst(), as: UTF8.self)
        }
        guard let scheme = scheme(of: bytes) else { return text }
        guard scheme == Array("file".utf8), let path = path(afterScheme: bytes.dropFirst(scheme.count + 1)) else {
            throw SystemError(EINVAL, "use \"\(text)\"", refusal: .notAPath)
        }
        return path
    }

    private static let slash = UInt8(ascii: "/")
    private static let tilde = UInt8(ascii: "~")

    /// Returns the scheme of a URL in lower case; `nil` for a path.
    ///
    /// A colon alone does not make a URL, except after `file`.
    private static func scheme(of bytes: [UInt8]) -> [UInt8]? {
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > 1 else { return nil }
        let name = bytes[..<colon].map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
        guard let first = name.first, (0x61...0x7a).contains(first) else { return nil }
        let isScheme = name.allSatisfy {
            (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || [0x2b, 0x2d, 0x2e].contains($0)
        }
        guard isScheme else { return nil }
        let rest = bytes[(colon + 1)...]
        return name == Array("file".utf8) || rest.starts(with: [slash, slash]) ? name : nil
    }

    /// Returns the path in a `file:` URL: `file:///x`, `file:/x` or `file://localhost/x`; `nil` for any other URL.
    private static func path(afterScheme rest: ArraySlice<UInt8>) -> String? {
        var rest = rest
        if rest.starts(with: [slash, slash]) {
            rest = rest.dropFirst(2)
            let host = rest.prefix { $0 != slash }
            guard host.isEmpty || host.elementsEqual("localhost".utf8) else { return nil }
            rest = rest.dropFirst(host.count)
        }
        guard rest.first == slash else { return nil }
        var path: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "?"), UInt8(ascii: "#"): return nil
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else { return nil }
                path.append(high << 4 | low)
            default: path.append(byte)
            }
        }
        return path.contains(0) ? nil : String(validating: path, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
