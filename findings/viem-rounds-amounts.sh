#!/bin/sh
# viem 2.57.20 and ethers 6.17.0: an amount with more decimals than its token is rounded up by one and refused by the other.
#
# Both have parseUnits(text, decimals), which turns what a person typed into units of a token.
# Most expect: an amount that the token cannot hold is an error, or is cut, so that never more is sent than was written.
# What happens: viem rounds half up without a word: 0.0000005 of a token with 6 decimals becomes one unit, twice of what
# was written, and 9.9999995 becomes 10. ethers raises an error for the same texts. Who changes libraries changes amounts.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact viem@2.57.20 ethers@6.17.0 >/dev/null
cat >run.mjs <<'END'
import { readFileSync } from 'node:fs';
import { parseUnits as ethers } from 'ethers';
import { parseUnits as viem } from 'viem';
const attempt = (parse, text) => {
  try {
    return String(parse(text, 6));
  } catch (error) {
    return error.shortMessage ?? error.message;
  }
};
const rows = ['0.0000005', '0.0000004', '9.9999995', '1.25'].map((text) => ({
  text, viem: attempt(viem, text), ethers: attempt(ethers, text),
}));
const versionOf = (name) => JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')).version;
console.log(`viem ${versionOf('viem')}, ethers ${versionOf('ethers')}`);
console.table(rows);
const isAsDescribed = rows.map((row) => row.viem).join() === '1,0,10000000,1250000' &&
  rows.map((row) => row.ethers).join() === `${'too many decimals for format,'.repeat(3)}1250000`;
console.log(isAsDescribed ? 'as described' : 'CHANGED');
process.exit(isAsDescribed ? 0 : 1);
END
node run.mjs
