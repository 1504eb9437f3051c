import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { type PayoutText, type Roster, type ConsentSignature, groupDigest } from '@hengtai/contract/risk/signing/text';
import { stableJson } from '@hengtai/contract/wire/stable-json';
import type { Page } from '@playwright/test';
import { expect, expectAccessibleNow, test } from './desk.ts';
import {
  type Credentials,
  addAuthenticator,
  expectAlgorithmWarning,
  expectSigned,
  serveSite,
  sha256,
  signingFiles,
  valuesOf,
} from './signing.ts';

// The page alone, hosted apart, with an opener that is not the console.

type Site = Awaited<ReturnType<typeof serveSite>>;
let host: Site;
let consoleSite: Site;
test.beforeAll(async () => {
  host = await serveSite(signingFiles());
  consoleSite = await serveSite({ '/': '<!doctype html><title>console</title>' });
});
test.afterAll(() => {
  host.close();
  consoleSite.close();
});

interface OpenerWindow {
  opened: Window | null;
  answers: { type: string; signature?: ConsentSignature; id?: string; publicKey?: string; reason?: string }[];
}

/** As after the first request of this console in a browser. */
async function allowConsole(page: Page) {
  await page.goto(host.url);
  await page.evaluate(
    (origin) => localStorage.setItem('hengtai.signing.consoles', JSON.stringify([origin])),
    new URL(consoleSite.url).origin,
  );
}

/** Opens the page as a console does, and sends it the request when it is ready. */
async function openSigning(page: Page, request: object): Promise<Page> {
  await page.goto(consoleSite.url);
  const popup = page.waitForEvent('popup');
  await page.evaluate(
    ({ url, message }) => {
      const self = window as unknown as OpenerWindow;
      self.answers = [];
      self.opened = window.open(url, 'signing', 'popup,width=780,height=900');
      window.addEventListener('message', ({ data, origin }) => {
        if (data.type === 'hengtai.signing.ready') self.opened?.postMessage(message, origin);
        else self.answers.push(data);
      });
    },
    { url: host.url, message: request },
  );
  return popup;
}

const answersOf = (page: Page) => page.evaluate(() => (window as unknown as OpenerWindow).answers);
const send = (page: Page, message: object) =>
  page.evaluate(([url, data]) => (window as unknown as OpenerWindow).opened?.postMessage(data, url), [
    new URL(host.url).origin,
    message,
  ] as const);

const payout = (more: Partial<PayoutText> = {}): PayoutText => ({
  kind: 'payout',
  command: 'withdraw.payout',
  platform: 1,
  no: 'W-1001',
  attempt: 1,
  account: 'customer@example.com',
  market: 'USDT',
  network: 'TRC20',
  address: 'TQ5bDmHqmKLmXw5c3M8cVgYpJbkz1vC2Jd',
  memo: '',
  amount: '1500.25',
  fee: '1',
  received: '1499.25',
  state: 0,
  maker: 'maker',
  ...more,
});

const signRequest = (texts: string[], more: object = {}) => ({
  type: 'hengtai.signing.sign',
  person: 'maker',
  roster: 1,
  relyingParty: 'localhost',
  keys: [key.id],
  texts,
  previous: null,
  ...more,
});

/** Labels that are not beside the first line of their value. */
const findShiftedLabels = (popup: Page): Promise<string[]> =>
  popup.locator('dt').evaluateAll((labels) =>
    labels.flatMap((label) => {
      const range = document.createRange();
      const [own = 0, value = 0] = [label, label.nextElementSibling ?? label].map((part) => {
        const text = document.createTreeWalker(part, NodeFilter.SHOW_TEXT).nextNode();
        range.selectNodeContents(text ?? part);
        const [line] = range.getClientRects();
        return line && line.top + line.height / 2;
      });
      return Math.abs(own - value) > 4 ? [label.textContent ?? ''] : [];
    }),
  );

