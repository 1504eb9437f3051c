import type { MessageSource } from '../src/peatio/adapter.ts';

/** A queue of a broker: messages stay until they are acknowledged, in the order of their arrival. */
export class SampleQueue implements MessageSource {
  readonly dropped: string[] = [];
  /** Number of next acknowledgements that are lost with the connection, as in a kill after the message was handled. */
  acksToLose = 0;
  readonly #messages: string[] = [];
  #wake: () => void = () => undefined;

  get length(): number {
    return this.#messages.length;
  }

  publish(...messages: readonly unknown[]): void {
    this.#messages.push(...messages.map((message) => JSON.stringify(message)));
    this.#wake();
  }

  /** @throws when an acknowledgement is lost */
  async consume(handle: (text: string) => boolean, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const [first] = this.#messages;
      if (first === undefined) {
        await new Promise<void>((resolve) => {
          const end = (): void => {
            signal.removeEventListener('abort', end);
            resolve();
          };
          this.#wake = end;
          signal.addEventListener('abort', end);
        });
        continue;
      }
      const isTaken = handle(first);
      if (this.acksToLose > 0) {
        this.acksToLose -= 1;
        throw new Error('the connection to the broker is lost');
      }
      this.#messages.shift();
      if (!isTaken) this.dropped.push(first);
    }
  }
}
