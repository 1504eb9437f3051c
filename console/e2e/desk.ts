import { createHash } from 'node:crypto';
import { CODE } from '@hengtai/contract/wire/envelope';
import { TOKEN_RENEW_MINUTES } from '@hengtai/contract/house/session/calls';
import { type BrowserContext, type Page, test as base, expect } from '@playwright/test';
import axe from 'axe-core';

import { FREE_FIELDS, INTERNAL_WORD, INTERNAL_WORD_IN_CELL } from '../../server/test/internal-words.ts';
import { level } from '../../testing/level.ts';
import { type QuietInstallation, admin, startQuietInstallation } from './server.ts';

export { admin, expect };

interface Fixtures {
  /** Uncaught errors, console errors and warnings, and violations of the content security policy. */
  complaints: string[];
}

/** Records complaints of every page that a test opens; any complaint fails the test. */
export const test = base.extend<Fixtures>({
  complaints: [
    async ({ context }, use) => {
      const complaints: string[] = [];
      await recordComplaints(context, complaints);
      await use(complaints);
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
});

/**
 * Tests on an installation without a simulator, where nothing changes by itself. The files of a worker share it, so they
 * must not need an empty one.
 */
export const quietTest = test.extend<object, { quiet: QuietInstallation }>({
  quiet: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const installation = await startQuietInstallation();
      await use(installation);
      await installation.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ quiet }, provide) => provide(quiet.url),
});

