import type { ConfigHistoryRow, ConfigValue } from '@hengtai/contract/desk/config/schema';
import { textOf } from './value.ts';

interface Props {
  setting: Pick<ConfigHistoryRow, 'key' | 'kind' | 'name'>;
  before: ConfigValue;
  after: ConfigValue;
}

/** The value of a setting before and after a change. */
export function ValueChange({ setting, before, after }: Props) {
  return (
    <span className="ht-config-change">
      <del>{textOf({ ...setting, ...before })}</del>
      <span aria-hidden> → </span>
      <ins>{textOf({ ...setting, ...after })}</ins>
    </span>
  );
}
