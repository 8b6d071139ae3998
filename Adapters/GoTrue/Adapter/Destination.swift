/// The masked destination of a message.
enum Destination {
    /// A number with all but its last digits hidden.
    static func masked(phone: String) -> String { "+•••" + phone.suffix(4) }
}
