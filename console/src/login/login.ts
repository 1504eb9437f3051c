import '../ui/page/theme.css';
import './login.css';
import { CODE } from '@hengtai/contract/wire/envelope';
import { LOGIN_DONE, WRONG_CREDENTIALS, session } from '@hengtai/contract/house/session/calls';
import type { PasskeyRequest } from '@hengtai/contract/house/passkey/schema';
import type { LoginData, LoginInput } from '@hengtai/contract/house/session/schema';
import { type Answer, CallError, send } from '../api/client.ts';
import { onSessionChange, readDevice, readSession, saveDevice, saveSession } from '../api/session.ts';
import { BANNER_KEY, FAREWELL_KEY, RESUME_KEY, WELCOME_KEY } from '../api/handover.ts';
import { prefetchConsole } from './prefetch.ts';
import { findElement, setFieldError } from './fields.ts';
import { type ProviderAnswer, leaveForProvider, offerOidc, sendOidcLogin, showOwnFields, takeAnswer } from './oidc.ts';
import {
  answer,
  hidePasskey,
  isCancelled,
  isPasskeyShown,
  logInByPasskeyOnly,
  offerPasskeyOnly,
  readOffer,
  showPasskey,
} from './passkey.ts';
import { askPassword } from './reset.ts';
import { resetToken } from './reset-token.ts';
import { returnPath } from './return-path.ts';

const MESSAGES = { account: '请输入登录账号', password: '请输入登录密码', otp: '请输入一次性验证码' } as const;
type Field = keyof typeof MESSAGES;
const FIELDS = ['account', 'password', 'otp'] as const satisfies readonly Field[];
const FAREWELL_MS = 4000;

const form = findElement('login', HTMLFormElement);
const inputs = {
  account: findElement('account', HTMLInputElement),
  password: findElement('password', HTMLInputElement),
  otp: findElement('otp', HTMLInputElement),
};
const otpField = findElement('otp-field', HTMLElement);
const refusal = findElement('refusal', HTMLElement);
const toast = findElement('toast', HTMLElement);
const submit = findElement('submit', HTMLButtonElement);
const reveal = findElement('reveal', HTMLButtonElement);
const caps = findElement('caps', HTMLElement);

function showRefusal(message: string | null) {
  refusal.textContent = message ?? '';
  refusal.hidden = message === null;
}

/** Names the login that the identity provider has answered and that only lacks a second factor. */
let answeredFlow: string | undefined;

const visibleFields = (): Field[] =>
  FIELDS.filter((field) => (field === 'otp' ? !otpField.hidden : answeredFlow === undefined));

/** Shows the error of each empty field and returns the first one. */
function markMissing(): Field | undefined {
  const missing = visibleFields().filter(
    (field) => (field === 'account' ? inputs[field].value.trim() : inputs[field].value) === '',
  );
  for (const field of visibleFields()) setFieldError(inputs[field], missing.includes(field) ? MESSAGES[field] : null);
  return missing[0];
}

function setBusy(isBusy: boolean) {
  submit.disabled = isBusy;
  submit.textContent = isBusy ? '正在登录…' : '登录';
  form.setAttribute('aria-busy', String(isBusy));
}

async function logIn() {
  showRefusal(null);
  const missing = markMissing();
  if (missing) {
    inputs[missing].focus();
    return;
  }
  await open(() => sendLogin(otpField.hidden ? {} : { otp: inputs.otp.value.trim() }));
}

const sendLogin = (factor: Pick<LoginInput, 'otp' | 'passkey'>): Promise<Answer<LoginData>> => {
  if (answeredFlow !== undefined) return sendOidcLogin({ flow: answeredFlow }, factor);
  const device = readDevice();
  const input: LoginInput = { account: inputs.account.value.trim(), password: inputs.password.value, ...factor };
  return send(session.login, input, { headers: device ? { device } : {} });
};

/** Opens the session that the login answers with, or shows why there is none. */
async function open(logIn: () => Promise<Answer<LoginData>>) {
  showRefusal(null);
  setBusy(true);
  try {
    const { data, token } = await logIn();
    if (!token) throw new Error('login response has no token');
    finishLogin(token, data);
  } catch (error) {
    setBusy(false);
    showError(error);
  }
}

async function logInWithPasskey(request: PasskeyRequest) {
  await open(async () => sendLogin({ passkey: await answer(request) }));
}

function finishLogin(token: string, { admin, planSet, device }: { admin: string; planSet: boolean; device: string }) {
  toast.textContent = LOGIN_DONE;
  sessionStorage.setItem(WELCOME_KEY, '1');
  sessionStorage.setItem(RESUME_KEY, '1');
  sessionStorage.removeItem(BANNER_KEY);
  if (device) saveDevice(device);
  // Every window that observes the session opens the console, this one included.
  saveSession({ token, admin, planSet });
}

