import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type PreferenceLink, PreferenceStore, type Shelf } from './preference-store.ts';

/** A browser's storage; a window that writes to it is heard by the others. */
class Browser {
  readonly entries = new Map<string, string>();
  readonly windows: { shelf: Shelf; store: PreferenceStore }[] = [];

  open(): PreferenceStore {
    const { entries } = this;
    const tell = (shelf: Shelf, place: string) => {
      for (const window of this.windows) if (window.shelf !== shelf) window.store.hear(place);
    };
    const shelf: Shelf = {
      getItem: (place) => entries.get(place) ?? null,
      setItem: (place, text) => {
        if (entries.get(place) === text) return;
        entries.set(place, text);
        tell(shelf, place);
      },
      removeItem: (place) => {
        if (entries.delete(place)) tell(shelf, place);
      },
      key: (at) => [...entries.keys()][at] ?? null,
      get length() {
        return entries.size;
      },
    };
    const store = new PreferenceStore(shelf);
    this.windows.push({ shelf, store });
    return store;
  }
}

/** What one operator has on the server, and every call that was made about it. */
class Server implements PreferenceLink {
  readonly kept = new Map<string, string>();
  readonly saves: Record<string, string | null>[] = [];
  away = false;
  /** Holds answers back until it is resolved. */
  gate: Promise<void> = Promise.resolve();

  load = async () => {
    const answer = new Map(this.kept);
    await this.gate;
    if (this.away) throw new Error('away');
    return answer;
  };

  save = async (changes: ReadonlyMap<string, string | null>) => {
    if (this.away) throw new Error('away');
    this.saves.push(Object.fromEntries(changes));
    for (const [key, text] of changes) {
      if (text === null) this.kept.delete(key);
      else this.kept.set(key, text);
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
  it('is there at once, and sent once with those around it', async () => {
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

  it('back to the default is sent as one that deletes', async () => {
    server.kept.set('theme', '"dark"');
    const store = browser.open();
    await store.open('ann', server);
    expect(store.read('theme')).toBe('"dark"');
    store.write('theme', null);
    await later();
    expect(server.kept.has('theme')).toBe(false);
    expect(server.saves).toEqual([{ theme: null }]);
  });

  it('that is none is not sent', async () => {
    const store = browser.open();
    await store.open('ann', server);
    store.write('theme', null);
    await later();
    expect(server.saves).toEqual([]);
  });

  it('made while an earlier one is on its way is sent after it', async () => {
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
    expect(server.kept.get('theme')).toBe('"light"');
  });

  it('goes at once when the window is left', async () => {
    const store = browser.open();
    await store.open('ann', server);
    store.write('theme', '"dark"');
    await store.flush();
    expect(server.kept.get('theme')).toBe('"dark"');
    await later();
    expect(server.saves).toHaveLength(1);
  });
});

describe('the server’s word', () => {
  it('corrects the copy that was shown at once', async () => {
    server.kept.set('theme', '"dark"').set('zone', '"UTC"');
    const before = browser.open();
    await before.open('ann', server);
    server.kept.set('theme', '"light"').delete('zone');
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

  it('never undoes what was changed since it was asked for', async () => {
    server.kept.set('theme', '"dark"').set('zone', '"UTC"');
    const store = browser.open();
    await store.open('ann', server);
    const open = hold(server);
    const asked = store.refresh();
    store.write('theme', '"light"');
    // Kept by the server before the older answer arrives.
    server.gate = Promise.resolve();
    await store.flush();
    expect(store.state().unsent).toBe(0);
    open();
    await asked;
    expect(store.read('theme')).toBe('"light"');
    expect(store.read('zone')).toBe('"UTC"');
  });
});

describe('without a network', () => {
  it('changes live, survive the window, and are sent by the next one', async () => {
    const first = browser.open();
    await first.open('ann', server);
    server.away = true;
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
    server.away = false;
    second.resume();
    await later();
    expect(Object.fromEntries(server.kept)).toEqual({ theme: '"dark"', density: '"compact"' });
    expect(second.state().unsent).toBe(0);
  });

  it('tries again by itself, ever more rarely', async () => {
    const store = browser.open();
    await store.open('ann', server);
    server.away = true;
    const save = vi.spyOn(server, 'save');
    store.write('theme', '"dark"');
    await later(800 + 5_000 + 10_000);
    expect(save).toHaveBeenCalledTimes(3);
    await later(19_000);
    expect(save).toHaveBeenCalledTimes(3);
    server.away = false;
    await later(1_000);
    expect(server.kept.get('theme')).toBe('"dark"');
  });

  it('asks again for what it could not read, and keeps its own newer change', async () => {
    server.kept.set('zone', '"UTC"').set('theme', '"dark"');
    server.away = true;
    const store = browser.open();
    await store.open('ann', server);
    expect(store.state().ready).toBe(true);
    store.write('theme', '"light"');
    server.away = false;
    store.resume();
    await later();
    expect([store.read('zone'), store.read('theme')]).toEqual(['"UTC"', '"light"']);
    expect(server.kept.get('theme')).toBe('"light"');
  });
});

describe('two windows', () => {
  it('follow each other at once', async () => {
    const [one, two] = [browser.open(), browser.open()];
    await Promise.all([one.open('ann', server), two.open('ann', server)]);
    expect(two.read('theme')).toBeNull();
    const heard = vi.fn<() => void>();
    two.subscribe(heard);
    one.write('theme', '"dark"');
    expect(heard).toHaveBeenCalled();
    expect(two.read('theme')).toBe('"dark"');
    two.write('theme', '"light"');
    expect(one.read('theme')).toBe('"light"');
    await later();
    expect(server.kept.get('theme')).toBe('"light"');
  });

  it('an answer asked for by one does not undo what the other has changed and sent', async () => {
    server.kept.set('theme', '"dark"');
    const [one, two] = [browser.open(), browser.open()];
    await Promise.all([one.open('ann', server), two.open('ann', server)]);
    const open = hold(server);
    const asked = two.refresh();
    server.gate = Promise.resolve();
    one.write('theme', '"light"');
    await one.flush();
    open();
    await asked;
    expect([one.read('theme'), two.read('theme')]).toEqual(['"light"', '"light"']);
  });
});

it('another operator on the same browser has his own', async () => {
  const other = new Server();
  other.kept.set('density', '"compact"');
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
  expect(server.kept.get('theme')).toBe('"dark"');
  expect(other.kept.has('theme')).toBe(false);
});

it('a browser that forbids storage keeps preferences for the window and on the server', async () => {
  const forbidden: Shelf = {
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
  expect(server.kept.get('theme')).toBe('"dark"');
  store.close();
});