/** Adds the complaints of all pages of a browser context to `complaints`. */
export async function recordComplaints(context: BrowserContext, complaints: string[]) {
  await context.addInitScript(findInternalWords, {
    message: INTERNAL_WORD.source,
    cell: INTERNAL_WORD_IN_CELL.source,
    freeFields: [...FREE_FIELDS],
  });
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      // oxlint-disable-next-line no-console
      console.error(`content policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
    });
  });
  context.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  context.on('weberror', (error) => complaints.push(String(error.error().stack)));
}

/** Runs in the page: complains about cells, messages and notifications with a word that only the code uses. */
function findInternalWords(words: { message: string; cell: string; freeFields: string[] }) {
  const inMessage = new RegExp(words.message);
  const inCell = new RegExp(words.cell);
  const check = (node: Node) => {
    const text = node.textContent ?? '';
    if (!inCell.test(text)) return;
    const place = node.parentElement?.closest<HTMLElement>(
      '[data-col], .ht-app-toasts, .ht-notification-facts, .ht-home-feed, [role=alert]',
    );
    const column = place?.dataset['col'];
    if (!place || (column === undefined ? !inMessage.test(text) : words.freeFields.includes(column))) return;
    if (node.parentElement?.closest('.ht-records-account, .ht-home-who')) return;
    // oxlint-disable-next-line no-console
    console.error(`internal word in ${column ?? place.className}: ${text}`);
  };
  const observer = new MutationObserver((mutations) => {
    for (const { target, addedNodes, type } of mutations) {
      for (const node of type === 'characterData' ? [target] : addedNodes) {
        const texts = document.createNodeIterator(node, NodeFilter.SHOW_TEXT);
        for (let one = texts.nextNode(); one; one = texts.nextNode()) check(one);
      }
    }
  });
  observer.observe(document, { subtree: true, childList: true, characterData: true });
}

export interface Envelope {
  code: number;
  msg: string;
  data: unknown;
  token?: string;
}

/** Calls the API directly instead of through the console. */
export async function api(
  page: Pick<Page, 'request'>,
  method: 'GET' | 'POST',
  path: string,
  body: object,
  token = '',
): Promise<Envelope> {
  const response = await page.request.fetch(`/api/v1/admin/${path}`, {
    method,
    headers: { token },
    ...(method === 'POST' ? { data: body } : { params: { ...body } }),
  });
  return (await response.json()) as Envelope;
}

interface Session {
  token: string;
  admin: string;
  planSet: boolean;
  expire: number;
}

/** Logs in through the API. */
export async function createSession(page: Pick<Page, 'request'>, credentials: Credentials): Promise<Session> {
  const {
    msg,
    data,
    token = '',
  } = await api(page, 'POST', 'login', { account: credentials.account, password: credentials.password });
  expect(msg).toBe('登录成功');
  return { ...(data as Session), token };
}

let adminSession: (Session & { since: number }) | undefined;

/** Pages replace an older token, and the server rejects the replaced token one minute later. */
const MAX_SESSION_AGE_MS = (TOKEN_RENEW_MINUTES / 2) * 60_000;

/**
 * The admin session that tests share unless they end it. It is replaced while young: once a page has renewed the
 * token, another page that starts with the old token is redirected to the login when that token expires.
 */
async function fetchAdminSession(page: Pick<Page, 'request'>): Promise<Session> {
  const isYoung = adminSession && Date.now() - adminSession.since < MAX_SESSION_AGE_MS;
  const isAlive = isYoung && adminSession && (await api(page, 'GET', 'me', {}, adminSession.token)).code === 200;
  if (!adminSession || !isAlive) adminSession = { since: Date.now(), ...(await createSession(page, admin)) };
  return adminSession;
}

let adminToken = '';

/** Calls the API as the admin in a separate session, which no page renews. */
async function callAsAdmin(
  page: Pick<Page, 'request'>,
  method: 'GET' | 'POST',
  path: string,
  body: object,
): Promise<Envelope> {
  const response = adminToken === '' ? undefined : await api(page, method, path, body, adminToken);
  if (response && response.code !== CODE.sessionInvalid) return response;
  adminToken = (await createSession(page, admin)).token;
  return api(page, method, path, body, adminToken);
}

let operatorCount = 0;

export interface Credentials {
  account: string;
  password: string;
}

export interface Operator extends Credentials {
  id: number;
}

/** Creates an enabled operator with these abilities, below the admin unless a parent is given. */
export async function newOperator(
  page: Pick<Page, 'request'>,
  abilities: readonly number[] = [],
  parentAccount = '',
): Promise<Operator> {
  operatorCount += 1;
  const account = `e2e.${Date.now().toString(36)}.${process.pid}.${operatorCount}`;
  const password = 'first-password-1';
  const response = await callAsAdmin(page, 'POST', 'agent/add', { account, password, parentAccount, remark: '' });
  expect(response.code).toBe(200);
  const { id } = response.data as { id: number };
  for (const type of abilities) {
    expect((await callAsAdmin(page, 'POST', 'agent/state', { id, type, state: 1 })).code).toBe(200);
  }
  return { id, account, password };
}

/** Grants or revokes one ability; this ends the sessions of the operator. */
export const setAbility = (page: Page, { id }: Operator, type: number, state: 0 | 1) =>
  callAsAdmin(page, 'POST', 'agent/state', { id, type, state });

let logins = 0;

/** Stores the session once before the console starts, so that later page loads keep the changes of the console. */
function storeSession({ session, nth }: { session: object; nth: number }) {
  if (window.origin === 'null' || Number(sessionStorage.getItem('e2e.login') ?? 0) >= nth) return;
  sessionStorage.setItem('e2e.login', String(nth));
  localStorage.setItem('hengtai.session', JSON.stringify(session));
}

/** The first page of a browser compiles all scripts, which a busy machine does not finish in the usual time. */
const FIRST_PAGE_MS = 40_000;

const waitForPage = (page: Page) =>
  expect(activePage(page).getByRole('heading', { level: 1 })).toBeVisible({ timeout: FIRST_PAGE_MS });

/** Opens a path with a session made through the API; the login form has its own tests. */
export async function logIn(page: Page, credentials: Credentials, path = '/home') {
  const {
    token,
    admin: account,
    planSet,
    expire,
  } = await (credentials === admin ? fetchAdminSession(page) : createSession(page, credentials));
  await forgetPreferences(page, token);
  logins += 1;
  await page.addInitScript(storeSession, { session: { token, admin: account, planSet, expire }, nth: logins });
  await page.goto(path);
  await waitForPage(page);
}

/** Deletes the preferences that earlier tests saved on the server. */
async function forgetPreferences(page: Page, token: string) {
  const { items } = (await api(page, 'GET', 'preference/list', {}, token)).data as { items: { key: string }[] };
  if (items.length === 0) return;
  const deletions = items.map(({ key }) => ({ key, value: null }));
  expect((await api(page, 'POST', 'preference/save', { items: deletions }, token)).code).toBe(200);
}

/** Logs in with the form and waits for the requested path. */
export async function logInWithForm(page: Page, credentials: Credentials, path = '/home') {
  // A page without a valid session may redirect to the login by itself and interrupt this navigation.
  await expect(() => page.goto(path)).toPass();
  await page.waitForURL(/\/login/);
  await fillLogin(page, credentials.account, credentials.password);
  // A list adds its page size to the address.
  await page.waitForURL((url) => (url.pathname + url.search).startsWith(path));
  await waitForPage(page);
}

/** Logs out through the console, so that the page sends no further requests. */
export async function logOut(page: Page) {
  await page.getByRole('button', { name: /^user / }).click();
  await page.getByRole('menuitem', { name: '退出登录' }).click();
  await page.waitForURL(/\/login/);
}

export async function fillLogin(page: Page, account: string, password: string) {
  await page.getByLabel('账号').fill(account);
  await page.getByLabel('登录密码', { exact: true }).fill(password);
  await page.getByRole('button', { name: '登录', exact: true }).click();
}

/** The session token of the page; empty without a session. */
export const tokenOf = (page: Page): Promise<string> =>
  page.evaluate(() => (JSON.parse(localStorage.getItem('hengtai.session') ?? '{}') as { token?: string }).token ?? '');

/** Finds a tab by its text, because pinned and unsaved tabs have a different accessible name. */
export const tab = (page: Page, title: string) =>
  page.getByRole('tab').filter({ has: page.getByText(title, { exact: true }) });
export const tabs = (page: Page) => page.getByRole('tab');

/** The visible page; hidden pages stay in the document. */
export const activePage = (page: Page) => page.locator('.ht-app-page:visible');

export const openMenu = (page: Page, title: string) =>
  page.getByRole('navigation', { name: '主菜单' }).getByText(title, { exact: true }).click();

/**
 * Expects no serious or critical accessibility violation. The seed draws the theme of a test; the long run checks both.
 *
 * @param selectorOfPart selector of the checked element; by default the open dialog or drawer, else the whole document
 */
export async function expectAccessible(page: Page, selectorOfPart?: string) {
  const selector = selectorOfPart ?? (await findOpenWindow(page));
  const drawn = drawTheme();
  for (const theme of level === 'long' ? [otherTheme[drawn], drawn] : [drawn]) {
    await page.emulateMedia({ colorScheme: theme });
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
    await expectAccessibleNow(page, selector);
  }
}

const otherTheme = { light: 'dark', dark: 'light' } as const;

/** The theme in which the test that runs checks accessibility. */
function drawTheme(): 'light' | 'dark' {
  const text = `${process.env['TEST_SEED'] ?? ''} ${test.info().title}`;
  return (createHash('sha256').update(text).digest()[0] ?? 0) % 2 === 0 ? 'light' : 'dark';
}

/** Selector of the topmost dialog or drawer, if one is open. The page below it has a check of its own. */
async function findOpenWindow(page: Page): Promise<string | undefined> {
  for (const selector of ['.ant-modal-wrap', '.ht-dialog-drawer']) {
    if (await page.locator(selector).filter({ visible: true }).count()) return selector;
  }
  return undefined;
}

/** The same in the theme of the page. */
export async function expectAccessibleNow(page: Page, selector?: string, rules?: string[]) {
  // Colours during a transition belong to neither theme.
  await page.evaluate(async () => {
    const transitions = document.getAnimations().filter((one) => one instanceof CSSTransition);
    await Promise.allSettled(transitions.map(({ finished }) => finished));
  });
  const violations = await violationsIn(page, selector, rules);
  const seriousViolations = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(seriousViolations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`)).toEqual([]);
}

