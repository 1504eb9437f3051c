import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SentEvent, expectRejection } from '../../test/book.ts';
import { type TestServer, apply, call, testServer, unique } from '../../test/server.ts';
import { checkBook } from '../books/ledger/check.ts';

let server: TestServer;

beforeAll(async () => {
  server = await testServer({ jobs: false });
});
afterAll(async () => {
  expect(await checkBook(server.owner)).toEqual([]);
  await server.stop();
});

const registered = (data: object): SentEvent => ({ type: 'agent.registered', data });

const rowOf = async (account: string) => {
  const [row] = await server.query(sql`
    select p.account as parent, a.depth, a.abilities, a.password_hash as password, a.remark, a.created_at as "createdAt",
      (select array_agg(c.account order by c.depth) from closure x join agent c on c.id = x.ancestor
        where x.descendant = a.id) as above
    from agent a join agent p on p.id = a.parent_id where a.account = ${account}`);
  return row;
};

describe('agent.registered', () => {
  test('creates an agent below the admin, without a login and without abilities', async () => {
    const account = unique('agent');
    const at = server.clock.now() - 10_000;
    await apply(server, { ...registered({ account, remark: '华东' }), at });
    expect(await rowOf(account)).toEqual({
      parent: 'admin',
      depth: 1,
      abilities: [],
      password: null,
      remark: '华东',
      createdAt: at,
      above: ['admin', account],
    });
    expect(await call(server, 'POST', 'login', { account, password: 'any-password' })).toMatchObject({ code: 401 });
  });

  test('creates an agent below its parent and all ancestors of the parent', async () => {
    const [top, middle, low] = [unique('agent'), unique('agent'), unique('agent')];
    await apply(server, registered({ account: top }), registered({ account: middle, parent: top.toUpperCase() }));
    await apply(server, registered({ account: low, parent: middle }));
    expect(await rowOf(low)).toMatchObject({ parent: middle, depth: 3, above: ['admin', top, middle, low] });
  });

  test('is rejected for an account that exists, ignoring case', async () => {
    const account = unique('agent');
    await apply(server, registered({ account }));
    expect(await expectRejection(server, registered({ account: account.toUpperCase() }))).toBe('exists');
    expect(await expectRejection(server, registered({ account: 'ADMIN' }))).toBe('exists');
  });

  test('is rejected below an unknown or deleted parent', async () => {
    expect(await expectRejection(server, registered({ account: unique('agent'), parent: 'nobody' }))).toBe(
      'unknown: parent',
    );
    const parent = unique('agent');
    await apply(server, registered({ account: parent }));
    await server.query(sql`update agent set deleted_at = 1 where account = ${parent}`);
    expect(await expectRejection(server, registered({ account: unique('agent'), parent }))).toBe('unknown: parent');
  });

  test('is rejected for a malformed or missing account', async () => {
    expect(await expectRejection(server, registered({ account: 'a b' }))).toBe('invalid: account');
    expect(await expectRejection(server, registered({}))).toBe('invalid: account');
  });
});
