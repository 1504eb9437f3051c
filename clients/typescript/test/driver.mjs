// Runs the built client for tests: a line of JSON on stdin is a call, a line on stdout its result. Before a retry the driver
// prints `{"retry": …}` and waits for a line, so that a test decides what happens between two tries.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const { CLIENT, PLATFORM_URL, PLATFORM_KEY, PLATFORM_SECRET, CLOCK_OFFSET_MS } = process.env;
const { PlatformClient, RefusedCall, checkWebhook } = await import(CLIENT);

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const readLine = async () => JSON.parse((await lines.next()).value ?? 'null');
const print = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);

let lastRetry;
const stop = new AbortController();
const client = new PlatformClient({
  url: PLATFORM_URL,
  key: PLATFORM_KEY,
  secret: PLATFORM_SECRET,
  timeoutMs: 30_000,
  signal: stop.signal,
  now: () => Date.now() + Number(CLOCK_OFFSET_MS ?? 0),
  onRetry: ({ path, tries, error }) => (lastRetry = { path, tries, error: error.message }),
  sleep: async () => {
    print({ retry: lastRetry });
    await readLine();
  },
});

/** An outbox in a file, which survives a kill. */
function outboxIn(file) {
  const read = () => JSON.parse(readFileSync(file, 'utf8'));
  return {
    next: (limit) => {
      const { events, answers } = read();
      return events.slice(answers.length, answers.length + limit);
    },
    mark: (marked) => {
      const { events, answers } = read();
      writeFileSync(`${file}.new`, JSON.stringify({ events, answers: [...answers, ...marked] }));
      renameSync(`${file}.new`, file);
    },
  };
}

const calls = {
  sendEvents: ({ events }) => client.sendEvents(events),
  dryRun: ({ events }) => client.dryRun(events),
  drainOutbox: ({ file }) => client.drainOutbox(outboxIn(file)),
  poll: ({ options }) => client.poll(options),
  acknowledge: ({ acks }) => client.acknowledge(acks),
  confirmReceipt: ({ commands }) => client.confirmReceipt(commands),
  renewLeases: ({ commands }) => client.renewLeases(commands),
  findEvent: async ({ eventId }) => (await client.findEvent(eventId)) ?? null,
  read: ({ path, query }) => client.read(path, query),
  /** Handles commands until there were `count`, and returns them. */
  handleCommands: async ({ count, options }) => {
    const handled = [];
    const acknowledge = client.acknowledge.bind(client);
    client.acknowledge = async (acks) => {
      const answers = await acknowledge(acks);
      if (handled.length === count) stop.abort();
      return answers;
    };
    await client.handleCommands((command) => {
      handled.push(command);
      return { state: 'done' };
    }, options);
    return handled;
  },
  checkWebhook: ({ request, credentials, now }) => checkWebhook(request, credentials, now) ?? null,
};

for (let line = await readLine(); line !== null; line = await readLine()) {
  try {
    print({ result: await calls[line.call](line) });
  } catch (error) {
    const { status = 0, error: code = '', message } = error;
    print({ failure: { isRefused: error instanceof RefusedCall, status, error: code, message } });
  }
}
process.exit(0);