/** Rules of minor and moderate impact. Nothing reports their violations, and they take half the time of a run. */
const MILD_RULES: axe.RuleObject = Object.fromEntries(
  `aria-allowed-role aria-deprecated-role empty-heading empty-table-header form-field-multiple-labels heading-order
  html-xml-lang-mismatch image-redundant-alt landmark-banner-is-top-level landmark-complementary-is-top-level
  landmark-contentinfo-is-top-level landmark-main-is-top-level landmark-no-duplicate-banner
  landmark-no-duplicate-contentinfo landmark-no-duplicate-main landmark-one-main landmark-unique meta-viewport
  meta-viewport-large page-has-heading-one presentation-role-conflict region scope-attr-valid skip-link
  table-duplicate-name`
    .split(/\s+/)
    .map((id) => [id, { enabled: false }]),
);

/** Injects axe once per document, because evaluating its source takes about as long as a run. */
async function violationsIn(page: Page, selector?: string, rules?: string[]): Promise<axe.Result[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(
    async ([include, only, off]) => {
      const { run } = (window as unknown as { axe: typeof axe }).axe;
      // Collecting selectors and style sheets costs time, and no enabled rule of at least serious impact reads them.
      const unused = { selectors: false, preload: false };
      const options: axe.RunOptions = {
        resultTypes: ['violations'],
        rules: off,
        ...unused,
        ...(only && { runOnly: only }),
      };
      // Axe goes through hidden pages as well, so they leave the document meanwhile.
      const hidden = [...document.querySelectorAll('.ht-app-page')].filter((one) => !one.checkVisibility());
      const places = hidden.map(() => document.createComment('hidden page'));
      for (const [at, one] of hidden.entries()) one.replaceWith(places[at] ?? '');
      const { violations } = await run(include ? { include: [include] } : document, options);
      for (const [at, place] of places.entries()) place.replaceWith(hidden[at] ?? '');
      return violations;
    },
    [selector, rules, MILD_RULES] as const,
  );
}