/** Continues the login that the identity provider has answered. */
async function logInByAnswer({ flow, response }: ProviderAnswer) {
  answeredFlow = flow;
  showOwnFields(false);
  await open(() => sendOidcLogin({ flow, response }, {}));
}

/** Back to account and password, because the answer of the identity provider does not open a session. */
function forgetAnswer() {
  answeredFlow = undefined;
  showOwnFields(true);
  clearCode();
}

async function logInByProvider() {
  showRefusal(null);
  try {
    await leaveForProvider();
  } catch (error) {
    showRefusal(error instanceof CallError ? error.msg : '暂时无法连接服务器，请稍后再试');
  }
}

function showError(error: unknown) {
  if (error instanceof CallError && error.code === CODE.fresh) {
    askFactor(error);
    return;
  }
  if (isCancelled(error)) {
    showRefusal(error.message);
    return;
  }
  showRefusal(error instanceof CallError ? error.msg : '暂时无法连接服务器，请稍后再试');
  if (answeredFlow !== undefined && !isFactorWrong(error)) forgetAnswer();
  // A challenge is answered once. The password alone is sent again for another.
  if (isPasskeyShown()) clearCode();
  const retryInput = otpField.hidden ? inputs.password : inputs.otp;
  retryInput.focus();
  retryInput.select();
}

/** Asks for the second factor: the passkey first, the code below it. */
function askFactor(error: CallError) {
  const offer = readOffer(error);
  otpField.hidden = offer !== undefined && !offer.code;
  // The button of the passkey is the prominent one.
  submit.className = offer ? 'ht-login-other' : 'ht-login-submit';
  if (offer) void showPasskey(offer, (request) => void logInWithPasskey(request));
  else inputs.otp.focus();
}

/** Whether the second factor was wrong, so that it can be given again. */
const isFactorWrong = (error: unknown): boolean =>
  error instanceof CallError && error.code === CODE.wrongCredentials && error.msg === WRONG_CREDENTIALS;

function clearCode() {
  hidePasskey();
  submit.className = 'ht-login-submit';
  otpField.hidden = true;
  inputs.otp.value = '';
}

function onCapsLock(event: KeyboardEvent | MouseEvent) {
  caps.textContent = event.getModifierState('CapsLock') ? '大写锁定已打开' : '';
}

function toggleReveal() {
  const isRevealed = inputs.password.type === 'password';
  inputs.password.type = isRevealed ? 'text' : 'password';
  reveal.textContent = isRevealed ? '隐藏' : '显示';
  reveal.setAttribute('aria-pressed', String(isRevealed));
  reveal.setAttribute('aria-label', isRevealed ? '隐藏密码' : '显示密码');
}

function showFarewell() {
  const text = sessionStorage.getItem(FAREWELL_KEY);
  if (text === null) return;
  sessionStorage.removeItem(FAREWELL_KEY);
  showToast(text);
}

function showToast(text: string) {
  toast.textContent = text;
  setTimeout(() => {
    if (toast.textContent === text) toast.textContent = '';
  }, FAREWELL_MS);
}

function goToConsole() {
  window.location.replace(returnPath(window.location.search, window.location.origin));
}

function start() {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (!submit.disabled) void logIn();
  });
  for (const field of FIELDS) {
    inputs[field].addEventListener('input', () => {
      setFieldError(inputs[field], null);
      showRefusal(null);
      // Whether a code is required depends on the account.
      if (field === 'account') clearCode();
    });
  }
  inputs.password.addEventListener('keydown', onCapsLock);
  inputs.password.addEventListener('keyup', onCapsLock);
  inputs.password.addEventListener('blur', () => {
    caps.textContent = '';
  });
  reveal.addEventListener('click', toggleReveal);
  onSessionChange((next) => next && !form.hidden && goToConsole());
  showFarewell();
  prefetchConsole();
  // Without an answer the login by password remains.
  offerPasskeyOnly(() => void open(logInByPasskeyOnly)).catch(() => undefined);
  offerOidc(() => void logInByProvider(), showRefusal).catch(() => undefined);
  const answer = takeAnswer();
  if (answer) void logInByAnswer(answer);
}

/** Shows the login with the account filled in, after its password was set by a link. */
function returnToLogin(account: string) {
  form.hidden = false;
  inputs.account.value = account;
  inputs.password.value = '';
  clearCode();
  inputs.password.focus();
  showToast('密码已设置，请登录');
}

/** Shows the password form if the address carries a token, even while another operator is logged in. */
function showReset(): boolean {
  const token = resetToken(window.location.hash);
  if (token === undefined) return false;
  form.hidden = true;
  askPassword(token, returnToLogin);
  return true;
}

// If the login is already open, following a link only changes the hash.
window.addEventListener('hashchange', showReset);
if (showReset()) start();
else if (readSession()) goToConsole();
else {
  start();
  inputs.account.focus();
}
