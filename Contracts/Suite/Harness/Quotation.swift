/// The part of a response in which a hostile backend repeats the values that it has received.
///
/// The backend repeats the values in every encoding that servers use.
public enum Quotation: String, Sendable, Hashable, CaseIterable {
    /// In the sentence of an error in the backend's format.
    case sentence
    /// In the code of an error in the backend's format.
    ///
    /// Each error repeats one value.
    case code
    /// In JSON members that no adapter knows: in names, strings, numbers and lists.
    case members
    /// In an HTML page.
    case page
    /// In the header fields of the response.
    case headers
    /// In JSON with status 200.
    case success

    /// A description of the part, for reports.
    var words: String {
        switch self {
        case .sentence: "in a sentence"
        case .code: "as the error code"
        case .members: "in members of the JSON"
        case .page: "in a page"
        case .headers: "in a header"
        case .success: "in a response with status 200"
        }
    }
}