const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const rawId = randomBytes(16);
/** The key of the person, and the same in its authenticator. */
const key = {
  id: rawId.toString('base64url'),
  publicKey: pair.publicKey.export({ format: 'der', type: 'spki' }).toString('base64url'),
};
const credentials: Credentials = [
  {
    credentialId: rawId.toString('base64'),
    isResidentCredential: true,
    rpId: 'localhost',
    userHandle: Buffer.from('maker').toString('base64'),
    privateKey: pair.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
    signCount: 1,
  },
];
const alert = (popup: Page) => popup.getByRole('alert');

test.describe('the signing page', () => {
  test('asks about a new console once, makes a key, and shows its fingerprint', async ({ page, complaints }) => {
    const popup = await openSigning(page, {
      type: 'hengtai.signing.enrol',
      person: 'maker',
      relyingParty: 'localhost',
    });
    await addAuthenticator(popup);
    await expect(popup.getByText(new URL(consoleSite.url).origin)).toBeVisible();
    await expectAccessibleNow(popup);
    await popup.getByRole('button', { name: '允许' }).click();
    await popup.getByRole('button', { name: '创建签名密钥' }).click();
    await expect(popup.getByRole('heading', { name: '请抄写密钥指纹' })).toBeVisible();
    const [fingerprint] = await valuesOf(popup, '密钥指纹');
    expect(await answersOf(page)).toEqual([]);
    await popup.getByRole('button', { name: '已抄写，完成' }).click();
    await expect.poll(() => answersOf(page)).toHaveLength(1);
    const [{ id, publicKey } = {}] = await answersOf(page);
    expect(id).toBeTruthy();
    expect(fingerprint).toBe(groupDigest(sha256(Buffer.from(publicKey ?? '', 'base64url'))));
    expectAlgorithmWarning(complaints);
    await popup.close();
    const again = await openSigning(page, {
      type: 'hengtai.signing.enrol',
      person: 'maker',
      relyingParty: 'localhost',
    });
    await expect(again.getByRole('button', { name: '创建签名密钥' })).toBeVisible();
  });

  test('shows payouts as they are signed, whatever they contain', async ({ page }) => {
    await allowConsole(page);
    const hostile = '<img src=x onerror=alert(1)><script>alert(1)</script>';
    const all = [
      payout(),
      payout({ no: 'W-1002', received: '20000', memo: hostile, account: `${'א'.repeat(20)}\u202Eabc` }),
      payout({ no: 'W-1003', market: 'BTC', network: 'BTC', received: '0.00000001', address: 'ТQ5b\n打款数量 1' }),
    ];
    const texts = all.map(stableJson);
    const requests: string[] = [];
    page.context().on('request', (request) => requests.push(request.url()));
    const popup = await openSigning(page, signRequest(texts));
    await addAuthenticator(popup, credentials);
    await expect(popup.getByRole('heading', { name: '签名 3 笔打款' })).toBeVisible();
    expect(await valuesOf(popup, '共 2 笔')).toEqual(['21,499.25 USDT']);
    expect(await valuesOf(popup, '打款数量')).toEqual(['1,499.25 USDT', '20,000 USDT', '0.00000001 BTC']);
    expect(await valuesOf(popup, '标签(Memo)')).toEqual(['无', hostile, '无']);
    expect((await valuesOf(popup, '收款地址'))[2]).toBe('U+0422Q5bU+000AU+6253U+6B3EU+6570U+91CF 1');
    expect((await valuesOf(popup, '用户账号'))[1]).toContain('U+202Eabc');
    expect(await popup.locator('img, main script').count()).toBe(0);
    await expectAccessibleNow(popup);
    await popup.getByRole('button', { name: '签名', exact: true }).click();
    await expect(popup.getByRole('heading', { name: '已签名' })).toBeVisible();
    const [{ signature } = {}] = await answersOf(page);
    if (!signature) throw new Error('no signature');
    expectSigned(signature, key.publicKey, new URL(host.url).origin, texts);
    expect(requests.filter((url) => url.startsWith(host.url))).toEqual([host.url, `${host.url}signing.js`]);
  });

  test('refuses a payload that changes after it was shown, also while the authenticator is asked', async ({ page }) => {
    await allowConsole(page);
    const popup = await openSigning(page, signRequest([stableJson(payout())]));
    const { setTouch } = await addAuthenticator(popup, credentials);
    await setTouch(false);
    const button = popup.getByRole('button', { name: '签名', exact: true });
    await expect(button).toBeVisible();
    // The same request again changes nothing.
    await send(page, signRequest([stableJson(payout())]));
    await button.click();
    await expect(button).toBeDisabled();
    await send(page, signRequest([stableJson(payout({ received: '9' }))]));
    await expect(alert(popup)).toContainText('又发来了另一份内容');
    await expect(button).toBeHidden();
    await setTouch(true);
    await expect(alert(popup)).toBeVisible();
    expect(await answersOf(page)).toEqual([{ type: 'hengtai.signing.failed', reason: 'refused' }]);
  });

  test('refuses what it cannot show in full', async ({ page }) => {
    await allowConsole(page);
    const texts = [stableJson({ ...payout(), note: 'x' })];
    const refused: [object, string][] = [
      [signRequest(texts), '内容的格式不对'],
      [signRequest([stableJson(payout())], { relyingParty: 'example.com' }), '不属于本页（localhost）'],
      [signRequest([stableJson(payout())], { hint: 'x' }), '请求格式不对'],
    ];
    for (const [request, text] of refused) {
      const popup = await openSigning(page, request);
      await expect(alert(popup)).toContainText(text);
      expect(await answersOf(page)).toEqual([{ type: 'hengtai.signing.failed', reason: 'invalid' }]);
      await popup.close();
    }
  });

  test('says so when the authenticator has no key of the person, and signs a roster', async ({ page }) => {
    await allowConsole(page);
    const other = {
      id: 'B'.repeat(22),
      person: 'checker',
      publicKey: key.publicKey.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A')),
    };
    const before: Roster = {
      kind: 'roster',
      version: 1,
      previous: null,
      threshold: 2,
      relyingParty: 'localhost',
      origins: [new URL(host.url).origin],
      keys: [{ ...key, person: 'maker' }, other],
    };
    const previous = stableJson(before);
    const third = { ...other, id: 'C'.repeat(22), person: 'third' };
    const text = stableJson({
      ...before,
      version: 2,
      previous: sha256(previous),
      keys: [...before.keys.slice(0, 1), third],
    });
    const popup = await openSigning(page, signRequest([text], { previous }));
    const { add } = await addAuthenticator(popup);
    await expect(popup.locator('h2', { hasText: '新增' })).toHaveText('新增签名人 third');
    await expect(popup.locator('h2', { hasText: '移除' })).toHaveText('移除签名人 checker');
    expect(await valuesOf(popup, '名册指纹')).toEqual([groupDigest(sha256(text))]);
    expect(await findShiftedLabels(popup)).toEqual([]);
    await popup.getByRole('button', { name: '签名', exact: true }).click();
    await expect(alert(popup)).toContainText('此验证器中没有您在名册里的签名密钥');
    await add(credentials);
    await popup.getByRole('button', { name: '签名', exact: true }).click();
    await expect(popup.getByRole('heading', { name: '已签名' })).toBeVisible();
    const [{ signature } = {}] = await answersOf(page);
    if (!signature) throw new Error('no signature');
    expectSigned(signature, key.publicKey, new URL(host.url).origin, [text]);
  });

  test('does nothing without an opener or inside another page', async ({ page }) => {
    await page.goto(host.url);
    await expect(page.getByText('本页由控制台打开')).toBeVisible();
    await page.goto(consoleSite.url);
    await page.evaluate((url) => {
      document.body.append(Object.assign(document.createElement('iframe'), { src: url }));
    }, host.url);
    await expect(page.frameLocator('iframe').getByText('不能嵌入其他页面')).toBeVisible();
  });
});
