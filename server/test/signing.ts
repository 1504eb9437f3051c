import type { SignatureDue, SigningAdded, SigningProposal } from '@hengtai/contract/risk/signing/schema';
import { sql } from 'kysely';
import { type NamedRoster, type Signed, type Signer, makeRoster, makeSigner } from '../../testing/signer.ts';
import { type Approvers, callAs, callWithChecker, lockFourEyes, makeApprovers } from './four-eyes.ts';
import { type ApiResponse, type TestServer, call } from './server.ts';

/** An operator with a key for the signing page. */
export interface SigningPerson {
  token: string;
  account: string;
  signer: Signer;
}

export interface SignedHouse {
  approvers: Approvers;
  alice: SigningPerson;
  bob: SigningPerson;
  carol: SigningPerson;
  /** Text of the first roster: alice and bob, two signatures. */
  roster: string;
}

export async function enrolSigner(server: TestServer, { token, account }: { token: string; account: string }) {
  const signer = makeSigner(account);
  const enrolled = await callAs<unknown>(server, { token }, 'signing/enrol', {
    key: signer.id,
    publicKey: signer.publicKey,
  });
  if (enrolled.code !== 200) throw new Error(`signing/enrol answered ${enrolled.code} ${enrolled.msg}`);
  return { token, account, signer };
}

/** The roster in force as the server has it named, undefined before the first. */
export async function findNamedRoster(server: TestServer): Promise<NamedRoster | undefined> {
  const [held] = await server.query(sql<{ text: string; version: number; signsDigest: boolean }>`
    select text, version, signs_digest or (select state = 1 from config where key = 'signing.rosterDigest') as "signsDigest"
    from signing_proposal where kind = 'roster' and state = 1 order by version desc limit 1`);
  return held && (held.signsDigest ? held.text : held.version);
}

/** Signs texts as the signing page does, and stores the signature. The first roster is signed by its own keys. */
export async function signTexts(
  server: TestServer,
  { token, signer }: SigningPerson,
  texts: readonly string[],
  named?: NamedRoster,
): Promise<ApiResponse<SigningAdded>> {
  const roster = named ?? (await findNamedRoster(server)) ?? texts[0] ?? 1;
  const signature = signer.sign(texts, { at: server.clock.now(), roster });
  return call<SigningAdded>(server, 'POST', 'signing/add', { signature }, { token });
}

/** Sends a call, signs what the answer 428 asks for, and sends the call again, as the console does. */
export async function callSigned<T = { id: number }>(
  server: TestServer,
  person: SigningPerson,
  path: string,
  input: object,
): Promise<ApiResponse<T>> {
  const first = await callAs<T>(server, person, path, input);
  if (first.code !== 428) throw new Error(`${path} answered ${first.code} ${first.msg}, not 428`);
  const { sign } = first.data as unknown as SignatureDue;
  const added = await signTexts(server, person, sign.texts);
  if (added.code !== 200) throw new Error(`signing/add answered ${added.code} ${added.msg}`);
  return callAs<T>(server, person, path, input);
}

/** Puts a roster or a mandate into force. */
export async function adopt(
  server: TestServer,
  text: string,
  people: readonly SigningPerson[],
): Promise<SigningProposal | undefined> {
  const [proposer] = people;
  if (!proposer) throw new Error('Nobody proposes.');
  const proposed = await callAs<SigningProposal>(server, proposer, 'signing/propose', { text });
  if (proposed.code !== 200) throw new Error(`signing/propose answered ${proposed.code} ${proposed.msg}`);
  let last: SigningProposal | undefined;
  for (const person of people) {
    const { code, msg, data } = await signTexts(server, person, [text]);
    if (code !== 200) throw new Error(`signing/add answered ${code} ${msg}`);
    last = data.adopted[0];
  }
  return last;
}

/** Locks four-eyes, puts a first roster into force, and switches signed mode on. */
export async function makeSignedHouse(server: TestServer): Promise<SignedHouse> {
  const approvers = await makeApprovers(server);
  await lockFourEyes(server, approvers);
  const alice = await enrolSigner(server, approvers.admin);
  const bob = await enrolSigner(server, approvers.second);
  const carol = await enrolSigner(server, approvers.third);
  const roster = makeRoster([alice.signer, bob.signer]);
  await adopt(server, roster, [alice, bob]);
  const { data: settings } = await call<{ id: number; key: string }[]>(server, 'GET', 'config/list', {}, alice);
  const id = settings.find(({ key }) => key === 'signing.required')?.id;
  const on = await callWithChecker(server, [alice, bob], 'config/save', { id, state: 1 });
  if (on.code !== 200) throw new Error(`config/save answered ${on.code} ${on.msg}`);
  return { approvers, alice, bob, carol, roster };
}

/** The data of a payout under a mandate, with its stored signatures. */
export async function payByMandate<T extends object>(server: TestServer, proposalId: number, order: T) {
  const [mandate] = await server.query(
    sql<{ text: string; signatures: Signed[] }>`
      select p.text, json_agg(json_build_object('key', s.key, 'consent', s.consent, 'authenticatorData',
        s.authenticator_data, 'clientDataJSON', s.client_data, 'signature', s.signature) order by s.id) as signatures
      from signing_proposal p join signature s on s.digests @> array[p.digest] and s.roster = p.version
      where p.id = ${proposalId} and p.kind = 'mandate' and p.state = 1 group by p.id`,
  );
  if (!mandate) throw new Error(`Mandate ${proposalId} is not in force.`);
  return { ...order, mandate };
}
