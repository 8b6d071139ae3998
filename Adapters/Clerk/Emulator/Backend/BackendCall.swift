import LockstepPrimitives

/// One request to the Backend API inside its transaction.
struct BackendCall {
    let exchange: Exchange
    let fields: Fields
    let query: Form
    let placeholders: [(name: String, value: String)]

    var store: Store { exchange.store }
    var settings: ClerkSettings { exchange.settings }

    /// The value of a path parameter.
    func piece(_ name: String) -> String { placeholders.first { $0.name == name }?.value ?? "" }

    /// The user that the path names.
    func user() throws -> UserRecord { try user(piece("user_id")) }

    func user(_ id: String) throws -> UserRecord {
        guard let user = try UserDirectory(exchange: exchange).find(id) else { throw ClerkError.notFound(id) }
        return user
    }

    /// The user as this API shows it.
    func json(_ user: UserRecord) throws -> JSON { try UserJSON(exchange: exchange).user(user, isPrivate: true) }

    /// `limit` and `offset` of a list.
    func page(default standard: Int = 10, most: Int = 500) throws -> (limit: Int, offset: Int) {
        func number(_ name: String, _ range: ClosedRange<Int>, _ standard: Int) throws -> Int {
            guard let text = query.text(name) else { return standard }
            guard let number = Int(text), range.contains(number) else {
                throw ClerkError.invalidValue(name, String(text.prefix(40)))
            }
            return number
        }
        return (try number("limit", 1...most, standard), try number("offset", 0...1_000_000_000, 0))
    }

    /// A list as it was asked for: bare, or with its total where `paginated=true`.
    func list(_ elements: [JSON], total: Int) -> JSON {
        query["paginated"] == "true" ? ["data": .array(elements), "total_count": .int(Int64(total))] : .array(elements)
    }
}
