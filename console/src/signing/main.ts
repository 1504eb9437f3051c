import { InvalidText } from '@hengtai/contract/risk/signing/text';
import { allow, isAllowed } from './allowed-consoles.ts';
import { AuthenticatorError, enrol, sign } from './authenticator.ts';
import { fingerprintOf } from './digest.ts';
import { enrolledView, enrolView } from './enrol-view.ts';
import { element, renderView, visibleText } from './render.ts';
import { type EnrolRequest, type Request, type SignRequest, readRequest } from './request.ts';
import { statementOf } from './statement.ts';

const main = document.querySelector('main') ?? document.body.appendChild(document.createElement('main'));
const opener = window.opener as Window | null;

/** The request that is shown, as it arrived. A page that is reloaded may take another one. */
let shown: { text: string; origin: string } | undefined;
let isOver = false;

type FailureReason = 'refused' | 'invalid' | 'cancelled';

function show(...nodes: Node[]): void {
  main.replaceChildren(...nodes);
}

function answer(message: object): void {
  isOver = true;
  if (shown) opener?.postMessage(message, shown.origin);
}

function fail(reason: FailureReason, ...text: (Node | string)[]): void {
  answer({ type: 'hengtai.signing.failed', reason });
  const alert = element('p', 'ht-signing-alert', ...text);
  alert.role = 'alert';
  show(element('h1', '', '没有签名'), alert);
}

function onMessage(event: MessageEvent<unknown>): void {
  if (event.source !== opener || isOver) return;
  const text = JSON.stringify(event.data) ?? '';
  if (shown) {
    if (text !== shown.text || event.origin !== shown.origin)
      fail('refused', '控制台在内容显示之后又发来了另一份内容，已拒绝签名。请关闭本窗口，并通知负责人。');
    return;
  }
  shown = { text, origin: event.origin };
  const request = readRequest(event.data);
  if (!request) return fail('invalid', '控制台发来的请求格式不对，已拒绝签名。控制台与签名页的版本可能不同。');
  if (request.relyingParty !== location.hostname)
    return fail(
      'invalid',
      '请求属于 ',
      visibleText(request.relyingParty, true),
      ` 的签名页，不属于本页（${location.hostname}），已拒绝签名。`,
    );
  if (isAllowed(event.origin)) return start(request, event.origin);
  return askPermission(event.origin, () => start(request, event.origin));
}

/** The first request of a console at another address. */
function askPermission(origin: string, onAllow: () => void): void {
  show(
    element('h1', '', '是否允许这个控制台'),
    element(
      'p',
      'ht-signing-lead',
      '此浏览器第一次收到来自以下地址的签名请求。请核对它是贵司控制台的地址；允许后不再询问。',
    ),
    element('p', 'ht-signing-large', visibleText(origin, true)),
    buttons(
      button('允许', () => {
        allow(origin);
        onAllow();
      }),
      cancelButton(),
    ),
  );
}

function start(request: Request, origin: string): void {
  const work = request.type === 'hengtai.signing.sign' ? showStatement(request, origin) : showEnrolment(request);
  work.catch((error: unknown) => {
    if (!(error instanceof InvalidText)) throw error;
    fail('invalid', `内容的格式不对，已拒绝签名：${error.message}`);
  });
}

async function showStatement(request: SignRequest, origin: string): Promise<void> {
  const { view, consentAt } = await statementOf(request);
  if (isOver) return;
  show(
    ...renderView(view),
    element('details', 'ht-signing-source', element('summary', '', '签名原文'), ...request.texts.map(sourceOf)),
    signerLine(request.person, origin),
    actions('签名', async () => {
      const signature = await sign(consentAt(Date.now()), request.keys);
      if (isOver) return;
      answer({ type: 'hengtai.signing.signed', signature });
      show(element('h1', '', '已签名'), element('p', 'ht-signing-lead', '可以关闭本窗口。'));
    }),
  );
}

const sourceOf = (text: string): HTMLElement => element('p', 'ht-signing-code', visibleText(text, true));

const signerLine = (person: string, origin: string): HTMLElement =>
  element('p', 'ht-signing-lead', '签名人 ', visibleText(person, true), ' · 请求来自 ', visibleText(origin, true));

async function showEnrolment({ person }: EnrolRequest): Promise<void> {
  show(
    ...renderView(enrolView(person)),
    actions('创建签名密钥', async () => {
      const key = await enrol(person);
      if (isOver) return;
      show(
        ...renderView(enrolledView(person, await fingerprintOf(key.publicKey))),
        buttons(
          button('已抄写，完成', () => {
            answer({ type: 'hengtai.signing.enrolled', ...key });
            show(element('h1', '', '签名密钥已创建'), element('p', 'ht-signing-lead', '可以关闭本窗口。'));
          }),
        ),
      );
    }),
  );
}

/** The buttons at the end, so that everything above them has been scrolled past. */
function actions(verb: string, work: () => Promise<void>): HTMLElement {
  const problem = element('p', 'ht-signing-alert');
  problem.role = 'alert';
  problem.hidden = true;
  const confirm = button(verb, () => {
    confirm.disabled = true;
    problem.hidden = true;
    work().catch((error: unknown) => {
      if (!(error instanceof AuthenticatorError)) throw error;
      problem.textContent = error.message;
      problem.hidden = false;
      confirm.disabled = false;
    });
  });
  return element('div', '', problem, buttons(confirm, cancelButton()));
}

const buttons = (...all: HTMLElement[]): HTMLElement => element('div', 'ht-signing-buttons', ...all);

function button(text: string, onClick: () => void): HTMLButtonElement {
  const made = element('button', 'ht-signing-primary', text);
  made.type = 'button';
  made.addEventListener('click', onClick);
  return made;
}

function cancelButton(): HTMLButtonElement {
  const made = button('取消', () => {
    answer({ type: 'hengtai.signing.failed', reason: 'cancelled' });
    window.close();
  });
  made.className = '';
  return made;
}

const address = document.querySelector('#address');
if (address) address.textContent = location.origin;
if (window.top !== window) {
  fail('refused', '签名页不能嵌入其他页面。');
} else if (typeof window.PublicKeyCredential === 'undefined') {
  fail('refused', '此浏览器或此地址不支持通行密钥：请用 HTTPS 域名或 http://localhost 打开。');
} else if (opener) {
  window.addEventListener('message', onMessage);
  // Without content, because the console has not said yet who it is.
  opener.postMessage({ type: 'hengtai.signing.ready' }, '*');
} else {
  show(
    element('h1', '', '签名页'),
    element('p', 'ht-signing-lead', '本页由控制台打开：请在控制台中处理提现、名册或授权时签名。'),
  );
}
