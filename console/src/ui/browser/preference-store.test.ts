import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type PreferenceBackend, PreferenceStore, type KeyValueStorage } from './preference-store.ts';

/** Storage shared by the windows of a browser; writes notify the other windows. */
class Browser {
  readonly entries = new Map<string, string>();
  readonly windows: { storage: KeyValueStorage; store: PreferenceStore }[] = [];

  open(): PreferenceStore {
    const { entries } = this;
    const notify = (storage: KeyValueStorage, key: string) => {
      for (const window of this.windows) if (window.storage !== storage) window.store.onStorage(key);
    };
    const storage: KeyValueStorage = {
      getItem: (key) => entries.get(key) ?? null,
      setItem: (key, text) => {
        if (entries.get(key) === text) return;
        entries.set(key, text);
        notify(storage, key);
      },
      removeItem: (key) => {
        if (entries.delete(key)) notify(storage, key);
      },
      key: (index) => [...entries.keys()][index] ?? null,
      get length() {
        return entries.size;
      },
    };
    const store = new PreferenceStore(storage);
    this.windows.push({ storage, store });
    return store;
  }
}

/** In-memory backend of one operator that records every save. */
class Server implements PreferenceBackend {
  readonly stored = new Map<string, string>();
  readonly saves: Record<string, string | null>[] = [];
  isDown = false;
  /** Delays responses until it resolves. */
  gate: Promise<void> = Promise.resolve();

  load = async () => {
    const answer = new Map(this.stored);
    await this.gate;
    if (this.isDown) throw new Error('server is down');
    return answer;
  };

  save = async (changes: ReadonlyMap<string, string | null>) => {
    if (this.isDown) throw new Error('server is down');
    this.saves.push(Object.fromEntries(changes));
    for (const [key, text] of changes) {
      if (text === null) this.stored.delete(key);
      else this.stored.set(key, text);
    }
    await this.gate;
  };
}

function hold(server: Server): () => void {
  let open = (): void => undefined;
  server.gate = new Promise((resolve) => (open = resolve));
  return open;
}

let browser: Browser;
let server: Server;

beforeEach(() => {
  vi.useFakeTimers();
  browser = new Browser();
  server = new Server();
});
afterEach(() => {
  for (const { store } of browser.windows) store.close();
  vi.useRealTimers();
});

const later = (ms = 1_000) => vi.advanceTimersByTimeAsync(ms);

describe('a change', () => {
  it('is applied at once and sent together with changes near it', async () => {
    const store = browser.open();
    await store.open('ann', server);
    for (const width of [100, 101, 102]) {
      store.write('list.a.columns', `{"width":${width}}`);
      await later(300);
    }
    store.write('theme', '"dark"');
    expect(store.read('theme')).toBe('"dark"');
    expect(store.state().unsent).toBe(2);
    expect(server.saves).toEqual([]);
    await later();
    expect(server.saves).toEqual([{ 'list.a.columns': '{"width":102}', theme: '"dark"' }]);
    expect(store.state().unsent).toBe(0);
  });

  it('to the default deletes the key on the server', async () => {
    server.stored.set('theme', '"dark"');
    const store = browser.open();
    await store.open('ann', server);
    expect(store.read('theme')).toBe('"dark"');
    store.write('theme', null);
    await later();
    expect(server.stored.has('theme')).toBe(false);
    expect(server.saves).toEqual([{ theme: null }]);
  });

  it('to the current value is not sent', async () => {
    const store = browser.open();
    await store.open('ann', server);
    store.write('theme', null);
    await later();
    expect(server.saves).toEqual([]);
  });

  it('made during a save is sent after it', async () => {
    const store = browser.open();
    await store.open('ann', server);
    store.write('theme', '"dark"');
    const open = hold(server);
    await later();
    store.write('theme', '"light"');
    open();
    await later();
    expect(server.saves).toEqual([{ theme: '"dark"' }, { theme: '"light"' }]);
    expect(store.state().unsent).toBe(0);
    expect(server.stored.get('theme')).toBe('"light"');
  });

  it('is sent at once by flush', async () => {
    const store = browser.open();
    await store.open('ann', server);
    store.write('theme', '"dark"');
    await store.flush();
    expect(server.stored.get('theme')).toBe('"dark"');
    await later();
    expect(server.saves).toHaveLength(1);
  });
});

