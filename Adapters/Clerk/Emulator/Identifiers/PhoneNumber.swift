/// A telephone number in E.164.
struct PhoneNumber: Hashable {
    let text: String

    /// Reads `+` and 8 to 15 digits; spaces, brackets, dots and hyphens between them do not count.
    init?(_ raw: String) {
        let bare = raw.trimmed.filter { !" ()-.".contains($0) }
        let digits = bare.dropFirst()
        guard bare.first == "+", (8...15).contains(digits.utf8.count), digits.first != "0",
            digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        text = bare
    }

    /// Whether it is a test number, `+1 XXX 555-0100` to `-0199`: nothing is sent, and its code is 424242.
    var isTest: Bool {
        guard text.hasPrefix("+1"), text.utf8.count == 12 else { return false }
        return text.dropFirst(5).hasPrefix("55501")
    }
}
