import { type IdentityData, drawDocuments } from './document.ts';
import { identityOf } from './kyc.ts';
import type { Random } from './random.ts';
import { HOUR_MS } from './rhythm.ts';
import { pickActiveUser } from './user.ts';
import { nextNumber, randomFor, emit, timeFromNow, formatNo, type World } from './world.ts';
import type { User } from './records.ts';

/**
 * Conversations that wait at the start, the period in which they began, and the gap between the last one and the
 * start.
 */
const OPENING = 14;
const OPENING_MS = 2.5 * HOUR_MS;
const OPENING_LAST_MS = 100_000;
/** No new conversations while this many wait for an answer. */
const WAITING_MAX = 25;
const PICTURE_SHARE = 0.12;
const SECOND_WORD_SHARE = 0.35;

/** Scripts: a question, a second message while waiting, and replies to answers. */
const SCRIPTS: readonly { question: string; addition: string; replies: readonly string[] }[] = [
  {
    question: '你好，我的提现还没有到账',
    addition: '已经等了两个小时了',
    replies: ['好的，大概还要多久？', '收到了，谢谢'],
  },
  {
    question: '充值的 USDT 没有显示',
    addition: '链上已经确认 20 次了',
    replies: ['交易哈希我发过了', '看到了，谢谢客服'],
  },
  { question: '实名认证为什么被驳回？', addition: '照片是今天刚拍的', replies: ['明白，我重新提交'] },
  { question: '请问认购 HTT 什么时候发放？', addition: '页面上没有看到时间', replies: ['好的，我再等等'] },
  { question: '手续费是怎么算的', addition: '挂单和吃单不一样吗？', replies: ['原来如此', '可以申请更低的费率吗？'] },
  { question: '我换手机了，验证码收不到', addition: '急，需要登录', replies: ['好的，我按步骤操作', '可以了，谢谢！'] },
  { question: '合约保证金率 120% 会不会强平？', addition: '我可以追加保证金', replies: ['了解了'] },
  { question: 'Hello, my withdrawal is pending 😥', addition: 'Could you please check it?', replies: ['Thank you 🙏'] },
  { question: '提现地址填错了，可以撤销吗？', addition: '还没有打款吧？', replies: ['撤销成功了，谢谢'] },
  { question: '为什么我的账号不能交易了', addition: '昨天还是好的', replies: ['好的，我去核对', '谢谢'] },
];

/** Schedules conversations that wait for an answer at the start. */
export function scheduleOpenTalks(world: World, add: (at: number, run: () => void) => void): void {
  const dice = randomFor(world, 'open talks');
  const last = world.state.startedAt - OPENING_LAST_MS;
  for (let left = OPENING; left > 0; left -= 1)
    add(Math.floor(last - dice.next() * OPENING_MS), () => beginTalk(world));
}

/** Begins a conversation unless enough wait for an answer. */
export function createTalk(world: World): void {
  const waiting = Object.values(world.state.talks).filter(({ due }) => due === 0).length;
  if (waiting < WAITING_MAX) beginTalk(world);
}

function beginTalk(world: World): void {
  const dice = randomFor(world, 'talk', world.state.counters['message'] ?? 0);
  for (let tries = 0; tries < 10; tries += 1) {
    const user = pickActiveUser(world, dice);
    if (user.joined >= world.now || world.state.talks[user.account]) continue;
    if (world.state.frozen.includes(user.account)) continue;
    const { question, addition, replies } = dice.pick(SCRIPTS);
    sendMessage(world, user.account, question, dice.chance(PICTURE_SHARE) ? drawPicture(world, user, dice) : undefined);
    const addsMessage = dice.chance(SECOND_WORD_SHARE);
    world.state.talks[user.account] = {
      left: [...(addsMessage ? [addition] : []), ...replies],
      due: addsMessage ? timeFromNow(world, dice, 15, 90) : 0,
    };
    return;
  }
}

/** An image of a document, the most common attachment. */
function drawPicture(world: World, user: User, dice: Random): string | undefined {
  const identity: IdentityData = identityOf(world, user);
  return drawDocuments(identity, dice, { isCropped: false, withHolder: false }).front;
}

function sendMessage(world: World, account: string, text: string, image?: string): void {
  const no = formatNo(world, 'C', nextNumber(world, 'message'));
  emit(world, 'message.received', no, { no, account, text, ...(image === undefined ? {} : { image }) });
}

/** Sends the messages that are due. */
export function stepTalks(world: World): void {
  for (const [account, talk] of Object.entries(world.state.talks)) {
    if (talk.due === 0 || talk.due > world.now) continue;
    const next = talk.left.shift();
    if (next === undefined) delete world.state.talks[account];
    else sendMessage(world, account, next);
    talk.due = 0;
  }
}

/** Schedules the customer's reply to an operator's message, or ends the conversation. */
export function onMessageAnswered(world: World, account: string): void {
  const talk = world.state.talks[account];
  if (!talk) return;
  if (talk.left.length === 0) delete world.state.talks[account];
  else if (talk.due === 0) talk.due = timeFromNow(world, randomFor(world, 'answer', account, talk.left.length), 4, 18);
}

/** Ends the conversation, because the server rejected the message of a deleted account. */
export function onMessageRefused(world: World, account: string): void {
  delete world.state.talks[account];
}
