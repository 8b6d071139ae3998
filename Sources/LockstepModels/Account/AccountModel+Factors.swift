public import Lockstep

extension AccountModel {
    /// Loads the user's second factors into ``factors``.
    public func loadFactors() async {
        let client = context.client
        await form.run(.loading) { () async throws(AuthError) in self.factors = try await client.account.factors.all() }
    }

    /// Returns whether the user can add a second factor of the given kind.
    ///
    /// - Parameter kind: The kind of factor.
    /// - Returns: Whether a button for this kind of factor can be enabled.
    public func canAdd(_ kind: FactorChoice.Kind) -> Bool {
        !form.isBusy && context.client.account.factors.kinds.contains(kind) && (try? newFactor(kind).normalized()) != nil
    }

    /// Starts to add a factor.
    ///
    /// Afterwards, ``enrolment`` contains the key that the screen shows, and ``AuthModel/sheet`` asks for the first
    /// code. When the user has entered that code, the model loads ``factors`` again.
    ///
    /// - Parameters:
    ///   - kind: The kind of factor.
    ///   - label: The name of the factor in lists. Default: the provider chooses a name.
    public func addFactor(_ kind: FactorChoice.Kind, label: String? = nil) async {
        context.update()
        let (client, factor) = (context.client, newFactor(kind, label: label))
        let fields = kind == .phone ? [(FormField.phone, isBlank: factorPhone.isEmpty)] : []
        var wanted = WantedChange(change: .factorAdded, activity: .saving, fields: fields, name: kind.rawValue) {
            [weak self] flow, error in
            // A newer enrolment, whose key is shown now, may have replaced this one.
            if self?.enrolment?.challenge.flow.id == flow.id { self?.enrolment = nil }
            if error == nil { self?.factors = nil }
        }
        wanted.reload = { [weak self] in await self?.loadFactors() }
        await make(wanted) { () async throws(AuthError) in
            self.enrolment = nil
            let enrolment = try await client.account.factors.add(factor)
            self.enrolment = enrolment
            return .verify(enrolment.challenge)
        }
    }

    /// Removes a factor.
    ///
    /// - Parameter factor: One of ``factors``.
    public func remove(_ factor: FactorChoice) async {
        let client = context.client
        await make(WantedChange(change: .factorRemoved, activity: .saving, name: factor.id)) { () async throws(AuthError) in
            try await client.account.factors.remove(factor)
            self.factors?.removeAll { $0 == factor }
            return nil
        }
    }

    private func newFactor(_ kind: FactorChoice.Kind, label: String? = nil) -> NewFactor {
        NewFactor(kind, phone: kind == .phone ? factorPhone : nil, label: label)
    }
}
