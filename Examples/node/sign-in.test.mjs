// The same steps on each provider, with the vendor's own SDK: a user, a session, and what time does to it.
//
//     node --test Examples/node/*.test.mjs
import assert from "node:assert/strict"
import { after, before, test } from "node:test"
import setup, { Emulator } from "./lockstep.mjs"

// With Vitest and Playwright the configuration names ./lockstep.mjs as globalSetup instead.
let stop, ran = 0
before(async () => { stop = await setup() })
after(async () => {
  await stop()
  // A pipeline that forgot to install the SDKs must not look like one that passed.
  assert.ok(ran || !process.env.CI, "every test was skipped: install the SDKs that they use")
})

// The package if it is installed and the emulator if it runs; else the test is skipped.
async function prepare(t, provider, name) {
  const sdk = await import(name).catch((error) => t.skip(`${name}: ${error.code}`))
  const emulator = sdk && Emulator.running(provider)
  if (sdk && !emulator) t.skip(`lockstep exec runs no emulator of ${provider}`)
  if (emulator) ran += 1
  return { sdk, emulator }
}

test("gotrue", async (t) => {
  const { sdk, emulator: gotrue } = await prepare(t, "gotrue", "@supabase/supabase-js")
  if (!gotrue) return
  const realtime = { transport: globalThis.WebSocket ?? class {} } // for Node 20
  const { auth } = sdk.createClient(gotrue.url, gotrue.keys.publishable, { auth: { autoRefreshToken: false }, realtime })
  const email = gotrue.address()

  await auth.signUp({ email, password: "Correct-Horse-1" })
  const { code } = await gotrue.nextMessage(email)
  const { data: { session } } = await auth.verifyOtp({ email, token: code, type: "signup" })
  assert.equal((await auth.getUser(session.access_token)).data.user.email, email)

  await gotrue.advance(7200)
  assert.match((await auth.getUser(session.access_token)).error.message, /expired/)
  assert.notEqual((await auth.refreshSession()).data.session.access_token, session.access_token)
})

test("gotrue: a lost answer", async (t) => {
  const { sdk, emulator: gotrue } = await prepare(t, "gotrue", "@supabase/supabase-js")
  if (!gotrue) return
  const realtime = { transport: globalThis.WebSocket ?? class {} }
  const { auth } = sdk.createClient(gotrue.url, gotrue.keys.publishable, { auth: { autoRefreshToken: false }, realtime })
  const session = await gotrue.signIn(await gotrue.user())
  await gotrue.fail("/token*", "lose-answer")
  assert.ok((await auth.refreshSession({ refresh_token: session.refreshToken })).data.session, "the SDK repeats it")
})

test("firebase", async (t) => {
  const { sdk: app, emulator: firebase } = await prepare(t, "firebase", "firebase/app")
  if (!firebase) return
  const { connectAuthEmulator, getAuth, sendPasswordResetEmail, signInWithEmailAndPassword } = await import("firebase/auth")
  const auth = getAuth(app.initializeApp({ apiKey: "any", projectId: firebase.keys.project }))
  connectAuthEmulator(auth, firebase.url, { disableWarnings: true })

  const user = await firebase.user({ displayName: "Ada Lovelace" })
  const signedIn = await signInWithEmailAndPassword(auth, user.email, user.password)
  assert.equal(signedIn.user.displayName, "Ada Lovelace")
  await sendPasswordResetEmail(auth, user.email)
  assert.match((await firebase.nextMessage(user.email)).link, /mode=resetPassword/)
})

test("clerk", async (t) => {
  const { sdk, emulator: clerk } = await prepare(t, "clerk", "@clerk/backend")
  if (!clerk) return
  const backend = sdk.createClerkClient({ secretKey: clerk.keys.secret_key, apiUrl: clerk.keys.bapi, telemetry: { disabled: true } })
  const user = await clerk.user({ displayName: "Ada Lovelace" })
  assert.equal((await backend.users.getUser(user.id)).firstName, "Ada")
  const { accessToken } = await clerk.signIn(user)
  const { sub } = await sdk.verifyToken(accessToken, { secretKey: clerk.keys.secret_key, apiUrl: clerk.keys.bapi })
  assert.equal(sub, user.id)
})
