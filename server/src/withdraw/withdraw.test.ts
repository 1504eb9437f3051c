import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { balanceOf, findWithdraw, makeUser, makeWithdraw } from '../../test/factories.ts';
import { type TestServer, apply, call, login, testServer } from '../../test/server.ts';
import { checkBook } from '../ledger/check.ts';

let server: TestServer;
let admin: string;

beforeAll(async () => {
  server = await testServer();
  admin = await login(server);
});
afterAll(() => server.stop());

describe('withdraw/pass', () => {
  test('orders the payout, and the wallet settles it', async () => {
    const user = await makeUser(server, { amount: '500' });
    const row = await makeWithdraw(server, admin, user, { amount: '100', fee: '1' });
    expect(row).toMatchObject({ state: 0, amount: '100', fee: '1', received: '99', valuation: '100', risk: ['first_address'] });
    expect(await balanceOf(server, admin, user)).toEqual({ active: '400', frozen: '100' });
    const passed = await call(server, 'POST', 'withdraw/pass', { id: row.id }, { token: admin });
    expect(passed).toMatchObject({ code: 200, msg: '操作成功', data: { state: 2, by: 'admin', attempt: 1 } });
    await apply(server, { type: 'withdraw.paid', data: { no: row.no, txHash: '0xabc' } });
    expect(await findWithdraw(server, admin, row.no)).toMatchObject({ state: 4, txHash: '0xabc' });
    expect(await balanceOf(server, admin, user)).toEqual({ active: '400', frozen: '0' });
    expect(await checkBook(server.owner)).toEqual([]);
  });
});
