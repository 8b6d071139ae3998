package import LockstepDirectory
import LockstepFirebaseDirectory
package import LockstepMigration
import LockstepPasswords
import LockstepPrimitives

extension MoveTarget {
    /// Creates Firebase as a target, with the values that it accepts and sets, and its facts for a plan.
    ///
    /// - Parameters:
    ///   - directory: The directory, or one in front of it.
    ///   - mailsPerHour: The number of emails that the target sends in an hour; `nil` if the operator has not stated it.
    package static func firebase(_ directory: any UserDirectory, project: String, mailsPerHour: Int? = nil) -> MoveTarget {
        var target = MoveTarget(directory, project: project, ids: .kept) { hash in
            // A request has a time limit, and a check that takes longer never ends.
            guard hash.isWithin(PasswordLimits(memory: 1 << 28, time: .seconds(10))), hash.firebaseImport != nil else {
                return nil
            }
            return hash.text
        }
        target.title = "Firebase"
        target.road = MoveRoad("by imports of up to 1,000 users (accounts:batchCreate)")
        target.batchSize = 500
        target.returnsHasPassword = true
        target.acceptsAddress = { (try? EmailAddress($0)) != nil }
        target.mailsPerHour = mailsPerHour
        target.acceptsProvider = FirebaseDirectory.accepts
        target.hasIdentitiesOfOneProvider = false
        // Only the owner of a verified address can have a second factor.
        target.acceptsFactor = { factor, user in factor.isVerifiedNumber && user.email != nil && user.isEmailConfirmed }
        target.needsAddressOrNumber = false
        target.verifiesFirst = false
        target.limits = [MoveLimit([.claims], 1000, .characters)]
        target.ownClaims = FirebaseDirectory.reservedClaims
        return target
    }
}
