internal import LockstepPrimitives

extension JSON {
    /// Returns whether the server's search for an address may find this user, by the address or the full name.
    ///
    /// In the search, `%` and `_` are wildcards. So only the parts between them are compared.
    func mayMatch(_ search: String) -> Bool {
        [self["email"]?.string, self["user_metadata"]?["full_name"]?.string].compactMap(\.self).contains { text in
            var rest = Array(text.lowercased().utf8)[...]
            return search.utf8.split(whereSeparator: { "%_\\".utf8.contains($0) }).allSatisfy { part in
                guard let found = rest.firstRange(of: part) else { return false }
                rest = rest[found.upperBound...]
                return true
            }
        }
    }
}
