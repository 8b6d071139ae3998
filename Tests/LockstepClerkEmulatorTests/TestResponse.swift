import LockstepHTTP
import LockstepPrimitives

/// The response to a request.
struct TestResponse {
    let status: Int
    let json: JSON
    let headers: HTTPHeaders

    /// The code of the first error; `nil` for a success.
    var code: String? { json["errors"]?[0]?["code"]?.string }
    /// The codes of all errors.
    var codes: [String] { (json["errors"]?.array ?? []).compactMap { $0["code"]?.string } }
    /// The parameter that the first error names.
    var parameter: String? { json["errors"]?[0]?["meta"]?["param_name"]?.string }
    /// The value inside the envelope.
    var response: JSON { json["response"] ?? .null }
    var client: JSON { json["client"] ?? .null }

    /// A text inside the envelope.
    subscript(name: String) -> String { response[name]?.string ?? "" }

    /// Texts of a list inside the envelope.
    func list(_ name: String) -> [String] { (response[name]?.array ?? []).compactMap(\.string) }

    /// The strategies of a list of factors inside the envelope.
    func strategies(_ name: String) -> [String] { (response[name]?.array ?? []).compactMap { $0["strategy"]?.string } }
}
