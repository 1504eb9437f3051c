import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { groupDigest } from '@hengtai/contract/risk/signing/text';
import type { Browser, Page } from '@playwright/test';
import { codeOf } from './codes.ts';
import {
  type Credentials,
  type Envelope,
  activePage,
  admin,
  createSession,
  expect,
  expectAccessible,
  recordComplaints,
  test,
} from './desk.ts';
import { dialog } from './desk-list.ts';
import { type Installation, baseUrl, startInstallation } from './server.ts';
import {
  type Credentials as Keys,
  addAuthenticator,
  readLines,
  serveSite,
  sha256,
  signingFiles,
  valuesOf,
} from './signing.ts';
import { startThief, startWallet } from './signing-wallet.ts';

// Signed payouts from the first key to the wallet of the simulator, which verifies them. The signing page is hosted apart.
const APPROVAL = 11;
const WITHDRAW = 3;
const HEADQUARTERS = 13;
const checker = { account: 'ana.checker', password: 'first-password-1' };
const third = { account: 'ben.third', password: 'first-password-2' };
/** Chromium's notice about keys of one algorithm only. */
const ALGORITHM_WARNING = /publicKey\.pubKeyCredParams is missing/;

const folder = mkdtempSync(join(tmpdir(), 'hengtai-signing-'));
const rosterFile = join(folder, 'roster.json');
/** An address that nobody asked to be paid to. */
const THIEVES = 'TThief00000000000000000000000000';
let host: Awaited<ReturnType<typeof serveSite>>;
let house: Installation;
let thief: Awaited<ReturnType<typeof startThief>>;
let wallet: Awaited<ReturnType<typeof startWallet>>;
let url: string;

