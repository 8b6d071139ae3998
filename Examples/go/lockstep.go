// Package lockstep starts an emulator of `lockstep serve` for Go tests, with the standard library alone.
//
// It needs the command `lockstep`, on the path or named by LOCKSTEP_COMMAND. Below `lockstep exec` it uses the emulators of that command.
package lockstep

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// The shell holds one end of a pipe. When this process is gone, however it ended, the pipe closes, `cat` ends, and so does the server.
const watch = `"${LOCKSTEP_COMMAND:-lockstep}" "$@" & exec >/dev/null; cat; kill $! 2>/dev/null; wait $!`

// Emulator is a running emulator of one provider, for one test.
type Emulator struct {
	URL         string            `json:"base"`
	Keys        map[string]any    `json:"vars"`
	Environment map[string]string `json:"environment"`
	Provider    string            `json:"provider"`
	Control     map[string]string `json:"control"`
	t           testing.TB
	seen        map[string]float64
}

type Object = map[string]any

// No proxy of this machine stands between a test and 127.0.0.1.
var client = &http.Client{Timeout: time.Minute, Transport: &http.Transport{Proxy: nil}}

// Start returns the emulator of `lockstep exec`, or starts one on a free port that ends with the test.
// Parallel tests and packages that start their own share nothing.
func Start(t testing.TB, provider string, options ...string) *Emulator {
	t.Helper()
	if path := os.Getenv("LOCKSTEP_READY"); path != "" {
		lines, err := os.ReadFile(path)
		check(t, err)
		for _, line := range strings.Split(strings.TrimSpace(string(lines)), "\n") {
			if emulator := read(t, line); emulator.Provider == provider {
				return emulator
			}
		}
		t.Skipf("lockstep exec runs no emulator of %s", provider)
	}
	words := append([]string{"-c", watch, "sh", "serve", provider, "--port", "0", "--format", "json"}, options...)
	server := exec.Command("sh", words...)
	server.Stderr = os.Stderr
	pipe, _ := server.StdinPipe()
	output, _ := server.StdoutPipe()
	check(t, server.Start())
	t.Cleanup(func() { pipe.Close(); server.Wait() })
	line, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		t.Fatalf("lockstep serve %s did not start. Its error stands above; LOCKSTEP_COMMAND names the command.", provider)
	}
	return read(t, line)
}

func read(t testing.TB, line string) *Emulator {
	emulator := &Emulator{t: t, seen: map[string]float64{}}
	check(t, json.Unmarshal([]byte(line), emulator))
	return emulator
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Call sends a request to the control API: docs/control.md.
func (e *Emulator) Call(method, path string, body any) Object {
	e.t.Helper()
	status, document := Send(e.t, method, e.URL+"/__lockstep"+path, e.Control, body)
	if status >= 400 {
		e.t.Fatalf("%s %s: %v", method, path, document["error"])
	}
	return document
}

// Send sends JSON and returns the status and the answer's document.
func Send(t testing.TB, method, address string, headers map[string]string, body any) (int, Object) {
	t.Helper()
	var data []byte
	if body != nil {
		data, _ = json.Marshal(body)
	}
	request, err := http.NewRequest(method, address, bytes.NewReader(data))
	check(t, err)
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	answer, err := client.Do(request)
	check(t, err)
	defer answer.Body.Close()
	document := Object{}
	json.NewDecoder(answer.Body).Decode(&document)
	return answer.StatusCode, document
}

// Address returns an e-mail address that no other test uses.
func (e *Emulator) Address() string { return fmt.Sprintf("user-%d@example.com", time.Now().UnixNano()) }

// User makes a user with a verified address and the password "Correct-Horse-1", unless values say otherwise.
func (e *Emulator) User(values Object) Object {
	e.t.Helper()
	all := Object{"email": e.Address(), "emailConfirmed": true, "password": "Correct-Horse-1"}
	for name, value := range values {
		all[name] = value
	}
	return e.Call("POST", "/users", all)
}

// SignIn opens a session without a password: accessToken, refreshToken, and what the vendor's SDK keeps.
func (e *Emulator) SignIn(user Object) Object {
	return e.Call("POST", fmt.Sprint("/users/", user["id"], "/sign-in"), Object{})
}

// NextMessage waits for the next mail or text message to an address or a number: its code, its link.
func (e *Emulator) NextMessage(to string) Object {
	e.t.Helper()
	path := fmt.Sprintf("/messages?to=%s&wait=30&after=%.0f", url.QueryEscape(to), e.seen[to])
	messages := e.Call("GET", path, nil)["messages"].([]any)
	if len(messages) == 0 {
		e.t.Fatalf("no message to %s in 30 seconds", to)
	}
	message := messages[0].(Object)
	e.seen[to] = message["number"].(float64)
	return message
}

// Advance moves the clock of the backend.
func (e *Emulator) Advance(by time.Duration) {
	e.Call("POST", fmt.Sprint("/clock?seconds=", by.Seconds()), nil)
}

// Fail affects the next request to a path: Fail("/token*", "lose-answer").
func (e *Emulator) Fail(path, effect string) {
	e.Call("POST", "/faults", Object{"path": path, "effect": effect})
}
