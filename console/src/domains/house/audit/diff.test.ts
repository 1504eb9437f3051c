import { auditFieldText, auditRecordText, auditTexts, auditValueText } from '@hengtai/contract/house/audit/words';
import { describe, expect, it } from 'vitest';
import { diffOf } from './diff.ts';

const subject = { targetType: 'withdraw', action: 'withdraw.reject' };
const timeText = (ms: number): string => new Date(ms).toISOString();
const textsOf = (record: unknown) => auditTexts(subject, record, timeText);
const compare = (before: unknown, after: unknown) => diffOf(textsOf(before), textsOf(after));

describe('diffOf', () => {
  it('distinguishes changed, added and removed fields', () => {
    expect(
      compare({ num: 0, by: 'a', gone: 1, same: 'x' }, { num: 2, by: 'a', same: 'x', fresh: { deep: [true, 2] } }),
    ).toEqual([
      { path: 'num', before: '0', after: '2', kind: 'changed' },
      { path: 'by', before: 'a', after: 'a', kind: 'same' },
      { path: 'gone', before: '1', after: undefined, kind: 'removed' },
      { path: 'same', before: 'x', after: 'x', kind: 'same' },
      { path: 'fresh.deep', before: undefined, after: 'true、2', kind: 'added' },
    ]);
  });
  it('accepts null on either side', () => {
    expect(compare(null, { id: 1 })).toEqual([{ path: 'id', before: undefined, after: '1', kind: 'added' }]);
    expect(compare(null, null)).toEqual([]);
    expect(compare('a', 'b')).toEqual([{ path: '', before: 'a', after: 'b', kind: 'changed' }]);
  });
  it('distinguishes null and empty from missing', () => {
    expect(compare({ a: null, b: [] }, { a: '', b: [] }).map(({ before, after }) => [before, after])).toEqual([
      ['未设置', ''],
      ['', ''],
    ]);
  });
  it('translates values that the contract has labels for', () => {
    expect(compare({ state: 0, paid: false }, { state: 5, paid: true })).toEqual([
      { path: 'state', before: '待审核', after: '已驳回', kind: 'changed' },
      { path: 'paid', before: '否', after: '是', kind: 'changed' },
    ]);
  });
});

describe('the words of a recorded state', () => {
  it('shows fees, which are ratios, in percent', () => {
    const about = { targetType: 'market', action: 'market.save', record: {} };
    const texts = ['0.001', '0', '0.1', '0.00005', '1.25'].map((fee) => auditValueText(about, 'makerFee', fee));
    expect(texts).toEqual(['0.1%', '0%', '10%', '0.005%', '125%']);
    expect(auditValueText(about, 'winRate', '85')).toBe('85%');
  });
  it('names fields and values by what the record is about', () => {
    expect(auditFieldText(subject, 'input.amount')).toBe('提交内容 · 数量');
    expect(auditFieldText({ action: 'withdraw.pass' }, 'by')).toBe('审核人');
    for (const action of ['session.login', 'otp.unbind', 'passkey.add']) {
      expect(auditRecordText({ targetType: null, action }, { by: 'passkey' }, timeText)).toBe('验证方式：通行密钥');
    }
    const agent = { targetType: 'agent', action: 'agent.state', record: {} };
    expect(auditValueText(agent, 'abilities', [0, 3])).toBe('账号启用、提现审核');
    const config = { targetType: 'config', action: 'config.save' };
    expect(auditValueText({ ...config, record: { key: 'policy.agent.del' } }, 'state', 2)).toBe('超过金额(USDT)');
    expect(auditValueText({ ...config, record: { key: 'x.switch' } }, 'state', 1)).toBe('开');
    expect(auditValueText({ ...subject, targetType: 'unheard', record: {} }, 'state', 3)).toBeUndefined();
  });
  it('writes a state in one line, with times in the zone of the reader', () => {
    const record = { state: 0, amount: '3', remark: '', reviewedAt: 1_800_000_000_000, at: 1_800_000_000_001 };
    expect(auditRecordText(subject, record, timeText)).toBe(
      '状态：待审核；数量：3；备注：（空）；审核时间：2027-01-15T08:00:00.000Z；时点：2027-01-15T08:00:00.001Z',
    );
    expect(auditRecordText(subject, null, timeText)).toBe('');
  });
});
