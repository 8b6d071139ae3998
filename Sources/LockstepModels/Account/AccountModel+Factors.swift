public import Lockstep

extension AccountModel {
    /// Loads the user's second factors.
    public func loadFactors() async {
        let client = context.client
        await form.run(.loading) { () async throws(AuthError) in self.factors = try await client.account.factors.all() }
    }

    /// Whether the client would begin to add a factor of a kind.
    public func canAdd(_ kind: FactorChoice.Kind) -> Bool {
        !form.isBusy && context.client.account.factors.kinds.contains(kind) && (try? newFactor(kind).normalized()) != nil
    }

    /// Begins to add a factor: ``enrolment`` has the key to show, and the first code is asked for by ``AuthModel/sheet``.
    public func addFactor(_ kind: FactorChoice.Kind, label: String? = nil) async {
        let (client, factor) = (context.client, newFactor(kind, label: label))
        enrolment = nil
        lastChange = nil
        await form.run(.saving, [(.phone, factorPhone.isEmpty)]) { () async throws(AuthError) in
            let enrolment = try await client.account.factors.add(factor)
            self.enrolment = enrolment
            self.context.auth?.follow(enrolment.challenge.flow) { [weak self] error in
                self?.enrolment = nil
                guard error == nil else { return }
                self?.factors = nil
                self?.lastChange = .factorAdded
            }
        }
    }

    /// Removes a factor.
    public func remove(_ factor: FactorChoice) async {
        let client = context.client
        await change(.factorRemoved, .saving) { () async throws(AuthError) in
            try await client.account.factors.remove(factor)
            self.factors?.removeAll { $0 == factor }
        }
    }

    private func newFactor(_ kind: FactorChoice.Kind, label: String? = nil) -> NewFactor {
        NewFactor(kind, phone: kind == .phone ? factorPhone : nil, label: label)
    }
}
