#!/bin/sh
# @ton/core 0.63.1: Address.parse() takes an address of a test network for that of the main network.
#
# TON marks addresses for test networks by a bit of their first byte: they begin with k or 0 instead of E or U.
# Most expect: a parser refuses such an address outside of a test network, or its result says that it is one.
# What happens: the result equals that of the address for the main network and prints as such. Only parseFriendly()
# keeps the mark. A wallet that stores what was parsed cannot warn that the sender meant another network.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact @ton/core@0.63.1 @ton/crypto@3.3.0 >/dev/null
cat >run.cjs <<'END'
const { Address } = require('@ton/core');
const account = new Address(0, Buffer.alloc(32, 7));
const main = account.toString({ bounceable: false });
const test = account.toString({ bounceable: false, testOnly: true });
const parsed = Address.parse(test);
const printed = parsed.toString({ bounceable: false });
const isEqual = parsed.equals(Address.parse(main));
const { isTestOnly } = Address.parseFriendly(test);
console.log(`@ton/core ${require('@ton/core/package.json').version}`);
console.log({ main, test, printed, isEqual, isTestOnly });
const isAsDescribed = isEqual && printed === main && isTestOnly;
console.log(isAsDescribed ? 'as described' : 'CHANGED');
process.exit(isAsDescribed ? 0 : 1);
END
node run.cjs
