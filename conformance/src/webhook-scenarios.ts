import { type Payout, type Scenario, type Stage, Mend } from './stage.ts';

const skip = ({ webhook }: Stage): string | undefined =>
  webhook === undefined ? 'The run does not know the webhook of the platform: --webhook <url>.' : undefined;

const TEN_MINUTES = 600_000;

/** Sends commands to the webhook until it answers 2xx, each try with a pause as long as a quiet time. */
async function deliver(stage: Stage, commands: readonly unknown[]): Promise<void> {
  const end = Date.now() + stage.timing.patienceMs;
  for (;;) {
    const status = await stage.office.push(stage.webhook ?? '', commands);
    if (status >= 200 && status < 300) return;
    if (Date.now() > end) throw new Mend(`Answer a webhook 2xx within ten seconds: the last answer was ${status}.`);
    await stage.beQuiet();
  }
}

/** A payout that only the webhook delivers. */
async function prepare(stage: Stage): Promise<{ command: unknown; payout: Payout }> {
  const data = await stage.preparePayout(await stage.makeCustomer());
  const command = stage.office.commands.prepareWebhook('withdraw.payout', data);
  return { command, payout: { id: command.id, data } };
}

const duplicate: Scenario = {
  name: 'webhook-duplicate',
  summary: 'a webhook with a payout arrives three times, twice at once',
  needs: ['payout'],
  skip,
  run: async (stage) => {
    const { command, payout } = await prepare(stage);
    await Promise.all([deliver(stage, [command]), deliver(stage, [command])]);
    await stage.expectPaidOnce(payout);
    await deliver(stage, [command]);
    await stage.expectPaidOnce(payout);
  },
};

const signature: Scenario = {
  name: 'webhook-signature',
  summary: 'webhooks with a wrong signature and with one of ten minutes ago bring a payout',
  needs: ['payout'],
  skip,
  run: async (stage) => {
    const { command, payout } = await prepare(stage);
    for (const fault of [{ secret: 'another secret' }, { ageMs: TEN_MINUTES }]) {
      const status = await stage.office.push(stage.webhook ?? '', [command], fault);
      stage.require(status < 200 || status > 299, `Refuse a webhook that is not authentic: it was answered ${status}.`);
    }
    await stage.beQuiet();
    stage.require(
      (await stage.platform.payments(payout.data.no)).length === 0,
      'Execute nothing of a webhook that is not authentic.',
    );
    await deliver(stage, [command]);
    await stage.expectPaidOnce(payout);
  },
};

const lateRetry: Scenario = {
  name: 'webhook-late',
  summary: 'the retry of a webhook arrives after a later command was executed',
  needs: ['payout'],
  skip,
  run: async (stage) => {
    const first = await prepare(stage);
    const second = await prepare(stage);
    await deliver(stage, [second.command]);
    await stage.expectPaidOnce(second.payout);
    await deliver(stage, [first.command]);
    await stage.expect(
      () => stage.office.commands.acksOf(first.payout.id).length > 0,
      'Recognise repeated commands by id, not by seq: an older command that arrived late was not executed.',
    );
    await stage.expectPaidOnce(first.payout);
  },
};

const ack: Scenario = {
  name: 'webhook-ack',
  summary: 'the back office answers the ack of a command of a webhook 503, twice',
  needs: ['payout'],
  skip,
  run: async (stage) => {
    const { command, payout } = await prepare(stage);
    stage.office.network.harm('commands/ack', 'unavailable', 2);
    await deliver(stage, [command]);
    await stage.expect(
      () => stage.office.commands.acksOf(payout.id).length > 0,
      'Repeat an ack until it is answered: a receipt is not an ack.',
    );
    await stage.expectPaidOnce(payout);
  },
};

/** Played with a platform that has a webhook. */
export const webhookScenarios: readonly Scenario[] = [duplicate, signature, lateRetry, ack];
