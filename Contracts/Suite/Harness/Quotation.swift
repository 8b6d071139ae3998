/// The place where a hostile backend repeats what it received, in every encoding that servers use.
public enum Quotation: String, Sendable, Hashable, CaseIterable {
    /// In the sentence of an error in its own form.
    case sentence
    /// In the code of such an error, one value at a time.
    case code
    /// In unknown JSON members: names, strings, numbers, lists.
    case members
    /// In an HTML page.
    case page
    /// In header fields.
    case headers
    /// In JSON with status 200.
    case success

    /// Where, in words.
    var words: String {
        switch self {
        case .sentence: "in a sentence"
        case .code: "as its code"
        case .members: "in members of its JSON"
        case .page: "in a page"
        case .headers: "in a header"
        case .success: "in an answer of status 200"
        }
    }
}
