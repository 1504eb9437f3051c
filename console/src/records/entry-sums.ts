const missing = '缩小范围后显示';

/** Sums of a list of ledger entries. */
export const entrySums = [
  { field: 'amount', label: '净变动' },
  { field: 'in', label: '转入', missing },
  { field: 'out', label: '转出', missing },
] as const;

/** 转入 and 转出 of a page of entries, as the totals count them. */
export const entryPageSums = {
  value: ({ amount }: { amount: string }, field: string): string => {
    if (field === 'amount') return amount;
    const isOut = amount.startsWith('-');
    return isOut === (field === 'out') ? amount.replace(/^-/, '') : '0';
  },
};
