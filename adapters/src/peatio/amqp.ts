import { AMQPClient, type AMQPMessage } from '@cloudamqp/amqp-client';
import type { MessageSource } from './adapter.ts';
import { type Names, bindings } from './messages.ts';

/** Messages that the broker sends before the first is acknowledged. */
const PREFETCH = 100;

/**
 * A durable queue of a RabbitMQ broker, bound to Peatio's exchanges. One consumer alone, because two would break the order of
 * the events of a user.
 */
export class AmqpSource implements MessageSource {
  readonly #url: string;
  readonly #queue: string;
  readonly #names: Names;

  constructor(url: string, queue: string, names: Names) {
    this.#url = url;
    this.#queue = queue;
    this.#names = names;
  }

  /** @throws if the connection ends before the signal aborts, or the handler fails */
  async consume(handle: (text: string) => boolean, signal: AbortSignal): Promise<void> {
    const connection = await new AMQPClient(this.#url).connect();
    try {
      const channel = await connection.channel();
      await channel.prefetch(PREFETCH);
      await channel.queueDeclare(this.#queue, { durable: true, autoDelete: false });
      for (const { exchange, keys } of bindings(this.#names)) {
        // As Peatio declares it; another form would be refused.
        await channel.exchangeDeclare(exchange, 'direct', { durable: false, autoDelete: false });
        for (const key of keys) await channel.queueBind(this.#queue, exchange, key);
      }
      await new Promise<void>((resolve, reject) => {
        signal.addEventListener('abort', () => resolve(), { once: true });
        const take = async (message: AMQPMessage): Promise<void> => {
          if (handle(message.bodyString() ?? '')) await message.ack();
          else await message.reject(false);
        };
        channel
          .basicConsume(this.#queue, { noAck: false, exclusive: true }, (message) => void take(message).catch(reject))
          .then((consumer) => consumer.wait())
          .then(resolve, reject);
      });
    } finally {
      await connection.close().catch(() => undefined);
    }
  }
}
