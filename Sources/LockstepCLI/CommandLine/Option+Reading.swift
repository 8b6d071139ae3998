internal import LockstepSystem

extension Option {
    /// Returns the values in a text, in the form that the command uses.
    ///
    /// - Parameters:
    ///   - text: The given text; not empty.
    ///   - place: Its place for errors, such as `--port`.
    ///   - folder: The folder for relative paths; `nil` for the current folder.
    /// - Throws: ``UsageError`` if the option does not accept the value.
    func read(_ text: String, from place: String, in folder: String? = nil) throws(UsageError) -> [String] {
        switch value {
        case .none:
            guard let flag = ["true": true, "1": true, "yes": true, "false": false, "0": false, "no": false][text] else {
                throw Self.invalid(text, place, "true or false")
            }
            return flag ? [""] : []
        case .text: return [text]
        case .path: return [try Self.path(text, place, folder)]
        case .providerPath(_, let providers):
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, let provider = providers.word(for: parts[0]) else {
                return [try Self.path(text, place, folder)]
            }
            return [provider + "=" + (try Self.path(parts[1], place, folder))]
        case .number(_, let range):
            guard let number = Int(text), range.contains(number) else {
                throw Self.invalid(text, place, "a number from \(range.lowerBound) to \(range.upperBound)")
            }
            return [text]
        case .choice(let words):
            guard let word = words.word(for: text) else {
                throw Self.invalid(text, place, words.listedAsChoice, words.suggestion(for: text))
            }
            return [word]
        case .choices(_, let words):
            var found: [String] = []
            for part in text.split(separator: ",").map(String.init) {
                guard let word = words.isEmpty ? part : words.word(for: part) else {
                    throw Self.invalid(part, place, words.listedAsChoice + ", separated by commas", words.suggestion(for: part))
                }
                found.append(word)
            }
            return found
        }
    }

    private static func path(_ text: String, _ place: String, _ folder: String?) throws(UsageError) -> String {
        do throws(SystemError) {
            // A shell leaves the "~" of `--data=~/x` as it is.
            let path = try LocalPath.resolve(text)
            return path.hasPrefix("/") ? path : folder.map { "\($0)/\(path)" } ?? path
        } catch {
            throw UsageError(
                "invalid value \"\(text)\" for \(place): \(error.refusal?.rawValue ?? error.reason). Use the full path.")
        }
    }

    /// Returns an error for a value.
    static func invalid(_ text: String, _ place: String, _ expected: String, _ suggestion: String = "") -> UsageError {
        UsageError("invalid value \"\(text)\" for \(place): expected \(expected).\(suggestion)")
    }
}

extension Invocation {
    /// Returns the path of an option for a provider.
    ///
    /// - Parameters:
    ///   - name: An option with paths for providers.
    func path(_ name: String, for provider: String) -> String? {
        let named = list(name).last { $0.hasPrefix(provider + "=") }.map { String($0.dropFirst(provider.count + 1)) }
        return named ?? pathsForAny(name).last
    }

    /// Returns the paths of an option without a provider's name.
    func pathsForAny(_ name: String) -> [String] {
        list(name).filter { text in !providers(of: name).contains { text.hasPrefix($0 + "=") } }
    }

    /// Returns the providers for which an option has paths.
    func providersWithPath(_ name: String) -> [String] {
        providers(of: name).filter { provider in list(name).contains { $0.hasPrefix(provider + "=") } }
    }

    private func providers(of name: String) -> [String] {
        guard case .providerPath(_, let providers)? = command.options.first(where: { $0.name == name })?.value else { return [] }
        return providers
    }
}
