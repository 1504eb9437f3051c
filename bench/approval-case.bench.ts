/// <reference lib="dom" />
/**
 * How long the case of a request for approval takes to open, compared with the case of the withdrawal that its reviewer saw.
 * Rounds alternate, each with records that were not open before. Needs `npm run build`.
 */
import { randomUUID } from 'node:crypto';
import type { ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import type { Page } from '@playwright/test';
import { admin, startInstallation } from '../console/e2e/server.ts';
import { openBrowser, openWindow } from './lib/browser.ts';
import { PLATFORM, callOnce, eventsRequest, logIn } from './lib/child.ts';
import { median } from './lib/load.ts';
import { report } from './lib/report.ts';
import { ensure, logProgress } from './lib/run.ts';

const ROUNDS = 40;
/** The first rounds load the scripts. */
const WARM_UP = 2;
/** Ability to review withdrawals, to approve, and to do both for the whole house. */
const ABILITIES = [3, 11, 13];
const GOAL = 1.1;

logProgress('approval-case');
const { url, stop } = await startInstallation({
  SIMULATOR: 'off',
  PLATFORM_KEY: PLATFORM.key,
  PLATFORM_SECRET: PLATFORM.secret,
});
try {
  const browser = await openBrowser();
  try {
    const { waiting, requests, checker } = await createRecords();
    const context = await openWindow(browser, url, await logIn(Number(new URL(url).port), checker));
    const [reviewList, approvalList] = [await context.newPage(), await context.newPage()];
    await reviewList.goto('/withdraw?state=0&size=100');
    await approvalList.goto('/approval?state=0&size=100');
    const [reviews, approvals]: [number[], number[]] = [[], []];
    for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
      const review = await measureCase(reviewList, waiting[round] ?? 0);
      const approval = await measureCase(approvalList, requests[round] ?? 0);
      if (round < WARM_UP) continue;
      reviews.push(review);
      approvals.push(approval);
    }
    const [ours, review] = [median(approvals), median(reviews)];
    report([
      {
        name: 'open the case of an approval',
        unit: 'ms',
        ours,
        limit: review,
        against: 'its review',
        goal: `≤ ${GOAL}`,
      },
    ]);
  } finally {
    await browser.close();
  }
} finally {
  await stop();
}

/** A user with twice as many pending withdrawals as rounds, half of them submitted for approval, and who may decide all. */
async function createRecords() {
  const account = 'case.bench';
  const wallet = { account, market: 'USDT', network: 'TRC20' };
  const count = 2 * (WARM_UP + ROUNDS);
  const events = [
    { type: 'user.registered', data: { account } },
    ...Array.from({ length: count }, (_, n) => ({
      type: 'recharge.credited',
      data: { no: randomUUID(), ...wallet, address: `R${n}`, amount: '20000', confirmations: 20, source: 1 },
    })),
    ...Array.from({ length: count }, (_, n) => ({
      type: 'withdraw.requested',
      data: { no: randomUUID(), ...wallet, address: `T${n}`, amount: '12000', fee: '1' },
    })),
  ].map((event) => ({ ...event, eventId: randomUUID(), at: Date.now() }));
  const { data } = await callOnce(Number(new URL(url).port), eventsRequest(events));
  const refused = (data as { result: string }[]).find(({ result }) => result !== 'applied');
  ensure(refused === undefined, JSON.stringify(refused));

  const { token } = await logIn(Number(new URL(url).port), admin);
  const checker = { account: 'checker.bench', password: 'Bench-password-1' };
  const { id: operator } = (await call('agent/add', checker, token)) as { id: number };
  for (const type of ABILITIES) await call('agent/state', { id: operator, type, state: 1 }, token);
  const query = new URLSearchParams({ account, size: '200', sort: 'id' });
  const response = await fetch(`${url}/api/v1/admin/withdraw/list?${query.toString()}`, { headers: { token } });
  const ids = ((await response.json()) as { data: { list: { id: number }[] } }).data.list.map(({ id }) => id);
  ensure(ids.length === count, `${ids.length} withdrawals`);
  const requests: number[] = [];
  for (const id of ids.slice(count / 2))
    requests.push(((await call('withdraw/pass', { id }, token)) as ApprovalRow).id);
  return { waiting: ids.slice(0, count / 2), requests, checker };
}

async function call(path: string, input: object, token: string): Promise<unknown> {
  const response = await fetch(`${url}/api/v1/admin/${path}`, {
    method: 'POST',
    headers: { token, 'content-type': 'application/json' },
    body: JSON.stringify(input),
  });
  const { code, msg, data } = (await response.json()) as { code: number; msg: string; data: unknown };
  ensure(code === 200 || code === 202, `${path} answered ${code} ${msg}`);
  return data;
}

/** Milliseconds from the click on 详情 in the list until the case with its timeline is painted. */
async function measureCase(page: Page, id: number): Promise<number> {
  await page.bringToFront();
  const row = page.locator(`.ht-page:visible [data-row-key="${id}"]`);
  await row.waitFor();
  const opened = page.evaluate(
    (number) =>
      new Promise<number>((resolve) => {
        const start = ({ timeStamp }: Event): void => {
          const look = (): void => {
            const drawer = document.querySelector('.ht-dialog-drawer');
            const isOpen =
              drawer?.querySelector('.ant-drawer-title')?.textContent.includes(`#${number}`) === true &&
              drawer.querySelector('.ht-records-timeline [data-current=true]') !== null;
            if (isOpen) resolve(performance.now() - timeStamp);
            else requestAnimationFrame(look);
          };
          look();
        };
        document.addEventListener('pointerdown', start, { once: true, capture: true });
      }),
    id,
  );
  await row.getByRole('button', { name: '详情' }).click();
  const ms = await opened;
  await page.keyboard.press('Escape');
  await page.locator('.ht-dialog-drawer').waitFor({ state: 'detached' });
  return ms;
}
