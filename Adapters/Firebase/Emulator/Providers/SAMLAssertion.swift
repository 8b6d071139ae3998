internal import LockstepPrimitives

/// A SAML response in the JSON form that Firebase's emulator takes in place of the XML.
struct SAMLAssertion {
    let nameID: String
    let attributes: JSON?

    init(_ text: String) throws(APIError) {
        guard let response = try? JSON.parse(text), response.object != nil else { throw .refused(.invalidResponse) }
        guard let assertion = response["assertion"], !assertion.isNull else { throw Self.missing("assertion") }
        guard let subject = assertion["subject"], !subject.isNull else { throw Self.missing("assertion.subject") }
        guard let name = subject["nameId"]?.string, !name.isEmpty else { throw Self.missing("assertion.subject.nameId") }
        nameID = name
        attributes = assertion["attributeStatements"]
    }

    private static func missing(_ path: String) -> APIError {
        .refused(sentence: "\(ErrorCode.invalidResponse.rawValue) ((Missing \(path) in SAMLResponse.))")
    }
}
