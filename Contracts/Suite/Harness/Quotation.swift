/// Where a hostile backend repeats what it was sent, each time in every encoding that servers use.
public enum Quotation: String, Sendable, Hashable, CaseIterable {
    /// In the sentence of a refusal in its own form.
    case sentence
    /// In the code of such a refusal, one value after the other.
    case code
    /// In JSON members that no reader knows: names, texts, numbers, lists.
    case members
    /// In a page of HTML.
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
