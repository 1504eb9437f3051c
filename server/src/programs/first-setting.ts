import type { SettingKey } from '@hengtai/contract/authority/four-eyes';

export interface FirstSetting {
  key: SettingKey;
  name: string;
  group: string;
  kind: 'str' | 'num' | 'switch';
  str?: string;
  num?: string;
  state?: number;
  min?: string;
  max?: string;
  /** What the setting does. */
  remark: string;
}
