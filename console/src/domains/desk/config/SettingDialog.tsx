import { POLICY, policyLabels } from '@hengtai/contract/desk/approval/calls';
import { SETTING_TEXT_MAX } from '@hengtai/contract/wire/input-values';
import { SETTLEMENT } from '@hengtai/contract/values/money';
import { REPORT_ZONE, config, isGuard, isPolicy, unitOf } from '@hengtai/contract/desk/config/calls';
import type { ConfigRow } from '@hengtai/contract/desk/config/schema';
import { Input, Select, Switch } from 'antd';
import { useState } from 'react';
import { useFourEyesLocked } from '../../../api/me.ts';
import { SUBMIT } from '../../../actions/approval-words.ts';
import { useTabGuard } from '../../../navigation/page-route.ts';
import { FormField } from '../../../ui/form/FormPart.tsx';
import { LastChange } from './LastChange.tsx';
import {
  NEEDS_CHECKER,
  GUARD_REASONS,
  boundsOf,
  changeOf,
  AMOUNT_REGEX,
  loosensProtection,
  findBoundsError,
  nameOf,
  textOf,
} from './value.ts';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';

/** Time zones of the report zone. The server refuses those on which it and the database differ. */
const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone.includes('/'))];

interface Props {
  /** The setting when the dialog was opened. */
  row: ConfigRow;
  /** The setting now: another operator may have changed it since. */
  now: ConfigRow;
  onClose: () => void;
}

/** 编辑: changes one setting, with a reason. */
export function SettingDialog({ row, now, onClose }: Props) {
  const [value, setValue] = useState({ str: row.str, num: row.num, state: row.state });
  const isChanged = value.str !== row.str || value.num !== row.num || value.state !== row.state;
  useTabGuard(isChanged);
  const edited = { ...row, ...value };
  const needsChecker = useFourEyesLocked() && loosensProtection(row, value);
  const isTurnedOff = isPolicy(row) && row.state !== POLICY.off && value.state === POLICY.off;

  return (
    <ActionDialog
      call={config.save}
      input={{ id: row.id, ...changeOf(row, value), seen: row.updatedAt }}
      title={`编辑设置：${nameOf(row)}`}
      details={[
        { label: '当前值', value: textOf(row) },
        { label: '说明', value: row.remark, wide: true },
        { label: '最近修改', value: <LastChange row={row} /> },
      ]}
      consequence={needsChecker ? NEEDS_CHECKER : consequenceOf(row, edited, isTurnedOff)}
      danger={isTurnedOff}
      verb={needsChecker ? SUBMIT : '保存'}
      blocked={blockedBy(row, value, isChanged)}
      reason={{ required: isGuard(row), chips: isGuard(row) ? GUARD_REASONS : [] }}
      stateText={() => textOf(now)}
      onClose={onClose}
    >
      <div className="ht-config-fields">
        {(isPolicy(row) || row.kind === 'switch') && <StateField row={row} value={value.state} onChange={setState} />}
        {isPolicy(row) ? value.state === POLICY.above && numField('金额') : row.kind === 'num' && numField('数值')}
        {row.key === REPORT_ZONE && (
          <FormField label="时区">
            {(id) => (
              <Select
                id={id}
                showSearch
                value={value.str}
                options={[...new Set([row.str, ...ZONES])].map((zone) => ({ value: zone }))}
                onChange={(str: string) => setValue({ ...value, str })}
              />
            )}
          </FormField>
        )}
        {row.kind === 'str' && row.key !== REPORT_ZONE && (
          <FormField label="内容">
            {(id) => (
              <Input.TextArea
                id={id}
                value={value.str}
                maxLength={SETTING_TEXT_MAX}
                autoSize={{ minRows: 1, maxRows: 6 }}
                onChange={(event) => setValue({ ...value, str: event.target.value })}
              />
            )}
          </FormField>
        )}
      </div>
    </ActionDialog>
  );

  function setState(state: number) {
    setValue({ ...value, state });
  }

  function numField(label: string) {
    return (
      <FormField label={label} hint={boundsOf(row)}>
        {(id) => (
          <Input
            id={id}
            value={value.num}
            inputMode="decimal"
            autoComplete="off"
            suffix={<span className="ht-value-unit">{isPolicy(row) ? SETTLEMENT : unitOf(row)}</span>}
            onChange={(event) => setValue({ ...value, num: event.target.value.replaceAll(',', '').trim() })}
          />
        )}
      </FormField>
    );
  }
}

function StateField({ row, value, onChange }: { row: ConfigRow; value: number; onChange: (state: number) => void }) {
  if (!isPolicy(row)) {
    return (
      <FormField label="开关">
        {(id) => <Switch id={id} checked={value === 1} onChange={(on) => onChange(on ? 1 : 0)} />}
      </FormField>
    );
  }
  const options = Object.entries(policyLabels).map(([mode, label]) => ({ value: Number(mode), label }));
  return (
    <FormField label="何时复核">
      {(id) => <Select id={id} value={value} options={options} onChange={onChange} />}
    </FormField>
  );
}

function blockedBy(
  row: ConfigRow,
  { num, state }: { num: string; state: number },
  isChanged: boolean,
): string | undefined {
  const isNumeric = isPolicy(row) ? state === POLICY.above : row.kind === 'num';
  if (isNumeric && !AMOUNT_REGEX.test(num)) return '请输入数值，最多 18 位小数';
  const boundsError = isNumeric ? findBoundsError(row, num) : undefined;
  if (boundsError !== undefined) return boundsError;
  return isChanged ? undefined : '尚未修改';
}

function consequenceOf(row: ConfigRow, edited: ConfigRow, isTurnedOff: boolean): string {
  if (isTurnedOff)
    return `保存后立即生效：此操作不再需要第二个人确认，一个人就能完成。已提交的复核不受影响；本次修改会记入审计日志。`;
  if (isPolicy(row)) return `保存后立即生效：${textOf(edited)}。已提交的复核不受影响。`;
  if (row.key === REPORT_ZONE)
    return '今天延长到新时区的下一个零点，共 24 至 49 小时；其间开始的日期跳过，以前各日不变。保存后通知交易平台。';
  return '保存后立即生效，并通知交易平台。';
}
