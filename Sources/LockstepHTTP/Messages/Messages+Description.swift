// Messages carry passwords, tokens and codes in clear, as the protocol needs. Accidental prints, dumps and logs of them are
// redacted.

extension HTTPRequest: CustomStringConvertible, CustomReflectable {
    /// Method and address, redacted, and the size of the body.
    public var description: String { "\(method.rawValue) \(Redaction.url(url)) (\(body))" }

    /// A mirror that shows the description only.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension HTTPResponse: CustomStringConvertible, CustomReflectable {
    /// Status, and the size of the body.
    public var description: String { "status \(status) (\(body.count) bytes)" }

    /// A mirror that shows the description only.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension HTTPBody: CustomStringConvertible, CustomReflectable {
    /// Size and kind.
    public var description: String { "\(bytes.count) bytes of \(type ?? "no type")" }

    /// A mirror that shows the description only.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension HTTPForm: CustomStringConvertible, CustomReflectable {
    /// The pairs, redacted.
    public var description: String { Redaction.form(encoded) }

    /// A mirror that shows the description only.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension HTTPHeaders: CustomStringConvertible, CustomReflectable {
    /// The fields, redacted.
    public var description: String { map { "\($0.name): \(Redaction.header($0))" }.joined(separator: ", ") }

    /// A mirror that shows the description only.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension HTTPHeaders.Field: CustomStringConvertible, CustomReflectable {
    /// Name and value, redacted.
    public var description: String { "\(name): \(Redaction.header(self))" }

    /// A mirror that shows the description only.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