describe('the response of the server', () => {
  it('corrects the local copy', async () => {
    server.stored.set('theme', '"dark"').set('zone', '"UTC"');
    const before = browser.open();
    await before.open('ann', server);
    server.stored.set('theme', '"light"').delete('zone');
    const store = browser.open();
    const opened = store.open('ann', server);
    expect(store.state().ready).toBe(true);
    expect([store.read('theme'), store.read('zone')]).toEqual(['"dark"', '"UTC"']);
    await opened;
    expect([store.read('theme'), store.read('zone')]).toEqual(['"light"', null]);
  });

  it('is waited for where this browser has no copy', async () => {
    const store = browser.open();
    const open = hold(server);
    const opened = store.open('ann', server);
    expect(store.state().ready).toBe(false);
    open();
    await opened;
    expect(store.state().ready).toBe(true);
  });

  it('does not undo changes made since the request', async () => {
    server.stored.set('theme', '"dark"').set('zone', '"UTC"');
    const store = browser.open();
    await store.open('ann', server);
    const open = hold(server);
    const refreshed = store.refresh();
    store.write('theme', '"light"');
    // The save completes before the older response arrives.
    server.gate = Promise.resolve();
    await store.flush();
    expect(store.state().unsent).toBe(0);
    open();
    await refreshed;
    expect(store.read('theme')).toBe('"light"');
    expect(store.read('zone')).toBe('"UTC"');
  });
});

describe('without a network', () => {
  it('changes are applied, survive the window and are sent by the next one', async () => {
    const first = browser.open();
    await first.open('ann', server);
    server.isDown = true;
    first.write('theme', '"dark"');
    first.write('zone', null);
    first.write('density', '"compact"');
    await later(3_000);
    expect(first.state().unsent).toBe(2);
    first.close();

    const second = browser.open();
    await second.open('ann', server);
    expect(second.read('theme')).toBe('"dark"');
    expect(second.state()).toEqual({ ready: true, unsent: 2 });
    server.isDown = false;
    second.resume();
    await later();
    expect(Object.fromEntries(server.stored)).toEqual({ theme: '"dark"', density: '"compact"' });
    expect(second.state().unsent).toBe(0);
  });

  it('retries with growing delays', async () => {
    const store = browser.open();
    await store.open('ann', server);
    server.isDown = true;
    const save = vi.spyOn(server, 'save');
    store.write('theme', '"dark"');
    await later(800 + 5_000 + 10_000);
    expect(save).toHaveBeenCalledTimes(3);
    await later(19_000);
    expect(save).toHaveBeenCalledTimes(3);
    server.isDown = false;
    await later(1_000);
    expect(server.stored.get('theme')).toBe('"dark"');
  });

  it('loads again on resume and keeps its own newer change', async () => {
    server.stored.set('zone', '"UTC"').set('theme', '"dark"');
    server.isDown = true;
    const store = browser.open();
    await store.open('ann', server);
    expect(store.state().ready).toBe(true);
    store.write('theme', '"light"');
    server.isDown = false;
    store.resume();
    await later();
    expect([store.read('zone'), store.read('theme')]).toEqual(['"UTC"', '"light"']);
    expect(server.stored.get('theme')).toBe('"light"');
  });
});

describe('two windows', () => {
  it('see the changes of each other at once', async () => {
    const [one, two] = [browser.open(), browser.open()];
    await Promise.all([one.open('ann', server), two.open('ann', server)]);
    expect(two.read('theme')).toBeNull();
    const listener = vi.fn<() => void>();
    two.subscribe(listener);
    one.write('theme', '"dark"');
    expect(listener).toHaveBeenCalled();
    expect(two.read('theme')).toBe('"dark"');
    two.write('theme', '"light"');
    expect(one.read('theme')).toBe('"light"');
    await later();
    expect(server.stored.get('theme')).toBe('"light"');
  });

  it('a response requested by one does not undo what the other changed and sent', async () => {
    server.stored.set('theme', '"dark"');
    const [one, two] = [browser.open(), browser.open()];
    await Promise.all([one.open('ann', server), two.open('ann', server)]);
    const open = hold(server);
    const refreshed = two.refresh();
    server.gate = Promise.resolve();
    one.write('theme', '"light"');
    await one.flush();
    open();
    await refreshed;
    expect([one.read('theme'), two.read('theme')]).toEqual(['"light"', '"light"']);
  });
});

it('keeps the preferences of two operators on one browser apart', async () => {
  const other = new Server();
  other.stored.set('density', '"compact"');
  const store = browser.open();
  await store.open('ann', server);
  store.write('theme', '"dark"');
  await store.open('bob', other);
  expect([store.read('theme'), store.read('density')]).toEqual([null, '"compact"']);
  await later();
  expect(other.saves).toEqual([]);
  await store.open('ann', server);
  expect(store.read('theme')).toBe('"dark"');
  await later();
  expect(server.stored.get('theme')).toBe('"dark"');
  expect(other.stored.has('theme')).toBe(false);
});

it('works without storage, for the window and on the server', async () => {
  const forbidden: KeyValueStorage = {
    getItem: () => {
      throw new Error('forbidden');
    },
    setItem: () => {
      throw new Error('forbidden');
    },
    removeItem: () => {
      throw new Error('forbidden');
    },
    key: () => null,
    length: 0,
  };
  const store = new PreferenceStore(forbidden);
  await store.open('ann', server);
  store.write('theme', '"dark"');
  expect(store.read('theme')).toBe('"dark"');
  await later();
  expect(server.stored.get('theme')).toBe('"dark"');
  store.close();
});
