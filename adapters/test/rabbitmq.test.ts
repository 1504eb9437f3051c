// @module-tag full
import { AMQPClient } from '@cloudamqp/amqp-client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { BackOffice } from '../../conformance/src/back-office.ts';
import { createBackOffice } from '../../conformance/src/run.ts';
import { AmqpSource } from '../src/peatio/amqp.ts';
import { PeatioExchange, deposit, trade } from './peatio-exchange.ts';
import { NAMES, PeatioRun } from './peatio-run.ts';

const CREDENTIALS = { key: 'adapter', secret: 'a secret of the adapter' };
const MESSAGES = 2_000;
/** Address of a RabbitMQ broker; without one nothing of this file can run. */
const url = process.env['AMQP_URL'] ?? '';

let office: BackOffice;
let exchange: PeatioExchange;
let run: PeatioRun;
let queue: string;

beforeEach(async () => {
  office = createBackOffice(CREDENTIALS);
  exchange = new PeatioExchange();
  queue = `hengtai-test-${Date.now()}`;
  const source = new AmqpSource(url, queue, NAMES);
  run = new PeatioRun({ url: await office.listen(0), ...CREDENTIALS }, exchange, source, await exchange.listen());
});
afterEach(async () => {
  await run.remove();
  await exchange.close();
  await office.close();
  expect(office.events.faults).toEqual([]);
});

describe.runIf(url !== '')('a RabbitMQ broker', () => {
  test('gives the adapter every message once and in order, through kills of the adapter', async () => {
    await run.start();
    await expect.poll(hasConsumer, { timeout: 20_000 }).toBe(true);
    const broker = await new AMQPClient(url).connect();
    const channel = await broker.channel();
    await channel.confirmSelect();
    const publish = async (event: { name: string } & Record<string, unknown>): Promise<void> => {
      const [category = '', ...key] = event.name.split('.');
      await channel.basicPublish(`peatio.events.${category}`, key.join('.'), JSON.stringify(exchange.sign(event)));
    };
    const tids = Array.from({ length: MESSAGES }, (_, number) => `TID${number}`);
    for (const [number, tid] of tids.entries()) {
      await publish({ name: 'model.deposit.updated', record: deposit(tid, 'accepted', '1') });
      if (number % 500 === 250) {
        await run.kill();
        await run.start();
      }
    }
    await publish(trade('IDBUYER', 'IDSELLER'));
    const credited = () => office.events.find('recharge.credited').map(({ event }) => event.data['no']);
    await expect.poll(() => credited().length, { timeout: 60_000 }).toBe(MESSAGES);
    expect(credited()).toEqual(tids);
    await expect.poll(() => office.events.find('order.filled').length).toBe(2);
    await channel.queueDelete(queue);
    await broker.close();
  });
});

/** Whether the adapter has bound the queue and consumes it. A failed question closes its channel. */
async function hasConsumer(): Promise<boolean> {
  const connection = await new AMQPClient(url).connect();
  try {
    return (await (await connection.channel()).queueDeclare(queue, { passive: true })).consumerCount > 0;
  } catch {
    return false;
  } finally {
    await connection.close();
  }
}
