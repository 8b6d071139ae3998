"""Users with hashes that other programs have made, moved to a server by `lockstep migrate`; a journey of each client signs them in."""
import base64, hashlib, json, os, pathlib, subprocess, tempfile

PASSWORD = "Correct-Horse-1"

# By the packages bcrypt and argon2-cffi; the example of github.com/firebase/scrypt; and by Python's own library.
HASHES = {
    "bcrypt": "$2b$04$xVa4cgVOYsl4JheUQBwbzevd0BgCh/B7nG/uFo2QvEP2l20wpGp4K",
    "argon2id, 19 MiB": "$argon2id$v=19$m=19456,t=2,p=1$D3BTjUmXcZw9t8zeWiXzAA$GVYjqw9m9+ZtIl4P4XS9NFqJuhd8GV472RlMeYEmyIw",
    "argon2id, 64 MiB": "$argon2id$v=19$m=65536,t=3,p=4$VcrC3olTQm51e5CE25wevg$uXOtBFh4dsJ/6e8qTiIgGYCvM6SJQwJio226nQPC7cU",
    "Firebase's scrypt": "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA=="
                         "$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==",
    "PBKDF2": "$pbkdf2-sha256$i=600000$c29tZXNhbHQ$"
              + base64.b64encode(hashlib.pbkdf2_hmac("sha256", PASSWORD.encode(), b"somesalt", 600_000)).rstrip(b"=").decode(),
    "none": None,
}


class Moved:
    """A user after the move; `is_named`: the run has named this user, whose password stays behind."""

    def __init__(self, kind, email, names):
        self.kind, self.email, self.is_named = kind, email, kind == "none" or kind in names
        self.password = "user1password" if kind == "Firebase's scrypt" else PASSWORD

    def check(self, sign_in):
        """Holds that the old password signs in, or that the run has named the user."""
        try:
            sign_in(self.email, self.password)
        except Exception as error:
            assert self.is_named, (self.kind, error)
        else:
            assert not self.is_named, f"{self.kind}: the password works, and the run said that it stays behind"


def move(server, target, choices={}, **variables):
    """Plans, applies and verifies a move of one user a hash."""
    users = {kind: server.email() for kind in HASHES}
    folder = pathlib.Path(tempfile.mkdtemp(dir="."))
    lines = [{"version": 1, "source": {"provider": "firebase", "project": f"elsewhere-{folder.name}"}, "users": len(users)}]
    lines += [{"id": kind, "email": email, "emailConfirmed": True, **({"passwordHash": HASHES[kind]} if HASHES[kind] else {})}
              for kind, email in users.items()]
    (folder / "users.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (folder / "move.json").write_text(json.dumps({"from": {"file": "users.jsonl"}, "to": target, **choices}))
    environment = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ} | variables
    for words in (["plan"], ["apply", "--yes"], ["verify"]):
        run = subprocess.run([server.command, "migrate", *words], cwd=folder, env=environment, capture_output=True, text=True, timeout=120)
        assert run.returncode == 0, (words, run.stdout, run.stderr)
    names = {json.loads(line)["source"] for file in folder.glob("migration-runs/*/new-passwords.jsonl") for line in file.open()}
    return [Moved(kind, email, names) for kind, email in users.items()]
