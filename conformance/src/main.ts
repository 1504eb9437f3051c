import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { type Result, createBackOffice, playScenarios, scenarioNames } from './run.ts';
import { FEATURES } from './stage.ts';

const USAGE = `npm run conformance -- --platform <address of the control port> [options]

  --port <n>         port of the back office that the run plays (default 8099)
  --key, --secret    credentials of the platform (default: new ones, which are printed)
  --webhook <url>    address at which the platform receives webhooks; without it their scenarios are skipped
  --screening        the platform has screening providers; without it their scenario is skipped
  --futures          the platform has futures; likewise
  --memos            the platform pays XRP on XRPL to addresses with memos; likewise
  --wallets          the platform reports wallets, what moves on chains, and moves coins between
                     wallets; likewise
  --scenario <name>  one scenario; may be repeated. All: ${scenarioNames.join(', ')}
  --patience <s>     seconds that the platform has for each expected call (default 60)

docs/conformance.md describes the control port.`;

const PATIENCE_SECONDS = 60;
/** The first call of the platform may need a restart of its programs by hand. */
const CONNECT_MS = 600_000;
const TIMING = { quietMs: 3_000, outageMs: 5_000 };

const wordOf = ({ mend, skipped }: Result): string =>
  mend !== undefined ? 'FAILED ' : skipped !== undefined ? 'skipped' : 'passed ';

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      platform: { type: 'string' },
      port: { type: 'string', default: '8099' },
      key: { type: 'string', default: `conformance-${randomBytes(4).toString('hex')}` },
      secret: { type: 'string', default: randomBytes(24).toString('base64url') },
      webhook: { type: 'string' },
      screening: { type: 'boolean' },
      futures: { type: 'boolean' },
      memos: { type: 'boolean' },
      wallets: { type: 'boolean' },
      scenario: { type: 'string', multiple: true },
      patience: { type: 'string', default: String(PATIENCE_SECONDS) },
      help: { type: 'boolean' },
    },
  });
  const names = values.scenario ?? scenarioNames;
  const unknown = names.filter((name) => !scenarioNames.includes(name));
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  if (values.platform === undefined || unknown.length > 0) {
    console.error(unknown.length > 0 ? `There is no scenario ${unknown.join(', ')}.\n\n${USAGE}` : USAGE);
    return 2;
  }
  const { platform, webhook, key, secret } = values;
  const features = FEATURES.filter((feature) => values[feature]);
  const office = createBackOffice({ key, secret });
  const url = await office.listen(Number(values.port));
  console.log(`Back office: ${url}\nPLATFORM_KEY=${key}\nPLATFORM_SECRET=${secret}\n`);
  console.log('Waiting for the first call of the platform ...');
  if (!(await office.until(() => office.calls.length > 0, CONNECT_MS))) {
    console.error('The platform has not called. Start it with this address, key and secret.');
    return 1;
  }
  const timing = { ...TIMING, patienceMs: Number(values.patience) * 1_000 };
  let [passed, failed, skipped] = [0, 0, 0];
  for await (const result of playScenarios(office, { control: platform, webhook, features }, timing, names)) {
    const { name, summary, mend } = result;
    console.log(`${wordOf(result)}  ${name}: ${summary}`);
    if (result.skipped !== undefined) console.log(`         ${result.skipped}`);
    if (mend !== undefined) console.log(`         ${mend}`);
    if (mend !== undefined) failed += 1;
    else if (result.skipped !== undefined) skipped += 1;
    else passed += 1;
  }
  await office.close();
  console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
  return failed === 0 ? 0 : 1;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(2);
  },
);
