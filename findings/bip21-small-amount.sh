#!/bin/sh
# bip21 3.0.0: encode() writes amounts below 0.000001 BTC with an exponent.
#
# A payment link names its amount in decimal digits: BIP 21 has `"amount=" *digit [ "." *digit ]`, without an exponent.
# Most expect: the link for 100 satoshi says amount=0.000001 and that for 99 satoshi amount=0.00000099.
# What happens: the second says amount=9.9e-7, which no longer has the grammar of the standard. The library's own
# decode() reads it, so a test that only goes back and forth does not notice; wallets that follow the standard differ.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact bip21@3.0.0 >/dev/null
cat >run.mjs <<'END'
import { readFileSync } from 'node:fs';
import { decode, encode } from 'bip21';
const ADDRESS = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT';
const grammar = /[?&]amount=\d*(\.\d*)?(&|$)/;
const rows = [0.000001, 0.00000099, 0.00000001].map((amount) => {
  const uri = encode(ADDRESS, { amount });
  return { uri, isStandard: grammar.test(uri), isReadBack: decode(uri).options.amount === amount };
});
console.log(`bip21 ${JSON.parse(readFileSync('node_modules/bip21/package.json', 'utf8')).version}`);
console.log(rows);
const isAsDescribed = rows.map(({ isStandard }) => isStandard).join() === 'true,false,false' && rows.every(({ isReadBack }) => isReadBack);
console.log(isAsDescribed ? 'as described' : 'CHANGED');
process.exit(isAsDescribed ? 0 : 1);
END
node run.mjs
