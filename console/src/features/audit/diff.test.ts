import { auditFieldText, auditValueText } from '@hengtai/contract/audit-words';
import { describe, expect, it } from 'vitest';
import { diffOf } from './diff.ts';

describe('diffOf', () => {
  it('distinguishes changed, added and removed fields', () => {
    expect(
      diffOf({ state: 0, by: 'a', gone: 1, same: 'x' }, { state: 2, by: 'a', same: 'x', fresh: { deep: [true, 2] } }),
    ).toEqual([
      { path: 'state', before: '0', after: '2', kind: 'changed' },
      { path: 'by', before: 'a', after: 'a', kind: 'same' },
      { path: 'gone', before: '1', after: undefined, kind: 'removed' },
      { path: 'same', before: 'x', after: 'x', kind: 'same' },
      { path: 'fresh.deep', before: undefined, after: 'true、2', kind: 'added' },
    ]);
  });
  it('accepts null on either side', () => {
    expect(diffOf(null, { id: 1 })).toEqual([{ path: 'id', before: undefined, after: '1', kind: 'added' }]);
    expect(diffOf(null, null)).toEqual([]);
    expect(diffOf('a', 'b')).toEqual([{ path: '', before: 'a', after: 'b', kind: 'changed' }]);
  });
  it('shows fees, which are ratios, in percent', () => {
    const about = { targetType: 'market', action: 'market.save', record: {} };
    const texts = ['0.001', '0', '0.1', '0.00005', '1.25'].map((fee) => auditValueText(about, 'makerFee', fee));
    expect(texts).toEqual(['0.1%', '0%', '10%', '0.005%', '125%']);
    expect(auditValueText(about, 'winRate', '85')).toBe('85%');
  });
  it('distinguishes null and empty from missing', () => {
    expect(diffOf({ a: null, b: [] }, { a: '', b: [] }).map(({ before, after }) => [before, after])).toEqual([
      ['null', ''],
      ['[]', '[]'],
    ]);
  });
  it('translates values that the contract has labels for, each side with its own record', () => {
    const about = { targetType: 'withdraw', action: 'withdraw.reject' };
    const words = (record: unknown) => (path: string, value: unknown) =>
      auditValueText({ ...about, record }, path, value);
    expect(diffOf({ state: 0, paid: false }, { state: 5, paid: true }, words)).toEqual([
      { path: 'state', before: '待审核', after: '已驳回', kind: 'changed' },
      { path: 'paid', before: '否', after: '是', kind: 'changed' },
    ]);
    expect(auditFieldText('input.amount')).toBe('提交内容 · 数量');
    const agent = { targetType: 'agent', action: 'agent.state', record: {} };
    expect(auditValueText(agent, 'abilities', [0, 3])).toBe('账号启用、提现审核');
    const config = { targetType: 'config', action: 'config.save' };
    expect(auditValueText({ ...config, record: { key: 'policy.agent.del' } }, 'state', 2)).toBe('超过金额(USDT)');
    expect(auditValueText({ ...config, record: { key: 'x.switch' } }, 'state', 1)).toBe('开');
    expect(auditValueText({ ...about, targetType: 'unheard', record: {} }, 'state', 3)).toBeUndefined();
  });
});