test.beforeAll(async ({ browser }) => {
  host = await serveSite(signingFiles());
  house = await startInstallation({ SIMULATOR: 'off', SIGNING_URL: host.url });
  thief = await startThief(house.url);
  wallet = startWallet(thief.url, {
    DATA_DIR: folder,
    SIMULATOR_SEED: 'signing',
    SIMULATOR_USERS: '40',
    SIMULATOR_DAYS: '3',
    SIMULATOR_SPEED: '4',
    SIMULATOR_FAIL: '0',
    SIMULATOR_UNKNOWN: '0',
    SIMULATOR_ROSTER: rosterFile,
  });
  // Passkeys need a host name.
  url = house.url.replace('127.0.0.1', 'localhost');
  await signRoster(browser, []);
});
test.afterEach(() => {
  thief.change = (text) => text;
});
test.afterAll(async () => {
  await wallet.stop();
  thief.close();
  await house.stop();
  host.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Session {
  token: string;
  admin: string;
}

async function call(base: string, method: 'GET' | 'POST', path: string, input: object, token = ''): Promise<Envelope> {
  const query =
    method === 'GET'
      ? `?${new URLSearchParams(Object.entries(input).map(([name, value]) => [name, String(value)])).toString()}`
      : '';
  const response = await fetch(`${base}/api/v1/admin/${path}${query}`, {
    method,
    headers: { token, ...(method === 'POST' && { 'content-type': 'application/json' }) },
    ...(method === 'POST' && { body: JSON.stringify(input) }),
  });
  return (await response.json()) as Envelope;
}

/** A session with a fresh one-time code. */
async function newSession(base: string, credentials: Credentials): Promise<Session> {
  const { data, token = '' } = await call(base, 'POST', 'login', credentials);
  const setup = await call(base, 'POST', 'otp/setup', { password: credentials.password }, token);
  const { secret } = setup.data as { secret: string };
  expect((await call(base, 'POST', 'otp/confirm', { code: codeOf(secret) }, token)).code).toBe(200);
  return { ...(data as object), admin: credentials.account, token };
}

async function newHolder(base: string, credentials: Credentials, token: string): Promise<Session> {
  const given = { ...credentials, password: 'given-password-1' };
  const added = await call(base, 'POST', 'agent/add', given, token);
  expect([added.code, added.msg]).toEqual([200, expect.any(String)]);
  const { id } = added.data as { id: number };
  for (const type of [APPROVAL, WITHDRAW, HEADQUARTERS])
    expect((await call(base, 'POST', 'agent/state', { id, type, state: 1 }, token)).code).toBe(200);
  const login = await call(base, 'POST', 'login', given);
  const change = { oldPassword: given.password, newPassword: credentials.password };
  expect((await call(base, 'POST', 'pwd_update', change, login.token)).code).toBe(200);
  return newSession(base, credentials);
}

/** Submits as the one, approves as the other. */
async function approve(path: string, input: object, [maker, second]: readonly [Session, Session]) {
  const submitted = await call(url, 'POST', path, input, maker.token);
  expect([path, submitted.code, submitted.msg]).toEqual([path, 202, expect.any(String)]);
  expect(
    (
      await call(
        url,
        'POST',
        'approval/pass',
        { id: (submitted.data as { id: number }).id, exceptions: [] },
        second.token,
      )
    ).code,
  ).toBe(200);
}

/**
 * A console with this session in a browser of its own.
 *
 * @param isAllowed the signing page knows this console, as after the first request
 */
async function openConsole(
  { browser, complaints }: { browser: Browser; complaints: string[] },
  base: string,
  session: Session,
  isAllowed = true,
): Promise<Page> {
  const localStorage = [{ name: 'hengtai.session', value: JSON.stringify(session) }];
  const origins = [{ origin: base, localStorage }];
  if (isAllowed) {
    const consoles = { name: 'hengtai.signing.consoles', value: JSON.stringify([base]) };
    origins.push({ origin: new URL(host.url).origin, localStorage: [consoles] });
  }
  const context = await browser.newContext({
    baseURL: base,
    acceptDownloads: true,
    storageState: { cookies: [], origins },
  });
  await recordComplaints(context, complaints);
  return context.newPage();
}

/** Clicks what opens the signing page. */
async function openSigning(page: Page, click: () => Promise<void>): Promise<Page> {
  const popup = page.waitForEvent('popup');
  await click();
  return popup;
}

/** Makes a signing key, in a browser whose signing page does not know the console yet; returns it with its fingerprint. */
async function enrol(page: Page, isApart = true): Promise<{ keys: Keys; fingerprint: string }> {
  const popup = await openSigning(page, () => activePage(page).getByRole('button', { name: '创建签名密钥' }).click());
  const { read } = await addAuthenticator(popup);
  if (isApart) {
    await expect(popup.getByText(new URL(page.url()).origin, { exact: true })).toBeVisible();
    await popup.getByRole('button', { name: '允许' }).click();
  }
  await popup.getByRole('button', { name: '创建签名密钥' }).click();
  const [fingerprint = ''] = await valuesOf(popup, '密钥指纹');
  const keys = await read();
  await popup.getByRole('button', { name: '已抄写，完成' }).click();
  await expect(activePage(page).getByRole('table', { name: '我的签名密钥' })).toContainText(fingerprint);
  return { keys, fingerprint };
}

const signIn = async (popup: Page, keys: Keys) => {
  await addAuthenticator(popup, keys);
  const closed = popup.waitForEvent('close');
  await popup.getByRole('button', { name: '签名', exact: true }).click();
  await closed;
};

const draftRow = (page: Page) => activePage(page).getByRole('table', { name: '待签名的草案' }).getByRole('row').last();

/** What the roster leaves to the tests. */
let sessions: readonly [Session, Session];
let makerKeys: Keys = [];
let checkerKeys: Keys = [];

/** Two people make keys and sign the first roster. */
async function signRoster(browser: Browser, complaints: string[]) {
  const { token } = (await call(url, 'POST', 'login', admin)) as { token: string };
  const checkerSession = await newHolder(url, checker, token);
  await newHolder(url, third, token);
  const makerSession = await newSession(url, admin);
  sessions = [makerSession, checkerSession];
  await approve('approval/lock', { exceptions: [] }, sessions);

  const maker = await openConsole({ browser, complaints }, url, makerSession, false);
  const other = await openConsole({ browser, complaints }, url, checkerSession, false);
  await maker.goto('/config/signing');
  await expect(activePage(maker).getByText(host.url)).toBeVisible();
  await expect(activePage(maker).getByText('尚未建立。至少两位')).toBeVisible();
  await expectAccessible(maker);
  const mine = await enrol(maker);
  await other.goto('/config/signing');
  const theirs = await enrol(other);
  [makerKeys, checkerKeys] = [mine.keys, theirs.keys];

  await maker.reload();
  await activePage(maker).getByRole('button', { name: '建立名册' }).click();
  await expect(dialog(maker, '建立名册')).toContainText(theirs.fingerprint);
  // Two lines of eight groups, as they are compared with paper.
  const groups = theirs.fingerprint.split(' ');
  expect(await readLines(dialog(maker, '建立名册').getByText(theirs.fingerprint))).toEqual([
    groups.slice(0, 8).join(' '),
    groups.slice(8).join(' '),
  ]);
  // Nothing is chosen for them.
  for (const choice of await dialog(maker, '建立名册').getByRole('checkbox').all()) await choice.check();
  await dialog(maker, '建立名册').getByRole('button', { name: '提交草案' }).click();
  await expect(draftRow(maker)).toContainText('0 / 2');
  const popup = await openSigning(maker, () => draftRow(maker).getByRole('button', { name: '签名' }).click());
  const shown = await valuesOf(popup, '密钥指纹');
  expect(shown).toHaveLength(2);
  expect(shown).toEqual(expect.arrayContaining([mine.fingerprint, theirs.fingerprint]));
  const [fingerprint] = await valuesOf(popup, '名册指纹');
  await signIn(popup, makerKeys);
  await expect(draftRow(maker)).toContainText('1 / 2');
  await other.reload();
  await signIn(
    await openSigning(other, () => draftRow(other).getByRole('button', { name: '签名' }).click()),
    checkerKeys,
  );
  await expect(activePage(other).getByLabel('名册指纹', { exact: true })).toHaveText(fingerprint ?? '');
  await expectAccessible(other);

  const download = other.waitForEvent('download');
  await activePage(other).getByRole('button', { name: '下载名册文件' }).click();
  const text = readFileSync(await (await download).path(), 'utf8');
  expect(groupDigest(sha256(text))).toBe(fingerprint);
  writeFileSync(rosterFile, text);

  const settings = (await call(url, 'GET', 'config/list', {}, makerSession.token)).data as {
    id: number;
    key: string;
  }[];
  const id = settings.find(({ key }) => key === 'signing.required')?.id;
  await approve('config/save', { id, state: 1, reason: '制度调整' }, sessions);
  for (const one of [maker, other]) await one.context().close();
  expect(complaints.splice(0)).toEqual([
    expect.stringMatching(ALGORITHM_WARNING),
    expect.stringMatching(ALGORITHM_WARNING),
  ]);
}

const drawerOf = (page: Page) => page.locator('.ht-dialog-drawer');

/** A withdrawal that waits for a decision. */
async function findWaiting(): Promise<number> {
  let found: number[] = [];
  await expect
    .poll(async () => (found = (await fetchWithdrawals({ state: 0 })).map(({ id }) => id)).length, { timeout: 45_000 })
    .toBeGreaterThan(0);
  return found[0] ?? 0;
}

async function fetchWithdrawals(query: object): Promise<{ id: number; state: number }[]> {
  const answer = await call(url, 'GET', 'withdraw/list', query, sessions[0].token);
  return (answer.data as { list: { id: number; state: number }[] }).list;
}
const stateOf = async (id: number) => (await fetchWithdrawals({ id }))[0]?.state;

/** Opens the confirmation of a withdrawal. */
async function openPassing(page: Page, id: number) {
  await page.goto(`/withdraw?open=${id}`);
  await drawerOf(page)
    .getByRole('button', { name: /^通过提现/ })
    .click();
  const passing = dialog(page, `通过提现 #${id}`);
  const confirm = passing.getByRole('button', { name: /提交复核/ });
  await expect(passing).toContainText('确认后打开签名页');
  await expect(confirm).toBeEnabled();
  return { passing, confirm };
}

/** Approves the only open request, which must show this address on the signing page. */
async function countersign(page: Page, address: string) {
  await page.goto('/approval?state=0');
  await activePage(page).getByRole('button', { name: '通过', exact: true }).first().click();
  const popup = await openSigning(page, () =>
    dialog(page, /^通过复核/)
      .getByRole('button', { name: '通过复核' })
      .click(),
  );
  expect(await valuesOf(popup, '收款地址')).toEqual([address]);
  await signIn(popup, checkerKeys);
}

const addressIn = async (page: Page) =>
  (await drawerOf(page).locator('.ht-records-case-hero .ht-value-hash-text').innerText()).trim();

test('a decision is signed by two people, and the wallet pays', async ({ page: _page, browser, complaints }) => {
  const [makerSession, checkerSession] = sessions;
  const id = await findWaiting();
  const maker = await openConsole({ browser, complaints }, url, makerSession);
  const drawer = drawerOf(maker);
  const { passing, confirm } = await openPassing(maker, id);

  // A window that the browser blocks, and one that is closed.
  await maker.evaluate(() => Object.assign(window, { openWindow: window.open, open: () => null }));
  await confirm.click();
  await expect(passing.getByRole('alert')).toHaveText('浏览器拦截了签名窗口：请允许本站弹出窗口，然后重试。');
  await maker.evaluate(() => Object.assign(window, { open: Reflect.get(window, 'openWindow') }));
  await (await openSigning(maker, () => confirm.click())).close();
  await expect(passing.getByRole('alert')).toHaveText('签名窗口已关闭，没有签名。');
  await expectAccessible(maker, '.ht-dialog-drawer');

  const popup = await openSigning(maker, () => confirm.click());
  expect(new URL(popup.url()).origin).toBe(new URL(host.url).origin);
  const address = await addressIn(maker);
  expect(await valuesOf(popup, '收款地址')).toEqual([address]);
  expect(await valuesOf(popup, '提交人')).toEqual([admin.account]);
  await signIn(popup, makerKeys);
  await expect(passing).toBeHidden();
  await expect(drawer.getByRole('region', { name: '签名' }).getByRole('row')).toHaveCount(2);

  const other = await openConsole({ browser, complaints }, url, checkerSession);
  await countersign(other, address);
  // Paid by the wallet, which verified both signatures.
  await expect.poll(() => stateOf(id), { timeout: 45_000 }).toBe(4);

  await maker.reload();
  await expect(drawer.getByRole('region', { name: '签名' }).getByRole('row')).toHaveCount(3);
  await drawer.getByText('如何核验').click();
  const files: string[] = [];
  for (const name of ['下载打款与签名', '下载名册']) {
    const download = maker.waitForEvent('download');
    await drawer.getByRole('button', { name }).click();
    const saved = await download;
    files.push(join(folder, saved.suggestedFilename()));
    await saved.saveAs(files.at(-1) ?? '');
  }
  const command = (await drawer.getByLabel('核验命令', { exact: true }).innerText()).split(' ');
  const script = fileURLToPath(new URL('../../scripts/verify-payout.mjs', import.meta.url));
  expect(command.slice(2, 4).map((name) => join(folder, name))).toEqual(files);
  expect(execFileSync(process.execPath, [script, ...files, ...command.slice(4)], { encoding: 'utf8' })).toContain(
    admin.account,
  );
  for (const one of [maker, other]) await one.context().close();
});

test('a changed text is shown as changed, and neither the server nor the wallet takes it', async ({
  page: _page,
  browser,
  complaints,
}) => {
  const [makerSession, checkerSession] = sessions;
  const id = await findWaiting();
  const maker = await openConsole({ browser, complaints }, url, makerSession);

  // Somebody between server and console changes what is to be signed.
  await maker.route('**/api/v1/admin/signing/texts', async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replaceAll(/(\\"address\\":\\")[^\\]*/g, `$1${THIEVES}`);
    await route.fulfill({ response, body });
  });
  const lied = await openPassing(maker, id);
  const shown = await openSigning(maker, () => lied.confirm.click());
  expect(await valuesOf(shown, '收款地址')).toEqual([THIEVES]);
  await signIn(shown, makerKeys);
  await expect(lied.passing.getByRole('alert')).toContainText('没有您对所示内容的有效签名');
  expect(await stateOf(id)).toBe(0);
  // A request that is under way is answered first.
  await maker.unrouteAll({ behavior: 'wait' });

  // Both sign the truth. The owner of the server then changes the command on its way to the wallet.
  const { passing, confirm } = await openPassing(maker, id);
  const popup = await openSigning(maker, () => confirm.click());
  const address = await addressIn(maker);
  expect(await valuesOf(popup, '收款地址')).toEqual([address]);
  await signIn(popup, makerKeys);
  await expect(passing).toBeHidden();
  thief.change = (text) => text.replaceAll(address, THIEVES);
  const other = await openConsole({ browser, complaints }, url, checkerSession);
  await countersign(other, address);
  await expect.poll(() => stateOf(id), { timeout: 45_000 }).toBe(7);
  expect(thief.changed).toBeGreaterThan(0);
  await maker.goto(`/withdraw?open=${id}`);
  await expect(drawerOf(maker)).toContainText('签名核验未通过');
  for (const one of [maker, other]) await one.context().close();
});

test('a page that the server serves makes a key for the address of the console', async ({
  page,
  browser,
  complaints,
}) => {
  const base = baseUrl().replace('127.0.0.1', 'localhost');
  const { token } = await createSession(page, admin);
  const holder = await newHolder(base, { account: `e2e.${randomUUID()}`, password: 'own-password-1' }, token);
  const own = await openConsole({ browser, complaints }, base, holder);
  await own.goto('/config/signing');
  await enrol(own, false);
  await expect(activePage(own).getByRole('table', { name: '我的签名密钥' })).toContainText('未列入');
  await own.context().close();
  expect(complaints.splice(0)).toEqual([expect.stringMatching(ALGORITHM_WARNING)]);
});
