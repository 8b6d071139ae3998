/// A message that is sent at the end of its transaction.
enum OutgoingMessage {
    case email(to: String, subject: String, text: String, code: String? = nil, link: String? = nil)
    case sms(to: String, text: String, code: String)
}
