/// Where a message goes, as it may be shown.
enum Destination {
    /// A number with all but its last digits hidden.
    static func masked(phone: String) -> String { "+•••" + phone.suffix(4) }
}
