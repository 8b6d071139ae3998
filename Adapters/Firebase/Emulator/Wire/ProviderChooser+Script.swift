extension ProviderChooser {
    /// The script that the page runs in the browser.
    ///
    /// It reads the SDK's request from the query, and returns the result in the way for which the SDK waits. The result
    /// is the SDKs' auth event: its `urlResponse` is the callback that the SDK sends as `requestUri` of
    /// `signInWithIdp`.
    static let script = #"""
        'use strict';
        const query = new URLSearchParams(location.search);
        const given = (name) => query.get(name) || null;
        const providerId = given('providerId');
        const authType = given('authType') || '';
        const element = (id) => document.getElementById(id);

        // Shows why the sign-in cannot go on, in the place of everything that could be pressed.
        function stop(reason) {
          const paragraph = document.createElement('p');
          paragraph.id = 'error';
          paragraph.setAttribute('role', 'alert');
          paragraph.textContent = reason;
          document.body.replaceChildren(paragraph);
        }

        function warn(text) {
          const warning = document.querySelector('.js-signin-warning');
          warning.textContent = text;
          warning.hidden = false;
        }

        // An app in a web view has a scheme of its own (capacitor://localhost); an address of these could be a script, or be of this page's origin.
        function pageAddress(text) {
          try {
            const address = new URL(text);
            return /^(javascript|data|blob|filesystem|file|vbscript|about|view-source|intent):$/.test(address.protocol) ? null : address;
          } catch {
            return null;
          }
        }

        // The way back: to the page that opened this pop-up, to an app of a phone, or to the page that was here before.
        function way() {
          if (/popup/i.test(authType)) return toOpener;
          if (given('apn')) return toAndroid;
          if (given('ibi')) return toIOS;
          if (given('redirectUrl')) return toPage;
          return null;
        }

        // The pop-up's opener has a frame of this origin, which passes the event on (RelayFrame). A frame of another origin throws.
        function toOpener(event) {
          let frames = 0;
          for (let i = 0; window.opener && i < window.opener.frames.length; i++) {
            try {
              const frame = window.opener.frames[i];
              const its = new URLSearchParams(frame.location.search);
              if (its.get('apiKey') !== given('apiKey') || its.get('appName') !== given('appName')) continue;
              frame.postMessage({
                eventType: 'sendAuthEvent',
                eventId: crypto.getRandomValues(new Uint32Array(4)).join(''),
                data: { storageKey: `${given('apiKey')}:${given('appName')}`, authEvent: event },
              }, location.origin);
              frames += 1;
            } catch {}
          }
          if (!frames) {
            stop('The page that opened this pop-up cannot be reached: it was closed or reloaded, or its header Cross-Origin-Opener-Policy cuts its pop-ups off.');
          }
        }

        // The app's page finds the event by its frame of this origin, when it is there again.
        function toPage(event) {
          const page = pageAddress(given('redirectUrl'));
          if (!page) return stop('redirectUrl is not the address of a page.');
          sessionStorage.setItem(`firebase:redirectEvent:${given('apiKey')}:${given('appName')}`, JSON.stringify(event));
          location.replace(page);
        }

        // Names of packages and bundles are reverse domains: nothing else may become a scheme, or take the answer.
        const isReverseDomain = (text) => /^[a-z][a-z0-9_-]*(\.[a-z0-9_-]+)+$/i.test(text);

        function toAndroid(event) {
          if (!isReverseDomain(given('apn'))) return stop('apn does not name an app.');
          const back = new URL(location.href);
          back.searchParams.set('error', 'No app took the answer: is ' + given('apn') + ' installed on this device?');
          const eventId = event.eventId ? `S.eventId=${encodeURIComponent(event.eventId)};` : '';
          location.replace('intent://firebase.auth/#Intent;scheme=genericidp;'
            + `package=${encodeURIComponent(given('apn'))};S.authType=${encodeURIComponent(event.type)};${eventId}`
            + `S.link=${encodeURIComponent(event.urlResponse)};B.encryptionEnabled=false;`
            + `S.browser_fallback_url=${encodeURIComponent(back.href)};end;`);
        }

        // The scheme is one that the app has registered: its client id backwards, its Firebase app id, or its bundle id.
        function toIOS(event) {
          const callback = new URL('/__/auth/callback', location.origin);
          callback.searchParams.set('authType', event.type);
          callback.searchParams.set('link', event.urlResponse);
          if (event.eventId) callback.searchParams.set('eventId', event.eventId);
          let scheme = given('ibi');
          if (given('clientId')) scheme = given('clientId').split('.').reverse().join('.');
          else if (given('appId')) scheme = 'app-' + given('appId').replaceAll(':', '-');
          if (scheme.includes('_') || (!isReverseDomain(scheme) && !/^app-[a-z0-9-]+$/i.test(scheme))) {
            return stop('clientId, appId or ibi does not name an app.');
          }
          const place = given('clientId') || given('appId') ? 'firebaseauth' : 'google';
          location.replace(`${scheme}://${place}/link?deep_link_id=${encodeURIComponent(callback.href)}`);
        }

        function finish(claims) {
          const callback = new URL(location.origin + location.pathname);
          callback.searchParams.set('providerId', providerId);
          callback.searchParams.set('id_token', JSON.stringify(claims));
          if (providerId.startsWith('saml.')) {
            callback.searchParams.set('SAMLResponse', JSON.stringify({ assertion: { subject: { nameId: claims.email } } }));
          }
          way()({
            type: authType,
            eventId: given('eventId'),
            urlResponse: callback.href,
            sessionId: 'not-used-by-the-emulator',
            postBody: '',
            tenantId: given('tid') || given('tenantId'),
            error: null,
          });
        }

        function showForm(isShown) {
          element('add-user').hidden = !isShown;
          element('accounts-list').hidden = isShown;
        }

        function validate() {
          const email = element('email-input').value;
          const error = !email ? 'An address is needed.' : !email.includes('@') ? 'The address needs an "@".' : '';
          element('email-error').textContent = error;
          element('sign-in').disabled = error !== '';
          return error === '';
        }

        function makeUp() {
          const pick = (list) => list[Math.floor(Math.random() * list.length)];
          const capital = (word) => word[0].toUpperCase() + word.slice(1);
          const [first, last] = [pick(['ada', 'alan', 'edith', 'grace', 'karen', 'niklaus']), pick(['birch', 'harbour', 'lantern', 'meadow', 'quarry'])];
          element('email-input').value = `${first}.${last}.${Math.floor(Math.random() * 10000)}@example.com`;
          element('display-name-input').value = `${capital(first)} ${capital(last)}`;
          element('screen-name-input').value = `${last}_${first}`;
          validate();
        }

        function submit(event) {
          event.preventDefault();
          if (!validate()) return;
          const text = (id) => element(id).value || undefined;
          finish({
            sub: Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => String(part).padStart(10, '0')).join(''),
            iss: '', aud: '', exp: 0, iat: 0,
            name: text('display-name-input'), screen_name: text('screen-name-input'), email: text('email-input'),
            email_verified: element('email-verified-input').checked, picture: text('profile-photo-input'),
          });
        }

        // What a person should know before the sign-in: it works here and not in production, or will not arrive.
        function notes() {
          const native = { 'facebook.com': 'Facebook', 'apple.com': 'Apple' }[providerId];
          const isNative = given('ibi') || (given('apn') && providerId === 'facebook.com');
          if (native && isNative) {
            warn(`Sign-in with ${native} through a web page works in an emulator only: in production use ${native}'s own SDK.`);
          }
          const page = way() === toPage && pageAddress(given('redirectUrl'));
          if (page && page.hostname !== location.hostname) {
            warn(`The app is at ${page.hostname} and this server at ${location.hostname}: browsers keep their storage apart, and the app may not get the answer. `
              + 'Use one host name for both, or signInWithPopup.');
          }
        }

        function hint() {
          try {
            return JSON.parse(given('customParameters') || '{}').login_hint || '';
          } catch {
            return '';
          }
        }

        function start() {
          const title = providerId[0].toUpperCase() + providerId.slice(1);
          for (const place of document.querySelectorAll('.js-provider-id')) place.textContent = title;
          const accounts = document.querySelectorAll('.js-reuse-account');
          for (const account of accounts) account.addEventListener('click', () => finish(JSON.parse(account.dataset.claims)));
          if (!accounts.length) document.querySelector('.js-accounts-help-text').textContent = `No account of ${title} has signed in here yet.`;
          document.querySelector('.js-new-account').addEventListener('click', () => showForm(true));
          element('back-button').addEventListener('click', () => showForm(false));
          element('autogen-button').addEventListener('click', makeUp);
          element('email-input').addEventListener('input', validate);
          element('main-form').addEventListener('submit', submit);
          element('email-input').value = hint();
          element('sign-in').disabled = !hint();
          notes();
        }

        if (given('error')) stop(given('error'));
        else if (!['appName', 'clientId', 'appId', 'apn', 'ibi'].some(given)) stop('One of appName, clientId, appId, apn and ibi must stand in the query.');
        else if (!way()) stop('The query names no way back: authType of a pop-up, redirectUrl, apn or ibi.');
        else start();

        """#
}
