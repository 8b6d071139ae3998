/// The spellings of a numeric code in keyboards, emails and password managers.
enum TypedSpelling: String, CaseIterable {
    case arabicIndic = "Arabic-Indic digits"
    case persian = "Persian digits"
    case devanagari = "Devanagari digits"
    case fullWidth = "full-width digits"
    case grouped = "groups with a hyphen and a narrow space"
    case marked = "marks without width"

    /// Returns the code in this spelling.
    ///
    /// Characters other than ASCII digits are unchanged.
    func spelled(_ code: String) -> String {
        switch self {
        case .arabicIndic: digits(of: code, from: 0x0660)
        case .persian: digits(of: code, from: 0x06F0)
        case .devanagari: digits(of: code, from: 0x0966)
        case .fullWidth: digits(of: code, from: 0xFF10)
        case .grouped: " \(code.prefix(2))-\(code.dropFirst(2).prefix(2))\u{202F}\(code.dropFirst(4))\n"
        case .marked: "\u{FEFF}\u{200E}\(code.prefix(3))\u{200B}\(code.dropFirst(3))\u{200F}"
        }
    }

    private func digits(of code: String, from zero: UInt32) -> String {
        var view = String.UnicodeScalarView()
        for scalar in code.unicodeScalars {
            let isDigit = (0x30...0x39).contains(scalar.value)
            view.append(isDigit ? Unicode.Scalar(zero + scalar.value - 0x30) ?? scalar : scalar)
        }
        return String(view)
    }
}
