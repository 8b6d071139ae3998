internal import LockstepPrimitives

extension User {
    /// As answers show it: empty fields are left out where the server leaves them out.
    var json: JSONObject {
        var object: JSONObject = [
            "id": .string(id), "aud": .string(audience), "role": .string(role), "email": .string(email),
        ]
        object["email_confirmed_at"] = emailConfirmedAt.map(Timestamp.json)
        object["invited_at"] = invitedAt.map(Timestamp.json)
        object["phone"] = .string(phone)
        object["phone_confirmed_at"] = phoneConfirmedAt.map(Timestamp.json)
        object["confirmation_sent_at"] = confirmation.sentAt.map(Timestamp.json)
        object["confirmed_at"] = confirmedAt.map(Timestamp.json)
        object["recovery_sent_at"] = recovery.sentAt.map(Timestamp.json)
        if !emailChange.isEmpty { object["new_email"] = .string(emailChange) }
        object["email_change_sent_at"] = emailChangeSentAt.map(Timestamp.json)
        if !phoneChange.isEmpty { object["new_phone"] = .string(phoneChange) }
        object["phone_change_sent_at"] = phoneChangeSlot.sentAt.map(Timestamp.json)
        object["reauthentication_sent_at"] = reauthentication.sentAt.map(Timestamp.json)
        object["last_sign_in_at"] = lastSignInAt.map(Timestamp.json)
        object["app_metadata"] = .object(appMetadata.sorted())
        object["user_metadata"] = userMetadata.map { .object($0.sorted()) } ?? .null
        if !factors.isEmpty { object["factors"] = .array(factors.map { .object($0.json) }) }
        object["identities"] = identities.map { .array($0.map { .object($0.json) }) } ?? .null
        object["created_at"] = Timestamp.json(createdAt)
        object["updated_at"] = Timestamp.json(updatedAt)
        object["banned_until"] = bannedUntil.map(Timestamp.json)
        object["deleted_at"] = deletedAt.map(Timestamp.json)
        object["is_anonymous"] = .bool(isAnonymous)
        return object
    }
}
