"""Writes a user of FirebaseAuth as a keyed archive (a binary property list), as NSKeyedArchiver does.

Reads JSON with the members userID, email, emailVerified, anonymous, APIKey, accessToken and refreshToken from standard input.
"""

import json
import plistlib
import sys


def archive(user):
    objects = ["$null"]

    def add(value):
        if value is None:
            return plistlib.UID(0)
        objects.append(value)
        return plistlib.UID(len(objects) - 1)

    def cls(name, *parents):
        return add({"$classname": name, "$classes": [name, *parents, "NSObject"]})

    root = add({})
    identity = {
        "$class": cls("FIRUserInfoImpl"),
        "providerID": add("password"),
        "userID": add(user["email"]),
        "email": add(user["email"]),
    }
    providers = {
        "$class": cls("NSDictionary"),
        "NS.keys": [add("password")] if user["email"] else [],
        "NS.objects": [add(identity)] if user["email"] else [],
    }
    tokens = {
        "$class": cls("FIRSecureTokenService"),
        "APIKey": add(user["APIKey"]),
        "refreshToken": add(user["refreshToken"]),
        "accessToken": add(user["accessToken"]),
        "accessTokenExpirationDate": add({"$class": cls("NSDate"), "NS.time": 700000000.0}),
    }
    objects[root.data] = {
        "$class": cls("FIRUser"),
        "userID": add(user["userID"]),
        "anonymous": user["anonymous"],
        "hasEmailPassword": bool(user["email"]),
        "providerData": add(providers),
        "email": add(user["email"]),
        "emailVerified": user["emailVerified"],
        # A text outside ASCII is written in UTF-16.
        "displayName": add(user.get("displayName", "Ada Lovelace – α")),
        "phoneNumber": add(None),
        "photoURL": add({"$class": cls("NSURL"), "NS.base": plistlib.UID(0), "NS.relative": add("https://example.com/ada.png")}),
        "tenantID": add(None),
        "APIKey": add(user["APIKey"]),
        "firebaseAppID": add("1:2:ios:3"),
        "tokenService": add(tokens),
    }
    return {
        "$archiver": "NSKeyedArchiver",
        "$version": user.get("version", 100000),
        "$objects": objects,
        "$top": {user.get("top", "firebase_auth_1___FIRAPP_DEFAULT_firebase_user"): root},
    }


sys.stdout.buffer.write(plistlib.dumps(archive(json.load(sys.stdin)), fmt=plistlib.FMT_BINARY))
