import { type NamedRoster, type Signed, type Signer, digestOf, makeRoster, makeSigner } from './signer.ts';

/** A change of the roster that the holder of `held` must accept or refuse. */
export interface RosterCase {
  name: string;
  held: string;
  text: string;
  signatures: Signed[];
}

/** Changes of a roster of alice, bob and carol, of whom two must sign. The first one is honest. */
export function makeRosterCases(at: number): RosterCase[] {
  const [alice, bob, carol, dave, thief] = ['alice', 'bob', 'carol', 'dave', 'thief'].map((name) =>
    makeSigner(name),
  ) as [Signer, Signer, Signer, Signer, Signer];
  const held = makeRoster([alice, bob, carol]);
  const follow = (signers: readonly Signer[], fields: Parameters<typeof makeRoster>[1] = {}): string =>
    makeRoster(signers, { version: 2, previous: digestOf(held), ...fields });
  const next = follow([alice, bob, dave]);
  const withThief = follow([alice, bob, carol, thief]);
  const sign = (text: string, signers: readonly Signer[], roster: NamedRoster = held): Signed[] =>
    signers.map((signer) => signer.sign([text], { at, roster }));
  const change = (name: string, text: string, signatures: Signed[], from = held): RosterCase => ({
    name,
    held: from,
    text,
    signatures,
  });
  const bobAgain = makeSigner('bob');
  const twoKeys = makeRoster([alice, bob, bobAgain]);
  const afterTwoKeys = makeRoster([alice, bob], { version: 2, previous: digestOf(twoKeys) });
  const three = makeRoster([alice, bob, carol], { threshold: 3 });
  return [
    change('an honest change', next, sign(next, [alice, bob])),
    change('the key of a thief, signed by nobody', withThief, []),
    change('the key of a thief, signed by one', withThief, sign(withThief, [alice])),
    change('the key of a thief, signed by one and the thief', withThief, sign(withThief, [alice, thief])),
    change('signatures of another roster', withThief, sign(next, [alice, bob])),
    change('the same person twice', next, sign(next, [alice, alice])),
    change('the same person with two keys', afterTwoKeys, sign(afterTwoKeys, [bob, bobAgain], twoKeys), twoKeys),
    change('signatures by keys of the new roster only', next, sign(next, [alice, dave])),
    change('signatures under the new version', next, sign(next, [alice, bob], next)),
    change('signatures in the form of before', next, sign(next, [alice, bob], 1)),
    change('signatures under another roster of the version', next, sign(next, [alice, bob], twoKeys)),
    change('the held roster again', held, sign(held, [alice, bob])),
    change('an older roster', held, sign(held, [alice, bob], next), next),
    change(
      'a skipped version',
      follow([alice, bob], { version: 3 }),
      sign(follow([alice, bob], { version: 3 }), [alice, bob]),
    ),
    ...[
      follow([alice, bob], { previous: digestOf('another') }),
      follow([alice]),
      follow([alice], { threshold: 1 }),
      follow([alice, bob], { threshold: 3 }),
      follow([alice, bob, { ...bob, person: 'dave' }]),
      follow([alice, bob, { ...dave, person: 'Alice' }]),
      follow([alice, bob, { ...dave, person: 'аlice' }]),
      follow([alice, bob, { ...dave, id: bob.id }]),
      follow([alice, bob, { ...dave, publicKey: dave.publicKey.replace(/.{4}$/, 'AAAA') }]),
    ].map((text, index) => change(`a roster that breaks rule ${index}`, text, sign(text, [alice, bob]))),
    change(
      'a lower threshold',
      makeRoster([alice, bob, carol], { version: 2, previous: digestOf(three), threshold: 2 }),
      sign(
        makeRoster([alice, bob, carol], { version: 2, previous: digestOf(three), threshold: 2 }),
        [alice, bob, carol],
        three,
      ),
      three,
    ),
  ];
}
