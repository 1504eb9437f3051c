#!/bin/sh
# nodemailer 10.6.1: the `code` of a failed connection is not the code of Node.js.
#
# Most expect: an error of TLS or of the socket reaches the caller of sendMail() with the code that Node.js gave it, as
# with http, https, tls and net: DEPTH_ZERO_SELF_SIGNED_CERT, ERR_TLS_CERT_ALTNAME_INVALID, ECONNREFUSED.
# What happens: a certificate that is not trusted, one of another name, and a refused connection all have the code
# ESOCKET. The code of Node.js is in `originalCode`. A program that tells its user what to do by `code` cannot.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact nodemailer@10.6.1 >/dev/null
openssl req -x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:P-256 -keyout key.pem -out cert.pem \
  -subj /CN=localhost -addext subjectAltName=DNS:localhost 2>/dev/null
cat >run.cjs <<'END'
const { readFileSync } = require('node:fs');
const tls = require('node:tls');
const nodemailer = require('nodemailer');
const [key, cert] = ['key.pem', 'cert.pem'].map((file) => readFileSync(file));
const server = tls.createServer({ key, cert }, (socket) => socket.on('error', () => {})).on('tlsClientError', () => {});
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  const seen = {};
  for (const [name, host, at, ca] of [
    ['untrusted', 'localhost', port], ['other name', '127.0.0.1', port, cert], ['refused', '127.0.0.1', 9]]) {
    const mail = nodemailer.createTransport({ host, port: at, secure: true, tls: { ca } });
    const error = await mail.sendMail({ from: 'a@b.example', to: 'c@d.example', text: 'x' }).catch((e) => e);
    seen[name] = `${error.code} (originalCode ${error.originalCode})`;
  }
  console.log(`nodemailer ${require('nodemailer/package.json').version}, Node.js ${process.version}`, seen);
  const isAsDescribed = Object.values(seen).join() === ['DEPTH_ZERO_SELF_SIGNED_CERT', 'ERR_TLS_CERT_ALTNAME_INVALID',
    'ECONNREFUSED'].map((code) => `ESOCKET (originalCode ${code})`).join();
  console.log(isAsDescribed ? 'as described' : 'CHANGED');
  process.exit(isAsDescribed ? 0 : 1);
});
END
node run.cjs
