internal import LockstepEmulation

/// `GET /emulator/auth/iframe`: the hidden frame that the JavaScript SDK keeps in the app's page.
///
/// ``ProviderChooser`` passes its result to this frame.
///
/// The SDK and the frame communicate with Google's `gapi.iframes`, which both load from `apis.google.com`. Without the
/// internet, a browser supports no sign-in by pop-up or redirect, as with Firebase's emulator. The page contains no
/// part of the request.
enum RelayFrame {
    static let path = "/emulator/auth/iframe"
    static let scriptPath = path + ".js"

    /// The pages that may embed the frame: pages of this machine, and of web views.
    ///
    /// The frame passes sign-ins to the page that embeds it. A page of another site could otherwise wait for the
    /// response of a redirect.
    private static let embedders = ["http", "https", "capacitor", "ionic", "tauri"].flatMap { scheme in
        ["localhost", "*.localhost", "127.0.0.1"].map { "\(scheme)://\($0):*" }
    }

    static let page = EmulatorResponse.html(
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <title>Relay of sign-ins</title>
        <script src="\(scriptPath)"></script>
        <script src="https://apis.google.com/js/api.js"></script>
        </head>
        </html>

        """, policy: "frame-ancestors " + embedders.joined(separator: " "))

    /// The script that the frame runs in the browser.
    static let script = #"""
        'use strict';
        const query = new URLSearchParams(location.search);
        const storageKey = `${query.get('apiKey')}:${query.get('appName')}`;
        const storedEvent = `firebase:redirectEvent:${storageKey}`;
        let app = null;

        function send(authEvent) {
          app.send('authEvent', { type: 'authEvent', authEvent }, (answers) => {
            if (answers?.at(-1)?.status !== 'ACK') console.warn('Lockstep: the app did not take the outcome of a sign-in: nothing waits for it any more.');
          }, gapi.iframes.CROSS_ORIGIN_IFRAMES_FILTER);
        }

        // A pop-up of this origin; any other window could bring an account of its own choice.
        window.addEventListener('message', ({ origin, data }) => {
          if (origin !== location.origin || data?.eventType !== 'sendAuthEvent' || data.data?.storageKey !== storageKey) return;
          if (app) send(data.data.authEvent);
          else sessionStorage.setItem(storedEvent, JSON.stringify(data.data.authEvent));
        });

        // The SDK waits for the first event before it tells the app of its user: what a redirect has left, or that there is nothing.
        function meetTheApp() {
          app = gapi.iframes.getContext().getParentIframe();
          app.register('webStorageSupport', () => ({ status: 'ACK', webStorageSupport: true }), gapi.iframes.CROSS_ORIGIN_IFRAMES_FILTER);
          const left = sessionStorage.getItem(storedEvent);
          sessionStorage.removeItem(storedEvent);
          send(left ? JSON.parse(left) : { type: 'unknown', error: { code: 'auth/no-auth-event' } });
        }

        // Called by Google's script when it is there.
        window.gapi_onload = () => gapi.load('gapi.iframes', {
          callback: meetTheApp,
          timeout: 10000,
          ontimeout: () => console.error('Lockstep: gapi.iframes could not be loaded from apis.google.com, and without it there is no sign-in by pop-up or redirect.'),
        });

        """#
}
