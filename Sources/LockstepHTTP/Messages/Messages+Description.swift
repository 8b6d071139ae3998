// Messages contain passwords, tokens and codes in clear text, as the protocol requires. Prints, dumps and logs of messages are
// redacted, so that they reveal nothing by accident.

extension HTTPRequest: CustomStringConvertible, CustomReflectable {
    /// The method, the URL without secrets, and the size of the body.
    public var description: String { "\(method.rawValue) \(Redaction.url(url)) (\(body))" }

    /// A mirror that shows only the description.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension HTTPResponse: CustomStringConvertible, CustomReflectable {
    /// The status and the size of the body.
    public var description: String { "status \(status) (\(body.count) bytes)" }

    /// A mirror that shows only the description.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension HTTPBody: CustomStringConvertible, CustomReflectable {
    /// The size and the content type of the body.
    public var description: String { "\(bytes.count) bytes of \(type ?? "no type")" }

    /// A mirror that shows the description only.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension HTTPForm: CustomStringConvertible, CustomReflectable {
    /// The pairs of the form, without secrets.
    public var description: String { Redaction.form(encoded) }

    /// A mirror that shows the description only.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension HTTPHeaders: CustomStringConvertible, CustomReflectable {
    /// The header fields, without secrets.
    public var description: String { map { "\($0.name): \(Redaction.header($0))" }.joined(separator: ", ") }

    /// A mirror that shows the description only.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension HTTPHeaders.Field: CustomStringConvertible, CustomReflectable {
    /// The name and the value of the field, without secrets.
    public var description: String { "\(name): \(Redaction.header(self))" }

    /// A mirror that shows the description only.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
