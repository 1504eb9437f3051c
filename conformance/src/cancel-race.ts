import type { Scenario, Stage } from './stage.ts';

interface Outcome {
  filled: boolean;
  cancelled: boolean;
  ack: string | undefined;
}

/** An order whose cancellation is requested before, after or while it is filled. */
export const cancelRace: Scenario = {
  name: 'cancel-race',
  summary: 'the cancellation of an order races with a fill',
  run: async (stage) => {
    const account = await stage.makeCustomer();
    for (const first of ['fill', 'cancel', 'both'] as const) {
      const no = await placeOrder(stage, account);
      if (first === 'fill') await stage.platform.fill(no);
      const id = stage.office.commands.send('order.cancel', { no });
      stage.office.notify();
      if (first === 'cancel') await expectAnswer(stage, id);
      if (first !== 'fill') await stage.platform.fill(no);
      await expectAnswer(stage, id);
      await stage.office.until(() => isDecided(readOutcome(stage, no, id)), stage.timing.patienceMs);
      await stage.beQuiet();
      judge(stage, no, readOutcome(stage, no, id));
    }
  },
};

async function placeOrder(stage: Stage, account: string): Promise<string> {
  const no = await stage.platform.order(account, '100', '1');
  const placed = (): boolean => stage.office.events.find('order.placed', { no }).length > 0;
  await stage.expect(placed, 'Report order.placed, with the number that the control port returned.');
  return no;
}

const expectAnswer = (stage: Stage, id: number): Promise<void> =>
  stage.expect(
    () => stage.office.commands.acksOf(id).length > 0,
    'Acknowledge order.cancel in any case: failed with a reason if the order was filled first.',
  );

function readOutcome(stage: Stage, no: string, id: number): Outcome {
  const { events, commands } = stage.office;
  return {
    filled: events.find('order.filled', { no }).length > 0,
    cancelled: events.find('order.cancelled', { no }).length > 0,
    ack: commands.acksOf(id)[0]?.state,
  };
}

const isDecided = ({ filled, cancelled }: Outcome): boolean => filled || cancelled;

/** The order has one end, and the ack says which. */
function judge(stage: Stage, no: string, { filled, cancelled, ack }: Outcome): void {
  stage.require(
    !(filled && cancelled),
    `End an order once: ${no} was filled completely, and order.cancelled was reported as well.`,
  );
  stage.require(filled || cancelled, `Report order.cancelled or order.filled: the order ${no} has no end.`);
  stage.require(
    ack === (cancelled ? 'done' : 'failed'),
    cancelled
      ? `Acknowledge order.cancel as done if the order is cancelled: the ack of ${no} was ${ack}.`
      : `Acknowledge order.cancel as failed, with a reason, if the order was filled first: the ack of ${no} was ${ack}.`,
  );
}
