internal import LockstepPrimitives

/// A received response.
struct FuzzResponse: Sendable {
    let status: Int
    let headers: [(name: String, value: String)]
    let body: [UInt8]

    /// The first value of a header, by its name in lower case.
    subscript(name: String) -> String? { headers.first { $0.name == name }?.value }

    var text: String { String(decoding: body.prefix(300), as: UTF8.self) }
    var isJSON: Bool { self["content-type"]?.contains("json") ?? false }
    var json: JSON? { try? JSON.parse(body) }
}
