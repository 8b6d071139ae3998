"""drive.py LOCKSTEP NAME: starts two servers, has the journeys on both, and prints a table."""
import sys

import journeys, journeys_admin  # each registers its own
from stage import Issuer, Server, run, signing_keys

issuer, servers = Issuer(), {}
try:
    servers["HS256"] = Server(sys.argv[1], issuer, "hs256")
    servers["ES256"] = Server(sys.argv[1], issuer, "es256", f"GOTRUE_JWT_KEYS='{signing_keys()}'\n")
    for name, server in servers.items():
        server.algorithm = name
    rows, failed = run(servers, sys.argv[2])
finally:
    for server in servers.values():
        server.stop()
print(f"{len(rows) - failed} passed, {failed} failed")
sys.exit(1 if failed or not rows else 0)
