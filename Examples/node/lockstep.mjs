// An emulator of `lockstep serve` for tests in Node 20 or newer, without packages: Vitest, Jest, Playwright, node:test.
//
// Copy this file beside your tests. It needs the command `lockstep`, on the path or named by LOCKSTEP_COMMAND.
import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"

// The shell holds one end of a pipe. When this process is gone, however it ended, the pipe closes, `cat` ends, and so does the server.
const WATCH = '"${LOCKSTEP_COMMAND:-lockstep}" "$@" & exec >/dev/null; cat; kill $! 2>/dev/null; wait $!'

export class Emulator {
  #control
  #process
  #seen = new Map()

  // `ready` is a ready line: docs/emulators.md.
  constructor(ready, process) {
    this.ready = ready
    this.url = ready.base
    this.keys = ready.vars
    this.environment = ready.environment
    this.#control = ready.control
    this.#process = process
  }

  // Starts `lockstep serve` on a free port. A server of its own for each worker needs nothing else.
  static async start(provider, ...options) {
    const command = ["serve", provider, "--port", "0", "--format", "json", ...options]
    // In a process group of its own Ctrl-C ends the tests first, and the server with them.
    const child = spawn("sh", ["-c", WATCH, "sh", ...command], { stdio: ["pipe", "pipe", "inherit"], detached: true })
    for await (const line of createInterface({ input: child.stdout })) {
      // The test runner must not wait for the server.
      for (const each of [child, child.stdin, child.stdout]) each.unref()
      return new Emulator(JSON.parse(line), child)
    }
    child.stdin.destroy()
    throw new Error(`lockstep ${command.join(" ")} did not start. Its error stands above; LOCKSTEP_COMMAND names the command.`)
  }

  // The emulator that `lockstep exec` or the global setup has started; `undefined` without one.
  static running(provider) {
    if (!process.env.LOCKSTEP_READY) return undefined
    const lines = readFileSync(process.env.LOCKSTEP_READY, "utf8").trim().split("\n").map((line) => JSON.parse(line))
    const ready = lines.findLast((line) => line.provider === provider)
    return ready && new Emulator(ready)
  }

  // The running emulator, or a new one.
  static async connect(provider, ...options) {
    return Emulator.running(provider) ?? (await Emulator.start(provider, ...options))
  }

  async stop() {
    if (!this.#process) return
    const ended = new Promise((resolve) => this.#process.once("exit", resolve))
    this.#process.ref()
    this.#process.stdin.destroy()
    await ended
    this.#process = undefined
  }

  // A request to the control API: docs/control.md.
  async control(method, path, body) {
    const answer = await fetch(`${this.url}/__lockstep${path}`, { method, headers: this.#control, body: body && JSON.stringify(body) })
    const document = await answer.json().catch(() => ({}))
    if (!answer.ok) throw new Error(`${method} ${path}: ${document.error ?? answer.status}`)
    return document
  }

  // Deletes everything, then restores the seed.
  reset({ seed = true } = {}) {
    return this.control("POST", seed ? "/reset" : "/reset?seed=false")
  }

  // An e-mail address that no other test uses.
  address() {
    return `user-${randomUUID().slice(0, 13)}@example.com`
  }

  // Makes a user with a verified address and a password; `password` is in the answer, too.
  async user(values = {}) {
    const all = { email: this.address(), emailConfirmed: true, password: "Correct-Horse-1", ...values }
    return { ...(await this.control("POST", "/users", all)), password: all.password }
  }

  // Opens a session without a password: `accessToken`, `refreshToken`, and `handover`, what the vendor's SDK keeps in a browser.
  signIn(user, { secondFactor = false } = {}) {
    return this.control("POST", `/users/${encodeURIComponent(user.id)}/sign-in`, { secondFactor })
  }

  // The next mail or text message to an address or a number: its `code`, its `link`. Waits until it is sent.
  async nextMessage(to, options = {}) {
    const { wait = 30 } = typeof options === "number" ? { wait: options } : options
    const query = new URLSearchParams({ to, wait, after: this.#seen.get(to) ?? 0 })
    const [message] = (await this.control("GET", `/messages?${query}`)).messages
    if (!message) throw new Error(`no message to ${to} in ${wait} seconds`)
    this.#seen.set(to, message.number)
    return message
  }

  // Moves the clock of the backend.
  advance(seconds) {
    return this.control("POST", `/clock?seconds=${seconds}`)
  }

  // Affects the next request to a path, such as `lose-answer` for `/token*`; `times: 2` affects two.
  fail(path, effect, values = {}) {
    return this.control("POST", "/faults", { path, effect, ...values })
  }
}

// The global setup of Vitest, Jest and Playwright: one server for all workers, which find it by LOCKSTEP_READY.
// LOCKSTEP_PROVIDERS names the providers. Vitest and Playwright call the result at the end; for Jest the end of the process does it.
export default async function setup() {
  if (process.env.LOCKSTEP_READY) return async () => {}
  const providers = (process.env.LOCKSTEP_PROVIDERS ?? "firebase,gotrue,clerk").split(",")
  const emulators = await Promise.all(providers.map((provider) => Emulator.start(provider)))
  const folder = mkdtempSync(join(tmpdir(), "lockstep-"))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  process.once("exit", remove)
  process.env.LOCKSTEP_READY = join(folder, "ready.jsonl")
  writeFileSync(process.env.LOCKSTEP_READY, emulators.map((each) => JSON.stringify(each.ready) + "\n").join(""), { mode: 0o600 })
  return async () => {
    delete process.env.LOCKSTEP_READY
    remove()
    await Promise.all(emulators.map((each) => each.stop()))
  }
}
